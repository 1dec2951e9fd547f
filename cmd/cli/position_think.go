package cli

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// adviserNamed is the bot of a name, on all cores; nil for no name.
func adviserNamed(name string, g engine.Game) (bots.Bot, error) {
	if name == "" {
		return nil, nil
	}
	b, err := policy.NewBot(name, g)
	if err != nil {
		return nil, err
	}
	return b, employ(b, 0)
}

// writeThought prints an account. Marks: * the choice, p what the prior would choose.
func writeThought(out io.Writer, t *bots.Thought) error {
	choice := fmt.Sprintf("%s chooses %s", t.Bot, t.Choice)
	switch t.Prior {
	case "":
	case t.Choice:
		choice += ", as without thinking"
	default:
		choice += ", without thinking " + t.Prior
	}
	fmt.Fprintln(out, choice)
	tried := slices.ContainsFunc(t.Actions, func(c bots.ThoughtAction) bool { return c.Visits > 0 })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	switch {
	case tried:
		fmt.Fprintf(w, "  \taction\tvisits\t%s\t± error\tlead\t± error\tprior\tprobability\n", t.Unit)
	case len(t.Actions) > 0:
		fmt.Fprintln(w, "  \taction\tprobability")
	}
	number := func(x *float64, format string) string {
		if x == nil {
			return "–"
		}
		return fmt.Sprintf(format, *x)
	}
	for _, c := range t.Actions {
		mark := " "
		if c.Action == t.Prior {
			mark = "p"
		}
		if c.Action == t.Choice {
			mark = "*"
		}
		if !tried {
			fmt.Fprintf(w, "%s \t%s\t%s\n", mark, c.Action, number(c.Weight, "%.3f"))
			continue
		}
		fmt.Fprintf(w, "%s \t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%.3f\n", mark, c.Action, c.Visits,
			number(c.Mean, "%.4f"), number(c.Error, "%.4f"), number(c.Lead, "%+.4f"), number(c.Doubt, "%.4f"), number(c.Weight, "%.3f"), c.Prob)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if t.Value != nil {
		when := ""
		if tried {
			when = ", after the choice"
		}
		values := make([]string, len(t.Value))
		for seat, x := range t.Value {
			values[seat] = number(x, "%.3f")
		}
		fmt.Fprintf(out, "%s by seat%s: %s\n", t.Unit, when, values)
	}
	for _, note := range t.Notes {
		fmt.Fprintln(out, note)
	}
	return nil
}

func newPositionThink() *cobra.Command {
	var (
		from    source
		bot     string
		seed    uint64
		workers int
		jsonOut bool
	)
	cmd := &cobra.Command{
		Use:   "think [FILE]",
		Short: "Print a bot's account of a position: the actions it tried, and their results",
		Long: `Print a bot's account of the decision of a position: what it chooses, and if it is a
search or a policy what speaks for each action. Of a search these are how often an action was tried
(visits), the mean of what came of it with its standard error, and by how much it leads what the
prior would choose, in the same worlds with the same luck. The bot sees what the seat may know.`,
		Example: `  privateer position think p.json --bot search-100ms
  privateer position think --file p.json --bot "search(rollouts=4000,horizon=2)" --json
  privateer position think p.json --bot policy:captain.bundle`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := from.open(cmd)
			if err != nil {
				return err
			}
			if t.match.Seat() < 0 {
				return fmt.Errorf("no seat is to act: %s", nextOf(t.match).hint())
			}
			g, err := engine.NewGame(t.match.Info().Config)
			if err != nil {
				return err
			}
			b, err := policy.NewBot(bot, g)
			if err != nil {
				return fmt.Errorf("--bot: %w", err)
			}
			if err := employ(b, workers); err != nil {
				return fmt.Errorf("--bot: %w", err)
			}
			r := engine.NewRand(seed).At(1)
			account := bots.Think(b, t.match, &r)
			if jsonOut {
				return writeJSON(cmd, account)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintln(out, nextOf(t.match).question())
			return writeThought(out, account)
		},
	}
	from.flags(cmd)
	cmd.Flags().StringVar(&bot, "bot", "search-100ms", "player that is asked (see privateer help players)")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the bot's chance")
	workersFlag(cmd, &workers, "goroutines of a search; 0: one a core. The account does not depend on it")
	asJSON(cmd, &jsonOut)
	return cmd
}

// employ lets a bot that can use several goroutines use this many; 0: one a core.
func employ(b bots.Bot, workers int) error {
	if s, ok := b.(interface{ SetWorkers(n int) error }); ok {
		return s.SetWorkers(workers)
	}
	return nil
}
