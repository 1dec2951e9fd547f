package doubloons

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// captains puts the captains on the island.
func captains(each ...int8) func(*State) {
	return func(s *State) {
		for i, node := range each {
			s.Ships[i].Node = node
		}
	}
}

// jewelled draws emeralds until chance is asked for something else, and returns
// how many each seat has got.
func jewelled(sc scenario) (got [MaxSeats]int) {
	sc.t.Helper()
	sc.until(func(s *State) bool { return s.Top().Kind != DrawJewel })
	for i := range got {
		got[i] = sum(&sc.Ships[i].Jewels)
	}
	return got
}

func TestRoundEndChecksTreasureThenRedemptionThenCleansUp(t *testing.T) {
	enginetest.Clause(t, "CLEAN-1", "DIG-1")
	sc := newRound(t, 2, captains(NodeM, NodeBeach), hulls(0, 10), doubloons(5, 0), crews(1, 4))
	check(t, "who draws jewels first: phase", sc.Phase, PhaseRoundEnd)
	check(t, "ghost while the jewels are drawn", sc.Ships[0].Ghost, true)
	sc.do("jewel=ruby;jewel=ruby;jewel=ruby")
	check(t, "ghost after it", sc.Ships[0].Ghost, false)
	check(t, "crew: one from the dig, two from the redemption", sc.Ships[0].Crew, 4)
	check(t, "round", sc.Round, 2)
}

func TestCleanupDiscardsUsedCardsAndTokens(t *testing.T) {
	enginetest.Clause(t, "CLEAN-2", "CLEAN-3", "CLEAN-4")
	sc := newRound(t, 3, func(s *State) {
		s.Initiative = 1
		s.Ships[0].Table, s.Ships[0].Hand = row("N01", "N02", "N03"), cards("N04", "N05")
		s.Ships[2].Table, s.Ships[2].Pillage = row("N06", "N07", "N08"), 3
		s.Pillage -= 3
	})
	check(t, "discard", sc.Discard, cards("N01", "N02", "N03", "N06", "N07", "N08"))
	check(t, "hand", sc.Ships[0].Hand, cards("N04", "N05"))
	check(t, "table", sc.Ships[0].Table, row())
	check(t, "tokens of a ship", sc.Ships[2].Pillage, 0)
	check(t, "tokens beside the board", sc.Pillage, 6)
	check(t, "initiative", sc.Initiative, 2)
	check(t, "round", sc.Round, 2)
	sc = newRound(t, 3, func(s *State) { s.Initiative = 2 })
	check(t, "initiative after the last seat", sc.Initiative, 0)
}

func TestNoTreasureWithoutACaptainAtTheMount(t *testing.T) {
	enginetest.Clause(t, "DIG-1")
	sc := newRound(t, 2, captains(NodeP4, NodeC5))
	check(t, "dug up", sc.Dug, false)
	check(t, "captain", sc.Ships[0].Node, NodeP4)
	check(t, "jewels", sum(&sc.Jewels), 18)
}

func TestJewelsByDistanceFromTheMount(t *testing.T) {
	enginetest.Clause(t, "DIG-2")
	sc := newRound(t, 6, captains(NodeM, NodeC5, NodeC4, NodeC3, NodeM, NodeP4))
	if got := jewelled(sc); got != [MaxSeats]int{3, 2, 1, 0, 3, 2} {
		t.Errorf("jewels %v", got)
	}
	check(t, "dug up", sc.Dug, true)
}

func TestDistanceIsTheShortestWayForward(t *testing.T) {
	enginetest.Clause(t, "DIG-3")
	// V4 leads to P4, which is next to the mount, and to V5, which is not; P2 is far from it by either way.
	sc := newRound(t, 6, captains(NodeM, NodeV4, NodeV5, NodeV6, NodeP3, NodeP2))
	if got := jewelled(sc); got != [MaxSeats]int{3, 1, 1, 2, 1, 0} {
		t.Errorf("jewels %v", got)
	}
}

func TestJewelsRunOutInInitiativeOrder(t *testing.T) {
	enginetest.Clause(t, "DIG-4")
	few := func(s *State) { s.Initiative, s.Jewels = 2, [NumJewels]uint8{4, 0, 0, 0} }
	sc := newRound(t, 3, captains(NodeM, NodeC5, NodeM), few)
	// Seat 2 draws three, seat 0 the last one, seat 1 none.
	if got := jewelled(sc); got != [MaxSeats]int{1, 0, 3} {
		t.Errorf("jewels %v", got)
	}
}

