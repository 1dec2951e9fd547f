package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

func newSim() *cobra.Command {
	s := simulation{}
	var jsonOut bool
	cmd := &cobra.Command{
		Use:         "sim GAME",
		Short:       "Play many matches between bots and sum them up",
		Annotations: inOrder(),
		Long: `Play matches between bots and sum up lengths, scores by source and who won.

Match i is deal i of the seed, whatever the other flags. The list of
bots is repeated around the table and moved on by one seat each match, so that each bot
has every seat equally often; --fixed-seats keeps it where it is. The result does
not depend on the number of workers. Intervals are of 95 %.

Matches that a limit of the game string cuts short, such as max_rounds of doubloons, are counted
as truncated. Nobody has won them, so each seat gets an equal share of the win; their returns
are what was paid by then.`,
		Example: `  privateer sim "doubloons(seats=4)" --matches 1000 --seed 7 --json
  privateer sim "doubloons(seats=3)" --bots heuristic,random,random
  privateer sim leduc --matches 20 --record transcripts`,
		Args: arguments(1, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.game = args[0]
			if err := s.prepare(); err != nil {
				return err
			}
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
	f.Uint64Var(&s.seed, "seed", 1, "seed of everything: match i is deal i of it")
	s.bots = []string{"random"}
	botsFlag(cmd, &s.bots, "bots around the table, by name or policy:BUNDLE; repeated to fill the seats")
	f.BoolVar(&s.fixed, "fixed-seats", false, "do not move the bots on by one seat each match")
	workersFlag(cmd, &s.workers, "goroutines; 0: one a core")
	f.StringVar(&s.record, "record", "", "folder to write the transcript of each match to")
	asJSON(cmd, &jsonOut)
	return cmd
}

// simulation is what to play.
type simulation struct {
	game    string
	matches int
	seed    uint64
	bots    []string
	fixed   bool
	workers int
	record  string

	made engine.Game
	read policy.Reader
}

// prepare checks everything before the first match.
func (s *simulation) prepare() (err error) {
	if s.workers == 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	if s.made, err = engine.NewGame(s.game); err != nil {
		return err
	}
	if s.made.Info().Explicit {
		// bots.Play would draw chance from another stream than the match's own.
		return fmt.Errorf("game %q: chance=explicit is for callers that decide chance: leave it out", s.game)
	}
	if n := s.made.Info().Seats; len(s.bots) == 0 || len(s.bots) > n {
		return usagef("--bots: %d bots for %d seats of %s: want from 1 to %d", len(s.bots), n, s.made.Info().Config, n)
	}
	for i, name := range s.bots {
		s.bots[i] = strings.TrimSpace(name)
		if _, err := s.read.NewBot(s.bots[i], s.made); err != nil {
			return fmt.Errorf("--bots: %w", err)
		}
	}
	if s.record != "" {
		if err := os.MkdirAll(s.record, 0o755); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	return nil
}

// botAt is the index in s.bots of who has a seat in match i.
func (s *simulation) botAt(i, seat int) int {
	if s.fixed {
		return seat % len(s.bots)
	}
	return (seat + i) % s.made.Info().Seats % len(s.bots)
}

// matchesAtOnce is how many matches a worker takes at a time. Their tallies
// are added up in order, so that sums of floats do not depend on the workers.
const matchesAtOnce = 16

// run plays all matches.
func (s *simulation) run(ctx context.Context) (*simResult, error) {
	workers := make([]*simWorker, s.workers)
	for i := range workers {
		var err error
		if workers[i], err = s.newWorker(); err != nil {
			return nil, err
		}
	}
	var atWork sync.WaitGroup
	defer atWork.Wait() // a transcript that has been begun is finished
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	chunks := (s.matches + matchesAtOnce - 1) / matchesAtOnce
	type part struct {
		chunk int
		tally *simTally
		err   error
	}
	todo, done := make(chan int), make(chan part)
	go func() {
		defer close(todo)
		for c := range chunks {
			select {
			case todo <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, w := range workers {
		atWork.Add(1)
		go func() {
			defer atWork.Done()
			for c := range todo {
				t, err := w.play(ctx, c*matchesAtOnce, min((c+1)*matchesAtOnce, s.matches))
				select {
				case done <- part{c, t, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	total := newSimTally(s)
	waiting := map[int]*simTally{}
	for next := 0; next < chunks; {
		select {
		case p := <-done:
			if ctx.Err() != nil {
				continue // the error would be that of the interruption, and less clear
			}
			if p.err != nil {
				return nil, p.err
			}
			waiting[p.chunk] = p.tally
		case <-ctx.Done():
			return nil, fmt.Errorf("stopped after %d of %d matches: %w", next*matchesAtOnce, s.matches, context.Cause(ctx))
		}
		for ; waiting[next] != nil; next++ {
			total.add(waiting[next])
			delete(waiting, next)
		}
	}
	return s.result(total), nil
}

// simWorker plays matches one after the other.
type simWorker struct {
	*simulation
	match   engine.Match
	players []bots.Bot // by index in bots
	returns []float32
	scores  []int32
}

func (s *simulation) newWorker() (*simWorker, error) {
	info := s.made.Info()
	w := &simWorker{simulation: s, match: s.made.NewMatch(), returns: make([]float32, info.Seats), scores: make([]int32, len(info.ScoreSources))}
	for _, name := range s.bots {
		b, err := s.read.NewBot(name, s.made)
		if err != nil {
			return nil, fmt.Errorf("--bots: %w", err)
		}
		w.players = append(w.players, b)
	}
	return w, nil
}

// play plays matches from … to−1.
func (w *simWorker) play(ctx context.Context, from, to int) (*simTally, error) {
	t := newSimTally(w.simulation)
	m := w.match
	for i := from; i < to; i++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		seed := engine.DealSeed(w.seed, uint64(i))
		// The bots' choices have a stream of their own, apart from the chance of the match.
		r := engine.NewRand(w.seed).At(uint64(i)).At(1)
		record := engine.Transcript{Game: m.Info().Config, Seed: seed}
		m.Reset(seed)
		length := 0
		for ; m.Seat() >= 0; length++ {
			a := w.players[w.botAt(i, m.Seat())].Act(m, &r)
			if w.record != "" {
				record.Record(m, a)
			}
			if err := m.Apply(a); err != nil {
				return nil, fmt.Errorf("match %d (seed %d), decision %d: %w", i, seed, length, err)
			}
		}
		m.Returns(w.returns)
		t.finish(i, length, m, w)
		if w.record == "" {
			continue
		}
		record.Returns = append([]float32{}, w.returns...)
		name := filepath.Join(w.record, fmt.Sprintf("match_%06d.txt", i))
		if err := record.Save(name); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (r *simResult) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "game\t%s\n", r.Game)
	fmt.Fprintf(w, "matches\t%d from seed %d\n", r.Matches, r.Seed)
	if r.Truncated > 0 {
		fmt.Fprintf(w, "truncated\t%d, by a limit of the game: nobody has won these, so each seat gets an equal share\n", r.Truncated)
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
