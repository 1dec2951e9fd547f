package observe

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// What an action brings at a place in the rest of a round: part of the forecast (forecast.go).

// blow is the gain from an attack, in 16ths.
type blow struct {
	all                                  vec
	damage, leader, sinks, steals, hurts int
}

// prize is the gain from a Board action, in 16ths.
type prize struct {
	all             vec
	loot, near, rob int
}

// hulls are what hull is worth by what it saves a ship from, in 16ths of a point: the less there is the more each is worth, and a
// ship without damage cannot be boarded.
var hulls = [doubloons.MaxHull + 1]int{-80, -52, -41, -31, -23, -17, -12, -8, -5, -2, 6}

// goods tables what does not depend on rivals' places.
func (o *forecast) goods() {
	s, me, rules := o.s, o.me, o.d.rules
	o.damage = rules.ForwardDamage(s, me, 0)
	fragments := int(me.Fragments[0]) + int(me.Fragments[1]) + int(me.Fragments[2]) + int(me.Fragments[3])
	if o.d.away {
		o.isle.survey(o.d, s, o.seat)
	}
	left := int(s.MapFragments) + int(s.MapSpecials[0]) + int(s.MapSpecials[1]) + int(s.MapSpecials[2])
	switch {
	case fragments < 2 && left == 0:
		o.hunting = 0
	case fragments < 2:
		// Tiles bring two points, and the first fragments the right to Advance.
		o.hunting = 32
		if !s.Dug {
			o.hunting += (12 + 16*fragments) * int(s.MapFragments) / left
		}
	case o.d.away:
		o.hunting = o.stroll()
	case s.Dug:
		o.hunting = 22
	default:
		o.hunting = o.advance()
	}
	o.hunt = vec{}.with(goalHunt, o.hunting)
	o.crew = 16 * int(engine.Bit(me.Crew < doubloons.MaxCrew))
	o.push, o.stay = vec{}, vec{}
	if s.Dug && !o.d.away {
		// The leader wants the end to come, and others do not.
		o.push = o.push.with(goalTrack, 2*o.lead)
		o.stay = o.stay.with(goalTrack, -2*o.lead)
	}

	others, alone := 0, true
	for i := range s.Ships {
		if i != o.seat && s.Ships[i].Pillage > 0 {
			others += int(s.Ships[i].Pillage)
			alone = false
		}
	}
	// In each turn that rivals have left a third of a token is taken.
	more := 16*others + 5*(o.d.seats-1)*(doubloons.NumSlots-o.slot)
	own := o.pay(int(me.Pillage), more, alone)
	for n := range o.coins {
		o.coins[n] = o.pay(int(me.Pillage)+min(n, int(s.Pillage)), more, alone) - own
	}

	for plus := range o.pillage {
		o.pillage[plus][0] = vec{}.with(goalCoins, o.coins[1+plus])
	}
	if o.d.away {
		o.ashore()
	}
	o.repair = 16 * (1 + int(engine.Bit(me.Captain == doubloons.WidowCheng && me.Crew >= 3)))
	for region := range o.d.regions {
		switch s.Water[region] {
		case doubloons.CoralReef:
			o.ends[region] = vec{}.with(goalReef, 16)
		case doubloons.StoneSextant, doubloons.Fog, doubloons.MermaidPack, doubloons.Shipwreck, doubloons.MerfolkSeer, doubloons.TheShallows:
			o.ends[region] = vec{}.with(goalWater, 16)
		default:
			o.ends[region] = vec{}
		}
	}
}

// advance is what an Advance brings, in 16ths: a jewel's worth of nearness to the goal for oneself, less what those gain who Follow.
func (o *forecast) advance() int {
	return max(o.nearer(o.me.Node)-o.followers(func(r *rival) int { return o.nearer(r.ship.Node) * r.weight / 16 }), 2)
}

