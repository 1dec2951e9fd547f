package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/position"
)

// Positions as they are printed. POSITIONS.md and position.schema.json describe
// the form; position_read.go and the files after it read it back.

// Position returns what encodes to readable JSON: the whole match for
// engine.Full, else what the seat view may know of it.
func (r *Rules) Position(s *State, view int) any {
	var o position.Object
	full := view == engine.Full
	view = r.SeatOf(s, view)
	if full {
		o.Add("game", r.info.Config)
	}
	o.Add("round", s.Round)
	o.Add("phase", s.Phase.String())
	if s.Phase == PhaseAction {
		o.Add("slot", s.Slot+1)
		o.Add("turn", r.limits().ship().Write(s.Turn))
	}
	o.Add("initiative", s.Initiative)
	o.Add("revealed", s.Revealed)
	o.Add("dug", s.Dug)
	o.Add("ending", s.Ending)
	o.Add("island", s.Island)
	o.Add("supply", s.Supply)
	o.Add("pillage_tokens", s.Pillage)
	o.Add("jewels", position.Tally(s.Jewels[:r.jewelKinds], jewelNames[:], true))
	water := []string{}
	for _, t := range s.Water[:r.regions] {
		water = append(water, position.NameOf(waterNames[:], t))
	}
	o.Add("water", water)
	r.landmarkPosition(s, &o)
	stack := append(position.Object{{Name: "fragments", Value: s.MapFragments}}, position.Tally(s.MapSpecials[:], specialNames[:], true)...)
	o.Add("map_stack", stack)
	o.Add("unseen_fragments", position.Tally(s.UnseenFragments[:r.symbols], symbolNames[:], true))
	if r.Modules.Has(AlternateIsland) {
		r.relicPosition(s, &o)
	}
	o.Add("discard", cardList(s.Discard))
	if full {
		o.Add("deck", cardList(s.Deck))
	} else {
		o.Add("deck", position.Object{{Name: "cards", Value: bits.OnesCount64(s.Deck)}})
	}
	if s.Old != 0 {
		o.Add("old", cardList(s.Old))
	}
	if s.Unresolved != 0 {
		o.Add("unresolved", cardList(uint64(s.Unresolved)<<FirstCaptainCard))
	}
	var ships []position.Object
	for seat := range r.seats {
		ships = append(ships, r.shipPosition(s, seat, view))
	}
	o.Add("ships", ships)
	if r.Modules.Has(LegendaryShip) {
		o.Add("legendary", r.legendaryPosition(s))
	}
	stacked := []position.Object{}
	for _, f := range s.Frames[:s.Depth] {
		stacked = append(stacked, r.forms.Write(f))
	}
	o.Add("stack", stacked)
	if full {
		o.Add("generator", s.Rand)
	}
	return o
}

// landmarkPosition adds where the landmark tiles are.
func (r *Rules) landmarkPosition(s *State, o *position.Object) {
	var nodes position.Object
	out := r.landmarkSet &^ s.inFlight()
	for n, t := range s.Tiles {
		if t != noTile {
			nodes.Add(nodeNames[n], landmarkNames[t])
			out &^= 1 << t
		}
	}
	var stacks position.Object
	for c := range r.stacks {
		out &^= s.StackTop[c]
		bottom := []string{}
		for _, t := range s.StackBottom[c][:s.StackLow[c]] {
			bottom = append(bottom, landmarkNames[t])
			out &^= 1 << t
		}
		stacks.Add(colourNames[c], position.Object{{Name: "top", Value: nameList(s.StackTop[c], landmarkNames[:])}, {Name: "bottom", Value: bottom}})
	}
	o.Add("landmarks", nodes)
	o.Add("stacks", stacks)
	if out != 0 {
		o.Add("out_of_game", nameList(out, landmarkNames[:]))
	}
}

// shipPosition is a seat's ship and all that belongs to it.
func (r *Rules) shipPosition(s *State, seat, view int) position.Object {
	sh := &s.Ships[seat]
	known := view == engine.Full || view == seat
	o := position.Object{{Name: "seat", Value: seat}}
	if r.Modules.Has(StealShip) {
		o.Add("player", s.Helm[seat])
	}
	if sh.Captain != noCaptain {
		o.Add("captain", captainNames[sh.Captain])
	}
	if sh.Region != noRegion {
		o.Add("region", sh.Region)
	}
	o.Add("facing", facingName(sh.Facing))
	o.Add("ghost", sh.Ghost)
	o.Add("hull", sh.Hull)
	o.Add("crew", sh.Crew)
	o.Add("reputation", sh.Reputation)
	o.Add("doubloons", sh.Doubloons)
	o.Add("fragments", position.Tally(sh.Fragments[:], symbolNames[:], false))
	o.Add("jewels", position.Tally(sh.Jewels[:], jewelNames[:], false))
	o.Add("orbs", sh.Orbs)
	o.Add("pillage", sh.Pillage)
	if r.Modules.Has(Compass) {
		o.Add("compasses", sh.Compasses)
	}
	if r.Modules.Has(AlternateIsland) {
		o.Add("totems", position.Tally(sh.Totems[:], symbolNames[:], false))
		o.Add("shells", position.Tally(sh.Shells[:], symbolNames[:], false))
	}
	if r.ashore(s) {
		o.Add("captain_at", nodeNames[sh.Node])
	}
	if s.Dug {
		o.Add("track", sh.Track)
	}
	if known {
		o.Add("hand", cardList(sh.Hand))
	} else {
		o.Add("hand", position.Object{{Name: "cards", Value: bits.OnesCount64(sh.Hand)}})
		if n := bits.OnesCount64(s.Hidden(seat) & s.Old); n > 0 {
			o.Add("old_cards", n) // in hand or face down: which is not known
		}
	}
	table := []string{}
	for k, c := range sh.Table {
		if c != noCard && k >= int(s.Revealed) && !known {
			table = append(table, position.Hidden)
		} else {
			table = append(table, position.NameOf(cardNames[:], c))
		}
	}
	o.Add("table", table)
	if p := s.Helm[seat]; known && s.Seen[p] != 0 {
		o.Add("seen", cardList(s.Seen[p]))
		o.Add("placed", cardList(s.Placed[p]))
	}
	return o
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
