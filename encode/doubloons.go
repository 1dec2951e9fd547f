package encode

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/doubloons"
)

// doubloonsEncoder writes what doubloonsLayout declares.
type doubloonsEncoder struct {
	*doubloonsLayout
	rules   *doubloons.Rules
	seats   int
	regions int

	// Tables made of the components, small so that they stay in the cache.
	// Those of cards are by card number + 1, with nothing at 0 for no card.
	faces [1 + doubloons.NumCards][cardBytes]uint8 // the groups of declareCard
	icons [1 + doubloons.NumCards]uint8
	paths [doubloons.NumNodes]location
	nodes []uint8 // where landmarks may lie
}

// location is what an observation says of a place on the island.
type location struct{ path, step, distance uint8 }

func newDoubloons(g engine.Game) (*Encoder, error) {
	rules, ok := engine.RulesOf[doubloons.State, *doubloons.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of package doubloons")
	}
	var b builder
	l, seat := declareDoubloons(&b)
	d := &doubloonsEncoder{doubloonsLayout: l, rules: rules, seats: g.Info().Seats, regions: doubloons.NumRegions}
	for i := range rules.Cards {
		d.faces[1+i] = cardFace(&rules.Cards[i])
		d.icons[1+i] = rules.Cards[i].Icons
	}
	for n := range d.paths {
		d.paths[n] = d.locate(n)
		if rules.Distance[n] != doubloons.Unreached {
			d.nodes = append(d.nodes, uint8(n))
		}
	}
	e := &Encoder{write: d.write, hidden: d.writeHidden}
	e.seat, e.full = b.schemas("doubloons", 1, seat, g.Info().Actions)
	return e, nil
}

// cardFace is a card as declareCard lays it out.
func cardFace(c *doubloons.Card) (face [cardBytes]uint8) {
	for _, a := range c.Actions {
		face[a.Icon] = 1 + a.Plus
	}
	for _, m := range c.Moves[:c.NMoves] {
		k := cardActions
		if !m.Sail {
			k += 2
		}
		if !m.Required {
			k++
		}
		face[k]++
	}
	if c.Loot != doubloons.LootNone {
		face[cardActions+cardMoves+int(c.Loot)-1] = 1
	}
	if c.Kind == doubloons.KindCaptain {
		face[cardBytes-1] = 1
	}
	return face
}

// locate describes a place on the island.
func (d *doubloonsEncoder) locate(n int) location {
	at := location{distance: min(d.rules.Distance[n], mostSteps)}
	if d.rules.Distance[n] == doubloons.Unreached {
		at.distance = 0
	}
	for path, first := range []int{doubloons.NodeB1, doubloons.NodeC1, doubloons.NodeV1, doubloons.NodeP1, doubloons.NodeT1, doubloons.NodeM} {
		if n >= first {
			at.path, at.step = uint8(path), uint8(n-first+1)
		}
	}
	return at
}

// write fills the seat view.
func (d *doubloonsEncoder) write(m engine.Match, seat int, dst []uint8) {
	s := engine.State[doubloons.State](m)
	v := view{d: d, s: s, seat: seat, dst: dst, dir: 1, deciding: m.Seat()}
	if own := &s.Ships[seat]; own.Region >= 0 {
		v.base, v.dir = int(own.Region), int(own.Facing)
		dst[d.region+v.base] = 1
		if own.Facing == doubloons.Clockwise {
			dst[d.clockwise] = 1
		}
	}
	v.game()
	v.sea()
	v.island()
	v.cards()
	v.pending()
	for i := range d.seats {
		v.ship(i)
	}
	v.decision(s.Top())
}

// view is one observation being written.
type view struct {
	d    *doubloonsEncoder
	s    *doubloons.State
	seat int
	dst  []uint8

	base, dir int // the region that regions are counted from, and the direction
	deciding  int // who decides, as Match.Seat says

	advances, acts uint8 // sets of seats: see pending
}

// relative is a seat's place clockwise from the observer.
func (v *view) relative(seat int) int {
	k := seat - v.seat
	if k < 0 {
		k += v.d.seats
	}
	return k
}

