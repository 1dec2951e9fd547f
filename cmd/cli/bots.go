package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
)

// botList is a flag that lists bots, whose names may have settings with commas of their own, or files.
type botList struct {
	names *[]string
	given bool
	kind  string // "": bots
}

// botsFlag adds the flag --bots. What names holds is its default.
func botsFlag(cmd *cobra.Command, names *[]string, help string) {
	cmd.Flags().Var(&botList{names: names}, "bots", help)
}

func (l *botList) String() string { return strings.Join(*l.names, ",") }
func (l *botList) Type() string   { return cmp.Or(l.kind, "bots") }

// Set takes the place of the default, and adds to what was given before.
func (l *botList) Set(list string) error {
	if !l.given {
		*l.names, l.given = nil, true
	}
	if l.kind == "" || strings.TrimSpace(list) != "" { // --policies= takes away what a configuration has
		*l.names = append(*l.names, policy.Names(list)...)
	}
	return nil
}
