package kuhn

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEventsExplainWhatChanges(t *testing.T) {
	enginetest.Explained(t, enginetest.Configurations(t, "kuhn"), 2000, enginetest.Explanation[State]{
		Events: events, Unsaid: []string{"Rand"}, OnlyTell: []string{"showed", "won"},
		Rebuild: func(_ engine.Match, s *State, e engine.Event) {
			switch e.Kind {
			case dealt:
				s.Hands[e.Seat] = uint8(e.Arg[0])
			case passed, folded:
				s.History[s.decisions()] = uint8(Pass) + 1
			case bet, called:
				s.History[s.decisions()] = uint8(Bet) + 1
			}
		},
	})
}
