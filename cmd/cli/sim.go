package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/serve/version"
)

func newSim() *cobra.Command {
	s := simulation{}
	var jsonOut bool
	cmd := &cobra.Command{
		Use:         "sim GAME",
		Short:       "Play many matches between bots and report the results",
		Annotations: inOrder(),
		Long: `Play matches between bots and report wins, returns, scores by source and lengths.

Match i is deal i of the seed, regardless of the other flags. The list of bots is repeated
around the table and rotated by one seat each match, so that each bot plays every seat
equally often; --fixed-seats turns rotation off. Results do not depend on the number of
workers. Intervals are 95 % confidence intervals.

A match cut short by a limit of the game string, such as max_rounds of doubloons, counts as
truncated: it has no winner, each seat gets an equal share of the win, and its returns
are those paid so far.`,
		Example: `  privateer sim "doubloons(seats=4)" --matches 1000 --seed 7 --json
  privateer sim "doubloons(seats=3)" --bots heuristic,random,random
  privateer sim leduc --matches 20 --record transcripts`,
		Args: arguments(1, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.game = args[0]
			if err := s.prepare(); err != nil {
				return err
			}
			defer s.runner.Close()
			r, err := s.run(cmd.Context())
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, r)
			}
			return r.write(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	countFlag(cmd, &s.matches, "matches", "n", 100, 1, mostOneByOne, "matches to play")
	f.Uint64Var(&s.seed, "seed", 1, "root seed; match i is deal i of it")
	s.bots = []string{"random"}
	botsFlag(cmd, &s.bots, "players in seat order (see privateer help players), repeated to fill the seats")
	f.BoolVar(&s.fixed, "fixed-seats", false, "do not rotate the bots by one seat each match")
	workersFlag(cmd, &s.workers, "goroutines; 0: one per core")
	f.StringVar(&s.record, "record", "", "folder to write the transcript of each match to, as JSON")
	asJSON(cmd, &jsonOut)
	return cmd
}

// simulation is the matches to play.
type simulation struct {
	game    string
	matches int
	seed    uint64
	bots    []string
	fixed   bool
	workers int
	record  string

	runner *match.Runner
}

// prepare checks everything before the first match.
func (s *simulation) prepare() error {
	g, err := engine.NewGame(s.game)
	if err != nil {
		return err
	}
	if n := g.Info().Seats; len(s.bots) == 0 || len(s.bots) > n {
		return usagef("--bots: %d bots for %d seats of %s: want from 1 to %d", len(s.bots), n, g.Info().Config, n)
	}
	var read policy.Reader
	var players []match.Player
	for i, name := range s.bots {
		s.bots[i] = strings.TrimSpace(name)
		players = append(players, match.NamedBy(&read, s.bots[i]))
	}
	if s.runner, err = match.NewRunner(s.game, s.workers, players...); err != nil {
		return fmt.Errorf("--bots: %w", err)
	}
	if s.record != "" {
		if err := os.MkdirAll(s.record, 0o755); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	return nil
}

// playAtOnce is how many matches are played before they are summed up and their transcripts saved.
const playAtOnce = 1024

// run plays all matches.
func (s *simulation) run(ctx context.Context) (*simResult, error) {
	info := s.runner.Info()
	total := &simTally{sides: newSides(info.Seats+len(s.bots), len(info.ScoreSources))}
	for first := 0; first < s.matches; first += playAtOnce {
		matches := make([]match.Match, min(playAtOnce, s.matches-first))
		for k := range matches {
			matches[k] = s.match(first + k)
		}
		finals, err := s.runner.Play(ctx, matches)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("stopped after %d of %d matches: %w", first, s.matches, context.Cause(ctx))
		}
		if err != nil {
			return nil, err
		}
		total.add(matches, finals)
		for k := range matches {
			if s.record == "" {
				break
			}
			matches[k].Record.Version, _ = version.Build()
			if err := matches[k].Record.Save(filepath.Join(s.record, fmt.Sprintf("match_%06d.json", first+k))); err != nil {
				return nil, err
			}
		}
	}
	return s.result(total), nil
}

// match is match i, as match.Rotated has it unless seats are fixed.
func (s *simulation) match(i int) match.Match {
	m := match.Rotated(s.seed, i, s.runner.Info().Seats, len(s.bots))
	if s.fixed {
		for seat := range m.Seats {
			m.Seats[seat] = seat % len(s.bots)
		}
	}
	if s.record != "" {
		m.Record = new(engine.Transcript)
	}
	return m
}

func (r *simResult) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "game\t%s\n", r.Game)
	fmt.Fprintf(w, "matches\t%d from seed %d\n", r.Matches, r.Seed)
	if r.Truncated > 0 {
		fmt.Fprintf(w, "truncated\t%d, by a limit of the game: no winner, so each seat gets an equal share\n", r.Truncated)
	}
	l := &r.Length
	fmt.Fprintf(w, "decisions a match\t%s, median %d, nine in ten from %d to %d, all from %d to %d\n", l.Mean, l.Median, l.P5, l.P95, l.Least, l.Most)
	fmt.Fprintf(w, "equal share of wins\t%.3f\n", r.EqualShare)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	head := "\twins\treturn"
	if len(r.Sources) > 0 {
		head += "\tscore"
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	line := func(name string, s side) {
		fmt.Fprintf(w, "%s\t%s\t%s", name, s.Wins, s.Return)
		if len(r.Sources) > 0 {
			fmt.Fprintf(w, "\t%s", s.Score)
		}
		fmt.Fprintln(w)
	}
	for seat, s := range r.Seats {
		line(fmt.Sprintf("seat %d", seat), s)
	}
	if len(r.Bots) > 1 {
		for _, b := range r.Bots {
			line(b.Name, b.side)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, b := range r.Bots {
		writeFaults(out, b.Name, b.Faults)
	}
	if len(r.Sources) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "score by source\t")
	for seat := range r.Seats {
		fmt.Fprintf(w, "seat %d\t", seat)
	}
	fmt.Fprintln(w)
	for i, name := range r.Sources {
		// Sources of modules that are not played are 0 for all.
		if !slices.ContainsFunc(r.Seats, func(s side) bool { return s.Sources[i] != 0 }) {
			continue
		}
		fmt.Fprintf(w, "%s\t", strings.ReplaceAll(name, "_", " "))
		for _, s := range r.Seats {
			fmt.Fprintf(w, "%.2f\t", s.Sources[i])
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