// ahead is a region as counted from one's own ship.
func (v *view) ahead(region int) int {
	k := (region - v.base) * v.dir
	if k < 0 {
		k += v.d.regions
	}
	return k
}

func (v *view) game() {
	d, s, dst := v.d, v.s, v.dst
	dst[d.players+d.seats-doubloons.MinSeats] = 1
	dst[d.edition] = 1 // the final rulebook
	dst[d.phase+int(s.Phase)] = 1
	if s.Slot >= 0 {
		dst[d.slot+int(s.Slot)] = 1
	}
	dst[d.round] = s.Round
	dst[d.dug] = flag(s.Dug)
	dst[d.ending] = flag(s.Ending)
	dst[d.supply] = s.Supply
	dst[d.island] = s.Island
	dst[d.pillage] = s.Pillage
	four(dst[d.jewels:], &s.Jewels)
	dst[d.mapFragments] = s.MapFragments
	four(dst[d.mapUnseen:], &s.UnseenFragments)
	for i, n := range s.MapSpecials {
		dst[d.mapSpecials+i] = n
	}
	four(dst[d.crater:], &s.Relics[0])
	four(dst[d.crater+doubloons.NumSymbols:], &s.Relics[1])
}

func (v *view) sea() {
	d, s := v.d, v.s
	for region := range d.regions {
		at := v.ahead(region)
		if tile := s.Water[region]; tile >= 0 {
			v.dst[d.water+at*doubloons.NumWater+int(tile)] = 1
		}
		four(v.dst[d.beachTotems+at*doubloons.NumSymbols:], &s.BeachTotems[region])
		four(v.dst[d.regionShells+at*doubloons.NumSymbols:], &s.RegionShells[region])
	}
}

func (v *view) island() {
	d, s := v.d, v.s
	for _, node := range d.nodes {
		if tile := s.Tiles[node]; tile >= 0 {
			v.dst[d.tilesLaid+int(tile)] = 1
		}
	}
	node := s.Ships[v.seat].Node
	for _, next := range d.rules.Next[node][:d.rules.NextN[node]] {
		if tile := s.Tiles[next]; tile >= 0 {
			v.dst[d.tilesNext+int(tile)] = 1
		}
	}
	for c := range numberOfStacks {
		v.dst[d.stacks+c] = uint8(bits.OnesCount64(s.StackTop[c])) + s.StackLow[c]
	}
}

// cards writes one's own cards, and which of the others' and the deck's cards
// are unseen.
func (v *view) cards() {
	d, s := v.d, v.s
	unseen := s.Deck
	for i := range d.seats {
		if i != v.seat {
			unseen |= s.Ships[i].Hand
			for k := int(s.Revealed); k < doubloons.NumSlots; k++ {
				if c := s.Ships[i].Table[k]; c >= 0 {
					unseen |= 1 << c
				}
			}
		}
	}
	own := &s.Ships[v.seat]
	cardSet(v.dst[d.hand:], own.Hand, 0)
	cardSet(v.dst[d.hidden:], unseen, unseen&s.Old)

	var shown uint8 // icons on the slots before
	for k, c := range own.Table {
		if c < 0 {
			continue
		}
		slot, card := &d.table[k], &d.rules.Cards[c]
		v.dst[slot.known] = 1
		copy(v.dst[slot.card:slot.card+cardBytes], d.faces[1+c][:])
		v.dst[slot.ready] = flag(card.OwnNeeds == 0 || shown&card.OwnNeeds != 0)
		shown |= card.Icons
	}
}

// pending looks below the top of the decision stack for what will happen next.
func (v *view) pending() {
	for i := range int(v.s.Depth) {
		switch f := &v.s.Frames[i]; f.Kind {
		case doubloons.DoAdvance:
			v.advances |= 1 << f.Seat
		case doubloons.AskAction:
			v.acts |= 1 << f.Seat
		}
	}
	// Whoever chooses his path is on the way already.
	if f := v.s.Top(); f.Kind == doubloons.AskPath {
		v.advances |= 1 << f.Seat
	}
}

