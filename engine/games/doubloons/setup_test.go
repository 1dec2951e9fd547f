package doubloons

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// fresh is a scenario of a match just begun: all chance is still to come.
func fresh(t testing.TB, seats int) scenario {
	t.Helper()
	m, _ := explicitMatch(t, seats)
	return scenario{t, m, engine.State[State](m)}
}

// drafting is a scenario in which the captains are about to be chosen, from the
// holder of the initiative token on.
func drafting(t testing.TB, seats, first int) scenario {
	t.Helper()
	sc := fresh(t, seats).do(fmt.Sprintf("initiative=%d", first))
	return sc.until(func(s *State) bool { return s.Top().Kind == AskCaptain })
}

// chances checks the probabilities of what may happen.
func (sc scenario) chances(want map[string]float64) {
	sc.t.Helper()
	outcomes := sc.m.Outcomes(nil)
	check(sc.t, "number of outcomes", len(outcomes), len(want))
	for _, o := range outcomes {
		name := sc.m.Info().ActionName(o.Action)
		if math.Abs(o.Prob-want[name]) > 1e-9 {
			sc.t.Errorf("%s has probability %v; want %v", name, o.Prob, want[name])
		}
	}
}

func TestTwoToSixPlayersTakePart(t *testing.T) {
	enginetest.Clause(t, "SET-1")
	for seats := 1; seats <= 7; seats++ {
		_, err := engine.NewGame(fmt.Sprintf("doubloons(seats=%d)", seats))
		check(t, fmt.Sprintf("%d seats are refused", seats), err != nil, seats < 2 || seats > 6)
	}
}

func TestTheStandardIslandHasFourRegionsAndOneBeach(t *testing.T) {
	enginetest.Clause(t, "SET-2", "DRAFT-2")
	sc := drafting(t, 4, 0).do("captain=voet")
	sc.legal("place=0,clockwise", "place=0,counterclockwise", "place=1,clockwise", "place=1,counterclockwise",
		"place=2,clockwise", "place=2,counterclockwise", "place=3,clockwise", "place=3,counterclockwise")
	for i := range 4 {
		check(t, "captain", sc.Ships[i].Node, NodeBeach)
	}
}

func TestNothingOfTheModulesIsInPlay(t *testing.T) {
	enginetest.Clause(t, "SET-3")
	sc := fresh(t, 3)
	check(t, "black jewels", sc.Jewels[BlackJewel], 0)
	check(t, "relics", sc.Relics, [2][NumSymbols]uint8{})
	for i := range 3 {
		check(t, "compasses", sc.Ships[i].Compasses, 0)
	}
	var stacks uint64
	for _, tiles := range sc.StackTop {
		stacks |= tiles
	}
	check(t, "landmarks", stacks, 1<<NumStandardLandmarks-1)
	check(t, "green cards", sc.Deck>>FirstGreenCard, 0)
}

func TestCoinsTokensAndCardsAtTheStart(t *testing.T) {
	enginetest.Clause(t, "SET-4", "SET-5", "SET-7", "SET-12")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		sc := fresh(t, seats)
		for i := range seats {
			check(t, "doubloons", sc.Ships[i].Doubloons, 2)
			check(t, "tokens", sc.Ships[i].Pillage, 0)
		}
		check(t, "supply", int(sc.Supply), 48-2*seats)
		check(t, "island", sc.Island, 0)
		check(t, "pillage tokens", int(sc.Pillage), 2*seats)
		check(t, "deck", sc.Deck, 1<<41-1)
		check(t, "discard", sc.Discard, 0)
		check(t, "blue, yellow and red tiles", [3]int{bits.OnesCount64(sc.StackTop[ColourBlue]),
			bits.OnesCount64(sc.StackTop[ColourYellow]), bits.OnesCount64(sc.StackTop[ColourRed])}, [3]int{9, 9, 8})
	}
}

func TestTheMapStackByNumberOfPlayers(t *testing.T) {
	enginetest.Clause(t, "SET-8", "SET-9", "SET-10", "SET-11")
	for _, tc := range []struct {
		seats, types, left int
		specials           [NumSpecials]uint8
	}{
		{2, 2, 1, [...]uint8{1, 1, 0}},
		{3, 3, 2, [...]uint8{1, 1, 0}},
		{4, 3, 3, [...]uint8{1, 1, 1}},
		{5, 4, 3, [...]uint8{2, 1, 1}},
		{6, 4, 4, [...]uint8{1, 2, 2}},
	} {
		sc := fresh(t, tc.seats).until(func(s *State) bool { return s.Phase != PhaseSetup })
		symbols := [NumSymbols]uint8{}
		for sym := range tc.types {
			symbols[sym] = 3
		}
		for i := range tc.seats {
			check(t, "fragments of a player", sum(&sc.Ships[i].Fragments), 1)
			for sym, n := range sc.Ships[i].Fragments {
				symbols[sym] -= n
			}
		}
		check(t, fmt.Sprintf("%d players: fragments that nobody has", tc.seats), sc.UnseenFragments, symbols)
		check(t, fmt.Sprintf("%d players: fragments in the stack", tc.seats), int(sc.MapFragments), tc.left)
		check(t, fmt.Sprintf("%d players: special tiles", tc.seats), sc.MapSpecials, tc.specials)
	}
}

