package kuhn

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEventsExplainWhatChanges(t *testing.T) {
	for _, game := range []string{"kuhn", "kuhn(seats=3,chance=explicit)"} {
		enginetest.Explained(t, game, 2000, func(s *State, e engine.Event) {
			switch e.Kind {
			case dealt:
				s.Hands[e.Seat] = uint8(e.Arg[0])
			case passed, folded:
				s.History[s.decisions()] = uint8(Pass) + 1
			case bet, called:
				s.History[s.decisions()] = uint8(Bet) + 1
			}
		}, func(s *State) { s.Rand = engine.Rand{} })
	}
}
