package doubloons

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// scores are a seat's points by source.
func scores(sc scenario, seat int) map[string]int32 {
	sources := sc.m.Info().ScoreSources
	points := make([]int32, len(sources))
	sc.m.Scores(engine.Full, seat, points)
	by := map[string]int32{}
	for i, source := range sources {
		by[source] = points[i]
		by["total"] += points[i]
	}
	return by
}

// ended is a scenario after the last round. Without edits all ships are worth
// nothing.
func ended(t testing.TB, seats int, edits ...func(*State)) scenario {
	t.Helper()
	bare := func(s *State) {
		s.Ending = true
		for i := range seats {
			s.Ships[i].Doubloons, s.Ships[i].Crew = 0, 0
		}
	}
	return newRound(t, seats, append([]func(*State){dug, bare}, edits...)...).seat(engine.Over)
}

func TestPointsBySource(t *testing.T) {
	enginetest.Clause(t, "END-1", "END-2", "END-3", "END-4", "END-5")
	sc := ended(t, 2, func(s *State) {
		s.Ships[0].Jewels = [NumJewels]uint8{2, 1, 1, 0} // emeralds, rubies, diamonds
		s.Ships[0].Fragments = [NumSymbols]uint8{2, 1, 0, 0}
		s.Ships[0].Orbs = 2
		s.Ships[0].Doubloons, s.Ships[0].Crew, s.Ships[0].Reputation = 7, 3, 2
	})
	got := scores(sc, 0)
	for source, want := range map[string]int32{
		"jewels": 2*3 + 4 + 5, "fragments": 6, "doubloons": 7, "crew": 3, "reputation": 7, "curse": 0, "total": 38,
	} {
		check(t, source, got[source], want)
	}
	check(t, "total of a ship worth nothing", scores(sc, 1)["total"], 0)
	for level, want := range []int32{0, 3, 7, 12} {
		sc := ended(t, 2, func(s *State) { s.Ships[1].Reputation = uint8(level) })
		check(t, "reputation", scores(sc, 1)["reputation"], want)
	}
}

func TestTreasureOfGhostShipsIsCursed(t *testing.T) {
	enginetest.Clause(t, "END-6")
	sc := ended(t, 2, func(s *State) {
		s.Ships[0].Ghost, s.Ships[0].Hull = true, 0
		s.Ships[0].Jewels = [NumJewels]uint8{1, 1, 1, 0}
		s.Ships[0].Fragments = [NumSymbols]uint8{1, 1, 0, 0}
		s.Ships[0].Doubloons, s.Ships[0].Crew, s.Ships[0].Reputation = 4, 2, 1
	})
	got := scores(sc, 0)
	check(t, "curse", got["curse"], -(3 + 2 + 4))
	check(t, "crew", got["crew"], 2)
	check(t, "reputation", got["reputation"], 3)
	check(t, "total", got["total"], (2+3+4)+2*1+0+2+3)
}

func TestMostPointsThenMostDoubloonsWin(t *testing.T) {
	enginetest.Clause(t, "END-7", "END-8")
	returns := func(sc scenario) [3]float32 {
		var r [3]float32
		sc.m.Returns(r[:])
		return r
	}
	// More points beat more doubloons.
	sc := ended(t, 3, doubloons(3, 4, 0), crews(2, 0, 0))
	check(t, "returns", returns(sc), [3]float32{1, -.5, -.5})
	// Equal points: doubloons decide.
	sc = ended(t, 3, doubloons(3, 4, 0), crews(2, 1, 4))
	check(t, "returns, equal points", returns(sc), [3]float32{-.5, 1, -.5})
	// Equal in both: shared.
	sc = ended(t, 3, doubloons(4, 4, 0), crews(1, 1, 4))
	check(t, "returns, shared", returns(sc), [3]float32{.25, .25, -.5})
	sc = ended(t, 3)
	check(t, "returns, all equal", returns(sc), [3]float32{})
}

func TestReturnsByObjective(t *testing.T) {
	// Points 9, 5, 5 with the same doubloons, then 45, 5, 1.
	level := ended(t, 3, doubloons(5, 5, 5), crews(4, 0, 0))
	far := ended(t, 3, doubloons(45, 5, 1))
	for _, tc := range []struct {
		objective string
		sc        scenario
		want      [3]float32
	}{
		{"win", level, [3]float32{1, -.5, -.5}},
		{"rank", level, [3]float32{1, -.5, -.5}},
		{"margin", level, [3]float32{4. / 20, -2. / 20, -2. / 20}},
		{"rank", far, [3]float32{1, 0, -1}},
		{"margin", far, [3]float32{1, -.9, -1}},
	} {
		g, err := engine.NewGame("doubloons(seats=3,objective=" + tc.objective + ")")
		if err != nil {
			t.Fatal(err)
		}
		m := g.NewMatch()
		if err := m.SetBytes(tc.sc.m.Bytes()); err != nil {
			t.Fatal(err)
		}
		got := [3]float32{9, 9, 9}
		m.Returns(got[:])
		check(t, tc.objective, got, tc.want)
	}
}

func TestScoresAreWrittenOverWhatWasThere(t *testing.T) {
	sc := ended(t, 2, doubloons(3, 4), func(s *State) { s.Ships[0].Jewels[Ruby] = 1 })
	once, twice := make([]int32, len(scoreSources)), make([]int32, len(scoreSources))
	for i := range twice {
		twice[i] = 9
	}
	sc.m.Scores(engine.Full, 0, once)
	sc.m.Scores(engine.Full, 0, twice)
	check(t, "scores", fmt.Sprint(twice), fmt.Sprint(once))
	check(t, "rubies", once[0], 4)
}
