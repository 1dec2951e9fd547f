package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// gameEntry is one line of the list of games.
type gameEntry struct {
	Name   string         `json:"name"`
	Title  string         `json:"title"`
	Params []engine.Param `json:"params"`
	Bots   []string       `json:"bots"` // from weakest to strongest, then the policies likewise

	Policies []zoo.Policy `json:"policies"`

	Settings []botEntry `json:"bot_settings"` // of those bots that have any
}

// botEntry is what the name of a bot may set.
type botEntry struct {
	Name   string         `json:"name"`
	Help   string         `json:"help"`
	Params []engine.Param `json:"params"`
}

func listGames() ([]gameEntry, error) {
	var all []gameEntry
	for _, d := range engine.Definitions() {
		g, err := engine.NewGame(d.Name)
		if err != nil {
			return nil, err
		}
		entry := gameEntry{Name: d.Name, Title: d.Title, Bots: botsOf(g), Params: d.Parameters(), Policies: []zoo.Policy{}, Settings: []botEntry{}}
		for _, p := range zoo.Policies {
			if p.Game == d.Name {
				entry.Policies = append(entry.Policies, p)
			}
		}
		for _, k := range bots.Kinds(g) {
			if k.Params != nil {
				entry.Settings = append(entry.Settings, botEntry{k.Name, k.Help, k.Params})
			}
		}
		if k := policy.RuleKind; policy.HasRules(g) {
			entry.Settings = append(entry.Settings, botEntry{k.Name, k.Help, k.Params})
		}
		all = append(all, entry)
	}
	return all, nil
}

// botsOf names the bots of a game, and the policies of it that come with the program.
func botsOf(g engine.Game) []string {
	var names []string
	for _, k := range bots.Kinds(g) {
		names = append(names, k.Name)
	}
	return append(names, policy.Zoo(g)...)
}

func newGames() *cobra.Command {
	var jsonOut bool
	cmd := &cobra.Command{
		Use:   "games",
		Short: "List the games, what their game strings may set, and their bots",
		Example: `  privateer games
  privateer games --json`,
		Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := listGames()
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, all)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for i, g := range all {
				if i > 0 {
					fmt.Fprintln(w)
				}
				fmt.Fprintf(w, "%s: %s\n", g.Name, g.Title)
				for _, p := range g.Params {
					fmt.Fprintf(w, "  %s=%s\t%s\n", p.Name, p.Default, p.Help)
				}
				fmt.Fprintf(w, "  bots, from weakest to strongest\t%s\n", strings.Join(g.Bots[:len(g.Bots)-len(g.Policies)], ", "))
				for _, p := range g.Policies {
					fmt.Fprintf(w, "  %s%s@%d\t%s\n", policy.Prefix, p.Name, p.Version, p.For)
				}
				for _, b := range g.Settings {
					fmt.Fprintf(w, "  %s(…)\t%s\n", b.Name, b.Help)
					for _, p := range b.Params {
						fmt.Fprintf(w, "    %s=%s\t%s\n", p.Name, p.Default, p.Help)
					}
				}
			}
			return w.Flush()
		},
	}
	asJSON(cmd, &jsonOut)
	return cmd
}
