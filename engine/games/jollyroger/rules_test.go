package jollyroger

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEveryClauseIsNamedByATest(t *testing.T) {
	enginetest.Clauses(t, rulesText, ".")
}

// Each clause says where it comes from.
func TestEveryClauseHasARuleAndASource(t *testing.T) {
	for _, line := range strings.Split(rulesText, "\n") {
		if !strings.HasPrefix(line, "| **") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 3 || len(cells[1]) == 0 || len(cells[2]) == 0 {
			t.Errorf("%q: want clause, rule and book", line)
		}
	}
}

func TestEveryClauseIsCitedByTheCodeThatCarriesItOut(t *testing.T) {
	enginetest.Cited(t, rulesText, ".")
}
