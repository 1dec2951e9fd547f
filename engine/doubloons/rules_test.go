package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEveryClauseIsNamedByATest(t *testing.T) {
	enginetest.Clauses(t, rulesText, ".")
}
