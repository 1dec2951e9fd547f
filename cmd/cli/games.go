package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

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

// botEntry is a bot with the settings of its name.
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
		Use:   "games [GAME]",
		Short: "List the games, or one game's settings, bots and policies",
		Long: `List the games. With GAME, list what its game string may set, its bots and the policies for it.
The settings of bots are in privateer help players.`,
		Example: `  privateer games
  privateer games doubloons
  privateer games --json`,
		Args: arguments(0, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := listGames()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				g, err := engine.NewGame(args[0])
				if err != nil {
					return err
				}
				all = slices.DeleteFunc(all, func(e gameEntry) bool { return e.Name != g.Info().Game })
			}
			switch {
			case jsonOut:
				return writeJSON(cmd, all)
			case len(args) > 0:
				return printGame(cmd.OutOrStdout(), all[0])
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, g := range all {
				fmt.Fprintf(w, "%s\t%s\n", g.Name, g.Title)
			}
			fmt.Fprintln(w, "\nprivateer games GAME lists a game's settings, bots and policies; privateer help\nplayers says how players are named and what they may set.")
			return w.Flush()
		},
	}
	asJSON(cmd, &jsonOut)
	return cmd
}

func printGame(out io.Writer, g gameEntry) error {
	fmt.Fprintf(out, "%s: %s\n", g.Name, g.Title)
	rows := parameterRows(g.Params)
	rows = append(rows, [2]string{"bots", strings.Join(g.Bots[:len(g.Bots)-len(g.Policies)], ", ") + " (from weakest to strongest)"})
	for _, p := range g.Policies {
		rows = append(rows, [2]string{fmt.Sprintf("%s%s@%d", policy.Prefix, p.Name, p.Version), p.For})
	}
	return printTable(out, rows)
}

func parameterRows(params []engine.Param) [][2]string {
	var rows [][2]string
	for _, p := range params {
		rows = append(rows, [2]string{p.Name + "=" + p.Default, p.Help})
	}
	return rows
}

// printTable prints names and their texts side by side, the texts broken to fit 80 columns.
func printTable(out io.Writer, rows [][2]string) error {
	const columns = 80
	width := 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		name, line := row[0], ""
		for _, word := range strings.Fields(row[1]) {
			if line != "" && 2+width+2+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
				fmt.Fprintf(out, "  %-*s  %s\n", width, name, line)
				name, line = "", ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		if _, err := fmt.Fprintf(out, "  %-*s  %s\n", width, name, line); err != nil {
			return err
		}
	}
	return nil
}
