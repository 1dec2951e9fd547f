package jollyroger

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestStateIsAFlatValue(t *testing.T) {
	enginetest.Flat[State](t)
}

// Every number of seats, and every variant.
func TestConformance(t *testing.T) {
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		// The cost of an expensive check grows with the square of the seats: each has a view, and a longer match.
		opt := enginetest.Options{Seeds: 1, Every: max(50, 2*seats*seats)}
		if seats <= 4 {
			opt.Seeds = 2
		}
		conform(t, fmt.Sprintf("jolly_roger(seats=%d)", seats), opt)
	}
	conform(t, "jolly_roger(seats=4,variants=hidden_prizes)", enginetest.Options{Seeds: 2, Every: 70})
	conform(t, "jolly_roger(seats=5,variants=captains_gold,rewards=running)", enginetest.Options{Seeds: 1, Every: 70})
	conform(t, "jolly_roger(seats=4,bribes=gifts,variants=hidden_prizes)", enginetest.Options{Seeds: 1, Every: 70})
	conform(t, "jolly_roger(seats=3,bribes=talk,objective=margin)", enginetest.Options{Seeds: 1, Every: 70, NonZeroSum: true})
}

func conform(t *testing.T, game string, opt enginetest.Options) {
	opt.Mutations, opt.Conserve = 4, checkMatch
	t.Run(game, func(t *testing.T) { enginetest.Run(t, game, opt) })
}

// checkMatch is Check for the conformance suite.
func checkMatch(m engine.Match) error {
	r, ok := engine.RulesOf[State, *Rules](m)
	if !ok {
		return fmt.Errorf("%s is no match of this package", m.Info().Config)
	}
	return r.Check(engine.State[State](m))
}