func (v *view) ship(i int) {
	d, s, dst := v.d, v.s, v.dst
	sh := &s.Ships[i]
	at := &d.ships[v.relative(i)]
	dst[at.present] = 1
	ability := false
	if sh.Region >= 0 {
		dst[at.region+v.ahead(int(sh.Region))] = 1
		dst[at.facing] = flag(int(sh.Facing) == v.dir)
		ability = s.Water[sh.Region] == doubloons.MerfolkSeer
	}
	dst[at.ability] = flag(sh.Captain >= 0 && (ability || sh.Crew >= 3))
	binary.LittleEndian.PutUint32(dst[at.crew:], 0x01010101&(1<<(8*sh.Crew)-1))
	for level := range doubloons.MaxLevel {
		dst[at.reputation+level] = flag(int(sh.Reputation) > level)
	}
	dst[at.doubloons] = sh.Doubloons
	dst[at.pillage] = sh.Pillage
	four(dst[at.fragments:], &sh.Fragments)
	four(dst[at.jewels:], &sh.Jewels)
	four(dst[at.totems:], &sh.Totems)
	four(dst[at.shells:], &sh.Shells)

	if sh.Captain >= 0 {
		dst[at.captain+int(sh.Captain)] = 1
	}
	dst[at.ghost] = flag(sh.Ghost)
	dst[at.hull] = sh.Hull
	dst[at.orbs] = sh.Orbs
	dst[at.compasses] = sh.Compasses
	place := &d.paths[sh.Node]
	dst[at.path+int(place.path)] = 1
	dst[at.step] = place.step
	dst[at.distance] = place.distance
	dst[at.track] = sh.Track
	dst[at.hand] = uint8(bits.OnesCount64(sh.Hand))
	dst[at.initiative] = flag(i == int(s.Initiative))
	dst[at.turn] = flag(i == int(s.Turn))
	dst[at.decides] = flag(i == v.deciding)
	dst[at.advances] = v.advances >> i & 1
	dst[at.acts] = v.acts >> i & 1
	v.row(i, sh, at)
}

// row writes what a seat's row of programmed cards shows.
func (v *view) row(i int, sh *doubloons.Ship, at *shipLayout) {
	d, s, dst := v.d, v.s, v.dst
	var shown, down uint8
	for _, c := range sh.Table[:s.Revealed] {
		shown |= d.icons[1+c]
	}
	for _, c := range sh.Table[s.Revealed:] {
		down += flag(c >= 0)
	}
	dst[at.faceDown] = down
	icons := (*[doubloons.NumIcons]uint8)(dst[at.icons:])
	for icon := range icons {
		icons[icon] = shown >> icon & 1
	}
	if s.Slot < 0 || sh.Table[s.Slot] < 0 {
		return
	}
	copy(dst[at.card:at.card+cardBytes], d.faces[1+sh.Table[s.Slot]][:])
	dst[at.waiting] = flag(v.toCome(i))
	if i != v.seat {
		dst[at.boardable] = flag(v.boardable(i, shown))
	}
}

// toCome reports whether a seat's turn in this slot is ahead.
func (v *view) toCome(i int) bool {
	now, first, n := int(v.s.Turn), int(v.s.Initiative), v.d.seats
	return now >= 0 && (i-first+n)%n > (now-first+n)%n
}

// boardable reports whether the observer could Board a ship that shows these
// icons, by the conditions of his card of this slot.
func (v *view) boardable(i int, shown uint8) bool {
	own, enemy := &v.s.Ships[v.seat], &v.s.Ships[i]
	c := own.Table[v.s.Slot]
	if c < 0 || own.Region < 0 || enemy.Hull == doubloons.MaxHull {
		return false
	}
	card := &v.d.rules.Cards[c]
	switch v.ahead(int(enemy.Region)) {
	case 0:
	case 1:
		if v.s.Water[own.Region] != doubloons.MistsOfMorgana {
			return false
		}
	default:
		return false
	}
	return card.Loot != doubloons.LootNone &&
		v.dst[v.d.table[v.s.Slot].ready] == 1 &&
		(card.EnemyNeeds == 0 || shown&card.EnemyNeeds != 0) &&
		(card.Loot != doubloons.LootReputation || enemy.Reputation > 0)
}

// meaning is what an argument of a decision's frame stands for.
type meaning uint8

