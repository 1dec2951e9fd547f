package captain

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

func TestARolloutStopsWhereTheSlotTheRoundOrTheMatchEnds(t *testing.T) {
	for _, g := range []engine.Game{doubloonsGame(t, 4, ""), doubloonsGame(t, 3, ",modules=compass+legendary_ghost_ship+alternate_island")} {
		game := g.Info().Config
		rollout, err := NewRollout(g)
		if err != nil {
			t.Fatal(err)
		}
		rules := rollout.captain.rules
		m, r, stops := g.NewMatch(), engine.NewRand(4), map[string]int{}
		for seed := range uint64(10) {
			for m.Reset(seed); m.Seat() >= 0; {
				from := engine.State[doubloons.State](m)
				once, twice := *from, *from
				rollout.FinishSlot(&once)
				rollout.FinishSlot(&twice)
				if once != twice {
					t.Fatalf("%s: at %s two rollouts differ", game, m.Decision())
				}
				again := once
				switch {
				case rules.Seat(&once) == engine.Over:
					stops["match"]++
				case once.Round != from.Round:
					stops["round"]++
					if from.Phase == doubloons.PhaseAction && from.Slot != doubloons.NumSlots-1 {
						t.Fatalf("%s: from slot %d a rollout continues to the next round", game, from.Slot)
					}
				case once.Top().Kind == doubloons.AskProgram:
					stops["programming"]++
				case once.Phase == doubloons.PhaseAction && once.Slot == from.Slot+1:
					stops["slot"]++
				default:
					t.Fatalf("%s: from phase %s, slot %d a rollout stops in phase %s, slot %d", game, from.Phase, from.Slot, once.Phase, once.Slot)
				}
				if from.Top().Kind == doubloons.AskProgram && again != *from {
					t.Fatalf("%s: cards are programmed", game)
				}
				if err := m.Apply(m.Legal().Sample(&r)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(stops) != 4 {
			t.Errorf("%s: rollouts stop at %v", game, stops)
		}
	}
}
