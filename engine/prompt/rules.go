package prompt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/clauses"
)

// RulesInBrief is how many tokens of rules a prompt has, unless another number is wanted.
const RulesInBrief = 1030

// brief writes the rules of a configuration within a budget of tokens: whole clauses, each on a line that begins with its id, in the
// order of the RULES.md. What the game's Brief names first is taken first.
func brief(d engine.Definition, c engine.Config, budget int) string {
	all := slices.DeleteFunc(clauses.Parse(d.Rules), func(one clauses.Clause) bool { return !applies(one, d, c) })
	at := map[string]int{}
	for i, one := range all {
		at[one.ID] = i
	}
	var wanted []int
	if d.Brief == nil {
		for i := range all {
			wanted = append(wanted, i)
		}
	} else {
		for _, id := range d.Brief(c) {
			if i, has := at[id]; has {
				wanted = append(wanted, i)
			}
		}
	}
	var taken []int
	for _, i := range wanted {
		cost := Tokens(clauseLine(all[i]))
		if cost > budget {
			break
		}
		taken, budget = append(taken, i), budget-cost
	}
	slices.Sort(taken)
	var text strings.Builder
	for _, i := range taken {
		text.WriteString(clauseLine(all[i]))
	}
	return text.String()
}

func clauseLine(c clauses.Clause) string { return fmt.Sprintf("%s %s\n", c.ID, c.Text) }

// applies reports whether a clause holds in a configuration. A column of its table that is named like a value that is set, such as an
// edition, says so.
func applies(one clauses.Clause, d engine.Definition, c engine.Config) bool {
	for _, p := range d.Parameters() {
		if cell := one.Columns[c.Get(p.Name)]; cell == "no" || cell == "—" {
			return false
		}
	}
	return true
}
