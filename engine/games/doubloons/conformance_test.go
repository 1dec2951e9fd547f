package doubloons

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestStateIsAFlatValue(t *testing.T) {
	enginetest.Flat[State](t)
}

// Every number of seats, edition, module and objective: the margin alone is not zero-sum
// where it is clipped.
func TestConformance(t *testing.T) {
	conform(t, "doubloons(seats=2)", enginetest.Options{Seeds: 2})
	conform(t, "doubloons(seats=3,max_rounds=2,rewards=running)", enginetest.Options{Seeds: 2})
	// What the suite costs grows with the square of the seats.
	conform(t, "doubloons(seats=4)", enginetest.Options{Seeds: 1})
	conform(t, "doubloons(seats=5,objective=rank)", enginetest.Options{Seeds: 1})
	conform(t, "doubloons(seats=6)", enginetest.Options{Seeds: 1})
	conform(t, "doubloons(seats=3,modules="+onStandardIsland.String()+")", enginetest.Options{Seeds: 2})
	// Played at random, matches on the alternate island take thrice as long.
	conform(t, "doubloons(seats=3,modules="+allModules.String()+")", enginetest.Options{Seeds: 1, Every: 210})
	conform(t, "doubloons(seats=2,edition=v2.0,modules=alternate_island)", enginetest.Options{Seeds: 1, Every: 210})
	conform(t, "doubloons(seats=2,edition=v1.9.7,objective=margin,rewards=running)", enginetest.Options{Seeds: 1, NonZeroSum: true})
	conform(t, "doubloons(seats=2,edition=v1.9.8,modules=black_jewel)", enginetest.Options{Seeds: 1})
}

func conform(t *testing.T, game string, opt enginetest.Options) {
	if opt.Every == 0 {
		opt.Every = 70
	}
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
