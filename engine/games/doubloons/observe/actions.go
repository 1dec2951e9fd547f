package observe

import (
	"math/bits"
	"sync"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// choices are the first actions of each sort, in the order of action.choice.
var choices = [numChoices]engine.Action{
	doubloons.ToCaptain, doubloons.ToPlace, doubloons.ToCard, doubloons.ToSail, doubloons.ToComeAbout, doubloons.ToStay,
	doubloons.ToDo, doubloons.ToNear, doubloons.ToFar, doubloons.ToSeat, doubloons.ToSymbol, doubloons.ToJewel,
	doubloons.ToNode, doubloons.ToTile, doubloons.ToStack, doubloons.ToAccept, doubloons.ToDecline, doubloons.ToCompass,
	doubloons.ToRegion,
}

// choiceOf is the sort of each action.
var choiceOf = encode.Sorts(choices[:], doubloons.NumActions)

// scribe is the room that the rows of one decision are worked out in.
type scribe struct {
	ledger
	f    doubloons.Frame
	seat int

	isle     isle // as the captain who Advances sees the alternate island
	forecast forecast
	known    doubloons.State          // that the forecast was taken of, as far as that reads it
	knower   int                      // seat that it was taken for; negative before the first
	cards    [doubloons.NumCards]int8 // room for own ones
	brings   [mostCards]vec           // the most of each row's completions
	tried    doubloons.State
	tried2   doubloons.State
	outcomes []engine.Outcome
}

var scribes = sync.Pool{New: func() any { return &scribe{knower: -1} }}

// describe fills a row for each legal action.
func (d *encoder) describe(m engine.Match, rows []actionRow) {
	c := scribes.Get().(*scribe)
	c.open(d, engine.State[doubloons.State](m))
	c.f = c.s.Top()
	c.seat = int(c.f.Seat)
	if c.strolls() {
		c.isle.survey(d, c.s, c.seat)
	}
	legal := m.Legal()
	a := legal.First()
	for i := range rows {
		row := &rows[i]
		row.kind[c.f.Kind] = 1
		row.choice[choiceOf[a]] = 1
		row.rank[min(i, numRanks-1)] = 1
		c.choice(row, a)
		a = legal.Next(a)
	}
	switch c.f.Kind {
	case doubloons.AskProgram:
		c.program(legal, rows)
	case doubloons.AskMove:
		c.move(legal, rows)
	case doubloons.AskAction:
		c.act(legal, rows)
	}
	if c.f.Kind != doubloons.AskProgram && c.f.Kind != doubloons.AskMove && c.f.Kind > doubloons.AskPlace {
		c.try(legal, rows)
	}
	scribes.Put(c)
}

// strolls reports whether a captain on the alternate island is to be moved.
func (c *scribe) strolls() bool {
	return c.d.away && (c.f.Kind == doubloons.AskPath || c.f.Kind == doubloons.AskBeach)
}

// choice writes the objects that an action names.
func (c *scribe) choice(row *actionRow, a engine.Action) {
	s, d := c.s, c.d
	switch first := choices[choiceOf[a]]; first {
	case doubloons.ToCaptain:
		row.captain[a-first] = 1
	case doubloons.ToPlace:
		c.berth(row, berth(int(a-first)))
	case doubloons.ToRegion:
		c.berth(row, doubloons.Ship{Region: int8(a - first), Facing: doubloons.Clockwise})
	case doubloons.ToCard:
		c.face(row, int8(a-first))
	case doubloons.ToSeat:
		k := int(a - first)
		if a == doubloons.ToLegendary {
			c.target(row, doubloons.Legendary)
		} else {
			c.target(row, (c.seat+k)%d.seats)
		}
		c.tile(row)
	case doubloons.ToSymbol:
		k := int(a - first)
		row.symbol[k] = 1
		row.owns, row.left = min(s.Ships[c.seat].Fragments[k], 6), min(s.UnseenFragments[k], 6)
		if c.f.Kind == doubloons.AskHunt {
			for n := range d.seats - 1 {
				row.rivals[n].follows = engine.Bit(s.Ships[(c.seat+1+n)%d.seats].Fragments[k] > 0)
			}
			c.ahead(row)
		} else if e := c.f.Arg[0]; c.f.Kind != doubloons.AskGive && int(e) < len(s.Ships) && e >= 0 && c.f.Kind < doubloons.FirstIslandKind && c.f.Kind != doubloons.AskSextantTheirs {
			c.target(row, int(e))
		}
	case doubloons.ToJewel:
		row.jewel[a-first] = 1
	case doubloons.ToNode:
		c.node(row, int(a-first))
	case doubloons.ToTile:
		row.lies[a-first] = 1
	case doubloons.ToStack:
		c.stack(row, int(a-first))
	case doubloons.ToAccept, doubloons.ToDecline:
		c.tile(row)
	case doubloons.ToCompass:
		k, slot := int(a-first)/doubloons.NumSlots, int(a-first)%doubloons.NumSlots
		if card := s.Ships[(c.seat+1+k)%d.seats].Table[slot]; card >= 0 {
			c.face(row, card)
		}
		row.slot[slot] = 1
	case doubloons.ToDo:
		if icon := doubloons.Icon(a - first); icon == doubloons.IconHunt {
			if f := &s.Ships[c.seat].Fragments; f[0]+f[1]+f[2]+f[3] >= 2 && (!s.Dug || d.away) {
				c.ahead(row)
			}
		}
	}
}

// tile writes the landmark that the decision is about.
func (c *scribe) tile(row *actionRow) {
	switch c.f.Kind {
	case doubloons.AskExploit, doubloons.AskPay, doubloons.AskGiver, doubloons.AskReceiver:
		row.lies[c.f.Arg[0]] = 1
	case doubloons.AskDrawTwo:
		c.stack(row, int(c.f.Arg[0]))
	}
}

// face writes a card.
func (c *scribe) face(row *actionRow, card int8) {
	look := &c.d.faces[card]
	row.card, row.needs = look.card, look.needs
}

// berth writes a place for a ship.
func (c *scribe) berth(row *actionRow, at doubloons.Ship) {
	row.region[at.Region] = 1
	if tile := c.s.Water[at.Region]; tile >= 0 && tile < boxWater {
		row.berth[tile] = 1
	}
	ahead := c.d.rules.Ahead(&at, 1)
	for i := range c.s.Ships {
		row.ships += engine.Bit(int(c.s.Ships[i].Region) == int(at.Region))
		row.prey += engine.Bit(int(c.s.Ships[i].Region) == ahead)
	}
}

// target writes the ship that an action names.
func (c *scribe) target(row *actionRow, seat int) {
	s, d, to, sh := c.s, c.d, &row.target, &c.s.Ships[seat]
	k := seat
	if seat != doubloons.Legendary {
		k = (seat - c.seat + d.seats) % d.seats
		points, own := d.points(s, seat), d.points(s, c.seat)
		to.points = fit(points)
		to.ahead, to.behind = fit(points-own), fit(own-points)
		to.leads = 1
		for i := range d.seats {
			if i != seat && i != c.seat && d.points(s, i) > points {
				to.leads = 0
			}
		}
		if s.Slot >= 0 && s.Turn >= 0 && s.Turn != doubloons.Legendary {
			to.turn = engine.Bit(d.rules.TurnOf(s, seat) > d.rules.TurnOf(s, int(s.Turn)))
		}
		to.distance = d.places[sh.Node].distance
	}
	to.ship[k] = 1
	to.ghost, to.hull, to.crew, to.reputation = engine.Bit(sh.Ghost), sh.Hull, sh.Crew, sh.Reputation
	to.doubloons, to.pillage, to.orbs = sh.Doubloons, sh.Pillage, sh.Orbs
	to.fragments, to.jewels = sh.Fragments, sh.Jewels
}

// ahead writes where the own captain Advances if there is but one way.
func (c *scribe) ahead(row *actionRow) {
	node := c.s.Ships[c.seat].Node
	if next := c.d.rules.Next[node][:c.d.rules.NextN[node]]; !c.d.away && len(next) == 1 {
		c.node(row, int(next[0]))
	}
}

// node writes a location on the island where the choice leads, and what lies there and beyond.
func (c *scribe) node(row *actionRow, n int) {
	s, rules := c.s, c.d.rules
	row.to = c.d.places[n]
	switch colour := rules.Colour[n]; {
	case s.Tiles[n] >= 0:
		row.lies[s.Tiles[n]] = 1
	case colour < doubloons.NumColours:
		c.stack(row, int(colour))
	}
	next := rules.Next[n][:rules.NextN[n]]
	if c.d.away {
		next = rules.AlternateNext[n][:rules.AlternateNextN[n]]
		if c.strolls() {
			row.most.hunt = fit(c.isle.way(n))
		}
	}
	for _, next := range next {
		if tile := s.Tiles[next]; tile >= 0 {
			row.beyond[tile] = 1
		}
	}
}

// stack writes a stack and what may come of it: any of its shuffled top, else the first of what was laid below.
func (c *scribe) stack(row *actionRow, colour int) {
	row.draws[colour] = 1
	switch top := c.s.StackTop[colour]; {
	case top != 0:
		engine.Unpack(row.mayDraw[:], top)
	case c.s.StackLow[colour] > 0:
		row.mayDraw[c.s.StackBottom[colour][0]] = 1
	}
}

// points are those of the ship at a seat.
func (d *encoder) points(s *doubloons.State, seat int) (sum int32) {
	var by [doubloons.NumScores]int32
	player := d.rules.PlayerAt(s, seat)
	d.rules.Scores(s, player, player, by[:])
	for _, n := range by {
		sum += n
	}
	return sum
}

// fit is a number as a byte.
func fit[N int | int32](n N) uint8 { return uint8(min(max(n, 0), 255)) }

// program writes the gain from each card in its slot, from all positions to which the cards before it may lead.
func (c *scribe) program(legal *engine.Mask, rows []actionRow) {
	o, me := &c.forecast, &c.s.Ships[c.seat]
	slot := int(c.f.Arg[0])
	if me.Region < 0 || slot >= doubloons.NumSlots {
		return
	}
	cards := append(c.cards[:0], me.Table[:slot]...)
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		cards = append(cards, int8(a-doubloons.ToCard))
	}
	c.forecastFrom(0, cards[:min(len(cards), mostCards)])
	var gone [positions]vec
	from, icons := o.played(me.Table[:slot], position(me.Region, me.Facing), &gone)
	var own uint16
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if i := o.place(int8(a - doubloons.ToCard)); i >= 0 {
			own |= 1 << i
		}
	}
	for k := slot; k < doubloons.NumSlots; k++ {
		o.sets[k] = own
	}
	weighed := bits.OnesCount16(own) // the first of them
	a := legal.First()
	for n := range rows[:weighed] {
		row, card := &rows[n], int8(a-doubloons.ToCard)
		a = legal.Next(a)
		i := o.place(card)
		info := &c.d.rules.Cards[card]
		shown := icons | info.Icons
		var reach uint16
		var best vec
		for set := from; set != 0; set &= set - 1 {
			at := bits.TrailingZeros16(set)
			reach |= o.moves[i][at]
			for ends := o.moves[i][at]; ends != 0; ends &= ends - 1 {
				end := bits.TrailingZeros16(ends)
				v := gone[at].plus(*o.worth(slot, i, end, icons))
				best = best.or(v.plus(o.rest(slot+1, end, 1<<i, shown)))
			}
		}
		c.facts(row, slot, info, reach, 3, info.OwnNeeds.Met(icons))
		c.brings[n] = best
	}
	c.compare(rows[:weighed])
}

