package doubloons

import (
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEveryClauseIsNamedByATest(t *testing.T) {
	enginetest.Clauses(t, rulesText, ".")
}

func TestEveryClauseIsCitedByTheCodeThatCarriesItOut(t *testing.T) {
	enginetest.Cited(t, rulesText, ".")
}

// The tables of RULES.md say of every clause in which editions it holds.
func TestEveryClauseSaysWhereItHolds(t *testing.T) {
	columns := append([]string{"clause", "rule", "book"}, editionNames()...)
	for _, line := range strings.Split(rulesText, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if cells[0] == "clause" {
			if !slices.Equal(cells, columns) {
				t.Errorf("columns %q; want %q", cells, columns)
			}
			continue
		}
		if len(cells) != len(columns) {
			t.Errorf("%s has %d cells: want %d", cells[0], len(cells), len(columns))
			continue
		}
		held := false
		for i, says := range cells[3:] {
			held = held || says == "yes" || says == "gap"
			if !slices.Contains([]string{"yes", "no", "gap", "—"}, says) {
				t.Errorf("%s: edition %s: %q: want yes, no, gap or —", cells[0], columns[3+i], says)
			}
		}
		if !held {
			t.Errorf("%s holds in no edition", cells[0])
		}
	}
}
