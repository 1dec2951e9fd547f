package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
)

// applied is the result of `position apply`.
type applied struct {
	Steps    []appliedStep   `json:"steps"`
	Position json.RawMessage `json:"position"`
	Next     next            `json:"next"`
}

type appliedStep struct {
	Seat     int      `json:"seat"` // −1: chance
	Decision string   `json:"decision"`
	Action   string   `json:"action"`
	Drawn    bool     `json:"drawn,omitempty"` // by --chance sampled, not named by the caller
	Told     []string `json:"told,omitempty"`  // what happened, in words, if the game tells
	Changes  []change `json:"changes"`
}

// change is an engine.Change whose values are JSON instead of text. A value
// that is not there is left out.
type change struct {
	Path string          `json:"path"`
	From json.RawMessage `json:"from,omitempty"`
	To   json.RawMessage `json:"to,omitempty"`
}

func (c change) String() string {
	if len(c.From)+len(c.To) > 60 {
		if text, ok := c.listChange(); ok {
			return text
		}
	}
	return engine.Change{Path: c.Path, From: string(c.From), To: string(c.To)}.String()
}

// listChange says of a long list what left it and what came, unless only
// its order changed.
func (c change) listChange() (string, bool) {
	var from, to []json.RawMessage
	if json.Unmarshal(c.From, &from) != nil || json.Unmarshal(c.To, &to) != nil {
		return "", false
	}
	if len(from) == 0 || len(to) == 0 {
		return "", false
	}
	count := map[string]int{}
	for _, v := range slices.Concat(from, to) {
		if v[0] == '[' || v[0] == '{' {
			return "", false
		}
	}
	for _, v := range to {
		count[string(v)]++
	}
	text := c.Path + ":"
	for _, v := range from {
		if count[string(v)]--; count[string(v)] < 0 {
			text += " −" + string(v)
		}
	}
	for _, v := range to {
		if count[string(v)] > 0 {
			count[string(v)]--
			text += " +" + string(v)
		}
	}
	return text, text != c.Path+":"
}

// changes lists the differences between two positions, except the match's
// generator, which poker games call rand.
func changes(before, after []byte) ([]change, error) {
	diff, err := engine.Changes(before, after, "generator", "game")
	if err != nil {
		return nil, err
	}
	out := make([]change, len(diff))
	for i, c := range diff {
		out[i] = change{c.Path, json.RawMessage(c.From), json.RawMessage(c.To)}
	}
	return out, nil
}

func newPositionApply() *cobra.Command {
	var (
		from    source
		actions string
		seed    uint64
		jsonOut bool
	)
	cmd := &cobra.Command{
		Use:   "apply [FILE] --actions \"A; B; …\"",
		Short: "Apply actions to a position and print what each changed",
		Long: `Apply actions, separated by semicolons, to a position; print what each step changed
and the position after the last.

With --chance explicit (the default) outcomes of chance are named among the actions, as
in "do=board; die=crew". With --chance sampled they are drawn wherever they come up: with
--seed from that seed, else from the position's own generator. With --forced
skip decisions with one legal action are taken for you and must not be named.`,
		Example: `  privateer position apply --file p.json --actions "sail; do=broadsides; die=crew"
  privateer position apply p.json --actions "pass; bet" --json
  privateer position apply p.json --actions "raise" --chance sampled --seed 7`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, c := range []struct{ flag, value, a, b string }{
				{"chance", from.chance, "explicit", "sampled"}, {"forced", from.forced, "show", "skip"},
			} {
				if c.value != "" && c.value != c.a && c.value != c.b {
					return usagef("--%s %s: want %s or %s", c.flag, c.value, c.a, c.b)
				}
			}
			t, err := from.open(cmd)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("seed") {
				if !t.sample {
					return usagef("--seed has an effect only with --chance sampled")
				}
				r := engine.NewRand(seed)
				t.chance = &r
			}
			result, err := t.apply(splitActions(actions))
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, result)
			}
			return result.write(cmd.OutOrStdout())
		},
	}
	from.flags(cmd)
	cmd.Flags().StringVarP(&actions, "actions", "a", "", "actions and outcomes of chance, separated by semicolons")
	cmd.Flags().StringVar(&from.chance, "chance", "", "explicit: outcomes of chance are named; sampled: they are drawn (default: as the file's game string says, else explicit)")
	cmd.Flags().StringVar(&from.forced, "forced", "", "show: decisions with one legal action are named; skip: they are taken (default: as the file's game string says, else show)")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "with --chance sampled: draw from this seed instead of the position's generator")
	asJSON(cmd, &jsonOut)
	return cmd
}

