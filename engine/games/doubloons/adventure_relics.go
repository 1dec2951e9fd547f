package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Tribal Ruins landmarks and relics of the Alternate Island Adventure.

// The kinds of relic, as State.Relics counts them.
const (
	Totem = iota
	Shell
	numRelics
)

var relicNames = [numRelics]string{"totems", "shells"}

// relicsOf are the relics of a kind that a ship has.
func (sh *Ship) relicsOf(kind int) *[NumSymbols]uint8 {
	if kind == Totem {
		return &sh.Totems
	}
	return &sh.Shells
}

// box are the relics of a kind that the edition's box has.
// Clause ISL-16.
func (r *Rules) box(kind int) *[NumSymbols]uint8 {
	if kind == Totem {
		return &r.Totems
	}
	return &r.Shells
}

// legendaryRelics is how many relics the legendary ghost ship begins with.
const legendaryRelics = 2

// ruin resolves a Tribal Ruin: its left side until the treasure has been dug up,
// then its right side.
// Clauses RUIN-1, RUIN-15.
func (r *Rules) ruin(s *State, seat, tile, node, active int) {
	if s.Dug && !r.Edition.RuinsOneSided {
		r.ruinAfter(s, seat, tile, node, active)
		return
	}
	for range placedBy(tile) {
		s.Push(frame(DoRelic, seat, 1))
	}
	s.Push(frame(DoRelic, seat, 0))
}

// placedBy is how many relics a Tribal Ruin has placed on the board.
func placedBy(tile int) int {
	switch tile {
	case BurialGrounds, MoonlitLake:
		return 1
	case CelestialAltar, SunkenLoom:
		return 2
	}
	return 0
}

// Clauses RUIN-5, RUIN-6, RUIN-7.
func (r *Rules) ruinAfter(s *State, seat, tile, node, active int) {
	switch tile {
	case BurialGrounds, CarvedObelisk:
		s.Push(frame(AskBeach, seat))
	case CelestialAltar:
		r.replace(s, seat, node, active, ColourBlue)
	case SunkenLoom:
		r.replace(s, seat, node, active, ColourYellow)
	case DecayingTemple, MoonlitLake:
		if r.swappers(s, seat, tile) != 0 {
			s.Push(frame(AskRelicSwap, seat, tile))
		}
	}
}

// SwappedRelic is the kind of relic that a Tribal Ruin swaps.
func SwappedRelic(tile int) int {
	if tile == DecayingTemple {
		return Totem
	}
	return Shell
}

// relics are a ship's relics of the kind that a Tribal Ruin swaps.
func (sh *Ship) relics(tile int) *[NumSymbols]uint8 { return sh.relicsOf(SwappedRelic(tile)) }

// swappers is the set of enemies that a seat can swap relics with: both have one.
func (r *Rules) swappers(s *State, seat, tile int) (set int) {
	if sum(s.Ships[seat].relics(tile)) == 0 {
		return 0
	}
	for _, i := range r.fleet {
		if i != seat && sum(s.Ships[i].relics(tile)) > 0 {
			set |= 1 << i
		}
	}
	return set
}

// relicWeights calls each with the relics that can come out of the crater.
// Clause RUIN-16.
func (r *Rules) relicWeights(s *State, seat int, each func(a engine.Action, w int)) {
	for sym, n := range s.Relics[Totem] {
		if n > 0 && !(seat == Legendary && r.Edition.LegendaryShells) {
			each(OnTotem+engine.Action(sym), int(n))
		}
	}
	for sym, n := range s.Relics[Shell] {
		if n > 0 {
			each(OnShell+engine.Action(sym), int(n))
		}
	}
}