// played is where the first cards may lead from a position, as a set, what they bring on the way to each place of it, and the icons
// that they show.
func (o *forecast) played(cards []int8, at int, gone *[positions]vec) (from uint16, icons uint8) {
	from = 1 << at
	for slot, card := range cards {
		i := o.place(card)
		var to uint16
		var then [positions]vec
		for set := from; set != 0; set &= set - 1 {
			at := bits.TrailingZeros16(set)
			for ends := o.moves[i][at]; ends != 0; ends &= ends - 1 {
				end := bits.TrailingZeros16(ends)
				then[end] = then[end].or(gone[at].plus(*o.worth(slot, i, end, icons)))
				to |= 1 << end
			}
		}
		from, *gone = to, then
		icons |= o.icons[i]
	}
	return from, icons
}

// forecastFrom takes the forecast for a seat whose next action to come is that of slot, to complete the round with some own cards. If nothing has
// changed since it was taken last but the own ship's place and cards that are not face up, what has been worked out of it is kept.
func (c *scribe) forecastFrom(slot int, cards []int8) {
	o := &c.forecast
	c.tried = *c.s
	c.public(&c.tried)
	same := c.knower == c.seat && o.d == c.d && o.slot == slot && c.tried == c.known
	if same && o.damage == c.d.rules.ForwardDamage(c.s, &c.s.Ships[c.seat], 0) { // that depends on where the ship lies
		o.refresh(c.s)
	} else {
		o.begin(c.d, c.s, c.seat, slot)
		c.known, c.knower = c.tried, c.seat
	}
	for _, card := range cards {
		if o.place(card) < 0 {
			o.complete(cards)
			return
		}
	}
}

