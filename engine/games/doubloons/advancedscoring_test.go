package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

// prize is what seats 0, 1 and 2 win by having more or less of one thing.
func prize(t *testing.T, params string, edit func(s *State)) [3]int32 {
	t.Helper()
	sc := ended(in(t, params), 3, edit)
	return [3]int32{scores(sc, 0)["bonuses"], scores(sc, 1)["bonuses"], scores(sc, 2)["bonuses"]}
}

func TestWhoAloneHasMostWinsAPrize(t *testing.T) {
	enginetest.Clause(t, "PRIZE-1", "PRIZE-2", "PRIZE-3", "PRIZE-5")
	for what, edit := range map[string]func(s *State){
		"doubloons, also of a ghost ship": func(s *State) {
			s.Ships[0].Doubloons, s.Ships[1].Doubloons = 3, 4
			s.Ships[1].Ghost, s.Ships[1].Hull = true, 0
			s.Ships[0].Crew, s.Ships[2].Crew = 1, 1 // so that nobody has the most complete ship
		},
		"jewels":     func(s *State) { s.Ships[0].Jewels[Diamond], s.Ships[1].Jewels[Emerald] = 1, 2 },
		"reputation": func(s *State) { s.Ships[0].Reputation, s.Ships[1].Reputation = 1, 2 },
		"symbols": func(s *State) {
			s.Ships[0].Fragments = [NumSymbols]uint8{3, 0, 0, 0}
			s.Ships[1].Fragments = [NumSymbols]uint8{0, 1, 1, 0}
			s.Ships[2].Fragments = [NumSymbols]uint8{0, 2, 0, 0}
		},
	} {
		check(t, what, prize(t, "modules=advanced_scoring", edit), [3]int32{0, 3, 0})
	}
}

func TestTheMostCompleteShipHasMostHullAndCrew(t *testing.T) {
	enginetest.Clause(t, "PRIZE-4")
	got := prize(t, "modules=advanced_scoring", func(s *State) {
		s.Ships[0].Hull, s.Ships[0].Crew = 9, 2
		s.Ships[1].Hull, s.Ships[1].Crew = 8, 4
		s.Ships[2].Hull, s.Ships[2].Ghost, s.Ships[2].Crew = 0, true, 4
	})
	check(t, "prizes", got, [3]int32{0, 3, 0})
}

func TestATieWinsNobodyAPrize(t *testing.T) {
	enginetest.Clause(t, "PRIZE-6")
	check(t, "nothing at all", prize(t, "modules=advanced_scoring", func(*State) {}), [3]int32{0, 0, 0})
	tied := func(s *State) {
		for i := range 2 {
			s.Ships[i].Doubloons, s.Ships[i].Reputation, s.Ships[i].Jewels[Ruby] = 4, 1, 1
			s.Ships[i].Fragments[SymbolX] = 1
		}
	}
	check(t, "two alike", prize(t, "modules=advanced_scoring", tied), [3]int32{0, 0, 0})
	check(t, "without the module", prize(t, "modules=none", func(s *State) { s.Ships[0].Doubloons = 9 }), [3]int32{0, 0, 0})
}

func TestSetsTakeThePlaceOfTheMostCompleteMap(t *testing.T) {
	enginetest.Clause(t, "SCORE-21")
	symbols := func(s *State) {
		s.Ships[0].Fragments, s.Ships[1].Fragments, s.Ships[2].Fragments = [NumSymbols]uint8{1, 1}, [NumSymbols]uint8{1}, [NumSymbols]uint8{}
	}
	check(t, "on the standard island", prize(t, "modules=advanced_scoring", symbols), [3]int32{3, 0, 0})
	check(t, "on the alternate island", prize(t, "modules=advanced_scoring+alternate_island", symbols), [3]int32{0, 0, 0})
}

func TestAllPrizesAddUp(t *testing.T) {
	sc := ended(in(t, "modules=advanced_scoring"), 2, func(s *State) {
		s.Ships[1].Doubloons, s.Ships[1].Crew, s.Ships[1].Reputation = 5, 4, 3
		s.Ships[1].Fragments[SymbolSun], s.Ships[1].Jewels[Emerald] = 1, 1
	})
	check(t, "bonuses", scores(sc, 1)["bonuses"], int32(15))
}
