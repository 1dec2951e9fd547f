package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// newPlayers is the help topic about players: how they are named, and what the names may set.
func newPlayers() *cobra.Command {
	cmd := &cobra.Command{Use: "players", Short: "How players are named, and what their names may set"}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if err := printPlayers(cmd.OutOrStdout()); err != nil {
			cmd.PrintErrln(err)
		}
	})
	return cmd
}

func printPlayers(out io.Writer) error {
	games, err := listGames()
	if err != nil {
		return err
	}
	fmt.Fprint(out, `Wherever a command wants players, name:

`)
	err = printTable(out, [][2]string{
		{"heuristic", "a bot; privateer games GAME lists those of a game"},
		{"search(ms=20)", "a bot with settings (below)"},
		{"policy:captain", "a policy that comes with the program; captain@1 is that version"},
		{"policy:FILE", "a policy exported as a bundle; policy:FILE+FILE decide together"},
		{"float:FILE", "a bundle computed in floats, as exports to other programs are"},
		{"exec:COMMAND", "a program of your own (see privateer conform)"},
		{"exec-text:COMMAND", "a program that gets prompts and answers in words"},
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, `
eval, rate, balance, benchmark and exploit also take runs and checkpoints.
search-1ms, search-10ms and search-100ms do a fixed number of rollouts, which
takes about that long. Settings:`)
	var told []string // a bot of one name may have other settings in another game
	for _, g := range games {
		for _, b := range g.Settings {
			line := b.Name + ": " + b.Help
			if slices.Contains(told, line) {
				continue
			}
			told = append(told, line)
			fmt.Fprintf(out, "\n%s\n", line)
			if err := printTable(out, parameterRows(b.Params)); err != nil {
				return err
			}
		}
	}
	return nil
}