// relicDrawn gives a relic of the crater to the seat that drew it, or has it placed
// on the board: a totem on a beach, a shell in a region.
func (r *Rules) relicDrawn(s *State, seat int, a engine.Action, placed bool) {
	own := &s.Ships[seat]
	kind, sym, held, ask := Totem, int(a-OnTotem), &own.Totems, AskPlaceTotem
	if a >= OnShell {
		kind, sym, held, ask = Shell, int(a-OnShell), &own.Shells, AskPlaceShell
	}
	s.Relics[kind][sym]--
	if placed {
		r.note(HasDrawnRelic, seat, goodRelics[kind]+sym)
		s.Push(frame(ask, seat, sym))
		return
	}
	held[sym]++
	r.note(HasGained, seat, goodRelics[kind]+sym, 1, ofBox)
	r.acquired(s, seat)
}

// legalShellRegions are all but those with a group S tile.
// Clause RUIN-3.
func (r *Rules) legalShellRegions(s *State, m *engine.Mask) {
	for region, t := range s.Water[:r.regions] {
		if t == noTile || r.WaterGroup[t] != GroupS {
			m.Set(ToRegion + engine.Action(region))
		}
	}
}

// pillageShell lets a ship that Pillages take a shell of its region.
// Clause RUIN-9.
func (r *Rules) pillageShell(s *State, seat int) {
	if sum(&s.RegionShells[s.Ships[seat].Region]) > 0 {
		s.Push(frame(AskShell, seat))
	}
}

// voodoo is the ship voodoo effect: the attacker steals a shell from each ship that
// the attack damaged. Nobody is aboard the legendary ghost ship to choose.
// Clauses RUIN-10, RUIN-11.
func (r *Rules) voodoo(s *State, seat, hit int) {
	victims := 0
	for i := range r.seats {
		if hit>>i&1 != 0 && sum(&s.Ships[i].Shells) > 0 {
			victims |= 1 << i
		}
	}
	if victims == 0 {
		return
	}
	r.acquired(s, seat)
	r.askShells(s, seat, victims)
}

// Clause RUIN-13.
func (r *Rules) askShells(s *State, seat, victims int) {
	switch {
	case victims == 0:
	case seat == Legendary:
		s.Push(frame(LoseShell, seat, victims))
	default:
		s.Push(frame(AskStealShell, seat, victims))
	}
}

// shellStolen takes the chosen shell of the first of the ships, then continues with the next.
func (r *Rules) shellStolen(s *State, f Frame, sym int) {
	victims := int(f.Arg[0])
	r.hand(s, HasStolen, int(firstVictim(f)), int(f.Seat), goodRelics[Shell]+sym)
	r.askShells(s, int(f.Seat), victims&(victims-1))
}

// firstVictim is the ship that loses a shell now, of those that an attack damaged.
func firstVictim(f Frame) int8 { return int8(bits.TrailingZeros8(uint8(f.Arg[0]))) }

// legalIsland adds what is legal in the decisions of the alternate island.
// Clause RUIN-2.
func (r *Rules) legalIsland(s *State, f Frame, m *engine.Mask) {
	seat := int(f.Seat)
	own := &s.Ships[seat]
	switch f.Kind {
	case AskTotem:
		legalSymbols(&s.BeachTotems[own.Node-NodeB1], m)
		m.Set(ToDecline)
	case AskDuel:
		r.legalSeats(seat, r.rivals(s, seat), m)
	case AskDuelReroll:
		m.Set(ToAccept)
		m.Set(ToDecline)
	case AskStealTotem:
		legalSymbols(&s.Ships[f.Arg[0]].Totems, m)
	case AskShell:
		legalSymbols(&s.RegionShells[own.Region], m)
		m.Set(ToDecline)
	case AskStealShell:
		legalSymbols(&s.Ships[firstVictim(f)].Shells, m)
	case AskPlaceTotem, AskBeach:
		for beach := range r.regions {
			m.Set(ToNode + NodeB1 + engine.Action(beach))
		}
		if f.Kind == AskBeach {
			m.Set(ToDecline)
		}
	case AskPlaceShell:
		r.legalShellRegions(s, m)
	case AskRelicSwap:
		r.legalSeats(seat, r.swappers(s, seat, int(f.Arg[0])), m)
		m.Set(ToDecline)
	case AskRelicOwn:
		legalSymbols(own.relics(int(f.Arg[0])), m)
	case AskRelicTheirs:
		legalSymbols(s.Ships[f.Arg[1]].relics(int(f.Arg[0])), m)
	}
}

