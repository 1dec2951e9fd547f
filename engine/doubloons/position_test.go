package doubloons

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// checkMatch is Check for the conformance suite.
func checkMatch(m engine.Match) error {
	r, ok := engine.RulesOf[State, *Rules](m)
	if !ok {
		return fmt.Errorf("%s is no match of this package", m.Info().Config)
	}
	return r.Check(engine.State[State](m))
}
