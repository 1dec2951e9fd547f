package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

func newPosition() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "position",
		Short: "Print, check, set up and play on positions",
		Long: `A position file is a JSON object with the whole state of a match. Its entry "game"
is the game string; ` + "`privateer spec GAME --only position_schema`" + ` prints its other entries.
Omitted entries have their values from a fresh set-up.

Unless the game string in the file says otherwise, chance is explicit here (you give
the result of the die) and forced moves are shown, so that every step is one you
named. A printed position keeps the game string of its input; flags apply to one
command.`,
		Example: `  privateer position new "doubloons(seats=3)" --seed 7 > p.json
  privateer position print --file p.json --render --view 0
  privateer position actions --file p.json
  privateer position apply --file p.json --actions "card=N05; card=N19"`,
	}
	cmd.AddCommand(newPositionNew(), newPositionPrint(), newPositionValidate(), newPositionActions(), newPositionApply(), newPositionThink())
	return cmd
}

// source says where a position comes from.
type source struct {
	file   string
	game   string // overrides the file's
	chance string // explicit, sampled, or "" for the file's, else explicit
	forced string // show, skip, or "" for the file's, else show
}

func (s *source) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&s.file, "file", "f", "-", "position file; - reads standard input")
	cmd.Flags().StringVar(&s.game, "game", "", "game string instead of the one in the file")
	fileArgument := arguments(0, 1, "FILE")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := fileArgument(cmd, args); err != nil {
			return err
		}
		if len(args) == 1 {
			if cmd.Flags().Changed("file") {
				return usagef("the file is given twice: %s and --file %s", args[0], s.file)
			}
			s.file = args[0]
		}
		return nil
	}
}

// setup is a match set to a position.
type setup struct {
	match  engine.Match
	game   string       // as the user gave it, so that the next command reads the same: canonical, without what this command added
	sample bool         // chance is to be sampled
	chance *engine.Rand // what to sample from; nil: the match's own generator
}

// open reads the position. Chance is explicit in its match even if it is to be
// sampled: so the steps show what was drawn.
func (s *source) open(cmd *cobra.Command) (*setup, error) {
	name := s.file
	if name == "-" {
		name = "standard input"
	}
	data, err := readFile(cmd, s.file)
	if err != nil {
		return nil, err
	}
	root, game, err := position.ParseFile(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.game != "" {
		game = s.game
	}
	if game == "" {
		return nil, fmt.Errorf(`%s: no game: add an entry "game" with the game string, or give --game`, name)
	}
	t, err := newSetup(game, s.chance, s.forced)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	own, err := root.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := t.match.SetPosition(own); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// newSetup makes a match of the game with chance explicit. chance and forced
// override the game string when they are not empty.
func newSetup(game, chance, forced string) (*setup, error) {
	// Here and not only below, so that an error quotes what the user wrote.
	if _, err := engine.NewGame(game); err != nil {
		return nil, err
	}
	stated, given, err := engine.Given(game)
	if err != nil {
		return nil, err
	}
	t := &setup{game: stated, sample: cmp.Or(chance, given["chance"]) == "sampled"}
	forced = cmp.Or(forced, given["forced"], "show")
	g, err := engine.NewGameWith(game, "chance", "explicit", "forced", forced)
	if err != nil {
		return nil, err
	}
	t.match = g.NewMatch()
	return t, nil
}

// position is the match's position as a file: with the game in it.
func (t *setup) position(view int) (json.RawMessage, error) {
	data, err := t.match.Position(view)
	if err != nil {
		return nil, err
	}
	return withGame(data, t.game)
}

// withGame sets the entry "game" of a position.
func withGame(data []byte, game string) (json.RawMessage, error) {
	root, _, err := position.ParseFile(data)
	if err != nil {
		return nil, err
	}
	file := position.Object{{Name: "game", Value: game}}
	for _, k := range root.Keys {
		file.Add(k, root.Get(k))
	}
	return file.MarshalJSON()
}

// next is the decision that a position stands at.
type next struct {
	Seat     int       `json:"seat"`  // −1: chance, −2: over
	Actor    string    `json:"actor"` // "seat 0", "chance" or "over"
	Decision string    `json:"decision"`
	Legal    []string  `json:"legal"`                   // actions, or what chance may bring
	Probs    []float64 `json:"probabilities,omitempty"` // of Legal, if it is chance's

	Standings []standing `json:"standings,omitempty"` // of a match that is over

	info *engine.Info
}

func nextOf(m engine.Match) next {
	n := next{Seat: m.Seat(), Actor: engine.SeatName(m.Seat()), Decision: m.Decision(), Legal: []string{}, info: m.Info()}
	if n.Seat == engine.Over {
		n.Standings = standingsOf(m)
	}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		n.Legal = append(n.Legal, m.Info().ActionName(a))
	}
	for _, o := range m.Outcomes(nil) {
		n.Legal = append(n.Legal, m.Info().ActionName(o.Action))
		n.Probs = append(n.Probs, o.Prob)
	}
	return n
}

// hint lists the possible names.
func (n next) hint() string {
	if n.Seat == engine.Over {
		return "here: nothing, the match is over"
	}
	return fmt.Sprintf("%s; here: %s", n.question(), strings.Join(n.Legal, ", "))
}

// write prints the decision, or how the match has ended.
func (n next) write(out io.Writer) error {
	switch n.Seat {
	case engine.Over:
		fmt.Fprintln(out, n.Decision) // that the match is over, and which limit has ended it, if one has
		return writeStandings(out, n.info, n.Standings, -1)
	case engine.Chance:
		fmt.Fprintf(out, "%s\npossible: %s\n", n.question(), strings.Join(n.Legal, ", "))
	default:
		fmt.Fprintf(out, "%s\nlegal: %s\n", n.question(), strings.Join(n.Legal, ", "))
	}
	return nil
}

// question is the decision and who takes it, unless it says so itself.
func (n next) question() string {
	if strings.HasPrefix(n.Decision, n.Actor) {
		return n.Decision
	}
	return n.Actor + ": " + n.Decision
}

// viewFlag is the flag --view: a seat, or full.
func viewFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "view", "full", "full, or the number of a seat for its view")
}

func parseView(view string, info *engine.Info) (int, error) {
	if view == "full" {
		return engine.Full, nil
	}
	for s := range info.Seats {
		if view == fmt.Sprint(s) {
			return s, nil
		}
	}
	return 0, usagef("--view %s: want full or a seat from 0 to %d", view, info.Seats-1)
}