// public takes from a state what no forecast reads: cards that nobody has turned up, what is asked, and where the own ship lies.
func (c *scribe) public(s *doubloons.State) {
	s.Rand, s.Deck, s.Discard, s.Old = engine.Rand{}, 0, 0, 0
	s.Depth = 0
	s.Frames = [len(s.Frames)]doubloons.Frame{}
	for i := range s.Ships {
		ship := &s.Ships[i]
		ship.Hand = 0
		for k := int(s.Revealed); k < len(ship.Table); k++ {
			ship.Table[k] = -1
		}
	}
	s.Ships[c.seat].Region, s.Ships[c.seat].Facing = 0, 0
}

// move writes where each movement may lead, and what the card and those after it bring from there.
func (c *scribe) move(legal *engine.Mask, rows []actionRow) {
	s, o, me := c.s, &c.forecast, &c.s.Ships[c.seat]
	if me.Region < 0 || s.Slot < 0 || me.Table[s.Slot] < 0 {
		return
	}
	slot, acts := int(s.Slot), false
	for i := range s.Frames[:s.Depth] {
		f := &s.Frames[i]
		acts = acts || f.Kind == doubloons.AskAction && int(f.Seat) == c.seat
	}
	first := slot
	if !acts && (s.Turn < 0 || s.Turn == doubloons.Legendary || c.d.rules.TurnOf(s, c.seat) <= c.d.rules.TurnOf(s, int(s.Turn))) {
		first++
	}
	icons := c.table(first)
	at := position(me.Region, me.Facing)
	i, info := o.place(me.Table[slot]), &c.d.rules.Cards[me.Table[slot]] // i is not asked for where the card is done with
	a := legal.First()
	for n := range rows {
		row := &rows[n]
		left, to := [4]int8(c.f.Arg[:4]), at
		switch a {
		case doubloons.ToStay:
			left = [4]int8{}
		case doubloons.ToSail:
			to = int(o.sailed[at])
			left[engine.Bit(left[0] == 0)]--
		default:
			to = int(o.turned[at])
			left[2+engine.Bit(left[2] == 0)]--
		}
		a = legal.Next(a)
		reach := o.where(left, to)
		var best vec
		for set := reach; set != 0; set &= set - 1 {
			end := bits.TrailingZeros16(set)
			if acts {
				best = best.or(o.worth(slot, i, end, icons).plus(o.rest(slot+1, end, 1<<i, icons|info.Icons)))
			} else {
				best = best.or(o.rest(first, end, 0, icons))
			}
		}
		open := 0
		if acts {
			open = 3
		}
		c.face(row, me.Table[slot])
		c.facts(row, slot, info, reach, open, info.OwnNeeds.Met(icons))
		c.brings[n] = best
	}
	c.compare(rows)
}