// followers is the least that those who Follow an Advance reach together, of all own fragments that it may be made with. There must be one.
func (o *forecast) followers(count func(r *rival) int) int {
	least := int(^uint(0) >> 1)
	for symbol, n := range o.me.Fragments {
		if n == 0 {
			continue
		}
		all := 0
		for k := range o.nRivals {
			if r := &o.rivals[k]; r.ship.Fragments[symbol] > 0 {
				all += count(r)
			}
		}
		least = min(least, all)
	}
	return least
}

// nearer is what a captain's next space is worth to it: a captain within three of the goal when the treasure is dug up draws
// one jewel more for each; farther away it is a hope.
func (o *forecast) nearer(node int8) int {
	switch distance := o.d.rules.ToGoal(int(node)); {
	case distance == 0:
		return 0
	case distance <= 3:
		return 60
	case distance <= 6:
		return 40
	}
	return 28
}

// pay is about what n pillage tokens are paid in the end, in 16ths of a doubloon, when others will have others
// 16ths of a token. Who alone has tokens now may not be alone then.
func (o *forecast) pay(own, others int, alone bool) int {
	if own == 0 {
		return 0
	}
	share := min(16*own, 16*16*int(o.s.Island)*own/(16*own+others))
	if alone && o.d.rules.Edition.SoleHolderDoubles {
		return (2*share + min(32*own, 16*int(o.s.Island))) / 3
	}
	return share
}

// attack is the gain from an attack of some damage at a region in a slot.
func (o *forecast) attack(slot, region, damage int) *blow {
	damage = min(damage, mostDamage)
	b := &o.attacks[slot][region][damage]
	if o.known[slot][region]>>damage&1 != 0 {
		return b
	}
	o.known[slot][region] |= 1 << damage
	*b = blow{}
	through := o.s.DamageIn(region, damage)
	for k := range o.nRivals {
		r := &o.rivals[k]
		p := int(r.at[slot][region])
		if r.ghost || p == 0 {
			continue
		}
		d := 16 * min(through, r.hull) * p / whole
		b.damage += d
		if r.leads {
			b.leader += d
		}
		hurt := r.die + r.hurts[through]
		if r.hull <= through {
			b.sinks += 16 * p / whole
			hurt += 64
		}
		b.hurts += r.weight * hurt * p / (16 * whole)
		b.steals += r.steals * p / whole
	}
	b.all = vec{}.with(goalDamage, b.damage).with(goalHurt, b.hurts).with(goalSteal, b.steals).with(goalSink, b.sinks*int(o.level)).with(goalLeader, b.leader)
	return b
}

// prize is the gain from a Board action that takes some loot in a slot.
func (o *forecast) prize(slot, region int, card *doubloons.Card) *prize {
	b := &o.boards[slot][region][card.Loot]
	if o.priced[slot][region]>>card.Loot&1 != 0 && card.EnemyNeeds == 0 {
		return b
	}
	o.priced[slot][region] &^= 1 << card.Loot
	o.priced[slot][region] |= engine.Bit(card.EnemyNeeds == 0) << card.Loot // else the next card may need another icon
	*b = prize{}
	for k := range o.nRivals {
		r := &o.rivals[k]
		loot := r.loot[card.Loot]
		if !card.EnemyNeeds.Met(r.icons) {
			loot /= 2
		}
		if r.sound {
			loot = loot * 2 / 5
		} else if r.still == region {
			b.near = max(b.near, loot)
		}
		if loot = loot * int(r.at[slot][region]) / whole; loot > b.loot {
			b.loot, b.rob = loot, loot*r.weight/16
		}
	}
	b.all = vec{}.with(goalLoot, b.loot).with(goalRob, b.rob).with(goalNear, b.near)
	return b
}

// action is the gain from one of a card's actions, by lens.
func (o *forecast) action(slot int, card *doubloons.Card, a *doubloons.CardAction, at int, ready bool) vec {
	switch a.Icon {
	case doubloons.IconHunt:
		if a.FreeCrew {
			return o.hunt.with(goalCrew, o.crew)
		}
		return o.hunt
	case doubloons.IconPillage:
		if o.d.away {
			return o.pillage[a.Plus][at/2]
		}
		return o.pillage[a.Plus][0]
	case doubloons.IconForward:
		return o.attack(slot, int(o.front[at]), o.damage+int(a.Plus)).all
	case doubloons.IconBroadsides:
		return o.attack(slot, at/2, doubloons.BroadsidesDamage+int(a.Plus)).all
	case doubloons.IconRepair:
		return vec{}.with(goalHull, o.saved(o.repaired(slot, at/2, int(a.Plus))))
	case doubloons.IconBoard:
		if ready {
			return o.prize(slot, at/2, card).all
		}
	}
	return vec{}
}

