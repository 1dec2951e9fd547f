package doubloons

import (
	"encoding/json"
	"math/bits"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func programming(s *State) bool { return s.Top().Kind == AskProgram }

func TestTheIslandIsFilledEachRound(t *testing.T) {
	enginetest.Clause(t, "RND-1", "RND-2", "RND-3")
	for seats, want := range map[int]uint8{2: 2, 3: 3, 4: 3, 5: 4, 6: 4} {
		sc := newRound(t, seats, func(s *State) { s.Island, s.Supply = 5, 20 })
		check(t, "island", sc.Island, 5+want)
		check(t, "supply", sc.Supply, 20-want)
		check(t, "phase", sc.Phase, PhaseRoundStart)
		sc = newRound(t, seats, func(s *State) { s.Island, s.Supply = 5, 1 })
		check(t, "island with one doubloon in the supply", sc.Island, 6)
		check(t, "supply", sc.Supply, 0)
		sc = newRound(t, seats, func(s *State) { s.Supply = 0 })
		check(t, "island with an empty supply", sc.Island, 0)
	}
}

func TestTheFirstRoundIsFilledToo(t *testing.T) {
	enginetest.Clause(t, "RND-2")
	sc := fresh(t, 4).until(func(s *State) bool { return s.Top().Kind == DrawCard })
	check(t, "round", sc.Round, 1)
	check(t, "island", sc.Island, 3)
}

func TestPhasesFollowEachOther(t *testing.T) {
	enginetest.Clause(t, "RND-1")
	sc := newRound(t, 2, func(s *State) { s.Water[0] = CoralReef })
	var phases []string
	sc.until(func(s *State) bool {
		if n := len(phases); n == 0 || phases[n-1] != s.Phase.String() {
			phases = append(phases, s.Phase.String())
		}
		return s.Round == 3
	})
	// Nobody is asked anything in the Pillage Phase, nor at Round End before a dig.
	if want := []string{"round_start", "action", "round_start"}; !slices.Equal(phases, want) {
		t.Errorf("phases with decisions %v; want %v", phases, want)
	}

	// All that two tokens earn and five doubloons redeem is settled before the next round starts.
	sc = given(t, 2, func(s *State) {
		s.Ships[0].Table, s.Ships[1].Table = row("", "", "N03"), row()
		s.Slot, s.Revealed = 2, 3
		s.Ships[0].Ghost, s.Ships[0].Hull, s.Ships[0].Doubloons, s.Island = true, 0, 1, 4
	}).do("do=pillage")
	check(t, "round", sc.Round, 2)
	check(t, "ghost after pillaging four doubloons alone", sc.Ships[0].Ghost, false)
}

func TestPlayersDrawToTheirHandSize(t *testing.T) {
	enginetest.Clause(t, "RND-5", "RND-7", "CREW-2", "CREW-4")
	for crew, size := range []int{3, 3, 4, 4, 5} {
		sc := newRound(t, 2, crews(uint8(crew), 4), func(s *State) { s.Ships[0].Hand = cards("N01") })
		sc.until(programming)
		check(t, "hand", bits.OnesCount64(sc.Ships[0].Hand), size)
		check(t, "the card kept", sc.Ships[0].Hand&cards("N01"), cards("N01"))
	}
	// A larger hand stays.
	sc := newRound(t, 2, crews(0, 4), func(s *State) { s.Ships[0].Hand = cards("N01", "N02", "N03", "N04") }).until(programming)
	check(t, "a hand above its size", sc.Ships[0].Hand, cards("N01", "N02", "N03", "N04"))
}

func TestCardsAreDrawnInInitiativeOrder(t *testing.T) {
	enginetest.Clause(t, "RND-6")
	sc := newRound(t, 3, crews(4, 0, 4)) // seat 1 is first now
	var order []int8
	sc.until(func(s *State) bool {
		if s.Top().Kind == DrawCard {
			order = append(order, s.Top().Seat)
		}
		return programming(s)
	})
	want := []int8{1, 1, 1, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0} // seat 1 has lost its crew
	if !slices.Equal(order, want) {
		t.Errorf("draws by seats %v; want %v", order, want)
	}
}

func TestTheDiscardPileRenewsTheDeck(t *testing.T) {
	enginetest.Clause(t, "RND-6", "KNOW-2")
	few := func(deck, discard uint64) func(*State) {
		return func(s *State) {
			s.Deck, s.Discard = deck, discard
			s.Ships[0].Hand = cards("N20", "N21", "N22", "N23", "N24")
			s.Ships[1].Hand = cards("N30", "N31")
		}
	}
	sc := newRound(t, 2, few(cards("N01"), cards("N05", "N06", "N07"))).legal("draw=N01")
	sc.do("draw=N01").legal("draw=N05", "draw=N06", "draw=N07").do("draw=N06")
	check(t, "deck", sc.Deck, cards("N05", "N07"))
	check(t, "discard", sc.Discard, 0)
	// When both are empty drawing stops, with fewer cards in hand.
	sc = newRound(t, 2, few(0, 0)).seat(1)
	check(t, "hand", bits.OnesCount64(sc.Ships[1].Hand), 2)
}

func TestDrawsAreEquallyLikely(t *testing.T) {
	enginetest.Clause(t, "KNOW-2")
	sc := newRound(t, 2, func(s *State) { s.Deck = cards("N01", "N02", "N03", "N04") })
	sc.chances(map[string]float64{"draw=N01": .25, "draw=N02": .25, "draw=N03": .25, "draw=N04": .25})
	// Landmarks too.
	sc = hunting(t, 2, func(s *State) { s.StackTop[ColourRed] = 1<<CursedIdol | 1<<DankCave }).do("symbol=x;to=P1")
	sc.chances(map[string]float64{"landmark=cursed_idol": .5, "landmark=dank_cave": .5})
}

func TestCardsAreCommittedInInitiativeOrderSlotBySlot(t *testing.T) {
	enginetest.Clause(t, "RND-8", "RND-9", "RND-11")
	sc := newRound(t, 3, func(s *State) {
		s.Ships[1].Hand = cards("N01", "N02", "N03", "N04", "N05")
		s.Ships[2].Hand = cards("N06", "N07", "N08", "N09", "N10")
		s.Ships[0].Hand = cards("N11", "N12", "N13", "N14", "N15")
	})
	sc.seat(1).legal("card=N01", "card=N02", "card=N03", "card=N04", "card=N05").do("card=N04")
	sc.seat(1).legal("card=N01", "card=N02", "card=N03", "card=N05").do("card=N01;card=N05")
	sc.seat(2).do("card=N06;card=N07;card=N08")
	check(t, "cards face up before all have chosen", sc.Revealed, 0)
	sc.seat(0).do("card=N11;card=N13;card=N12")
	check(t, "row of seat 1", sc.Ships[1].Table, row("N04", "N01", "N05"))
	check(t, "row of seat 0", sc.Ships[0].Table, row("N11", "N13", "N12"))
	check(t, "hand of seat 1", sc.Ships[1].Hand, cards("N02", "N03"))
	check(t, "cards face up", sc.Revealed, 1)
	check(t, "turn", sc.Turn, 1)
}

func TestAPlayerWithFewerThanThreeCardsFillsTheFirstSlots(t *testing.T) {
	enginetest.Clause(t, "RND-10")
	sc := newRound(t, 2, func(s *State) {
		s.Deck, s.Discard = 0, 0
		s.Ships[1].Hand = cards("N13", "N26")
	}).seat(1).do("card=N26;card=N13")
	check(t, "row", sc.Ships[1].Table, row("N26", "N13"))
	check(t, "row of one without cards", sc.Ships[0].Table, row())
	sc.seat(1).do("do=pillage").seat(1).do("do=repair")
	check(t, "round after the last card", sc.Round, 3)
}

func TestHandsAndFaceDownCardsAreHidden(t *testing.T) {
	enginetest.Clause(t, "KNOW-1", "RND-8")
	sc := given(t, 2, func(s *State) {
		s.Ships[0].Table, s.Ships[1].Table = row("N13", "N02", "N03"), row("N33", "N05", "N06")
		s.Ships[0].Hand, s.Ships[1].Hand = cards("N07"), cards("N08", "N09")
	})
	ships := func(view int) (seen [2]struct {
		Hand  any
		Table []string
		Hull  int
	}) {
		data, err := sc.m.Position(view)
		if err != nil {
			t.Fatal(err)
		}
		p := struct{ Ships any }{&seen}
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		return seen
	}
	text := func(v any) string {
		data, _ := json.Marshal(v)
		return string(data)
	}
	mine, theirs := ships(1)[1], ships(0)[1]
	check(t, "own hand", text(mine.Hand), `["N08","N09"]`)
	check(t, "own row", text(mine.Table), `["N33","N05","N06"]`)
	check(t, "an enemy's hand", text(theirs.Hand), `{"cards":2}`)
	check(t, "an enemy's row", text(theirs.Table), `["N33","?","?"]`)
	check(t, "an enemy's hull", theirs.Hull, 10)
}

func TestTurnsGoInInitiativeOrderSlotBySlot(t *testing.T) {
	enginetest.Clause(t, "ACT-1", "ACT-5")
	sc := given(t, 3, func(s *State) {
		s.Initiative, s.Turn = 1, 1
		s.Ships[0].Table = row("N13", "N33", "N26")
		s.Ships[1].Table = row("N26", "N13", "N33")
		s.Ships[2].Table = row("N33", "N26", "N13")
	})
	for slot := range NumSlots {
		for _, seat := range []int{1, 2, 0} {
			sc.seat(seat)
			check(t, "slot", sc.Slot, int8(slot))
			check(t, "turn", sc.Turn, int8(seat))
			check(t, "cards face up", sc.Revealed, int8(slot+1))
			sc.do("do=" + map[bool]string{true: "pillage", false: "repair"}[sc.Ships[seat].Table[slot] == int8(card("N26"))])
		}
	}
	check(t, "round after the third card", sc.Round, 2)
}

func TestExactlyOneActionIsPerformed(t *testing.T) {
	enginetest.Clause(t, "ACT-2")
	acting(t, 2, "N33").legal("do=forward", "do=repair")
	acting(t, 2, "N33").do("do=repair").next()
}

func TestPillageGainsATokenWhileThereAreAny(t *testing.T) {
	enginetest.Clause(t, "PIL-1", "PIL-2", "ACT-7")
	for _, tc := range []struct {
		card       string
		left, want uint8
	}{{"N23", 4, 1}, {"N26", 4, 2}, {"N26", 1, 1}, {"N26", 0, 0}, {"N23", 0, 0}} {
		sc := acting(t, 2, tc.card, func(s *State) { s.Pillage = tc.left })
		if tc.card == "N23" {
			sc.do("sail")
		}
		sc.do("do=pillage")
		check(t, "tokens", sc.Ships[0].Pillage, tc.want)
		check(t, "tokens left", sc.Pillage, tc.left-tc.want)
		sc.next()
	}
}

func TestRepairRestoresHull(t *testing.T) {
	enginetest.Clause(t, "REP-1", "REP-2", "REP-3", "ACT-8")
	apart := regions(0, 1, 1)
	for _, tc := range []struct {
		name, card string
		edit       func(*State)
		hull, want uint8
	}{
		{"in company", "N33", regions(0, 0, 1), 5, 6},
		{"alone", "N33", apart, 5, 7},
		{"next to a ghost ship", "N33", func(s *State) { s.Ships[1].Hull, s.Ships[1].Ghost = 0, true }, 5, 6},
		{"+1", "C08", regions(0, 0, 1), 5, 7},
		{"+1 alone", "C08", apart, 5, 8},
		{"to the last space", "C08", apart, 9, 10},
		{"whole", "N33", apart, 10, 10},
	} {
		sc := acting(t, 3, tc.card, hulls(tc.hull, 10, 10), tc.edit).do("do=repair")
		check(t, tc.name, sc.Ships[0].Hull, tc.want)
		sc.next()
	}
}

func TestCrewNeverExceedsFour(t *testing.T) {
	enginetest.Clause(t, "CREW-1")
	sc := acting(t, 2, "N39", hulls(10, 9), crews(4, 3)).do("do=board;seat=+1") // steal crew
	check(t, "crew of a full thief", sc.Ships[0].Crew, 4)
	sc = newRound(t, 2, captains(NodeM, NodeBeach), crews(4, 3)).do("jewel=ruby;jewel=ruby;jewel=ruby").seat(engine.Chance)
	check(t, "full crew after the dig", sc.Ships[0].Crew, 4)
	check(t, "crew after the dig", sc.Ships[1].Crew, 4)
}
