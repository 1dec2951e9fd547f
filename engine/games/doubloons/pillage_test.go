package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestPillagePhasePaysMostTokensFirst(t *testing.T) {
	enginetest.Clause(t, "PHASE-1", "PHASE-2", "PHASE-3", "PHASE-4")
	for _, tc := range []struct {
		island       uint8
		tokens, want [4]uint8
		left         uint8
	}{
		{10, [4]uint8{3, 2, 1, 0}, [4]uint8{3, 2, 1, 0}, 4}, // enough for all
		{4, [4]uint8{1, 3, 2, 0}, [4]uint8{0, 3, 1, 0}, 0},  // the last take what is left
		{3, [4]uint8{1, 3, 2, 0}, [4]uint8{0, 3, 0, 0}, 0},
		{10, [4]uint8{2, 2, 1, 1}, [4]uint8{2, 2, 1, 1}, 4}, // ties that can be paid
		{5, [4]uint8{3, 3, 1, 0}, [4]uint8{2, 2, 0, 0}, 1},  // a short tie shares equally and ends the phase
		{4, [4]uint8{2, 1, 1, 1}, [4]uint8{2, 0, 0, 0}, 2},  // also when nobody of it gets any
		{5, [4]uint8{2, 2, 2, 1}, [4]uint8{1, 1, 1, 0}, 2},
		{10, [4]uint8{0, 0, 3, 0}, [4]uint8{0, 0, 6, 0}, 4}, // alone: double
		{5, [4]uint8{0, 0, 3, 0}, [4]uint8{0, 0, 5, 0}, 0},
		{10, [4]uint8{}, [4]uint8{}, 10},
	} {
		sc := given(t, 4, func(s *State) {
			s.Phase, s.Island, s.Supply = PhasePillage, tc.island, 0
			doubloons(0, 0, 0, 0)(s)
			for i, n := range tc.tokens {
				s.Ships[i].Pillage = n
				s.Pillage -= n
			}
		})
		var got [4]uint8
		for i := range got {
			got[i] = sc.Ships[i].Doubloons
		}
		if got != tc.want || sc.Island != tc.left {
			t.Errorf("tokens %v, island %d: doubloons %v, island %d; want %v and %d", tc.tokens, tc.island, got, sc.Island, tc.want, tc.left)
		}
	}
}
