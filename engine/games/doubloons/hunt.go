package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// hunt is the Hunt action: with fewer than two map fragments draw a map tile,
// else Advance, or Exploit once the treasure has been dug up.
// Clauses HUNT-1, HUNT-2, HUNT-7, ISL-11.
func (r *Rules) hunt(s *State, seat int) {
	if sum(&s.Ships[seat].Fragments) < 2 {
		if s.mapStack() > 0 {
			s.Push(frame(DrawMap, seat))
		}
		return
	}
	r.advanceOrExploit(s, seat)
}

// Clauses HUNT-8, ISL-10, ISL-12.
func (r *Rules) advanceOrExploit(s *State, seat int) {
	switch {
	case r.Modules.Has(AlternateIsland):
		s.Push(frame(DoAdvance, seat)) // enemies never follow there, and nobody exploits
	case s.Dug:
		r.exploit(s, seat)
	case sum(&s.Ships[seat].Fragments) == 0:
		// Island Lore without a fragment: nobody can follow.
		s.Push(frame(DoAdvance, seat))
	default:
		s.Push(frame(AskHunt, seat))
	}
}

// mapTile resolves a map tile that was drawn.
// Clauses HUNT-3, HUNT-4, HUNT-5, HUNT-6, FAQ-2.
func (r *Rules) mapTile(s *State, seat int, a engine.Action) {
	own := &s.Ships[seat]
	if a < OnSpecial {
		s.MapFragments--
		moveOne(&s.UnseenFragments, &own.Fragments, int(a-OnFragment))
		r.note(HasGained, seat, GoodFragments+int(a-OnFragment), 1, ofMap)
		return
	}
	special := a - OnSpecial
	s.MapSpecials[special]--
	r.note(HasDrawnSpecial, seat, int(special))
	switch special {
	case IslandLore:
		r.advanceOrExploit(s, seat)
	case SkullAmulet:
		r.gainLevel(s, seat)
	case ProtectionOrb:
		own.Orbs++
		r.note(HasGained, seat, GoodOrbs, 1, ofBox)
	}
}

// advance moves the hunter's captain, then, clockwise from the hunter, those of all who
// have the named type of fragment now. Each resolves its landmark before the next one moves.
// Clauses ADV-1, ADV-2, ADV-6, ADV-7.
func (r *Rules) advance(s *State, seat, symbol int) {
	for k := r.seats - 1; k > 0; k-- {
		if other := (seat + k) % r.seats; s.Ships[other].Fragments[symbol] > 0 {
			s.Push(frame(DoAdvance, other))
		}
	}
	s.Push(frame(DoAdvance, seat))
}

// paths are the locations one space ahead on the footpath.
func (r *Rules) paths(node int8) []uint8 { return r.Next[node][:r.NextN[node]] }

// step moves a captain one space; one at the mount stays there.
// Clauses ADV-3, ADV-8.
func (r *Rules) step(s *State, seat int) {
	if r.Modules.Has(AlternateIsland) {
		r.walk(s, seat)
		return
	}
	switch next := r.paths(s.Ships[seat].Node); len(next) {
	case 0:
	case 1:
		r.arrive(s, seat, int(next[0]))
	default:
		s.Push(frame(AskPath, seat))
	}
}

// arrive resolves the landmark where a captain has come; the first one there
// draws it.
// Clauses ADV-4, ADV-5, ADV-9, ADV-11.
func (r *Rules) arrive(s *State, seat, node int) {
	if r.Modules.Has(AlternateIsland) {
		r.reach(s, seat, node)
		return
	}
	r.note(HasWalked, seat, int(s.Ships[seat].Node), node)
	s.Ships[seat].Node = int8(node)
	switch {
	case node == NodeM:
	case s.Tiles[node] != noTile:
		s.Push(frame(DoResolve, seat, int(s.Tiles[node]), node, r.picker(s, seat)))
	default:
		r.drawLandmark(s, seat, int(r.Colour[node]), node, r.picker(s, seat))
	}
}

// exploit is the Exploit: draw a landmark from a stack, then choose who resolves
// it. With all stacks empty it has no effect.
// Clause EXP-1.
func (r *Rules) exploit(s *State, seat int) {
	for c := range NumColours {
		if s.stackSize(c) > 0 {
			s.Push(frame(AskStack, seat))
			return
		}
	}
}

// stackSize is the number of landmarks in a stack.
func (s *State) stackSize(colour int) int {
	return bits.OnesCount64(s.StackTop[colour]) + int(s.StackLow[colour])
}

// mapStack is the number of tiles in the map stack.
func (s *State) mapStack() int {
	n := int(s.MapFragments)
	for _, special := range s.MapSpecials {
		n += int(special)
	}
	return n
}

// drawLandmark makes a seat draw from a stack for a node (or exploited, or
// substitute). Nothing is drawn from an empty stack. Pollyanna may draw two tiles and choose.
// Clauses ADV-10, CAPT-1, CAPT-2, CAPT-4.
func (r *Rules) drawLandmark(s *State, seat, colour, node, active int) {
	n := s.stackSize(colour)
	switch {
	case n == 0:
	case n >= 2 && r.able(s, &s.Ships[seat], Pollyanna):
		s.Push(frame(AskDrawTwo, seat, colour, node, active))
	default:
		s.Push(frame(DrawLandmark, seat, colour, node, active, noTile, 0))
	}
}

// drawn takes a tile that chance drew off its stack.
// Clause CAPT-3.
func (r *Rules) drawn(s *State, f Frame, tile int) {
	colour := f.Arg[0]
	r.note(HasDrawnTile, int(f.Seat), tile)
	if s.StackTop[colour]>>tile&1 != 0 {
		s.StackTop[colour] &^= 1 << tile
	} else {
		low := &s.StackBottom[colour]
		copy(low[:], low[1:])
		low[maxTiles-1] = noTile
		s.StackLow[colour]--
	}
	first, two := f.Arg[3], f.Arg[4] != 0
	switch {
	case !two:
		r.meet(s, int(f.Seat), tile, int(f.Arg[1]), int(f.Arg[2]))
	case first == noTile:
		f.Arg[3] = int8(tile)
		s.Push(f)
	default:
		f.Kind, f.Arg[4] = AskKeep, int8(tile)
		s.Push(f)
	}
}

// meet puts a tile that was drawn (and kept) where it was drawn for.
func (r *Rules) meet(s *State, seat, tile, node, active int) {
	switch node {
	case exploited:
		s.Push(frame(AskExploit, seat, tile))
	case substitute:
		s.Push(frame(DoBottom, seat, tile))
		s.Push(frame(DoResolve, seat, tile, substitute, active))
	default:
		s.Tiles[node] = int8(tile)
		r.note(HasLaidTile, seat, node, tile)
		s.Push(frame(DoResolve, seat, tile, node, active))
	}
}

// toBottom puts a tile under its stack, where everyone has seen it go.
// Clauses EXP-2, KNOW-4.
func (r *Rules) toBottom(s *State, tile int) {
	c := r.LandmarkColour[tile]
	s.StackBottom[c][s.StackLow[c]] = int8(tile)
	s.StackLow[c]++
	r.note(HasBottomed, 0, tile)
}