// table takes the forecast from a slot on, with the own cards of those slots, one for each, and returns the icons before it.
func (c *scribe) table(first int) (icons uint8) {
	o, me := &c.forecast, &c.s.Ships[c.seat]
	cards := c.cards[:0]
	for k, card := range me.Table {
		if card >= 0 && k < first {
			icons |= c.d.rules.Cards[card].Icons
		} else if card >= 0 {
			cards = append(cards, card)
		}
	}
	c.forecastFrom(first, cards)
	for k, card := range me.Table[first:] {
		if card >= 0 {
			o.sets[first+k] = 1 << o.place(card)
		}
	}
	return icons
}

// where is the set of positions at which a movement with icons left may end.
func (o *forecast) where(left [4]int8, at int) (set uint16) {
	if left[0]+left[2] == 0 {
		set = 1 << at
	}
	for k, n := range left {
		if n == 0 {
			continue
		}
		then := left
		then[k]--
		to := int(o.turned[at])
		if k < 2 {
			to = int(o.sailed[at])
		}
		set |= o.where(then, to)
	}
	return set
}

// act writes the gain from each action of the card at the ship's place, and that from the cards after it.
func (c *scribe) act(legal *engine.Mask, rows []actionRow) {
	o, me := &c.forecast, &c.s.Ships[c.seat]
	slot := int(c.f.Arg[0])
	if me.Region < 0 || me.Table[slot] < 0 {
		return
	}
	icons := c.table(slot)
	at := position(me.Region, me.Facing)
	info := &c.d.rules.Cards[me.Table[slot]]
	ready := info.OwnNeeds.Met(icons)
	rest := o.rest(slot+1, at, 1<<o.place(me.Table[slot]), icons|info.Icons)
	a := legal.First()
	for n := range rows {
		row := &rows[n]
		open := int(1 + engine.Bit(info.Actions[0].Icon != doubloons.Icon(a-doubloons.ToDo)))
		a = legal.Next(a)
		c.face(row, me.Table[slot])
		c.facts(row, slot, info, 1<<at, open, ready)
		c.brings[n] = o.action(slot, info, &info.Actions[open-1], at, ready).plus(rest)
	}
	c.compare(rows)
}

