package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
)

func newPositionNew() *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "new GAME",
		Short: "Print the position of a fresh match",
		Long: `Print the position of a fresh match. With chance=explicit in the game string it
stands before the first event of chance, else at the first decision.`,
		Example: `  privateer position new kuhn --seed 3
  privateer position new "doubloons(seats=5)" --seed 7 > p.json`,
		Args: arguments(1, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := engine.NewGame(args[0])
			if err != nil {
				return err
			}
			stated, _, err := engine.Given(args[0])
			if err != nil {
				return err
			}
			t := &setup{match: g.NewMatch(), game: stated}
			t.match.Reset(seed)
			p, err := t.position(engine.Full)
			if err != nil {
				return err
			}
			return writePosition(cmd.OutOrStdout(), p)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the match")
	return cmd
}

func newPositionPrint() *cobra.Command {
	var (
		from   source
		view   string
		render bool
		svg    bool
	)
	cmd := &cobra.Command{
		Use:   "print [FILE]",
		Short: "Print a position whole, as JSON, as a board or as a picture",
		Example: `  privateer position print p.json
  privateer position print p.json --svg --view 2 > p.svg
  privateer position print --file p.json --render --view 2`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := from.open(cmd)
			if err != nil {
				return err
			}
			v, err := parseView(view, t.match.Info())
			if err != nil {
				return err
			}
			if render {
				fmt.Fprint(cmd.OutOrStdout(), t.match.Render(v))
				return nil
			}
			if svg {
				picture, err := engine.Picture(t.match, v)
				if err != nil {
					return err
				}
				fmt.Fprint(cmd.OutOrStdout(), picture)
				return nil
			}
			p, err := t.position(v)
			if err != nil {
				return err
			}
			return writePosition(cmd.OutOrStdout(), p)
		},
	}
	from.flags(cmd)
	viewFlag(cmd, &view)
	cmd.Flags().BoolVar(&render, "render", false, "draw the board as text instead of printing JSON")
	cmd.Flags().BoolVar(&svg, "svg", false, "draw a picture, as SVG, instead of printing JSON")
	cmd.MarkFlagsMutuallyExclusive("render", "svg")
	return cmd
}

func newPositionValidate() *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a position; exit code 1 and the reason if it is inconsistent",
		Example: `  privateer position validate p.json
  cat p.json | privateer position validate`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := from.open(cmd)
			if err != nil {
				return err
			}
			state := engine.SeatName(t.match.Seat()) + " to act"
			if t.match.Seat() == engine.Over {
				state = t.match.Decision()
			}
			fmt.Fprintf(cmd.OutOrStdout(), "valid: %s, %s\n", t.game, state)
			return nil
		},
	}
	from.flags(cmd)
	return cmd
}

func newPositionActions() *cobra.Command {
	var (
		from    source
		jsonOut bool
	)
	cmd := &cobra.Command{
		Use:   "actions [FILE]",
		Short: "List the legal actions of a position, or the outcomes of chance",
		Example: `  privateer position actions p.json
  privateer position actions --file p.json --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := from.open(cmd)
			if err != nil {
				return err
			}
			n := nextOf(t.match)
			if jsonOut {
				return writeJSON(cmd, n)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "# %s\n", n.question())
			for i, name := range n.Legal {
				if n.Probs != nil {
					fmt.Fprintf(out, "%s\t%.4f\n", name, n.Probs[i])
					continue
				}
				fmt.Fprintln(out, name)
			}
			if n.Standings != nil {
				return writeStandings(out, n.info, n.Standings, -1)
			}
			return nil
		},
	}
	from.flags(cmd)
	asJSON(cmd, &jsonOut)
	return cmd
}
