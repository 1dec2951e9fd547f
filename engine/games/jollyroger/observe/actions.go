package observe

import (
	"math/bits"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

// choices are the first actions of each sort, in the order of action.choice.
var choices = [numChoices]engine.Action{
	jollyroger.ToPlay, jollyroger.ToSupport, jollyroger.ToOppose, jollyroger.ToCutthroat, jollyroger.ToUse, jollyroger.ToChange,
	jollyroger.ToSeat, jollyroger.ToSail, jollyroger.ToPass, jollyroger.ToReveal, jollyroger.ToSucceed, jollyroger.ToFail,
	jollyroger.ToPrize, jollyroger.ToGive, jollyroger.ToExchange, jollyroger.ToRansom, jollyroger.ToSell, jollyroger.ToBury,
	jollyroger.ToBuryAll, jollyroger.ToDiscard, jollyroger.ToPunish, jollyroger.ToSpare, jollyroger.ToSuggest, jollyroger.ToOffer,
	jollyroger.ToOffer + engine.Action(jollyroger.NumCrew), jollyroger.ToPropose, jollyroger.ToAccept, jollyroger.ToRefuse, jollyroger.ToSay,
}

// choiceOf is the sort of each action.
var choiceOf = encode.Sorts(choices[:], jollyroger.NumActions)

// scribe is the common part of the rows of one decision.
type scribe struct {
	j    *encoder
	s    *jollyroger.State
	f    jollyroger.Frame
	me   int
	open bool // one sees the prizes of all

	gold   [jollyroger.MaxSeats]int // in all, as one knows it
	others int                      // crew cards that they hold
	fights bool                     // an attack is under way, or may be chosen
	now    side                     // before the action
}

// side is the strength of crew cards in an attack.
type side struct {
	skill [jollyroger.NumSkills]int
	any   int // cards of any skill
}

func (d *side) add(card *jollyroger.CrewCard, n int) {
	if card.Skill == jollyroger.AnySkill {
		d.any += n
	} else {
		d.skill[card.Skill] += n * int(card.Value)
	}
}

// plus is the sum of two.
func (d side) plus(o side) side {
	for k, n := range o.skill {
		d.skill[k] += n
	}
	d.any += o.any
	return d
}

// describe fills a row for each legal action.
func (j *encoder) describe(m engine.Match, rows []actionRow) {
	s := engine.State[jollyroger.State](m)
	c := scribe{j: j, s: s, f: s.Top(), me: m.Seat(), open: j.rules.PrizesOpen(s)}
	for i := range j.seats {
		c.gold[i] = c.worth(&s.Prizes[i], i) + c.worth(&s.Buried[i], i)
		if i != c.me {
			c.others += int(s.Size[i])
		}
	}
	switch c.f.Kind {
	case jollyroger.AskFirst, jollyroger.AskAttack, jollyroger.AskChange, jollyroger.AskAssign, jollyroger.AskLookout:
		c.fights = s.Destination < jollyroger.PiratePort
		c.now = c.force(&s.Played)
	}
	a := m.Legal().First()
	for i := range rows {
		row := &rows[i]
		row.kind[c.f.Kind] = 1
		row.choice[choiceOf[a]] = 1
		c.choice(row, a)
		a = m.Legal().Next(a)
	}
}

// force is the combined strength of crew cards with a skill.
func (c *scribe) force(cards *[jollyroger.NumCrew]uint8) (d side) {
	for k, n := range cards[:jollyroger.NumNormal] {
		if n > 0 {
			d.add(&c.j.rules.Crew[k], int(n))
		}
	}
	return d
}

// value is the gold of a prize by itself.
func (c *scribe) value(k int) int { return int(c.j.rules.Components.Prizes[k].Value) }

// worth is the gold of a seat's prizes, one for each that one does not see.
func (c *scribe) worth(prizes *[jollyroger.NumPrizes]uint8, seat int) (gold int) {
	for k, n := range prizes {
		switch {
		case n == 0:
		case c.open || seat == c.me:
			gold += int(n) * c.value(k)
		default:
			gold += int(n)
		}
	}
	return gold
}

func count(prizes *[jollyroger.NumPrizes]uint8) (n int) {
	for _, k := range prizes {
		n += int(k)
	}
	return n
}

// fit is a number as a byte.
func fit(n int) uint8 { return uint8(min(max(n, 0), 255)) }

// choice writes the effect of an action.
func (c *scribe) choice(row *actionRow, a engine.Action) {
	s := c.s
	first := choices[choiceOf[a]]
	x := int(a - first)
	card, gone := -1, false // the crew card that it names, which leaves the hand
	row.loose, row.hidden = fit(c.worth(&s.Prizes[c.me], c.me)), fit(c.worth(&s.Buried[c.me], c.me))
	played, needs := c.now, s.Needs
	switch first {
	case jollyroger.ToPlay:
		card, gone = x, true
		played.add(&c.j.rules.Crew[x], 1)
	case jollyroger.ToSupport, jollyroger.ToOppose:
		card, gone = x, x < jollyroger.NumCrew
	case jollyroger.ToCutthroat:
		card, gone = int(jollyroger.Cutthroat), true
	case jollyroger.ToUse:
		for k := range jollyroger.Card(jollyroger.NumCrew) {
			if c.j.uses[k] == a {
				card, gone = int(k), true
			}
		}
	case jollyroger.ToChange:
		card, gone = int([jollyroger.NumSkills]jollyroger.Card{jollyroger.MasterMariner, jollyroger.Sharpshooter, jollyroger.FirstMate}[x/2]), true
		if x%2 == 0 {
			needs[x/2]++
		} else if needs[x/2] > 0 {
			needs[x/2]--
		}
	case jollyroger.ToDiscard:
		card, gone = x, true
	case jollyroger.ToSeat:
		c.named(row, x)
	case jollyroger.ToSuggest:
		c.named(row, x+1)
	case jollyroger.ToSay:
		c.named(row, x%(jollyroger.MaxSeats-1)+1)
		row.target.says[x/(jollyroger.MaxSeats-1)] = 1
	case jollyroger.ToSail:
		c.sail(row, x)
	case jollyroger.ToPass, jollyroger.ToReveal, jollyroger.ToSpare:
		row.ends = 1
		if c.f.Kind == jollyroger.AskSeaDog {
			card, gone = int(jollyroger.SeaDog), true
		}
	case jollyroger.ToPrize:
		c.prize(row, x)
	case jollyroger.ToGive:
		c.prize(row, x/jollyroger.MaxSeats)
		c.named(row, x%jollyroger.MaxSeats)
		if x%jollyroger.MaxSeats > 0 {
			row.gold = 0
		}
	case jollyroger.ToExchange:
		c.prize(row, x)
		row.gold, row.lost = 0, fit(c.value(x))
	case jollyroger.ToRansom:
		c.prize(row, int(jollyroger.Hostage))
	case jollyroger.ToSell:
		c.prize(row, int(jollyroger.Jewels))
	case jollyroger.ToBury:
		c.prize(row, x)
		row.gold = 0
		row.loose, row.hidden = fit(int(row.loose)-c.value(x)), fit(int(row.hidden)+c.value(x))
	case jollyroger.ToBuryAll:
		row.loose, row.hidden = 0, fit(int(row.loose)+int(row.hidden))
	case jollyroger.ToOffer:
		card, gone = x, true
	case jollyroger.ToOffer + engine.Action(jollyroger.NumCrew):
		c.prize(row, x)
		row.gold, row.lost = 0, fit(c.value(x))
	}
	if c.f.Kind == jollyroger.AskOffer || c.f.Kind == jollyroger.AskAccept {
		c.offer(row)
	}
	c.hand(row, card, gone)
	row.others = fit(c.others)
	if c.fights {
		c.attack(row, s.Destination, played, needs)
	}
	if s.Mutineer >= 0 && s.Phase != jollyroger.PhaseOver || c.f.Kind == jollyroger.AskMutiny {
		c.mutiny(row, a, card)
	}
}

// hand writes a crew card that an action names, and the hand without it.
func (c *scribe) hand(row *actionRow, card int, gone bool) {
	own := &c.s.Hands[c.me]
	rules := c.j.rules
	if card >= 0 {
		if card < jollyroger.NumCrew {
			info := &rules.Crew[card]
			row.crewmen = info.Crewmen
			if card < jollyroger.NumNormal {
				row.skill[info.Skill], row.value = 1, info.Value
			}
			row.copies = own[card]
		} else {
			row.crewmen = 1
		}
		if card >= jollyroger.NumNormal {
			row.special[card-jollyroger.NumNormal] = 1
		}
	}
	left := c.force(own)
	men := 0
	for k, n := range own {
		men += int(n) * int(rules.Crew[k].Crewmen)
	}
	held := int(c.s.Size[c.me])
	if gone {
		held--
		men -= int(rules.Crew[card].Crewmen)
		if card < jollyroger.NumNormal {
			left.add(&rules.Crew[card], -1)
		}
	}
	row.hand, row.men = fit(held), fit(men)
	for k, n := range left.skill {
		row.skills[k] = fit(n)
	}
	row.skills[jollyroger.NumSkills] = fit(left.any)
}

// aims are what an attack on a destination may have to conquer: the revealed target, with its needs, or each card left.
func (c *scribe) aims(d jollyroger.Destination, needs [jollyroger.NumSkills]uint8) (list [jollyroger.StackSize]jollyroger.Target, n int) {
	if c.s.Target >= 0 && d == c.s.Destination {
		list[0] = c.j.rules.Targets[c.s.Target]
		list[0].Needs = needs
		return list, 1
	}
	for set := c.s.Stacks[d]; set != 0; set &= set - 1 {
		list[n] = c.j.rules.Targets[int(d)*jollyroger.StackSize+bits.TrailingZeros8(set)]
		n++
	}
	return list, n
}

// lacks is what cards lack for a target, points that cards of any skill bring aside or put to use, and whether they suffice.
func (c *scribe) lacks(t *jollyroger.Target, d *side) (by [jollyroger.NumSkills]int, missing int, wins bool) {
	each := int(c.j.rules.Crew[jollyroger.AnyCard].Value)
	cards := 0
	for k, need := range t.Needs {
		by[k] = max(0, int(need)-d.skill[k])
		missing += by[k]
		cards += (by[k] + each - 1) / each
	}
	return by, max(0, missing-each*d.any), cards <= d.any
}

// attack writes how an attack stands with cards that are played.
func (c *scribe) attack(row *actionRow, d jollyroger.Destination, played side, needs [jollyroger.NumSkills]uint8) {
	to := &row.attack
	list, n := c.aims(d, needs)
	if n == 0 {
		return
	}
	before, _ := c.aims(d, c.s.Needs)
	rest := side{any: int(row.skills[jollyroger.NumSkills])}
	for k := range rest.skill {
		rest.skill[k] = int(row.skills[k])
	}
	all := played.plus(rest)
	var need, lack [jollyroger.NumSkills]int
	missing, was, wins, won, hand, could, prizes := 0, 0, 0, 0, 0, 0, 0
	for i := range list[:n] {
		t := &list[i]
		by, m, w := c.lacks(t, &played)
		for k := range by {
			need[k] += int(t.Needs[k])
			lack[k] += by[k]
		}
		missing += m
		wins += int(engine.Bit(w))
		_, m, w = c.lacks(&before[i], &c.now)
		was += m
		won += int(engine.Bit(w))
		_, m, w = c.lacks(t, &all)
		hand += m
		could += int(engine.Bit(w))
		prizes += min(int(t.Prizes), int(c.s.PrizesLeft))
	}
	for k := range need {
		to.needs[k], to.lacks[k] = fit(16*need[k]/n), fit(16*lack[k]/n)
	}
	to.missing, to.helps = fit(16*missing/n), fit(16*(was-missing)/n)
	to.wins, to.could = fit(255*wins/n), fit(255*could/n)
	to.hand, to.prizes = fit(16*hand/n), fit(16*prizes/n)
	to.last = engine.Bit(wins > won)
	switch {
	case c.others > 0:
		to.short = fit(64 * hand / (n * c.others))
	case hand > 0:
		to.short = 255
	}
	captain, mate := c.me == int(c.s.Captain), c.me == int(c.s.Quartermaster)
	to.cut = [2]uint8{engine.Bit(captain), engine.Bit(mate)}
	// The Captain takes the first, the Quartermaster shares out the rest, as a rule evenly.
	share := 16 * prizes / n / c.j.seats
	if captain {
		share = max(share, min(16, 16*prizes/n))
	}
	to.each = fit(share)
}

// sail writes a destination.
func (c *scribe) sail(row *actionRow, x int) {
	s, d := c.s, jollyroger.Destination(x)
	row.sail[x] = 1
	switch d {
	case jollyroger.PiratePort:
		list, n := c.aims(d, s.Needs)
		crew, room, all := 0, 0, 0
		limit := int(c.j.rules.Limit())
		for _, t := range list[:n] {
			crew += int(t.Crew)
			for i := range c.j.seats {
				fits := min(int(t.Crew), max(0, limit-int(s.Size[i])))
				if i == c.me {
					room += fits
				} else {
					all += fits
				}
			}
		}
		if n > 0 {
			row.port, row.room, row.roomAll = fit(16*crew/n), fit(16*room/n), fit(4*all/n)
		}
		for i := range c.j.seats {
			if i == c.me {
				row.hostages = fit(int(s.Prizes[i][jollyroger.Hostage]))
			} else if c.open {
				row.theirs = fit(int(row.theirs) + int(s.Prizes[i][jollyroger.Hostage]))
			}
		}
	case jollyroger.TreasureIsland:
		row.map_ = engine.Bit(s.Map || s.Hands[c.me][jollyroger.OldSailor] > 0)
	default:
		c.hand(row, -1, false)
		c.attack(row, d, side{}, s.Needs)
	}
}

// named writes the player the given number of places on.
func (c *scribe) named(row *actionRow, k int) {
	s, to := c.s, &row.target
	seat := (c.me + k) % c.j.seats
	to.seat[k] = 1
	to.hand = fit(int(s.Size[seat]))
	loose, buried := count(&s.Prizes[seat]), count(&s.Buried[seat])
	hoard := c.worth(&s.Buried[seat], seat)
	to.prizes, to.buried = fit(loose), fit(buried)
	to.gold, to.hoard = fit(c.worth(&s.Prizes[seat], seat)), fit(hoard)
	if buried > 0 {
		to.mean = fit(16 * hoard / buried)
	}
	if c.open || seat == c.me {
		for p, n := range s.Prizes[seat] {
			if n > 0 {
				to.best = max(to.best, fit(c.value(p)))
			}
		}
	}
	to.ahead, to.behind = fit(c.gold[seat]-c.gold[c.me]), fit(c.gold[c.me]-c.gold[seat])
	to.leads, to.fewest = 1, 1
	for i := range c.j.seats {
		if i != seat && c.gold[i] > c.gold[seat] {
			to.leads = 0
			to.rank += engine.Bit(i != c.me)
		}
		if s.Split[i] < s.Split[seat] {
			to.fewest = 0
		}
	}
	to.officer = [3]uint8{engine.Bit(seat == int(s.Captain)), engine.Bit(seat == int(s.Quartermaster)), engine.Bit(seat == int(s.Mutineer))}
	if side := s.Side[seat]; side != jollyroger.Neutral {
		to.side[side-1] = 1
	}
	to.split = s.Split[seat]
	to.suggests = engine.Bit(c.f.Kind == jollyroger.AskVictim && int(c.f.Arg[0])-1 == seat)
}

// prize writes a prize among those that are there to be chosen from.
func (c *scribe) prize(row *actionRow, k int) {
	s := c.s
	from := &s.Prizes[c.me]
	switch c.f.Kind {
	case jollyroger.AskPick, jollyroger.AskShare:
		from = &s.Spoils
		row.left = fit(count(from) - 1)
	case jollyroger.AskClaimPrize:
		from = &s.Prizes[c.f.Arg[0]]
	}
	row.prize[k] = 1
	row.worth = fit(c.value(k))
	row.same = from[k]
	for other, n := range from {
		if c.value(other) > c.value(k) {
			row.better += n
		}
	}
	switch c.f.Kind {
	case jollyroger.AskPick, jollyroger.AskShare, jollyroger.AskClaimPrize:
		row.gold = fit(c.value(k))
	case jollyroger.AskDonate:
		row.lost = fit(c.value(k))
	}
}

// offer writes the offer so far.
func (c *scribe) offer(row *actionRow) {
	cards, gold := 0, 0
	for _, n := range c.s.Offer {
		cards += int(n)
	}
	for k, n := range c.s.OfferPrizes {
		gold += int(n) * c.value(k)
	}
	row.offered, row.offering = fit(cards), fit(gold)
}

// mutiny writes how the sides stand after an action, with a card that it plays or −1.
func (c *scribe) mutiny(row *actionRow, a engine.Action, card int) {
	s, rules, to := c.s, c.j.rules, &row.mutiny
	mine := s.Side[c.me]
	men := [3]int{0, rules.Crewmen(s, jollyroger.ForCaptain), rules.Crewmen(s, jollyroger.ForMutineer)}
	was := men[1] >= men[2]
	joined := mine
	adds := 0
	switch sort := choices[choiceOf[a]]; sort {
	case jollyroger.ToSupport:
		joined = jollyroger.ForCaptain
	case jollyroger.ToOppose:
		joined = jollyroger.ForMutineer
	case jollyroger.ToCutthroat:
		killed := jollyroger.ForCaptain + jollyroger.Side(a-jollyroger.ToCutthroat)
		to.kills[killed-1] = 1
		if joined == jollyroger.Neutral {
			joined = jollyroger.ForCaptain + jollyroger.ForMutineer - killed
		}
	}
	if s.Mutineer < 0 && joined != jollyroger.Neutral { // it is called by this
		joined = jollyroger.ForMutineer
		to.boss[1] = 1
	}
	if joined != jollyroger.Neutral {
		to.side[joined-1] = 1
		to.joins = engine.Bit(mine == jollyroger.Neutral)
		if card >= 0 {
			adds = 1
			if card < jollyroger.NumCrew {
				adds = int(rules.Crew[card].Crewmen)
			}
			if choices[choiceOf[a]] == jollyroger.ToUse || choices[choiceOf[a]] == jollyroger.ToOffer {
				adds = 0
			}
			men[joined] += adds
		}
		to.own = row.loose
	}
	to.adds = fit(min(adds, 8))
	to.crewmen = [sides]uint8{fit(men[1]), fit(men[2])}
	to.leads, to.trails = fit(men[1]-men[2]+1), fit(men[2]-men[1])
	to.turns = engine.Bit(was != (men[1] >= men[2]))
	reserve := int(row.men)
	if rules.MayPlayRole(s, c.me) && card != int(jollyroger.QuartermasterCard) {
		reserve++
	}
	to.reserve = fit(reserve)
	var hands, gold, prizes [3]int
	for i := range c.j.seats {
		side := s.Side[i]
		if s.Mutineer < 0 && i == int(s.Captain) {
			side = jollyroger.ForCaptain
		}
		if i == c.me {
			side = joined
		} else {
			hands[side] += int(s.Size[i])
		}
		gold[side] += c.worth(&s.Prizes[i], i)
		prizes[side] += count(&s.Prizes[i])
	}
	to.hands = [3]uint8{fit(hands[1]), fit(hands[2]), fit(hands[0])}
	to.gold, to.prizes = [sides]uint8{fit(gold[1]), fit(gold[2])}, [sides]uint8{fit(prizes[1]), fit(prizes[2])}
	if passes := int(s.Passes()); passes > 0 {
		if adds > 0 {
			passes = 0
		}
		to.answers = fit(c.j.seats - passes)
	}
	to.boss[0] = engine.Bit(c.me == int(s.Captain))
	to.boss[1] |= engine.Bit(c.me == int(s.Mutineer))
}