// repaired is the hull that a Repair brings, in 16ths.
func (o *forecast) repaired(slot, region, plus int) int {
	if o.me.Ghost {
		return 0
	}
	alone := int32(whole)
	for k := range o.nRivals {
		alone = alone * (whole - min(o.rivals[k].at[slot][region], whole)) >> wholeBits
	}
	hull := o.repair + 16*int(engine.Bit(o.s.Water[region] == doubloons.MermaidPack)) + int(16*alone>>wholeBits)
	return min(hull+16*plus, 16*(doubloons.MaxHull-int(o.me.Hull)))
}

// company is how many ships are expected in a region in a slot, of whole.
func (o *forecast) company(slot, region int) (ships int) {
	for k := range o.nRivals {
		ships += int(o.rivals[k].at[slot][region])
	}
	return ships
}

// saved is the loss that a given hull, in 16ths, prevents for the seat's own ship.
func (o *forecast) saved(hull int) int {
	own := int(o.me.Hull)
	lower := min(own+hull/16, doubloons.MaxHull)
	return hulls[lower] - hulls[own] + (hulls[min(lower+1, doubloons.MaxHull)]-hulls[lower])*(hull%16)/16
}

// fears fills in what the face-up cards still to come in this slot may do to the own ship, by region: each rival's card
// by the action that hits most, from where it may lead.
func (o *forecast) fears() {
	if o.scared {
		return
	}
	o.scared = true
	o.danger = [doubloons.MaxRegions]int{}
	s, rules := o.s, o.d.rules
	for k := range o.nRivals {
		r := &o.rivals[k]
		if !r.coming || r.ship.Region < 0 {
			continue
		}
		card := r.ship.Table[s.Slot]
		set := o.d.ways[card]
		sails, turn := rules.MaySail(r.ship), engine.Bit(rules.MayComeAbout(r.ship))
		sail := func(at int) int {
			if !sails {
				return at
			}
			ship := berth(at)
			ship.Ghost = r.ghost
			rules.Sail(s, &ship)
			return position(ship.Region, ship.Facing)
		}
		here := position(r.ship.Region, r.ship.Facing)
		back := here ^ int(turn)
		places := uint16(set>>wayStay&1)<<here | uint16(set>>wayTurn&1)<<back
		if set&^(1<<wayStay|1<<wayTurn) != 0 {
			on := sail(here)
			places |= uint16(set>>waySail&1)<<on | uint16(set>>waySailTurn&1)<<(on^int(turn))
			if set>>wayTurnSail&1 != 0 {
				places |= 1 << sail(back)
			}
			if set>>waySailTwice&1 != 0 {
				places |= 1 << sail(on)
			}
		}
		n := bits.OnesCount16(places)
		var hit [doubloons.MaxRegions]int
		for _, a := range rules.Cards[card].Actions {
			var by [doubloons.MaxRegions]int
			for set := places; set != 0; set &= set - 1 {
				at := bits.TrailingZeros16(set)
				switch a.Icon {
				case doubloons.IconForward:
					region := int(o.d.front[at])
					by[region] += 64 * s.DamageIn(region, rules.ForwardDamage(s, r.ship, int(a.Plus))) / n
				case doubloons.IconBroadsides:
					by[at/2] += 64 * s.DamageIn(at/2, doubloons.BroadsidesDamage+int(a.Plus)) / n
				}
			}
			for region := range hit {
				hit[region] = max(hit[region], by[region])
			}
		}
		for region := range hit {
			o.danger[region] += hit[region]
		}
	}
}
