package cli

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/clauses"
)

func newRules() *cobra.Command {
	var (
		grep                string
		components, jsonOut bool
	)
	cmd := &cobra.Command{
		Use:   "rules GAME [CLAUSE …]",
		Short: "Print a game's rules by clause, or its components file",
		Long: `Print the rules of a game: whole, or the clauses named by id or by the start of one
(MOV names all of MOV-1, MOV-2, …), or those that match --grep: in their text, in the
title of their section, or in further columns, such as editions.
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
					return fmt.Errorf("%s has no components file: everything is in its rules", d.Name)
				}
				fmt.Fprint(out, d.Components)
				return nil
			}
			if len(args) == 1 && grep == "" && !jsonOut {
				fmt.Fprint(out, d.Rules)
				return nil
			}
			chosen, err := choose(d.Name, clauses.Parse(d.Rules), args[1:], grep)
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, chosen)
			}
			for _, c := range chosen {
				fmt.Fprintf(out, "%s  %s\n", c.ID, c.Text)
				if c.Notes != "" {
					fmt.Fprintf(out, "    %s\n", c.Notes)
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

// choose keeps the clauses that ids and grep ask for. It is an error if there
// are none.
func choose(game string, all []clauses.Clause, ids []string, grep string) ([]clauses.Clause, error) {
	chosen := all
	if len(ids) > 0 {
		chosen = nil
		for _, id := range ids {
			named := clauses.Named(all, id)
			if len(named) == 0 {
				return nil, fmt.Errorf("%s has no clause %q: `privateer rules %s` prints them all", game, id, game)
			}
			chosen = append(chosen, named...)
		}
	}
	if grep == "" {
		return chosen, nil
	}
	re, err := regexp.Compile("(?i)" + grep)
	if err != nil {
		return nil, usagef("--grep %q is not a regular expression: %v", grep, err)
	}
	var matching []clauses.Clause
	for _, c := range chosen {
		if re.MatchString(c.ID + " " + c.Section + " " + c.Text + " " + c.Notes) {
			matching = append(matching, c)
		}
	}
	if len(matching) == 0 {
		return nil, fmt.Errorf("no clause of %s matches %q", game, grep)
	}
	return matching, nil
}