func splitActions(text string) []string {
	var names []string
	for _, name := range strings.FieldsFunc(text, func(c rune) bool { return c == ';' || c == '\n' }) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// apply performs the named actions, and the draws of chance between them and
// after them if they are to be sampled.
func (t *setup) apply(names []string) (*applied, error) {
	m := t.match
	result := &applied{Steps: []appliedStep{}}
	for i := 0; ; {
		step := appliedStep{Seat: m.Seat(), Decision: m.Decision()}
		var a engine.Action
		switch {
		case t.sample && m.Seat() == engine.Chance:
			a = t.draw()
			step.Drawn = true
		case i < len(names):
			var err error
			if a, err = m.Info().ParseAction(names[i]); err != nil {
				return nil, fmt.Errorf("step %d: %w; %s", i+1, err, nextOf(m).hint())
			}
			i++
		default:
			var err error
			result.Next = nextOf(m)
			result.Position, err = t.position(engine.Full)
			return result, err
		}
		step.Action = m.Info().ActionName(a)
		before, err := m.Position(engine.Full)
		if err != nil {
			return nil, err
		}
		if err := m.Apply(a); err != nil {
			return nil, fmt.Errorf("step %d: %w", i, refusal(err))
		}
		after, err := m.Position(engine.Full)
		if err != nil {
			return nil, err
		}
		if step.Changes, err = changes(before, after); err != nil {
			return nil, err
		}
		result.Steps = append(result.Steps, step)
	}
}

// refusal leaves the game string out of why an action was refused: it would
// be one that the user never wrote.
func refusal(err error) error {
	var e *engine.IllegalActionError
	switch {
	case !errors.As(err, &e):
		return err
	case e.Seat == engine.Over:
		return fmt.Errorf("%q: the match is over", e.Action)
	}
	return fmt.Errorf("illegal action %q for %s: %s", e.Action, engine.SeatName(e.Seat), e.Why)
}

func (t *setup) draw() engine.Action {
	if t.chance == nil {
		return t.match.SampleChance()
	}
	return engine.PickOutcome(t.match.Outcomes(nil), t.chance)
}

func (r *applied) write(out io.Writer) error {
	for i, s := range r.Steps {
		writeStep(out, i+1, s)
	}
	if len(r.Steps) > 0 {
		fmt.Fprintln(out)
	}
	if err := writePosition(out, r.Position); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return r.Next.write(out)
}

// pending reports whether a change is of the stack of decisions to come, which
// programs may want but which is too much for people.
func (c change) pending() bool { return c.Path == "stack" || strings.HasPrefix(c.Path, "stack[") }

// writeStep prints one step: who decided what, and what it changed.
func writeStep(out io.Writer, number int, s appliedStep) {
	drawn := ""
	if s.Drawn {
		drawn = " (drawn)"
	}
	fmt.Fprintf(out, "%d. %s: %s%s\n     %s\n", number, engine.SeatName(s.Seat), s.Action, drawn, s.Decision)
	for _, sentence := range s.Told {
		fmt.Fprintf(out, "     %s\n", sentence)
	}
	for _, c := range s.Changes {
		if !c.pending() {
			fmt.Fprintf(out, "     %s\n", c)
		}
	}
}
