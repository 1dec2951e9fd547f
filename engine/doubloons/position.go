package doubloons

import (
	"bytes"
	"encoding/json"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Positions as they are printed. POSITIONS.md and position.schema.json describe
// the form; position_read.go and the files after it read it back.

const (
	noName     = "none" // in place of a name, where nothing lies
	hiddenName = "?"    // in a seat's view, in place of a card that it may not know
)

// object is a JSON object whose fields keep their order.
type object []field

type field struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, field{name, value}) }

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(f.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Position returns what encodes to readable JSON: the whole match for
// engine.Full, else what the seat view may know of it.
func (r *Rules) Position(s *State, view int) any {
	var o object
	full := view == engine.Full
	view = r.SeatOf(s, view)
	if full {
		o.add("game", r.info.Config)
	}
	o.add("round", s.Round)
	o.add("phase", s.Phase.String())
	if s.Phase == PhaseAction {
		o.add("slot", s.Slot+1)
		o.add("turn", seatName(s.Turn))
	}
	o.add("initiative", s.Initiative)
	o.add("revealed", s.Revealed)
	o.add("dug", s.Dug)
	o.add("ending", s.Ending)
	o.add("island", s.Island)
	o.add("supply", s.Supply)
	o.add("pillage_tokens", s.Pillage)
	o.add("jewels", tally(s.Jewels[:r.jewelKinds], jewelNames[:], true))
	water := []string{}
	for _, t := range s.Water[:r.regions] {
		water = append(water, nameOf(waterNames[:], t))
	}
	o.add("water", water)
	r.landmarkPosition(s, &o)
	stack := append(object{{"fragments", s.MapFragments}}, tally(s.MapSpecials[:], specialNames[:], true)...)
	o.add("map_stack", stack)
	o.add("unseen_fragments", tally(s.UnseenFragments[:r.symbols], symbolNames[:], true))
	if r.Modules.Has(AlternateIsland) {
		r.relicPosition(s, &o)
	}
	o.add("discard", cardList(s.Discard))
	if full {
		o.add("deck", cardList(s.Deck))
	} else {
		o.add("deck", object{{"cards", bits.OnesCount64(s.Deck)}})
	}
	if s.Old != 0 {
		o.add("old", cardList(s.Old))
	}
	var ships []object
	for seat := range r.seats {
		ships = append(ships, r.shipPosition(s, seat, view))
	}
	o.add("ships", ships)
	if r.Modules.Has(LegendaryShip) {
		o.add("legendary", r.legendaryPosition(s))
	}
	stacked := []object{}
	for _, f := range s.Frames[:s.Depth] {
		stacked = append(stacked, f.written(r.seats))
	}
	o.add("stack", stacked)
	if full {
		o.add("generator", s.Rand)
	}
	return o
}

// landmarkPosition adds where the landmark tiles are.
func (r *Rules) landmarkPosition(s *State, o *object) {
	var nodes object
	out := r.landmarkSet &^ s.inFlight()
	for n, t := range s.Tiles {
		if t != noTile {
			nodes.add(nodeNames[n], landmarkNames[t])
			out &^= 1 << t
		}
	}
	var stacks object
	for c := range r.stacks {
		out &^= s.StackTop[c]
		bottom := []string{}
		for _, t := range s.StackBottom[c][:s.StackLow[c]] {
			bottom = append(bottom, landmarkNames[t])
			out &^= 1 << t
		}
		stacks.add(colourNames[c], object{{"top", nameList(s.StackTop[c], landmarkNames[:])}, {"bottom", bottom}})
	}
	o.add("landmarks", nodes)
	o.add("stacks", stacks)
	if out != 0 {
		o.add("out_of_game", nameList(out, landmarkNames[:]))
	}
}

// shipPosition is a seat's ship and all that belongs to it.
func (r *Rules) shipPosition(s *State, seat, view int) object {
	sh := &s.Ships[seat]
	known := view == engine.Full || view == seat
	o := object{{"seat", seat}}
	if r.Modules.Has(StealShip) {
		o.add("player", s.Helm[seat])
	}
	if sh.Captain != noCaptain {
		o.add("captain", captainNames[sh.Captain])
	}
	if sh.Region != noRegion {
		o.add("region", sh.Region)
	}
	o.add("facing", facingName(sh.Facing))
	o.add("ghost", sh.Ghost)
	o.add("hull", sh.Hull)
	o.add("crew", sh.Crew)
	o.add("reputation", sh.Reputation)
	o.add("doubloons", sh.Doubloons)
	o.add("fragments", tally(sh.Fragments[:], symbolNames[:], false))
	o.add("jewels", tally(sh.Jewels[:], jewelNames[:], false))
	o.add("orbs", sh.Orbs)
	o.add("pillage", sh.Pillage)
	if r.Modules.Has(Compass) {
		o.add("compasses", sh.Compasses)
	}
	if r.Modules.Has(AlternateIsland) {
		o.add("totems", tally(sh.Totems[:], symbolNames[:], false))
		o.add("shells", tally(sh.Shells[:], symbolNames[:], false))
	}
	if !s.Dug || r.Modules.Has(AlternateIsland) {
		o.add("captain_at", nodeNames[sh.Node])
	}
	if s.Dug {
		o.add("track", sh.Track)
	}
	if known {
		o.add("hand", cardList(sh.Hand))
	} else {
		o.add("hand", object{{"cards", bits.OnesCount64(sh.Hand)}})
		if n := bits.OnesCount64(s.hidden(seat) & s.Old); n > 0 {
			o.add("old_cards", n) // in hand or face down: which is not known
		}
	}
	table := []string{}
	for k, c := range sh.Table {
		if c != noCard && k >= int(s.Revealed) && !known {
			table = append(table, hiddenName)
		} else {
			table = append(table, nameOf(cardNames[:], c))
		}
	}
	o.add("table", table)
	if p := s.Helm[seat]; known && s.Seen[p] != 0 {
		o.add("seen", cardList(s.Seen[p]))
		o.add("placed", cardList(s.Placed[p]))
	}
	return o
}

// tally is how many there are of each type. With all, types of which there are
// none are listed too.
func tally(counts []uint8, names []string, all bool) object {
	o := object{}
	for i, n := range counts {
		if n > 0 || all {
			o.add(names[i], n)
		}
	}
	return o
}

// nameOf is the name of a thing by number, or noName for the number −1.
func nameOf(names []string, i int8) string {
	if i < 0 {
		return noName
	}
	return names[i]
}

// nameList lists the members of a set by name.
func nameList(set uint64, names []string) []string {
	list := []string{}
	for ; set != 0; set &= set - 1 {
		list = append(list, names[bits.TrailingZeros64(set)])
	}
	return list
}

func cardList(set uint64) []string { return nameList(set, cardNames[:]) }

var facingNames = []string{"clockwise", "counterclockwise"}

func facingName(facing int8) string {
	if facing == Clockwise {
		return facingNames[0]
	}
	return facingNames[1]
}
