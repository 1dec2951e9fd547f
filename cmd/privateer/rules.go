package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
)

// clause is one numbered rule.
type clause struct {
	ID      string            `json:"id"`
	Section string            `json:"section"` // the heading above it
	Text    string            `json:"text"`
	Columns map[string]string `json:"columns,omitempty"` // further columns of a table, such as editions, by name
	notes   string            // the same in words, in their order
}

var (
	clauseItem = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]+\.)[ \t]+\*\*([A-Z]+-[0-9]+)\*\*[ \t]*(.*)$`)
	clauseCell = regexp.MustCompile(`^\*\*([A-Z]+-[0-9]+)\*\*$`)
	heading    = regexp.MustCompile(`^#+[ \t]+(.*)$`)
	newItem    = regexp.MustCompile(`^(?:[-*+]|[0-9]+\.)[ \t]`)
)

// clauses reads the numbered clauses of a RULES.md. They are rows of tables or
// items of lists; an item ends at the next one, a heading or an empty line.
func clauses(text string) []clause {
	var all []clause
	var columns []string // of the table that the line is in
	section, open := "", false
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		row := strings.HasPrefix(trimmed, "|")
		if !row {
			columns = nil
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			section, open = m[1], false
			continue
		}
		if row {
			cells := cellsOf(trimmed)
			if columns == nil {
				columns = cells
			}
			if m := clauseCell.FindStringSubmatch(cells[0]); m != nil && len(cells) > 1 {
				c := clause{ID: m[1], Section: section, Text: cells[1]}
				var notes []string
				for i := 2; i < min(len(cells), len(columns)); i++ {
					if c.Columns == nil {
						c.Columns = map[string]string{}
					}
					c.Columns[columns[i]] = cells[i]
					notes = append(notes, columns[i]+": "+cells[i])
				}
				c.notes = strings.Join(notes, "; ")
				all = append(all, c)
			}
			open = false
			continue
		}
		if m := clauseItem.FindStringSubmatch(line); m != nil {
			all, open = append(all, clause{ID: m[1], Section: section, Text: m[2]}), true
			continue
		}
		if trimmed == "" || newItem.MatchString(line) {
			open = false
		}
		if open {
			last := &all[len(all)-1]
			last.Text += " " + trimmed
		}
	}
	return all
}

// cellsOf splits a row of a Markdown table.
func cellsOf(row string) []string {
	row = strings.ReplaceAll(strings.Trim(row, "|"), `\|`, "\x00")
	cells := strings.Split(row, "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
	}
	return cells
}

func newRules() *cobra.Command {
	var (
		grep                string
		components, jsonOut bool
	)
	cmd := &cobra.Command{
		Use:   "rules GAME [CLAUSE …]",
		Short: "Print a game's rules by clause, or its components file",
		Long: `Print the rules of a game: whole, or the clauses named by id or by the start of one
(MOV names all of MOV-1, MOV-2, …), or those that match --grep: in what they say, in
the section that they are in, or in what stands beside them, such as editions.
With --components print the components file: copy it, change it, and play it with
the game's parameter components=PATH.`,
		Example: `  privateer rules doubloons
  privateer rules leduc BET-4 PAY
  privateer rules doubloons --grep "attack die"
  privateer rules doubloons --grep "v1.9.8: gap"
  privateer rules doubloons --components > mybox.yaml`,
		Args: arguments(1, 1<<20, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := engine.Lookup(args[0])
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if components {
				if len(args) > 1 || grep != "" || jsonOut {
					return usagef("--components prints the whole file as it is: leave out clauses, --grep and --json")
				}
				if d.Components == "" {
					return fmt.Errorf("%s has no components file: all of it is in its rules", d.Name)
				}
				fmt.Fprint(out, d.Components)
				return nil
			}
			if len(args) == 1 && grep == "" && !jsonOut {
				fmt.Fprint(out, d.Rules)
				return nil
			}
			chosen, err := choose(d.Name, clauses(d.Rules), args[1:], grep)
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, chosen)
			}
			for _, c := range chosen {
				fmt.Fprintf(out, "%s  %s\n", c.ID, c.Text)
				if c.notes != "" {
					fmt.Fprintf(out, "    %s\n", c.notes)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&grep, "grep", "", "only clauses that match this regular expression; case does not matter")
	cmd.Flags().BoolVar(&components, "components", false, "print the components file instead")
	asJSON(cmd, &jsonOut)
	return cmd
}

// choose keeps the clauses that ids and grep ask for. Something asked for that
// is not there is an error.
func choose(game string, all []clause, ids []string, grep string) ([]clause, error) {
	chosen := all
	if len(ids) > 0 {
		chosen = nil
		for _, id := range ids {
			want, found := strings.ToUpper(id), false
			for _, c := range all {
				if prefix, _, _ := strings.Cut(c.ID, "-"); c.ID == want || prefix == want {
					chosen, found = append(chosen, c), true
				}
			}
			if !found {
				return nil, fmt.Errorf("%s has no clause %q: `privateer rules %s` prints them all", game, id, game)
			}
		}
	}
	if grep == "" {
		return chosen, nil
	}
	re, err := regexp.Compile("(?i)" + grep)
	if err != nil {
		return nil, usagef("--grep %q is no regular expression: %v", grep, err)
	}
	var matching []clause
	for _, c := range chosen {
		if re.MatchString(c.ID + " " + c.Section + " " + c.Text + " " + c.notes) {
			matching = append(matching, c)
		}
	}
	if len(matching) == 0 {
		return nil, fmt.Errorf("no clause of %s matches %q", game, grep)
	}
	return matching, nil
}
