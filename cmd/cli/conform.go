package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match/child"
)

func newConform() *cobra.Command {
	var (
		game    string
		matches int
		jsonOut bool
	)
	cmd := &cobra.Command{
		Use:         "conform exec:COMMAND",
		Short:       "Test whether a program keeps to the protocol of players",
		Annotations: inOrder(),
		Long: `Test a player that is a program of its own: it reads and writes JSON lines (env/match/child/PROTOCOL.md), with legal actions to
choose from or, as exec-text:COMMAND, a prompt in words that it answers in free text, as language models do. In
each seat it plays matches against random bots, two at a time, and gets repeated questions as after a fault; then it must end. Violations of the protocol are reported,
and the exit code is 1.

exec:COMMAND can be named wherever a command takes players. The command is split at its spaces, except in quotes, and
no shell reads it. Settings come before the colon: exec(ms=500,on_fault=stop):COMMAND.
` + settingsHelp(),
		Example: `  privateer conform "exec:python3 bot.py"
  privateer conform "exec(ms=60000):./model" --game "doubloons(seats=4)" --matches 4 --json
  privateer conform "exec-text:python3 text.py" --game leduc
  privateer eval "exec:python3 bot.py" --against heuristic --game "doubloons(seats=4)"`,
		Args: arguments(1, 1, "exec:COMMAND"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := engine.NewGame(game)
			if err != nil {
				return err
			}
			if g.Info().Explicit {
				return usagef("--game %s: chance=explicit makes chance the caller's: leave it out", game)
			}
			checks, err := child.Conform(cmd.Context(), args[0], g, matches)
			if err != nil {
				return err
			}
			if jsonOut {
				err = writeJSON(cmd, checks)
			}
			ok := true
			for _, c := range checks {
				ok = ok && c.OK
				if !jsonOut {
					writeCheck(cmd, c)
				}
			}
			if err == nil && !ok {
				err = exitError(exitFailed)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&game, "game", "kuhn", "game string")
	countFlag(cmd, &matches, "matches", "n", 20, 1, mostInMemory, "minimum matches")
	asJSON(cmd, &jsonOut)
	return cmd
}

// settingsHelp lists the settings of such a player.
func settingsHelp() (text string) {
	for i, p := range child.TextParams {
		value := p.Default
		switch {
		case i >= len(child.Params):
			value += ", of exec-text only"
		case child.Params[i].Default != value:
			value = child.Params[i].Default + "; of exec-text " + value
		}
		text += fmt.Sprintf("\n  %-9s %s (%s)", p.Name, p.Help, value)
	}
	return text
}

func writeCheck(cmd *cobra.Command, c child.Check) {
	verdict := "ok  "
	if !c.OK {
		verdict = "FAIL"
	}
	if c.Text != "" {
		c.Text = ": " + c.Text
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s %s%s\n", verdict, c.Name, c.Text)
}
