package doubloons

import (
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// Reset sets the game up: "Game Setup" of the rulebook. What is random there is asked
// of chance by frames, in the rulebook's order; the map stack is never laid out, its tiles
// are drawn from what nobody has seen.
// Clauses SET-4, SET-5, SET-7, SET-8, SET-9, SET-11, SET-12, DRAFT-2, DRAFT-3.
func (r *Rules) Reset(s *State, seed uint64) {
	*s = State{Rand: engine.NewRand(seed), Phase: PhaseSetup, Slot: -1, Turn: -1}
	for i := range s.Ships {
		s.Ships[i] = Ship{Captain: noCaptain, Region: noRegion, Facing: Clockwise, Node: NodeBeach, Table: [NumSlots]int8{noCard, noCard, noCard}}
	}
	for i := range s.Water {
		s.Water[i] = noTile
	}
	for i := range s.Tiles {
		s.Tiles[i] = noTile
	}
	for c := range s.StackBottom {
		for i := range s.StackBottom[c] {
			s.StackBottom[c][i] = noTile
		}
	}
	s.Supply = uint8(r.Doubloons) - r.StartDoubloons*uint8(r.seats)
	s.Pillage = r.PillagePerPlayer * uint8(r.seats)
	copy(s.Jewels[:r.jewelKinds], r.JewelCount[:])
	s.Deck = r.normal
	for left := r.landmarkSet; left != 0; left &= left - 1 {
		t := bits.TrailingZeros64(left)
		s.StackTop[r.LandmarkColour[t]] |= 1 << t
	}
	for sym := range r.symbols {
		s.UnseenFragments[sym] = r.FragmentsPerSymbol
	}
	s.MapFragments = uint8(r.symbols)*r.FragmentsPerSymbol - uint8(r.removed) - uint8(r.dealt*r.seats)
	s.MapSpecials = r.SpecialsInPlay[r.seats]
	s.Relics = [numRelics][NumSymbols]uint8{r.Totems, r.Shells}
	for i := range r.seats {
		sh := &s.Ships[i]
		sh.Hull, sh.Crew, sh.Doubloons, sh.Compasses = MaxHull, MaxCrew, r.StartDoubloons, r.CompassesPerPlayer
	}
	for _, equip := range r.equip {
		equip(r, s)
	}

	for i := range s.Helm {
		s.Helm[i] = int8(i)
	}
	s.Push(frame(DoRound, 0))
	for _, f := range r.afterDraft {
		s.Push(f)
	}
	for i := len(r.stages) - 1; i >= 0; i-- {
		s.Push(frame(DoInOrder, 0, int(r.stages[i])))
	}
	for _, f := range r.afterWater {
		s.Push(f)
	}
	for region := r.regions - 1; region >= 0; region-- {
		s.Push(frame(DrawWater, 0, region))
	}
	s.Push(frame(RollInitiative, 0))
}

// Seed implements engine.Seeder.
func (r *Rules) Seed(s *State, seed uint64) { s.Rand = engine.NewRand(seed) }

// setupStages are the steps of set-up that all seats take in order, once the
// water tiles lie. AskPlace goes with AskCaptain, unless it is a step of its own.
// Clauses SET-10, DRAFT-1, OLD-2.
func (r *Rules) setupStages() []Kind {
	stages := []Kind{AskCaptain}
	if r.Edition.ShipsAfterCaptains {
		stages = append(stages, AskPlace)
	}
	return append(stages, slices.Repeat([]Kind{DealFragment}, r.dealt)...)
}

// Clause DRAFT-1.
func (r *Rules) legalCaptains(s *State, m *engine.Mask) {
	for c := range NumCaptains {
		m.Set(ToCaptain + engine.Action(c))
	}
	for i := range r.seats {
		if c := s.Ships[i].Captain; c != noCaptain {
			m.Clear(ToCaptain + engine.Action(c))
		}
	}
}

// Clause DRAFT-4.
func (r *Rules) legalPlaces(s *State, m *engine.Mask) {
	for region := range r.regions {
		if rests(s.Water[region]) {
			m.Set(ToPlace + engine.Action(2*region))
			m.Set(ToPlace + engine.Action(2*region+1))
		}
	}
}

func (r *Rules) place(sh *Ship, a engine.Action) {
	k := int8(a - ToPlace)
	sh.Region = k / 2
	sh.Facing = Clockwise
	if k%2 == 1 {
		sh.Facing = CounterClockwise
	}
}