const (
	none    meaning = iota
	enemy           // seat
	giver           // seat
	solver          // seat that resolves a landmark
	struck          // set of seats
	tile            // landmark
	colour          // stack
	place           // location, negative for an Exploit
	slot            // of a card
	symbol          // of a fragment
	face            // of the die
	damage          //
	sailBy          // movement left: …
	sailMay         //
	turnBy          //
	turnMay         //
)

// arguments gives the meaning of each decision's arguments; see doubloons.Kind.
var arguments = [maxKinds][6]meaning{
	doubloons.AskSextantOwn:    {enemy},
	doubloons.AskSextantTheirs: {enemy, symbol},
	doubloons.AskProgram:       {slot},
	doubloons.AskMove:          {sailBy, sailMay, turnBy, turnMay},
	doubloons.AskAction:        {slot},
	doubloons.AskHighWater:     {damage},
	doubloons.AskReroll:        {face, struck},
	doubloons.AskBoard:         {slot},
	doubloons.AskStealFragment: {enemy},
	doubloons.AskStealJewel:    {enemy},
	doubloons.AskDrawTwo:       {colour, place},
	doubloons.AskKeep:          {colour, place, none, tile, tile},
	doubloons.AskExploit:       {tile},
	doubloons.AskPay:           {tile},
	doubloons.AskHut:           {solver},
	doubloons.AskHutMove:       {enemy, sailMay, turnMay},
	doubloons.AskGiver:         {tile, solver},
	doubloons.AskReceiver:      {tile, giver, solver},
	doubloons.AskGive:          {enemy},
}

func (v *view) decision(f doubloons.Frame) {
	d, dst := v.d, v.dst
	if int(f.Kind) >= maxKinds { // chance=explicit: nature is asked
		return
	}
	dst[d.kind+int(f.Kind)] = 1
	for i, means := range &arguments[f.Kind] {
		x := int(f.Arg[i])
		switch means {
		case none:
		case enemy:
			dst[d.enemy+v.relative(x)] = 1
		case giver:
			dst[d.giver+v.relative(x)] = 1
		case solver:
			dst[d.resolver+v.relative(x)] = 1
		case struck:
			for i := range d.seats {
				dst[d.ships[v.relative(i)].struck] = uint8(x >> i & 1)
			}
		case tile:
			dst[d.tile+x] = 1
		case colour:
			dst[d.colour+x] = 1
		case place:
			dst[d.exploit] = flag(x < 0)
		case slot:
			dst[d.decisionSlot+x] = 1
		case symbol:
			dst[d.symbol+x] = 1
		case face:
			dst[d.face+x] = 1
		case damage:
			dst[d.damage] = uint8(x)
		default:
			dst[d.movesLeft+int(means-sailBy)] = uint8(x)
		}
	}
}

// writeHidden fills what the full view adds.
func (d *doubloonsEncoder) writeHidden(m engine.Match, seat int, dst []uint8) {
	s := engine.State[doubloons.State](m)
	for k := 1; k < d.seats; k++ {
		sh := &s.Ships[(seat+k)%d.seats]
		cardSet(dst[d.hands[k]:], sh.Hand, 0)
		for i := int(s.Revealed); i < doubloons.NumSlots; i++ {
			if c := sh.Table[i]; c >= 0 {
				dst[d.programmed[k]+int(c)] = uint8(i + 1)
			}
		}
	}
	cardSet(dst[d.deck:], s.Deck, 0)
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// four copies counts by symbol or jewel.
func four(dst []uint8, from *[4]uint8) { *(*[4]uint8)(dst) = *from }

// cardSet writes one byte a card: in how many of two sets it is.
func cardSet(dst []uint8, a, b uint64) {
	to := (*[doubloons.NumCards]uint8)(dst)
	const whole = doubloons.NumCards / 8 * 8
	for i := 0; i < whole; i += 8 {
		binary.LittleEndian.PutUint64(to[i:i+8], spread(a>>i)+spread(b>>i))
	}
	for i := whole; i < doubloons.NumCards; i++ {
		to[i] = uint8(a>>i&1 + b>>i&1)
	}
}

// spread makes the lowest eight bits eight bytes of 0 or 1.
func spread(set uint64) uint64 {
	w := set & 0xff * 0x0101010101010101 & 0x8040201008040201
	return (w + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
}
