package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
)

// addCompletions lets a shell complete games and bots wherever a command wants them, besides commands and flags.
func addCompletions(commands []*cobra.Command) {
	for _, c := range commands {
		if _, wants, _ := strings.Cut(c.Use, " "); strings.HasPrefix(strings.Trim(wants, "["), "GAME") {
			c.ValidArgsFunction = completeGame
		}
		if c.Flags().Lookup("game") != nil {
			_ = c.RegisterFlagCompletionFunc("game", completeGame)
		}
		if c.Flags().Lookup("bots") != nil {
			_ = c.RegisterFlagCompletionFunc("bots", completeBots)
		}
		addCompletions(c.Commands())
	}
}

func completeGame(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var games []string
	for _, d := range engine.Definitions() {
		games = append(games, d.Name+"\t"+d.Title)
	}
	return games, cobra.ShellCompDirectiveNoFileComp
}

// completeBots completes the last of a list of bots: those of the game that was named, or of any.
func completeBots(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	named := args
	if game, err := cmd.Flags().GetString("game"); err == nil && game != "" {
		named = []string{game}
	}
	if len(named) == 0 {
		for _, d := range engine.Definitions() {
			named = append(named, d.Name)
		}
	}
	before := typed[:strings.LastIndex(typed, ",")+1]
	var found []string
	seen := map[string]bool{}
	for _, name := range named {
		g, err := engine.NewGame(name)
		if err != nil {
			continue
		}
		for _, bot := range botsOf(g) {
			if !seen[bot] {
				seen[bot] = true
				found = append(found, before+bot)
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
