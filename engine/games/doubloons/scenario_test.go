package doubloons

import (
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// scenario is a match that a rule is tried on: chance is explicit and forced
// moves are shown, so that a test says everything that happens.
type scenario struct {
	t testing.TB
	m engine.Match
	*State
}

// given sets up the first turn of the first card with plain things: no captains
// (so no abilities), no water tiles, full ships in region 0 facing clockwise, no fragments, two
// doubloons each, and before each seat three cards without a Board action. edit
// changes what the scenario is about.
func given(t testing.TB, seats int, edit func(s *State)) scenario {
	t.Helper()
	m, r := explicitMatch(t, seats)
	s := State{}
	r.Reset(&s, 1)
	for s.Depth > 0 {
		s.Pop()
	}
	s.Round, s.Phase, s.Slot, s.Revealed, s.Turn = 1, PhaseAction, 0, 1, 0
	plain := [...]int8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21} // N01–N14, N19–N22
	for i := range seats {
		s.Ships[i].Region = 0
		copy(s.Ships[i].Table[:], plain[NumSlots*i:])
	}
	edit(&s)
	for i := range seats {
		for _, c := range s.Ships[i].Table {
			if c != noCard {
				s.Deck &^= 1 << c
			}
		}
		s.Deck &^= s.Ships[i].Hand
	}
	r.resumeRound(&s, true, false)
	return scenario{t, m, engine.State[State](m)}.load(&s)
}

// in has scenarios made with more parameters: acting(in(t, "modules=compass"), …).
func in(t testing.TB, params string) testing.TB { return enginetest.In(t, params) }

func explicitMatch(t testing.TB, seats int) (engine.Match, *Rules) {
	t.Helper()
	return enginetest.Explicit[State, *Rules](t, "doubloons", seats)
}

func (sc scenario) load(s *State) scenario {
	sc.t.Helper()
	*sc.State = *s
	if err := sc.m.SetBytes(slices.Clone(sc.m.Bytes())); err != nil {
		sc.t.Fatal(err)
	}
	return sc
}

// do applies actions and outcomes by name, separated by semicolons.
func (sc scenario) do(actions string) scenario {
	sc.t.Helper()
	enginetest.Do(sc.t, sc.m, actions)
	return sc
}

// legal checks exactly what is legal (or possible, if chance is to act).
func (sc scenario) legal(names ...string) scenario {
	sc.t.Helper()
	got := enginetest.Legal(sc.m)
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		sc.t.Fatalf("legal for %s: %s; want %s (%s)", engine.SeatName(sc.m.Seat()),
			strings.Join(got, ", "), strings.Join(names, ", "), sc.m.Decision())
	}
	return sc
}

// seat checks who is to act.
func (sc scenario) seat(want int) scenario {
	sc.t.Helper()
	if got := sc.m.Seat(); got != want {
		sc.t.Fatalf("%s is to act; want %s (%s)", engine.SeatName(got), engine.SeatName(want), sc.m.Decision())
	}
	return sc
}

// until draws whatever chance asks for, the first outcome each time, and plays the first
// legal action, until stop.
func (sc scenario) until(stop func(s *State) bool) scenario {
	sc.t.Helper()
	for n := 0; !stop(sc.State); n++ {
		if sc.m.Seat() == engine.Over || n > 10000 {
			sc.t.Fatal("the match never reached the point that the test wants")
		}
		a := sc.m.Legal().First()
		if sc.m.Seat() == engine.Chance {
			a = sc.m.Outcomes(nil)[0].Action
		}
		if err := sc.m.Apply(a); err != nil {
			sc.t.Fatal(err)
		}
	}
	return sc
}

// check compares what a rule did with what it should.
func check[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v; want %v", what, got, want)
	}
}

// row is a seat's three cards by id; "" leaves a place empty.
func row(ids ...string) [NumSlots]int8 {
	table := [NumSlots]int8{noCard, noCard, noCard}
	for k, id := range ids {
		if id != "" {
			table[k] = int8(card(id))
		}
	}
	return table
}

func card(id string) int {
	i := slices.Index(cardNames[:], id)
	if i < 0 {
		panic("no card " + id)
	}
	return i
}

func cards(ids ...string) uint64 {
	var set uint64
	for _, id := range ids {
		set |= 1 << card(id)
	}
	return set
}
