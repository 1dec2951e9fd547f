package jollyroger

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// finely are the words of actions that players may like for one value and not for another.
var finely = []string{"sail", "use", "crew", "drawn", "say"}

// drawGame draws a configuration: seats, variants and bribes.
func drawGame(rt *rapid.T, made map[string]engine.Match) engine.Match {
	return enginetest.DrawMatch(rt, made, "jolly_roger", fmt.Sprintf("seats=%d,variants=%s,bribes=%s",
		rapid.IntRange(MinSeats, MaxSeats).Draw(rt, "seats"),
		rapid.SampledFrom([]string{engine.NoWords, "hidden_prizes", "captains_gold", "hidden_prizes+captains_gold"}).Draw(rt, "variants"),
		rapid.SampledFrom(bribeNames).Draw(rt, "bribes")))
}

// What holds for all players and all chance: Check, that a match ends, and that returns
// are those of the objective.
func TestNoPlayBreaksAnInvariant(t *testing.T) {
	games := map[string]engine.Match{}
	deepest := uint8(0)
	rapid.Check(t, func(rt *rapid.T) {
		m := drawGame(rt, games)
		s := engine.State[State](m)
		rules, _ := engine.RulesOf[State, *Rules](m)
		captain, round, mutinies := int8(noSeat), uint8(0), 0
		enginetest.PlayByTaste(rt, m, finely, func() {
			deepest = max(deepest, s.Depth)
			if s.Depth > mostFrames {
				rt.Fatalf("%d frames on the stack at: %s", s.Depth, m.Decision())
			}
			if s.Captain != captain && captain != noSeat {
				if mutinies++; mutinies > 1 {
					rt.Fatalf("seat %d is Captain by this round's second mutiny, at: %s", s.Captain, m.Decision())
				}
			}
			if captain = s.Captain; s.Round != round {
				round, mutinies = s.Round, 0
			}
			if m.Seat() >= 0 && m.Legal().Count() == 0 {
				rt.Fatalf("nothing is legal at: %s", m.Decision())
			}
			if err := rules.Check(s); err != nil {
				rt.Fatalf("%v, at: %s", err, m.Decision())
			}
		})
		if err := rules.Check(s); err != nil {
			rt.Fatalf("%v, at the end", err)
		}
	})
	t.Logf("the deepest stack had %d frames", deepest)
}