func TestDrawnJewelsAreEquallyLikely(t *testing.T) {
	enginetest.Clause(t, "SET-6")
	sc := newRound(t, 2, captains(NodeM, NodeBeach)).seat(engine.Chance)
	want := map[string]float64{"jewel=emerald": 8.0 / 18, "jewel=ruby": 6.0 / 18, "jewel=diamond": 4.0 / 18}
	for _, o := range sc.m.Outcomes(nil) {
		check(t, "probability of "+sc.m.Info().ActionName(o.Action), o.Prob, want[sc.m.Info().ActionName(o.Action)])
	}
	sc.do("jewel=diamond")
	check(t, "diamonds left", sc.Jewels[Diamond], 3)
	check(t, "diamonds drawn", sc.Ships[0].Jewels[Diamond], 1)
}

func TestTheDigShufflesEverythingAndReturnsTheCaptains(t *testing.T) {
	enginetest.Clause(t, "DIG-5", "DIG-6", "DIG-7")
	sc := newRound(t, 3, captains(NodeM, NodeC1, NodeBeach), crews(4, 2, 0), func(s *State) {
		s.Ships[0].Table, s.Ships[0].Hand = row("N01", "N02", "N03"), cards("N04")
		s.Ships[1].Hand = cards("N05", "N06")
		s.Discard, s.Deck = cards("N10", "N11"), s.Deck&^cards("N10", "N11")
		lay(s, NodeC1, TribalVillage)
		lay(s, NodeP2, DankCave)
		s.StackTop[ColourRed] &^= 1 << CursedIdol
		s.StackBottom[ColourRed][0], s.StackLow[ColourRed] = CursedIdol, 1
		s.Tiles[NodeV1], s.StackTop[ColourYellow] = noTile, s.StackTop[ColourYellow]&^(1<<PandorasBox) // out of the game
	})
	sc.do("jewel=ruby;jewel=ruby;jewel=ruby").seat(engine.Chance)
	check(t, "cards in the deck", sc.Deck, 1<<(NumNormalCards+NumCaptainCards)-1)
	check(t, "discard", sc.Discard, 0)
	for i, crew := range []uint8{4, 3, 1} {
		check(t, "hand", sc.Ships[i].Hand, 0)
		check(t, "table", sc.Ships[i].Table, row())
		check(t, "location", sc.Ships[i].Node, NodeBeach) // its captain is aboard
		check(t, "space on the track", sc.Ships[i].Track, 0)
		check(t, "crew", sc.Ships[i].Crew, crew)
	}
	for node := range NumNodes {
		sc.lies(node, noTile)
	}
	check(t, "blue tiles", bits.OnesCount64(sc.StackTop[ColourBlue]), 9)
	check(t, "yellow tiles", bits.OnesCount64(sc.StackTop[ColourYellow]), 8)
	check(t, "red tiles", bits.OnesCount64(sc.StackTop[ColourRed]), 8)
	sc.bottom(ColourRed)
	check(t, "what was known at the bottom", sc.StackBottom[ColourRed][0], noTile)
	check(t, "dug up", sc.Dug, true)
}

func TestTheTreasureIsDugUpOnce(t *testing.T) {
	enginetest.Clause(t, "DIG-1")
	sc := newRound(t, 2, captains(NodeM, NodeBeach)).do("jewel=ruby;jewel=ruby;jewel=ruby")
	check(t, "dug up", sc.Dug, true)
	sc.until(func(s *State) bool { return s.Round == 3 })
	check(t, "jewels", sum(&sc.Ships[0].Jewels)+sum(&sc.Ships[1].Jewels)+sum(&sc.Jewels), 18)
	check(t, "a dig in the second round", sum(&sc.Ships[1].Jewels), 0)
}

func TestCaptainCardsMoveTheCaptain(t *testing.T) {
	enginetest.Clause(t, "CAP-1")
	sc := acting(t, 2, "C08", dug).do("do=repair")
	check(t, "space after a captain card", sc.Ships[0].Track, 1)
	check(t, "space of another", sc.Ships[1].Track, 0)
	sc = acting(t, 2, "N33", dug).do("do=repair")
	check(t, "space after a normal card", sc.Ships[0].Track, 0)
}

func TestFinTriggersTheEnd(t *testing.T) {
	enginetest.Clause(t, "CAP-2")
	for track, ending := range map[uint8]bool{2: false, 3: true} {
		sc := acting(t, 2, "C08", dug, func(s *State) { s.Ships[0].Track = track }).do("do=repair")
		check(t, "space", sc.Ships[0].Track, track+1)
		check(t, "ending", sc.Ending, ending)
	}
}

