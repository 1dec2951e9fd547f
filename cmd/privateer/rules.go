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
	ID      string `json:"id"`
	Section string `json:"section"` // the heading above it
	Text    string `json:"text"`
}

var (
	clauseHead = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]+\.|\|)[ \t]+\*\*([A-Z]+-[0-9]+)\*\*[ \t]*(.*)$`)
	heading    = regexp.MustCompile(`^#+[ \t]+(.*)$`)
	newItem    = regexp.MustCompile(`^(?:[-*+]|[0-9]+\.|\|)[ \t]`)
)

// clauses reads the numbered clauses of a RULES.md. A clause ends at the next
// item, heading or empty line.
func clauses(text string) []clause {
	var all []clause
	section, open := "", false
	for _, line := range strings.Split(text, "\n") {
		if m := heading.FindStringSubmatch(line); m != nil {
			section, open = m[1], false
			continue
		}
		if m := clauseHead.FindStringSubmatch(line); m != nil {
			body := strings.TrimSpace(m[2])
			if strings.HasPrefix(strings.TrimSpace(line), "|") {
				body = strings.TrimSpace(strings.Trim(body, "|"))
			}
			all, open = append(all, clause{m[1], section, body}), true
			continue
		}
		if strings.TrimSpace(line) == "" || newItem.MatchString(line) {
			open = false
		}
		if open {
			last := &all[len(all)-1]
			last.Text += " " + strings.TrimSpace(line)
		}
	}
	return all
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
(MOV names all of MOV-1, MOV-2, …), or those that match --grep.
With --components print the components file: copy it, change it, and play it with
the game's parameter components=PATH.`,
		Example: `  privateer rules doubloons
  privateer rules leduc BET-4 PAY
  privateer rules doubloons --grep "attack die"
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
		if re.MatchString(c.ID + " " + c.Section + " " + c.Text) {
			matching = append(matching, c)
		}
	}
	if len(matching) == 0 {
		return nil, fmt.Errorf("no clause of %s matches %q", game, grep)
	}
	return matching, nil
}