// compare writes the gain from completions, each beside the best of the other choices.
func (c *scribe) compare(rows []actionRow) {
	const unit, fine = 4, 2 // bits of a lane below an 8th and a 32nd of a point
	var most, second vec
	for n := range rows {
		v := c.brings[n]
		second = second.or(most.and(v))
		most = most.or(v)
	}
	for n := range rows {
		row, v := &rows[n], c.brings[n]
		v.bytes(&row.completions, unit)
		v.or(second).minus(second).bytes(&row.lead, fine)
		most.minus(v).bytes(&row.lag, fine)
	}
}

// facts writes what the actions of a card, those of the set open, may bring in a slot from the positions where the ship
// may be then.
func (c *scribe) facts(row *actionRow, slot int, card *doubloons.Card, reach uint16, open int, ready bool) {
	s, o := c.s, &c.forecast
	row.slot[slot] = 1
	row.ready = engine.Bit(ready && card.Loot != doubloons.LootNone)
	row.places = uint8(bits.OnesCount16(reach))
	for i := range card.Actions {
		if open>>i&1 != 0 {
			row.does[card.Actions[i].Icon] = 1 + card.Actions[i].Plus
		}
	}
	if card.Kind == doubloons.KindCaptain && open != 0 {
		row.most.track = engine.Bit(s.Dug && !c.d.away)
	}
	o.fears()
	least, quiet := int(^uint(0)>>1), int(^uint(0)>>1)
	own := o.me.Facing
	var regions, ahead uint16 // where the ship may be then, and what may lie ahead of it
	for set := reach; set != 0; set &= set - 1 {
		at := bits.TrailingZeros16(set)
		regions |= 1 << (at / 2)
		ahead |= 1 << o.front[at]
		row.faces[engine.Bit(berth(at).Facing != own)] = 1
	}
	for set := regions; set != 0; set &= set - 1 {
		region := bits.TrailingZeros16(set)
		row.reach[o.ahead[1+region]] = 1
		if tile := s.Water[region]; tile >= 0 && tile < boxWater {
			row.water[tile] = 1
		}
		least = min(least, o.danger[region])
		if o.slot < doubloons.NumSlots {
			quiet = min(quiet, o.company(o.slot, region))
		}
		if open == 0 {
			continue
		}
		for k := range o.nRivals {
			to := &row.rivals[k]
			to.meets = max(to.meets, fit(o.rivals[k].at[slot][region]*255/whole))
		}
	}
	for i := range card.Actions {
		if open>>i&1 != 0 {
			c.weigh(row, slot, card, &card.Actions[i], regions, ahead, ready)
		}
	}
	row.danger = fit(least)
	if o.slot < doubloons.NumSlots {
		row.company = fit(quiet * 64 / whole)
	}
}

