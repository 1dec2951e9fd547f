package liarsdice

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEventsExplainWhatChanges(t *testing.T) {
	enginetest.Explained(t, enginetest.Configurations(t, "liars_dice"), 1000, enginetest.Explanation[State]{
		Events: events, Unsaid: []string{"Rand"}, OnlyTell: []string{"showed", "counted", "won"},
		Rebuild: func(m engine.Match, s *State, e engine.Event) {
			r, _ := engine.RulesOf[State, noting](m)
			if r.Rules == nil {
				r.Rules, _ = engine.RulesOf[State, *Rules](m)
			}
			switch e.Kind {
			case rolled:
				s.roll(int(e.Seat), uint8(e.Arg[0]))
			case bade:
				rank := r.Rank(Bid(int(e.Arg[0]), int(e.Arg[1])))
				s.Bids[rank/64] |= 1 << (rank % 64)
			case called:
				s.Called = 1
			}
		},
	})
}
