package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// replayed is a transcript with what it does not say itself. What the chosen view
// may not see is left out.
type replayed struct {
	tells bool // the game says what happens

	Game    string         `json:"game"`
	Seed    *engine.Long   `json:"seed,omitempty"` // for Full only: everything hidden follows from it
	Told    []string       `json:"told,omitempty"` // what happened before the first step
	Steps   []replayedStep `json:"steps"`
	Over    bool           `json:"over"`                // false for a match that was cut short
	Limit   string         `json:"truncated,omitempty"` // the limit of the game string that has ended it; nobody has won then
	Returns []float32      `json:"returns,omitempty"`   // so far; a seat knows them at the end
}

type replayedStep struct {
	appliedStep
	Thought  *bots.Thought   `json:"thought,omitempty"`  // of a bot about the decision
	Position json.RawMessage `json:"position,omitempty"` // after the step
}

func newReplay() *cobra.Command {
	var (
		view      string
		positions bool
		fields    bool
		jsonOut   bool
		svg       int
		page      string
		bot       string
	)
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play a transcript again, step by step, and check it",
		Long: `Play a transcript again on the rules of this program and show every decision with its
seat and its effects, in words, or with --fields as changed fields of the position. Seats, legality and the returns at the end are checked;
exit code 1 if they differ.

In a seat's view secret choices of others are "?"; if even the fact of a choice
would reveal hidden information, it is left out. The seed, which determines everything, is
shown only in the full view.

With --bot a bot gives its account of each decision: a policy its probabilities and expected return, a search
the actions it tried and their results. It sees only what the deciding seat may know; in a seat's view it is asked only
about that seat's decisions.`,
		Example: `  privateer replay transcripts/match_000000.json
  privateer replay match.json --view 2 --positions
  privateer replay match.json --svg 40 --view 1 > after_40.svg
  privateer replay match.json --html match.html
  privateer replay match.json --html match.html --bot policy:captain
  privateer replay match.json --json`,
		Args: arguments(1, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readFile(cmd, args[0])
			if err != nil {
				return err
			}
			t, err := engine.ReadTranscript(bytes.NewReader(data))
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if cmd.Flags().Changed("svg") {
				picture, err := pictureAfter(t, view, svg)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				fmt.Fprint(cmd.OutOrStdout(), picture)
				return nil
			}
			if page != "" {
				var b bytes.Buffer
				if err := writeReplayPage(cmd.Context(), &b, t, view, bot); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
					return fmt.Errorf("--html: %w", err)
				}
				return durable.WriteFile(page, b.Bytes())
			}
			result, err := replaySteps(t, view, bot, positions)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if jsonOut {
				return writeJSON(cmd, result)
			}
			out := cmd.OutOrStdout()
			fmt.Fprint(out, result.Game)
			if result.Seed != nil {
				fmt.Fprintf(out, ", seed %d", *result.Seed)
			}
			fmt.Fprintln(out)
			if !fields {
				for _, line := range result.Told {
					fmt.Fprintln(out, "    ", line)
				}
			}
			for i, s := range result.Steps {
				if result.tells && !fields {
					s.Changes = nil
				} else {
					s.Told = nil
				}
				writeStep(out, i+1, s.appliedStep)
				if s.Thought != nil {
					var account strings.Builder
					if err := writeThought(&account, s.Thought); err != nil {
						return err
					}
					for line := range strings.Lines(account.String()) {
						fmt.Fprint(out, "     ", line)
					}
				}
				if positions {
					if err := writePosition(out, s.Position); err != nil {
						return err
					}
				}
			}
			if !result.Over {
				fmt.Fprintf(out, "cut short after %s\n", engine.Count(len(result.Steps), "decision", ""))
				return nil
			}
			if result.Limit != "" {
				fmt.Fprintf(out, "%s has ended it after %s: nobody has won; returns so far %v\n", result.Limit, engine.Count(len(result.Steps), "decision", ""), result.Returns)
				return nil
			}
			fmt.Fprintf(out, "over after %s; returns %v\n", engine.Count(len(result.Steps), "decision", ""), result.Returns)
			return nil
		},
	}
	cmd.Flags().StringVar(&view, "view", "full", "full, or the number of a seat for its view")
	cmd.Flags().BoolVar(&fields, "fields", false, "show which fields of the position each step changed, instead of words")
	cmd.Flags().StringVar(&bot, "bot", "", "player that gives its account of each decision (see privateer help players)")
	cmd.Flags().BoolVar(&positions, "positions", false, "show the whole position after each step too")
	cmd.Flags().IntVar(&svg, "svg", 0, "only draw the match after this many shown steps, as SVG")
	asJSON(cmd, &jsonOut)
	cmd.Flags().StringVar(&page, "html", "", "write a page to this file that shows the match in a browser, step by step: in the full view, or with --view in a seat's view")
	for _, form := range []string{"svg", "html"} {
		cmd.MarkFlagsMutuallyExclusive(form, "json")
		cmd.MarkFlagsMutuallyExclusive(form, "positions")
	}
	cmd.MarkFlagsMutuallyExclusive("svg", "html")
	cmd.MarkFlagsMutuallyExclusive("svg", "bot")
	return cmd
}