// weigh writes the possible gain from one action from any of some regions, with any of others ahead.
func (c *scribe) weigh(row *actionRow, slot int, card *doubloons.Card, a *doubloons.CardAction, regions, ahead uint16, ready bool) {
	o, most := &c.forecast, &row.most
	works := false
	switch a.Icon {
	case doubloons.IconHunt:
		most.hunt = fit(o.hunting)
		if a.FreeCrew {
			most.crew = max(most.crew, uint8(o.crew/16))
		}
		works = o.hunting > 0
	case doubloons.IconPillage:
		shell := 0
		for set := regions; set != 0 && c.d.away; set &= set - 1 {
			shell = max(shell, o.shells[bits.TrailingZeros16(set)])
		}
		most.coins = fit(o.coins[1+a.Plus] + shell)
		works = c.s.Pillage > 0 || shell > 0
	case doubloons.IconForward:
		for set := ahead; set != 0; set &= set - 1 {
			works = c.strikes(row, slot, bits.TrailingZeros16(set), o.damage+int(a.Plus), true) || works
		}
	case doubloons.IconBroadsides:
		for set := regions; set != 0; set &= set - 1 {
			works = c.strikes(row, slot, bits.TrailingZeros16(set), doubloons.BroadsidesDamage+int(a.Plus), false) || works
		}
	case doubloons.IconRepair:
		for set := regions; set != 0; set &= set - 1 {
			hull := o.repaired(slot, bits.TrailingZeros16(set), int(a.Plus))
			most.hull, most.saves = max(most.hull, fit(hull)), max(most.saves, fit(4*o.saved(hull)))
			works = works || hull > 0
		}
	case doubloons.IconBoard:
		for set := regions; ready && set != 0; set &= set - 1 {
			works = c.boards(row, slot, card, bits.TrailingZeros16(set)) || works
		}
	}
	row.works[a.Icon] |= engine.Bit(works)
}

// strikes writes the possible gain from an attack at a region, and reports whether it may hit anybody.
func (c *scribe) strikes(row *actionRow, slot, region, damage int, forward bool) bool {
	o, most := &c.forecast, &row.most
	b := o.attack(slot, region, damage)
	most.damage, most.leader = max(most.damage, fit(b.damage)), max(most.leader, fit(b.leader))
	most.sinks, most.steals = max(most.sinks, fit(4*b.sinks)), max(most.steals, fit(4*b.steals))
	most.hurts = max(most.hurts, fit(4*b.hurts))
	through := c.s.DamageIn(region, min(damage, mostDamage))
	for k := range o.nRivals {
		r, to := &o.rivals[k], &row.rivals[k]
		if r.ghost {
			continue
		}
		p, d := int(r.at[slot][region]), min(through, r.hull)
		now := uint8(0)
		if r.still == region {
			now = uint8(d)
		}
		expected := fit(64 * d * p / whole)
		if forward {
			to.forward, to.forwards = max(to.forward, now), max(to.forwards, expected)
		} else {
			to.broad, to.broads = max(to.broad, now), max(to.broads, expected)
		}
		if r.hull <= through {
			to.sinks = max(to.sinks, fit(255*p/whole))
		}
	}
	return b.damage > 0
}

// boards writes the possible loot of a Board action in a region, and reports whether there is any.
func (c *scribe) boards(row *actionRow, slot int, card *doubloons.Card, region int) bool {
	o := &c.forecast
	b := o.prize(slot, region, card)
	row.most.loot, row.most.robs = max(row.most.loot, fit(b.loot)), max(row.most.robs, fit(4*b.rob))
	for k := range o.nRivals {
		r, to := &o.rivals[k], &row.rivals[k]
		loot := r.loot[card.Loot]
		if !card.EnemyNeeds.Met(r.icons) {
			loot /= 2
		}
		to.boards = max(to.boards, fit(loot*int(r.at[slot][region])/whole))
		if r.still == region && !r.sound {
			to.board = max(to.board, fit(loot))
		}
	}
	return b.loot > 0
}
