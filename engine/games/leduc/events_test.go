package leduc

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEventsExplainWhatChanges(t *testing.T) {
	for _, game := range []string{"leduc", "leduc(chance=explicit)"} {
		enginetest.Explained(t, game, 2000, func(s *State, e engine.Event) {
			switch e.Kind {
			case dealt:
				s.Hands[e.Seat] = uint8(e.Arg[0])
			case turnedUp:
				s.Public = uint8(e.Arg[0])
			case folded:
				s.Folded = uint8(e.Seat) + 1
			case called, raised:
				s.Paid[e.Seat] += uint8(e.Arg[0])
			}
		}, func(s *State) {
			s.Rand, s.Round, s.Raises, s.History = engine.Rand{}, 0, 0, State{}.History
		})
	}
}
