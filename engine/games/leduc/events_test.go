package leduc

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEventsExplainWhatChanges(t *testing.T) {
	enginetest.Explained(t, enginetest.Configurations(t, "leduc"), 2000, enginetest.Explanation[State]{
		Events: events, Unsaid: []string{"Rand"}, OnlyTell: []string{"showed", "won", "shared"},
		Rebuild: func(_ engine.Match, s *State, e engine.Event) {
			took := engine.Action(Call)
			switch e.Kind {
			case dealt:
				s.Hands[e.Seat] = uint8(e.Arg[0])
				return
			case turnedUp:
				s.Public = uint8(e.Arg[0])
				return
			case folded:
				took, s.Folded = Fold, uint8(e.Seat)+1
			case checked:
			case called:
				s.Paid[e.Seat] += uint8(e.Arg[0])
			case raised:
				took = Raise
				s.Paid[e.Seat] += uint8(e.Arg[0])
				s.Raises++
			default:
				return
			}
			n := actions(&s.History[s.Round])
			s.History[s.Round][n] = uint8(took) + 1
			if e.Kind == called || e.Kind == checked && n > 0 {
				s.Round, s.Raises = s.Round+1, 0
			}
		},
	})
}
