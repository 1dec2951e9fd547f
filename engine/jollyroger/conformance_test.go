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
	// What the suite costs grows with the square of the seats.
	for seats, matches := range map[int]int{3: 2, 4: 2, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1} {
		conform(t, fmt.Sprintf("jollyroger(seats=%d)", seats), enginetest.Options{Seeds: matches})
	}
	conform(t, "jollyroger(seats=4,variants=hidden_prizes)", enginetest.Options{Seeds: 2})
	conform(t, "jollyroger(seats=5,variants=captains_gold,rewards=running)", enginetest.Options{Seeds: 1})
	conform(t, "jollyroger(seats=4,bribes=gifts,variants=hidden_prizes)", enginetest.Options{Seeds: 1})
	conform(t, "jollyroger(seats=3,bribes=talk,objective=margin)", enginetest.Options{Seeds: 1, NonZeroSum: true})
}

func conform(t *testing.T, game string, opt enginetest.Options) {
	opt.Every, opt.Mutations, opt.Conserve = 70, 4, checkMatch
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