// chooseIsland performs a legal choice in a decision of the alternate island.
func (r *Rules) chooseIsland(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	own := &s.Ships[seat]
	switch f.Kind {
	case AskTotem:
		if a == ToDecline {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			moveOne(&s.BeachTotems[own.Node-NodeB1], &own.Totems, int(a-ToSymbol))
			r.note(HasGained, seat, goodRelics[Totem]+int(a-ToSymbol), 1, ofBeach+int(own.Node-NodeB1))
			r.acquired(s, seat)
		}
	case AskDuel:
		r.duel(s, seat, r.seatOf(seat, a))
	case AskDuelReroll:
		if a == ToAccept {
			s.Push(frame(RollDuel, seat, int(f.Arg[1]), 1))
		} else {
			r.note(HasDeclined, seat, int(f.Kind))
			r.parry(s, seat, int(f.Arg[1]), Face(f.Arg[0]))
		}
	case AskStealTotem:
		r.hand(s, HasStolen, int(f.Arg[0]), seat, goodRelics[Totem]+int(a-ToSymbol))
		r.acquired(s, seat)
	case AskShell:
		if a == ToDecline {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			moveOne(&s.RegionShells[own.Region], &own.Shells, int(a-ToSymbol))
			r.note(HasGained, seat, goodRelics[Shell]+int(a-ToSymbol), 1, ofRegion+int(own.Region))
			r.acquired(s, seat)
		}
	case AskStealShell:
		r.shellStolen(s, f, int(a-ToSymbol))
	case AskPlaceTotem:
		s.BeachTotems[a-ToNode-NodeB1][f.Arg[0]]++
		r.note(HasPlacedRelic, seat, goodRelics[Totem]+int(f.Arg[0]), int(a-ToNode-NodeB1))
	case AskPlaceShell:
		s.RegionShells[a-ToRegion][f.Arg[0]]++
		r.note(HasPlacedRelic, seat, goodRelics[Shell]+int(f.Arg[0]), int(a-ToRegion))
	case AskBeach:
		if a == ToDecline {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			r.reach(s, seat, int(a-ToNode))
		}
	case AskRelicSwap:
		if a == ToDecline {
			r.note(HasDeclined, seat, int(f.Kind))
		} else {
			s.Push(frame(AskRelicOwn, seat, int(f.Arg[0]), r.seatOf(seat, a)))
		}
	case AskRelicOwn:
		s.Push(frame(AskRelicTheirs, seat, int(f.Arg[0]), int(f.Arg[1]), int(a-ToSymbol)))
	case AskRelicTheirs:
		tile, enemy := int(f.Arg[0]), int(f.Arg[1])
		kind := goodRelics[SwappedRelic(tile)]
		r.hand(s, HasGot, seat, enemy, kind+int(f.Arg[2]))
		r.hand(s, HasGot, enemy, seat, kind+int(a-ToSymbol))
		r.acquired(s, seat)
		r.acquired(s, enemy)
	}
}

// doIsland performs a step of the alternate island.
// Clause RUIN-4.
func (r *Rules) doIsland(s *State, f Frame) {
	seat := int(f.Seat)
	switch f.Kind {
	case DoRelic:
		if r.InCrater(s) > 0 {
			s.Push(frame(DrawRelic, seat, int(f.Arg[0])))
		}
	case DoDuel:
		r.meetCaptains(s, seat)
	case DoLandmark:
		node := int(s.Ships[seat].Node)
		if t := s.Tiles[node]; t != noTile {
			s.Push(frame(DoResolve, seat, int(t), node, seat))
		} else {
			r.drawLandmark(s, seat, int(r.Colour[node]), node, seat)
		}
	case DoMists:
		r.moveMists(s)
	}
}