func TestARemovedFragmentIsAsLikelyAsOneInTheStack(t *testing.T) {
	enginetest.Clause(t, "SET-9", "KNOW-3")
	// Two players: each has an X, of 4 unseen fragments (1 X, 3 suns) one is in the stack of 3.
	sc := hunting(t, 2, has(0, SymbolX, 1), has(1, SymbolX, 1), func(s *State) { s.UnseenFragments = [NumSymbols]uint8{1, 3} })
	sc.chances(map[string]float64{"map=x": 1. / 12, "map=sun": 3. / 12, "map=island_lore": 1. / 3, "map=skull_amulet": 1. / 3})
}

func TestWaterTilesAreDrawnByGroup(t *testing.T) {
	enginetest.Clause(t, "SET-13")
	third, half := 1./3, 1./2
	group1 := map[string]float64{"water=fog": third, "water=mermaid_pack": third, "water=shipwreck": third}
	group2 := map[string]float64{"water=coral_reef": third, "water=merfolk_seer": third, "water=stone_sextant": third}
	group3 := map[string]float64{"water=high_water": .25, "water=mists_of_morgana": .25, "water=river_merfolk": .25, "water=the_shallows": .25}
	groupS := map[string]float64{"water=rip_current": 1}

	sc := fresh(t, 2).do("initiative=0")
	sc.chances(group2)
	sc.do("water=coral_reef").chances(group3)
	sc.do("water=high_water").chances(groupS)
	sc.do("water=rip_current").chances(map[string]float64{"water=mists_of_morgana": third, "water=river_merfolk": third, "water=the_shallows": third})
	sc.do("water=the_shallows")
	check(t, "water", sc.Water, [MaxRegions]int8{CoralReef, HighWater, RipCurrent, TheShallows, noTile})

	charts := map[int][NumRegions]map[string]float64{3: {group1, group3, groupS, nil}, 4: {group1, group2, group3, nil}, 5: {group1, group2, nil, group3}, 6: {group1, group2, nil, nil}}
	for seats, chart := range charts {
		sc := fresh(t, seats).do("initiative=0")
		for region, want := range chart {
			if want != nil {
				sc.chances(want)
			}
			sc.do(enginetest.Legal(sc.m)[0])
			check(t, "region drawn for", sc.Water[region] != noTile, true)
		}
	}
	// Each tile is used once: with six players groups 1 and 2 are drawn twice.
	sc = fresh(t, 6).do("initiative=0;water=fog;water=coral_reef")
	sc.chances(map[string]float64{"water=mermaid_pack": half, "water=shipwreck": half})
	sc.do("water=shipwreck").chances(map[string]float64{"water=merfolk_seer": half, "water=stone_sextant": half})
}

func TestChanceGivesTheInitiativeToken(t *testing.T) {
	enginetest.Clause(t, "SET-14")
	sc := fresh(t, 4)
	sc.chances(map[string]float64{"initiative=0": .25, "initiative=1": .25, "initiative=2": .25, "initiative=3": .25})
	sc.do("initiative=2")
	check(t, "initiative", sc.Initiative, 2)
}

func TestPlayersChooseCaptainsInInitiativeOrder(t *testing.T) {
	enginetest.Clause(t, "DRAFT-1")
	sc := drafting(t, 3, 2).seat(2)
	sc.legal("captain=pollyanna", "captain=widow_cheng", "captain=calico_jack", "captain=valparisa", "captain=hayreddin", "captain=voet")
	sc.do("captain=voet").seat(2).do("place=0,clockwise")
	sc.seat(0).legal("captain=pollyanna", "captain=widow_cheng", "captain=calico_jack", "captain=valparisa", "captain=hayreddin")
	sc.do("captain=valparisa;place=0,counterclockwise").seat(1).do("captain=pollyanna;place=1,clockwise")
	for seat, want := range []int8{Valparisa, Pollyanna, Voet} {
		check(t, "captain", sc.Ships[seat].Captain, want)
	}
}

func TestShipsStartWhole(t *testing.T) {
	enginetest.Clause(t, "DRAFT-3")
	sc := drafting(t, 6, 0)
	for i := range 6 {
		sh := sc.Ships[i]
		check(t, "hull, reputation, crew", [3]uint8{sh.Hull, sh.Reputation, sh.Crew}, [3]uint8{10, 0, 4})
		check(t, "ghost", sh.Ghost, false)
	}
}

func TestShipsArePlacedAnywhereButInGroupS(t *testing.T) {
	enginetest.Clause(t, "DRAFT-4")
	everywhereElse := []string{"place=0,clockwise", "place=0,counterclockwise", "place=1,clockwise", "place=1,counterclockwise", "place=3,clockwise", "place=3,counterclockwise"}
	sc := drafting(t, 2, 0).do("captain=voet").legal(everywhereElse...).do("place=3,counterclockwise")
	check(t, "region", sc.Ships[0].Region, 3)
	check(t, "facing", sc.Ships[0].Facing, CounterClockwise)
	sc.do("captain=hayreddin").legal(everywhereElse...).do("place=3,clockwise") // also beside another ship
	check(t, "region", sc.Ships[1].Region, 3)
	check(t, "facing", sc.Ships[1].Facing, Clockwise)
}
