package observe

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// The forecast: what a seat can tell of the rest of a round, for the rows that describe its actions.
//
// A row says of a card, a movement or an action what it brings now and what the round may still bring after it. Nobody knows what
// opponents will play, so the forecast is exact about what is known and averages over the rest:
//
//   - Where ships may be. An opponent's ship moves by its card if that lies face up and is still to come, else by the mean of all cards
//     (drift): a distribution over regions for every slot. The own ship moves by the own cards, whose ways are all tabled (geometry).
//   - What an action brings there. Attacks, Board actions, Hunts, Pillages, Repairs and Advances are priced for every slot and region as they
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

// The ways of a movement: stay, sail, come about, both in either order, sail twice.
const (
	wayStay = iota
	waySail
	wayTurn
	waySailTurn
	wayTurnSail
	waySailTwice
)

// ways are the ways that a card leaves open, as a set.
func ways(c *doubloons.Card) (set uint8) {
	moves := c.Moves[:c.NMoves]
	switch len(moves) {
	case 0:
		return 1 << wayStay
	case 1:
		set = 1 << single(moves[0])
		if !moves[0].Required {
			set |= 1 << wayStay
		}
		return set
	}
	a, b := moves[0], moves[1]
	switch {
	case a.Sail && b.Sail:
		set = 1 << waySailTwice
	case !a.Sail && !b.Sail:
		set = 1 << wayStay
	default:
		set = 1<<waySailTurn | 1<<wayTurnSail
	}
	if !b.Required {
		set |= 1 << single(a)
	}
	if !a.Required {
		set |= 1 << single(b)
	}
	if !a.Required && !b.Required {
		set |= 1 << wayStay
	}
	return set
}

func single(m doubloons.Move) int {
	if m.Sail {
		return waySail
	}
	return wayTurn
}

// chances spreads a card's turn evenly over the ways that it leaves open.
func chances(set uint8) (p [numWays]int32) {
	n := int32(bits.OnesCount8(set))
	for way := range p {
		p[way] = int32(set>>way&1) * (whole / n)
	}
	return p
}

// surveyCards fills what the encoder needs to know of cards' movements.
func (d *encoder) surveyCards() {
	for i := range d.rules.Cards {
		c := &d.rules.Cards[i]
		d.ways[i] = ways(c)
		if c.Kind == doubloons.KindNormal {
			for way, p := range chances(d.ways[i]) {
				d.drift[way] += p
			}
		}
	}
	for way := range d.drift {
		d.drift[way] /= doubloons.NumNormalCards
	}
	for set := 1; set < len(d.waysBySet); set++ {
		d.waysBySet[set] = chances(uint8(set))
	}
	for at := range 2 * d.regions {
		ship := berth(at)
		d.front[at] = uint8(d.rules.Ahead(&ship, 1))
	}
}

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

func position(region, facing int8) int {
	return int(2*region) + int(engine.Bit(facing == doubloons.CounterClockwise))
}

// berth is a ship at a position.
func berth(at int) doubloons.Ship {
	return doubloons.Ship{Region: int8(at / 2), Facing: int8(1 - 2*(at&1))}
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

// geometry tables the own ship's movements.
func (o *forecast) geometry() {
	rules := o.d.rules
	sails, turns := rules.MaySail(o.me), rules.MayComeAbout(o.me)
	for at := range 2 * o.d.regions {
		ship := berth(at)
		o.front[at] = o.d.front[at]
		o.sailed[at], o.turned[at] = uint8(at), uint8(at)
		if sails {
			ship.Ghost = o.me.Ghost
			rules.Sail(o.s, &ship)
			o.sailed[at] = uint8(position(ship.Region, ship.Facing))
		}
		if turns {
			o.turned[at] ^= 1
		}
	}
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

// hulls are what hull is worth by what it saves a ship from, in 16ths of a point: the less there is the more each is worth, and a
// ship without damage cannot be boarded.
var hulls = [doubloons.MaxHull + 1]int{-80, -52, -41, -31, -23, -17, -12, -8, -5, -2, 6}

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

// drift says where a rival's ship may be when each own card is executed. An opponent that has a card face up before it that is
// still to come moves by it; what else it will play nobody knows.
func (o *forecast) drift(r *rival) {
	s, e, rules := o.s, r.ship, o.d.rules
	var sailed [positions]uint8
	free := e.Ghost == o.me.Ghost || !rules.Edition.GhostsIgnoreWater
	sails, turns := rules.MaySail(e), rules.MayComeAbout(e)
	for at := range 2 * o.d.regions {
		switch {
		case !sails:
			sailed[at] = uint8(at)
		case free && rules.MaySail(o.me):
			sailed[at] = o.sailed[at]
		default:
			ship := berth(at)
			ship.Ghost = e.Ghost
			rules.Sail(s, &ship)
			sailed[at] = uint8(position(ship.Region, ship.Facing))
		}
	}
	turn := uint8(engine.Bit(turns))
	var p [positions]int32
	p[position(e.Region, e.Facing)] = whole
	play := func(by *[numWays]int32) {
		var to [positions]int32
		for at, q := range p[:2*o.d.regions] {
			if q == 0 {
				continue
			}
			on, back := sailed[at], uint8(at)^turn
			to[at] += q * by[wayStay] >> wholeBits // chances are not negative
			to[on] += q * by[waySail] >> wholeBits
			to[back] += q * by[wayTurn] >> wholeBits
			to[on^turn] += q * by[waySailTurn] >> wholeBits
			to[sailed[back]] += q * by[wayTurnSail] >> wholeBits
			to[sailed[on]] += q * by[waySailTwice] >> wholeBits
		}
		p = to
	}
	first := 0
	if s.Phase == doubloons.PhaseAction {
		first = int(s.Slot)
		if o.slot > first && r.coming { // the own turn is over, the opponent's is not
			play(o.d.waysOf(e.Table[s.Slot]))
			r.coming = false
			defer func() { r.coming = true }()
		}
	} else if r.before {
		play(&o.d.drift)
	}
	for slot := first; slot < doubloons.NumSlots; slot++ {
		if slot >= o.slot {
			for region := range o.d.regions {
				r.at[slot][region] = p[2*region] + p[2*region+1]
			}
		}
		if slot == doubloons.NumSlots-1 {
			break
		}
		if slot == first && r.coming {
			play(o.d.waysOf(e.Table[s.Slot]))
		} else {
			play(&o.d.drift)
		}
	}
}

// waysOf are the chances of the ways that a card leaves open.
func (d *encoder) waysOf(card int8) *[numWays]int32 { return &d.waysBySet[d.ways[card]] }

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
