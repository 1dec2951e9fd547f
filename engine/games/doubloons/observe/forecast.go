package observe

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// The forecast: what a seat can tell of the rest of a round, for the rows that describe its actions.
//
// A row says of a card, a movement or an action what it brings now and what the round may still bring after it. Nobody knows what
// opponents will play, so the forecast is exact about what is known and averages over the rest:
//
//   - Where ships may be (places.go). An opponent's ship moves by its card if that lies face up and is still to come, else by the mean of all cards
//     (drift): a distribution over regions for every slot. The own ship moves by the own cards, whose ways are all tabled (geometry).
//   - What an action brings there (gains.go). Attacks, Board actions, Hunts, Pillages, Repairs and Advances are priced for every slot and region as they
//     are asked for (attack, prize, action), in 16ths of a point, as expectations over where the opponents are.
//   - How the round is completed (completions.go). All orders of the own cards that are left are tried, each with all its ways, by dynamic
//     programming over (slot, set of cards played, position, icons shown): follow for a card in a slot and the best that follows it,
//     closings for the last slot. The tables hold each state once; keys say which cards and icons they are of.
//
// The best action depends on the player's goals, which the network is to learn. So everything is computed for sixteen mixes of goals at once
// (lenses.go): eight are single goals, eight sensible players. A row shows the value of each, less that of the best alternative.
//
// Every number is a small integer in fixed point, and sums are of the same integers in any order, so that rows are the same on every machine.
// The forecast reads nothing that the seat does not know: face-down cards of others, decks and the generator are cleared before
// (scribe.public), and a forecast whose state has changed in nothing else is refreshed instead of made anew.

const (
	positions  = 2 * doubloons.MaxRegions // of a ship: 2 × region, + 1 facing counter-clockwise
	whole      = 1 << wholeBits           // a chance of one
	wholeBits  = 12                       //
	mostCards  = 12                       // that a round is completed with; more than a hand holds
	mostDamage = 4                        // of one attack
	numWays    = 6                        // that a card's movement may take
)

// forecast is what a seat can tell of the rest of the round: where ships may be, and what its own cards could bring. All of
// it is tabled by slot and place, as far as it is asked for.
type forecast struct {
	d     *encoder
	s     *doubloons.State
	me    *doubloons.Ship
	seat  int
	slot  int // of the first of the own cards whose action is still to come; 3 if none is
	ahead *[1 + doubloons.MaxRegions]uint8

	sailed, turned [positions]uint8 // where an own movement leads
	front          [positions]uint8 // the region ahead

	rivals  [opponents]rival
	nRivals int
	level   int32 // points of one more level of reputation
	damage  int   // of an own Attack Forward without +1

	hunt       vec
	pillage    [2][doubloons.MaxRegions]vec // without and with +1; by region on the alternate island, otherwise the first for all
	push, stay vec                          // of a card that moves the captain on the end-game track, and of any other
	lead       int                          // points before the best of the rivals, 12 at most
	crew       int
	hunting    int
	coins      [3]int                    // worth of n pillage tokens, in 16ths
	isle       isle                      // the alternate island's
	shells     [doubloons.MaxRegions]int // what lies there to be pillaged, in 16ths
	repair     int                       // hull that a Repair brings anywhere, in 16ths

	attacks [doubloons.NumSlots][doubloons.MaxRegions][mostDamage + 1]blow
	known   [doubloons.NumSlots][doubloons.MaxRegions]uint8 // damages whose attack is filled in
	boards  [doubloons.NumSlots][doubloons.MaxRegions][doubloons.NumLoot]prize
	priced  [doubloons.NumSlots][doubloons.MaxRegions]uint8
	danger  [doubloons.MaxRegions]int // from face-up cards still to come in this slot, in 64ths
	scared  bool                      // danger is filled in

	// The cards of which the round is completed.
	cards  [mostCards]int8
	icons  [mostCards]uint8
	needs  [mostCards]doubloons.Needs // own icons that their Board actions need
	nCards int
	sets   [doubloons.NumSlots]uint16 // that may be played in each slot; empty if none is
	moves  [mostCards][positions]uint16
	value  [doubloons.NumSlots][mostCards][2 * positions]vec // by twice the position, and one more if a Board action needs no other icon
	valued [doubloons.NumSlots][mostCards]uint32
	last   [mostCards][2 * positions]vec // the best of a card in the last slot, and the end of the round
	closed [mostCards]uint32
	ends   [doubloons.MaxRegions]vec

	follow   [mostCards][positions]vec // of a card in a slot, and what follows, with the cards and icons that key says used
	followed [mostCards]uint16
	key      uint32

	closings      [mostCards][mostCards][positions]vec // what the last slot brings once two cards are played, the lower one first
	closingsKnown [mostCards][mostCards]uint16
}

// rival is a ship that the own cards may meet.
type rival struct {
	seat   int
	ship   *doubloons.Ship
	at     [doubloons.NumSlots][doubloons.MaxRegions]int32 // chance of each region when an own card is executed
	loot   [doubloons.NumLoot]int                          // in points, in 16ths
	leads  bool
	still  int                 // region where it lies
	icons  uint8               // on its face-up cards
	sound  bool                // it has lost no hull: nobody may board it now
	ghost  bool                //
	hull   int                 //
	weight int                 // by how near it is to the lead, in 16ths; all together have 16
	steals int                 // doubloons that the attack die steals on average, in 16ths
	die    int                 // what it costs it, in 16ths
	hurts  [mostDamage + 1]int // what so much damage costs it, in 16ths
	coming bool                // its turn of this slot is still to come
	before bool                // it comes before oneself in a slot
}

