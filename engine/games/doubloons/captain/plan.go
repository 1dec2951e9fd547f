package captain

import (
	"math"
	"math/bits"

	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

const (
	regions   = doubloons.MaxRegions // and often one less
	positions = 2 * regions          // of a ship: 2 × region, + 1 facing counter-clockwise
	maxDamage = 4                    // of one attack

	// How a rival's ship moves in one turn: it stays, sails on, or has turned and
	// sails back.
	driftStay, driftOn, driftBack = .50, .40, .10

	damagedSoon = .4  // chance that a rival without damage can be boarded later
	showsBoard  = .45 // chance that a rival shows a Board action when one needs it
	endPush     = .12 // of the lead: what it is worth to move on the end-game track
	endPushMost = 1.5
)

// plan weighs the cards that a captain has yet to execute this round: those on
// the table, and while it programs those in hand. What an action brings is
// tabled by turn and place; a plan is worth the sum over its turns.
type plan struct {
	c     *captain
	s     *doubloons.State
	me    *doubloons.Ship
	first int // first slot yet to be executed

	prices prices // what gains are counted in

	sailed, turned [positions]uint8 // where a movement leads
	faced          [positions]uint8 // the region ahead
	forward        [2]int           // damage of an Attack Forward, without and with +1
	reach          [doubloons.NumCards][positions]uint16
	reachable      uint64 // cards whose reach is filled in

	attack  [doubloons.NumSlots][regions][maxDamage + 1]float64
	board   [doubloons.NumSlots][regions][doubloons.NumLoot]float64
	danger  [doubloons.NumSlots][regions]float64 // what is lost there, for one with caution
	company [doubloons.NumSlots][regions]float64 // ships there
	hunt    [doubloons.NumSlots + 1]float64      // the first hunt of the plan, the second …
	walk    [doubloons.NumSlots + 1]float64      // alternate island: the first Advance …
	shell   [regions]float64                     // alternate island: what may be taken there with a Pillage
	crew    float64                              // one more
	pillage [2*doubloons.NumSlots + 1]float64    // worth of n more tokens
	hull    [doubloons.MaxHull + 1]float64       // so much hull more
	push    float64                              // a captain card played

	known  uint16 // positions whose restOf is known
	restOf [positions]float64
	icons  uint8 // on own cards before first
}

// position numbers where a ship is and faces, as the actions that place ships do.
func position(region, facing int8) int {
	if facing == doubloons.CounterClockwise {
		return int(2*region) + 1
	}
	return int(2 * region)
}

// berthed is a ship at a position.
func berthed(at int) doubloons.Ship {
	return doubloons.Ship{Region: int8(at / 2), Facing: int8(1 - 2*(at&1))}
}

// prepare fills the tables in for the captain's decision.
func (p *plan) prepare(c *captain, s *doubloons.State) {
	p.c, p.s, p.me, p.prices = c, s, &s.Ships[c.me], c.pricesIn(s)
	p.known, p.reachable, p.icons = 0, 0, 0
	p.first = 0
	if s.Phase == doubloons.PhaseAction {
		p.first = int(s.Slot)
		if s.Turn < 0 || c.rules.TurnOf(s, c.me) <= c.rules.TurnOf(s, int(s.Turn)) {
			p.first++
		}
	}
	for _, card := range p.me.Table[:p.first] {
		if card >= 0 {
			p.icons |= c.rules.Cards[card].Icons
		}
	}
	if p.first == doubloons.NumSlots {
		return
	}
	sails, turns := c.rules.MaySail(p.me), c.rules.MayComeAbout(p.me)
	for at := range 2 * c.regions {
		p.sailed[at], p.turned[at] = uint8(at), uint8(at)
		ship := berthed(at)
		p.faced[at] = uint8(c.rules.Ahead(&ship, 1))
		if sails {
			ship.Ghost = p.me.Ghost
			c.rules.Sail(s, &ship)
			p.sailed[at] = uint8(position(ship.Region, ship.Facing))
		}
		if turns {
			p.turned[at] ^= 1
		}
	}
	// Water that helps to attack is left out: the ship will rarely still be there.
	nowhere := *p.me
	nowhere.Region = -1
	for plus := range p.forward {
		p.forward[plus] = c.rules.ForwardDamage(s, &nowhere, plus)
	}
	st := c.standing(s)
	p.fights(&st)
	if c.does(byCaution) {
		p.dangers(&st)
	}
	p.hunts(&st)
	p.gains(&st)
}

// fights tables what attacks and Board actions bring by slot and region, for
// where the rivals' ships may be by then.
func (p *plan) fights(st *stand) {
	c, s := p.c, p.s
	p.attack = [doubloons.NumSlots][regions][maxDamage + 1]float64{}
	p.board = [doubloons.NumSlots][regions][doubloons.NumLoot]float64{}
	p.company = [doubloons.NumSlots][regions]float64{}
	for e := range s.Ships {
		enemy := &s.Ships[e]
		if e == c.me || enemy.Region < 0 {
			continue
		}
		var hit [maxDamage + 1]float64
		if !enemy.Ghost {
			for d := 1; d <= maxDamage; d++ {
				hit[d] = p.hit(st, e, d)
			}
		}
		loot := p.loot(st, e)
		var at [regions]float64
		at[enemy.Region] = 1
		for slot := p.first; slot < doubloons.NumSlots; slot++ {
			// In the first slot of a round only those who come first have moved, and
			// the legendary ghost ship moves after the last.
			if e != doubloons.Legendary && (slot > 0 || c.rules.TurnOf(s, e) < c.rules.TurnOf(s, c.me)) {
				at = p.drift(at, enemy.Facing)
			}
			for region, chance := range at[:c.regions] {
				p.company[slot][region] += chance
				for d := 1; d <= maxDamage; d++ {
					p.attack[slot][region][d] += float64(chance * hit[s.DamageIn(region, d)])
				}
				for l := range loot {
					// Only one ship is boarded: roughly the best of them.
					p.board[slot][region][l] = max(p.board[slot][region][l], float64(chance*loot[l]))
				}
			}
		}
	}
}

// drift adds the places that a turn of its own may take a ship to.
func (p *plan) drift(at [regions]float64, facing int8) [regions]float64 {
	var to [regions]float64
	for region, chance := range at[:p.c.regions] {
		on := p.sailed[position(int8(region), facing)] / 2
		back := p.sailed[position(int8(region), -facing)] / 2
		to[region] += float64(driftStay * chance)
		to[on] += float64(driftOn * chance)
		to[back] += float64(driftBack * chance)
	}
	return to
}

// weight is how much a point of a ship's player hurts; nothing for the legendary
// ghost ship's.
func (p *plan) weight(e int) float64 {
	if e == doubloons.Legendary {
		return 0
	}
	return p.c.rivals[p.c.rules.PlayerAt(p.s, e)]
}

// hit is the gain from an attack of some damage on a rival.
func (p *plan) hit(st *stand, e, damage int) float64 {
	rules, enemy, weight := p.c.rules, &p.s.Ships[e], p.weight(e)
	hull := int(enemy.Hull)
	if hull <= damage {
		level := min(p.me.Reputation+1, doubloons.MaxLevel)
		return p.prices.reputation(rules.ReputationPoints[level]-rules.ReputationPoints[p.me.Reputation]) +
			float64(weight*p.prices.sunk(hull, st.future))
	}
	v := float64(weight * (p.prices.hull(hull, st.future) - p.prices.hull(hull-damage, st.future)))
	if enemy.Crew > 0 {
		v += weight * p.prices.crew(enemy.Crew-1, enemy.Crew, st.future) / 3
	}
	if enemy.Doubloons > 0 && enemy.Captain != doubloons.Hayreddin {
		v += p.prices.doubloons(1) * (1 + weight) / 3
	}
	if p.c.away && e != doubloons.Legendary && count(&enemy.Shells) > 0 {
		v += p.prices.of[byWorth] * stealShell * (1 + weight) / 3
	}
	return v
}

// loot is the gain from boarding a rival, by the loot.
func (p *plan) loot(st *stand, e int) (v [doubloons.NumLoot]float64) {
	rules, enemy, weight := p.c.rules, &p.s.Ships[e], p.weight(e)
	chance := 1.0
	if !enemy.Damaged() {
		chance = damagedSoon
	}
	if enemy.Orbs > 0 {
		for l := range v {
			v[l] = float64(chance * p.prices.price(orbWorth, byOrbs, 1))
		}
		return v
	}
	crew := func(n uint8) float64 {
		n = min(n, enemy.Crew)
		mine := min(p.me.Crew+n, doubloons.MaxCrew)
		return p.prices.crew(p.me.Crew, mine, st.future) + float64(weight*p.prices.crew(enemy.Crew-n, enemy.Crew, st.future))
	}
	if n := count(&enemy.Fragments); n > 0 {
		v[doubloons.LootFragment] = float64(p.prices.price(2, byFragments, 1) * (1 + weight))
		if !p.s.Dug {
			own := count(&p.me.Fragments)
			v[doubloons.LootFragment] += p.prices.rights(own, own+1) + float64(weight*p.prices.rights(n-1, n))
		}
	}
	v[doubloons.LootHalf] = float64(p.prices.doubloons(float64(enemy.Doubloons/2)) * (1 + weight))
	v[doubloons.LootCrew] = crew(1)
	v[doubloons.LootCrew2] = crew(2)
	for j, n := range enemy.Jewels {
		if n > 0 {
			v[doubloons.LootJewel] = max(v[doubloons.LootJewel], float64(p.prices.jewel(rules.JewelValue[j])*(1+weight)))
		}
	}
	if rules.Modules.Has(doubloons.StealShip) {
		if e != doubloons.Legendary {
			// Both players gain or lose the difference between the two ships.
			v[doubloons.LootReputation] = float64(showsBoard * max(0, float64((1+weight)*(p.c.worth[e]-p.c.worth[p.c.me])*p.prices.point)))
		}
	} else if level := enemy.Reputation; level > 0 && e != doubloons.Legendary {
		mine := min(p.me.Reputation+1, doubloons.MaxLevel)
		v[doubloons.LootReputation] = float64(showsBoard * (p.prices.reputation(rules.ReputationPoints[mine]-rules.ReputationPoints[p.me.Reputation]) +
			float64(weight*p.prices.reputation(rules.ReputationPoints[level]-rules.ReputationPoints[level-1]))))
	}
	for l := range v {
		v[l] = float64(v[l] * chance)
	}
	return v
}

// hunts tables what the first Hunt of the plan brings, the second and so on.
func (p *plan) hunts(st *stand) {
	fragments := count(&p.me.Fragments)
	specials := 0
	for _, n := range p.s.MapSpecials {
		specials += int(n)
	}
	special := float64(p.prices.point * 2 * float64(specials))
	left := int(p.s.MapFragments)
	now := *st
	if p.c.away {
		p.walks(st)
	}
	walked := 0
	for k := range p.hunt {
		p.hunt[k] = 0
		switch {
		case fragments < 2:
			if left+specials == 0 {
				continue
			}
			found := p.prices.price(2, byFragments, 1)
			if !p.s.Dug {
				found += p.prices.rights(fragments, fragments+1)
			}
			p.hunt[k] = (float64(float64(left)*found) + special) / float64(left+specials)
			if left > 0 {
				left--
				fragments++
			}
		case p.c.away:
			p.hunt[k] = p.walk[walked]
			walked++
		case p.s.Dug:
			p.hunt[k] = float64(p.prices.point * exploit)
		default:
			p.hunt[k] = p.bestAdvance(&now)
		}
	}
}

// bestAdvance is what an Advance brings with the best of the captain's own
// fragment types, and makes it.
func (p *plan) bestAdvance(st *stand) float64 {
	c := p.c
	before, best := p.race(st), math.Inf(-1)
	after := *st
	for symbol, n := range p.me.Fragments {
		if n == 0 {
			continue
		}
		moved := *st
		for i := range c.seats {
			if i == c.me || p.s.Ships[i].Fragments[symbol] > 0 {
				moved.distance[i] = max(0, moved.distance[i]-1)
			}
		}
		moved.dig = c.untilDig(p.s, &moved.distance)
		if v := p.race(&moved) - before; v > best {
			best, after = v, moved
		}
	}
	if math.IsInf(best, -1) { // fragments that are only hoped for
		return 0
	}
	*st = after
	return best
}

// race is the captain's standing in the race for the jewels.
func (p *plan) race(st *stand) float64 {
	v := -float64(p.prices.point * p.c.delay(p.s, st))
	for i := range p.c.seats {
		n := p.prices.price(float64(meanJewel*jewels(st.distance[i], st.dig, count(&p.s.Ships[i].Fragments))), byDistance, st.distance[i])
		if i == p.c.me {
			v += n
		} else {
			v -= float64(p.weight(i) * n)
		}
	}
	return v
}

// gains tables tokens and hull, and what it is worth to bring the end near.
func (p *plan) gains(st *stand) {
	c, own := p.c, int(p.me.Pillage)
	slots := float64(doubloons.NumSlots - p.first)
	none := coins(own, st.tokens-own, c.seats, p.s, slots)
	for n := range p.pillage {
		p.pillage[n] = p.prices.doubloons(coins(own+n, st.tokens-own, c.seats, p.s, slots) - none)
	}
	hull := int(p.me.Hull)
	for n := range p.hull {
		p.hull[n] = 0
		if !p.me.Ghost {
			p.hull[n] = p.prices.hull(min(hull+n, doubloons.MaxHull), st.future) - p.prices.hull(hull, st.future)
		}
	}
	p.crew = 0
	if crew := p.me.Crew; crew < doubloons.MaxCrew {
		p.crew = p.prices.crew(crew, crew+1, st.future)
	}
	if c.away {
		for region := range p.shell {
			p.shell[region] = float64(p.prices.of[byWorth] * best(&p.s.RegionShells[region], p.me, 1))
		}
	}
	p.push = 0
	if p.s.Dug && !c.away {
		p.push = float64(p.prices.point * max(-endPushMost, min(endPushMost, float64(endPush*c.lead))))
	}
}

// reached is the set of positions to which a card's movement may lead.
func (p *plan) reached(card int8, at int) uint16 {
	if p.reachable>>card&1 == 0 {
		p.reachable |= 1 << card
		moves := &p.c.rules.Cards[card].Moves
		n := p.c.rules.Cards[card].NMoves
		for from := range 2 * p.c.regions {
			set := uint16(1) << from
			switch n {
			case 1:
				set = p.moved(set, moves[0])
			case 2:
				set = p.moved(p.moved(set, moves[0]), moves[1]) | p.moved(p.moved(set, moves[1]), moves[0])
			}
			p.reach[card][from] = set
		}
	}
	return p.reach[card][at]
}

// moved is where a movement icon may lead from a set of positions.
func (p *plan) moved(set uint16, m doubloons.Move) uint16 {
	to := &p.turned
	if m.Sail {
		to = &p.sailed
	}
	out := uint16(0)
	if !m.Required {
		out = set
	}
	for ; set != 0; set &= set - 1 {
		out |= 1 << to[bits.TrailingZeros16(set)]
	}
	return out
}

// course is the progress of a plan.
type course struct {
	slot   int
	at     int    // position
	hand   uint64 // cards not used
	icons  uint8  // on the cards used
	hunts  int
	tokens int
	repair int
}

// best is the worth of the best plan from here on, and its first card.
func (p *plan) best(from course) (worth float64, card int8) {
	if from.slot == doubloons.NumSlots {
		return float64(p.prices.point * p.c.berthWorth(p.s, from.at/2)), -1
	}
	worth, card = math.Inf(-1), -1
	set := from.hand
	if fixed := p.me.Table[from.slot]; fixed >= 0 {
		set = 1 << fixed
	} else if set == 0 {
		from.slot = doubloons.NumSlots
		return p.best(from)
	}
	for ; set != 0; set &= set - 1 {
		k := int8(bits.TrailingZeros64(set))
		for to := p.reached(k, from.at); to != 0; to &= to - 1 {
			at := bits.TrailingZeros16(to)
			gain, then := p.play(from, k, at)
			later, _ := p.best(then)
			if gain+later > worth {
				worth, card = gain+later, k
			}
		}
	}
	return worth, card
}

// play executes a card at a position by the action that brings most.
func (p *plan) play(from course, card int8, at int) (float64, course) {
	info := &p.c.rules.Cards[card]
	then := from
	then.slot++
	then.at = at
	then.hand &^= 1 << card
	then.icons |= info.Icons
	region, slot := at/2, from.slot
	best := math.Inf(-1)
	for _, a := range info.Actions {
		plus := int(a.Plus)
		v := 0.0
		switch a.Icon {
		case doubloons.IconHunt:
			v = p.hunt[from.hunts]
			if a.FreeCrew {
				v += p.crew
			}
		case doubloons.IconPillage:
			v = p.pillage[from.tokens+1+plus] - p.pillage[from.tokens] + p.shell[region]
		case doubloons.IconForward:
			v = p.attack[slot][p.faced[at]][p.forward[plus]]
		case doubloons.IconBroadsides:
			v = p.attack[slot][region][doubloons.BroadsidesDamage+plus]
		case doubloons.IconRepair:
			v = p.hull[min(from.repair+1+plus, doubloons.MaxHull)] - p.hull[from.repair]
		case doubloons.IconBoard:
			if info.OwnNeeds.Met(from.icons) {
				v = p.board[slot][region][info.Loot]
			}
		}
		if v > best {
			best = v
			then.hunts, then.tokens, then.repair = from.hunts, from.tokens, from.repair
			switch a.Icon {
			case doubloons.IconHunt:
				then.hunts++
			case doubloons.IconPillage:
				then.tokens += 1 + plus
			case doubloons.IconRepair:
				then.repair = min(then.repair+1+plus, doubloons.MaxHull)
			}
		}
	}
	if info.Kind == doubloons.KindCaptain {
		best += p.push
	}
	if p.c.does(byCaution) {
		best -= p.danger[slot][region]
	}
	return best, then
}

// card is the card to program in a slot.
func (p *plan) card(slot int) int8 {
	from := course{at: position(p.me.Region, p.me.Facing), hand: p.me.Hand}
	_, card := p.bestAt(from, slot)
	return card
}

// bestAt is the best plan whose cards before slot lie on the table, with the
// card for that slot.
func (p *plan) bestAt(from course, slot int) (worth float64, card int8) {
	if from.slot == slot {
		return p.best(from)
	}
	worth, card = math.Inf(-1), -1
	k := p.me.Table[from.slot]
	for to := p.reached(k, from.at); to != 0; to &= to - 1 {
		gain, then := p.play(from, k, bits.TrailingZeros16(to))
		later, first := p.bestAt(then, slot)
		if gain+later > worth {
			worth, card = gain+later, first
		}
	}
	return worth, card
}

// rest is what the captain's cards on the table will still bring from where its
// ship is in s, a position reached from the decision at hand.
func (p *plan) rest(s *doubloons.State) float64 {
	sh := &s.Ships[p.c.rules.SeatOf(s, p.c.player)]
	if p.first == doubloons.NumSlots || s.Phase != doubloons.PhaseAction {
		return float64(p.prices.point * p.c.berthWorth(s, int(sh.Region)))
	}
	at := position(sh.Region, sh.Facing)
	if p.known>>at&1 == 0 {
		p.known |= 1 << at
		p.restOf[at], _ = p.best(course{slot: p.first, at: at, icons: p.icons})
	}
	return p.restOf[at]
}