// pictureAfter draws the match after steps of those that the view sees.
func pictureAfter(t *engine.Transcript, view string, steps int) (string, error) {
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return "", err
	}
	eyes, err := parseView(view, g.Info())
	if err != nil {
		return "", err
	}
	seen, picture, witness := 0, "", engine.NewWitness(g, eyes)
	m, err := t.ReplayFor(eyes, func(m engine.Match, _ string) error {
		if seen == 0 {
			witness.Begin(m)
		}
		witness.See(m)
		var err error
		if seen == steps {
			picture, err = engine.Picture(witness.Seen(m), eyes)
		}
		seen++
		return err
	})
	switch {
	case err != nil:
		return "", err
	case steps < 0 || steps > seen:
		return "", usagef("--svg %d: the match has %d steps: give 0 to %d", steps, seen, seen)
	case steps == seen:
		return engine.Picture(m, eyes)
	}
	return picture, nil
}

func replaySteps(t *engine.Transcript, view, bot string, positions bool) (*replayed, error) {
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return nil, err
	}
	eyes, err := parseView(view, g.Info())
	if err != nil {
		return nil, err
	}
	adviser, err := adviserNamed(bot, g)
	if err != nil {
		return nil, err
	}
	stated, _, err := engine.Given(t.Game)
	if err != nil {
		return nil, err
	}
	r := &replayed{Game: stated, Steps: []replayedStep{}}
	if eyes == engine.Full {
		r.Seed = (*engine.Long)(&t.Seed)
	}
	witness := engine.NewWitness(g, eyes)
	r.tells = engine.Listen(g.NewMatch()) != nil
	var before []byte // the position that the view saw last
	// look completes the last step that is shown with what has changed since the last moment that the view saw. If it does not see this
	// one, as others may be asked in secret, the change is shown at a later step.
	look := func(m engine.Match) error {
		if len(r.Steps) == 0 {
			witness.Begin(m)
			r.Told = engine.Tell(m, engine.Listen(m).Since(0), eyes)
			before, err = m.Position(eyes)
			return err
		}
		last := &r.Steps[len(r.Steps)-1]
		now := before
		moment, seen := witness.See(m)
		if seen {
			if now, err = m.Position(eyes); err != nil {
				return err
			}
		}
		last.Told = moment.Told
		if last.Changes, err = changes(before, now); err != nil {
			return err
		}
		if before = now; positions {
			last.Position, err = withGame(now, r.Game)
		}
		return err
	}
	m, err := t.ReplayFor(eyes, func(m engine.Match, action string) error {
		step := appliedStep{Seat: m.Seat(), Decision: m.Decision(), Action: action}
		if err := look(m); err != nil {
			return err
		}
		shown := replayedStep{appliedStep: step}
		if adviser != nil && step.Seat >= 0 && (eyes == engine.Full || eyes == step.Seat) {
			draws := engine.NewRand(uint64(len(r.Steps))) // not the match's
			shown.Thought = bots.Think(adviser, m, &draws)
		}
		r.Steps = append(r.Steps, shown)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := look(m); err != nil {
		return nil, err
	}
	if r.Over = m.Seat() == engine.Over; r.Over || eyes == engine.Full {
		r.Returns = make([]float32, g.Info().Seats)
		m.Returns(r.Returns)
	}
	r.Limit, _ = m.Truncated()
	return r, nil
}