// begin takes in the state for a seat, whose next action to come is that of slot.
func (o *forecast) begin(d *encoder, s *doubloons.State, seat, slot int) {
	o.d, o.s, o.seat, o.me, o.slot = d, s, seat, &s.Ships[seat], slot
	o.ahead = &d.ahead[o.me.Facing>>7&1][o.me.Region]
	o.nCards, o.scared = 0, false
	o.known = [doubloons.NumSlots][doubloons.MaxRegions]uint8{}
	o.priced = [doubloons.NumSlots][doubloons.MaxRegions]uint8{}
	o.forget()
	o.geometry()
	o.opponents()
	o.goods()
}

// forget drops what depends on which cards are left.
func (o *forecast) forget() {
	o.key = ^uint32(0)
	o.sets = [doubloons.NumSlots]uint16{}
	o.closingsKnown = [mostCards][mostCards]uint16{}
}

// refresh makes the forecast one of a state that is the same except the own cards and the own ship's place.
func (o *forecast) refresh(s *doubloons.State) {
	o.s, o.me = s, &s.Ships[o.seat]
	o.ahead = &o.d.ahead[o.me.Facing>>7&1][o.me.Region]
	for k := range o.nRivals {
		o.rivals[k].ship = &s.Ships[o.rivals[k].seat]
	}
	o.forget()
}

// opponents tables of each opponent what it has and where it may be.
func (o *forecast) opponents() {
	d, s, rules := o.d, o.s, o.d.rules
	o.nRivals = d.seats - 1
	most, lead := int32(-1<<30), 0
	var points [opponents]int32
	level := min(o.me.Reputation+1, doubloons.MaxLevel)
	o.level = rules.ReputationPoints[level] - rules.ReputationPoints[o.me.Reputation]
	for k := range o.nRivals {
		seat := (o.seat + 1 + k) % d.seats
		e, r := &s.Ships[seat], &o.rivals[k]
		*r = rival{seat: seat, ship: e, still: int(e.Region), sound: !e.Damaged(), ghost: e.Ghost, hull: int(e.Hull)}
		points[k] = d.points(s, seat)
		if points[k] > most {
			most, lead = points[k], k
		}
		for _, c := range e.Table[:s.Revealed] {
			r.icons |= d.cards[1+int(c)].icons
		}
		r.before = rules.TurnOf(s, seat) < rules.TurnOf(s, o.seat)
		if s.Slot >= 0 && s.Turn >= 0 && s.Turn != doubloons.Legendary {
			r.coming = e.Table[s.Slot] >= 0 && rules.TurnOf(s, seat) > rules.TurnOf(s, int(s.Turn))
		}
		if e.Doubloons > 0 && !(e.Captain == doubloons.Hayreddin && rules.Able(s, e)) {
			r.steals = 16 / 3
		}
		if d.away && e.Shells != [doubloons.NumSymbols]uint8{} {
			r.steals += shellWorth / 3 // by the voodoo face
		}
		r.die = r.steals + 25*int(engine.Bit(e.Crew > 0))/3
		for damage := 1; damage < len(r.hurts) && !e.Ghost; damage++ {
			r.hurts[damage] = hulls[e.Hull] - hulls[max(0, int(e.Hull)-damage)]
		}
		o.price(r)
		if e.Region >= 0 {
			o.drift(r)
		}
	}
	o.rivals[lead].leads = true
	o.lead = min(max(int(d.points(s, o.seat)-most), -12), 12)
	total := 0
	for k := range o.nRivals {
		r := &o.rivals[k]
		r.weight = nearness[min(int(most-points[k]), len(nearness)-1)]
		total += r.weight
	}
	for k := range o.nRivals {
		o.rivals[k].weight = 16 * o.rivals[k].weight / total
	}
}

// nearness falls by a third every two or three points that a rival is behind the first of them.
var nearness = [...]int{64, 54, 46, 39, 33, 28, 24, 20, 17, 14, 12, 10, 9, 7, 6, 5, 4, 4, 3, 3, 2, 2, 2, 1}

// price is the possible loot of a Board action from a rival.
func (o *forecast) price(r *rival) {
	e, rules := r.ship, o.d.rules
	if e.Orbs > 0 {
		for l := range r.loot {
			r.loot[l] = 16
		}
		r.loot[doubloons.LootNone] = 0
		return
	}
	if n := e.Fragments; n[0]+n[1]+n[2]+n[3] > 0 {
		r.loot[doubloons.LootFragment] = 32 + 12*int(1-engine.Bit(o.s.Dug))
	}
	r.loot[doubloons.LootHalf] = 16 * int(e.Doubloons/2)
	r.loot[doubloons.LootCrew] = 16 * int(min(1, e.Crew))
	r.loot[doubloons.LootCrew2] = 16 * int(min(2, e.Crew))
	for j, n := range e.Jewels {
		if n > 0 {
			r.loot[doubloons.LootJewel] = max(r.loot[doubloons.LootJewel], 16*int(rules.JewelValue[j]))
		}
	}
	if e.Reputation > 0 {
		r.loot[doubloons.LootReputation] = 16 * int(o.level)
	}
}