func TestTheLastRoundIsFinished(t *testing.T) {
	enginetest.Clause(t, "CAP-3")
	sc := given(t, 2, func(s *State) {
		s.Dug, s.Island = true, 4
		s.Ships[0].Track = 3
		s.Ships[0].Table = row("C08", "N33", "N03")
		s.Ships[1].Table = row("N33", "N26", "N33")
	})
	sc.do("do=repair").seat(1).do("do=repair")
	sc.seat(0).do("do=repair").seat(1).do("do=pillage")
	sc.seat(0).do("do=hunt").do(enginetest.Legal(sc.m)[0]).seat(1).do("do=repair").seat(engine.Over)
	check(t, "doubloons of the only one who pillaged", sc.Ships[1].Doubloons, 6)
	check(t, "round", sc.Round, 1)
}

func TestMaxRoundsCutsAMatchShortAtTheNextDecisionWithoutAWinner(t *testing.T) {
	enginetest.Clause(t, "CAP-4")
	deal := func(sc scenario) scenario {
		for sc.m.Seat() == engine.Chance {
			if err := sc.m.Apply(sc.m.SampleChance()); err != nil {
				t.Fatal(err)
			}
		}
		return sc
	}
	returns := make([]float32, 2)
	for params, last := range map[string]uint8{"": 60, "max_rounds=7": 7, "max_rounds=250": 250} {
		in := in(t, params)
		// In the last round but one nothing happens; after the last one the next begins, and nobody is asked.
		deal(newRound(in, 2, func(s *State) { s.Round = last - 1 })).seat(1)
		sc := deal(newRound(in, 2, doubloons(9, 1), func(s *State) { s.Round = last })).seat(engine.Over)
		check(t, "phase", sc.Phase, PhaseRoundStart)
		check(t, "what would be asked", sc.Top().Kind, AskProgram)
		limit, next := sc.m.Truncated()
		check(t, "limit", limit, fmt.Sprintf("max_rounds=%d", last))
		check(t, "who would be asked", next, 1)
		check(t, "legal", sc.m.Legal().Count(), 0)
		if sc.m.Returns(returns); returns[0] != 0 || returns[1] != 0 {
			t.Errorf("returns %v: nobody has won", returns)
		}
		// A match that ends by the rules in its last round is not cut short.
		sc = newRound(in, 2, dug, doubloons(9, 1), func(s *State) { s.Round, s.Ending = last, true }).seat(engine.Over)
		limit, next = sc.m.Truncated()
		check(t, "limit of a match that is over by the rules", limit, "")
		check(t, "who would be asked then", next, engine.Over)
		if sc.m.Returns(returns); returns[0] != 1 || returns[1] != -1 {
			t.Errorf("returns %v: seat 0 has won", returns)
		}
	}
	// The Stone Sextant of Round Start is a decision, too.
	sc := newRound(in(t, "max_rounds=3"), 2, has(0, SymbolX, 1), has(1, SymbolSun, 1), water(0, StoneSextant), func(s *State) { s.Round = 3 }).seat(engine.Over)
	check(t, "what would be asked", sc.Top().Kind, AskSextant)
	// What is paid early is paid.
	sc = deal(newRound(in(t, "max_rounds=3,rewards=running"), 2, doubloons(9, 1), func(s *State) { s.Round = 3 })).seat(engine.Over)
	if sc.m.Returns(returns); !(returns[0] > 0 && returns[0] < 1) {
		t.Errorf("returns so far %v", returns)
	}
}

func TestPositionsOfMatchesThatAreCutShort(t *testing.T) {
	const game = "doubloons(seats=2,max_rounds=5)"
	m := enginetest.At(t, game, `{"round": 6, "phase": "program"}`)
	limit, _ := m.Truncated()
	check(t, "limit", limit, "max_rounds=5")
	check(t, "decision", m.Decision(), "the match is over: max_rounds=5 has ended it, not the rules, so nobody has won")
	text, err := m.Position(engine.Full)
	if err != nil {
		t.Fatal(err)
	}
	back := enginetest.At(t, game, string(text))
	check(t, "read back", back.Equal(m), true)
	refusedAt(t, game, `{"round": 7, "phase": "program"}`, "round: 7")
	refusedAt(t, game, `{"round": 6}`, "round: 6: with max_rounds=5 a match is cut short when it begins")
	// A position is one of any limit that its round has room for.
	enginetest.At(t, "doubloons(seats=2)", `{"game": "doubloons(seats=2,max_rounds=5)", "round": 4}`)
	for _, bad := range []string{"0", "251", "ten"} {
		if _, err := engine.NewGame("doubloons(max_rounds=" + bad + ")"); err == nil || !strings.Contains(err.Error(), "max_rounds") {
			t.Errorf("max_rounds=%s: error %v", bad, err)
		}
	}
}
