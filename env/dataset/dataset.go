package dataset

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// Config says what is played and what is written down of it.
type Config struct {
	Game        string
	Players     []match.Player // repeated around the table and moved on by one seat each match (match.Rotated)
	Seed        uint64
	Matches     int
	PartMatches int     // in a file
	Rows        bool    // what each legal action does, too
	RandomMoves float64 // share of decisions at which a legal action drawn at random is played in place of what the player chose
	Version     string  // of the program, for the head

	durable.Part                              // of the files, which are to be written here; zero: all
	Workers      int                          // goroutines, 0 for one a core
	Progress     func(matches, decisions int) // called with what has been written so far, one call at a time; may be nil
}

// Written is what a call of [Write] did.
type Written struct {
	Files     int           `json:"files"`
	Kept      int           `json:"kept"` // files that were there already
	Matches   int           `json:"matches"`
	Decisions int           `json:"decisions"`
	Faults    []bots.Faults `json:"faults,omitempty"` // by player, of those that are other programs; nil if there are none
	Head      *Head         `json:"-"`
}

// Write plays the matches of a data set and writes its files into a folder: those of the shard that are not there yet. Each is written
// whole or not at all, so that a call that was stopped loses the matches of unfinished files and nothing else. At an error of a match or
// a player the files that are under way are finished, and no more are begun.
func Write(ctx context.Context, folder string, c Config) (Written, error) {
	h, spec, err := c.head()
	if err != nil {
		return Written{}, err
	}
	w := &work{config: &c, head: h, folder: folder}
	w.written.Head = h
	c.Part = c.Part.OrAll()
	if err := c.Check(h.Parts(), "files"); err != nil {
		return w.written, err
	}
	if w.metadata, err = h.metadata(spec); err != nil {
		return w.written, err
	}
	if err := h.alone(folder); err != nil {
		return w.written, err
	}
	there := Set{Head: h, folder: folder}
	if there.shape, err = shapeOf(h); err != nil {
		return w.written, err
	}
	for _, k := range c.Numbers(h.Parts()) {
		if there.open(k, spec) == nil { // else it is written again
			w.written.Kept++
		} else {
			w.todo = append(w.todo, k)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return w.written, fmt.Errorf("data set: %w", err)
	}
	if err := durable.Sweep(folder, func(name string) bool {
		return slices.ContainsFunc(w.todo, func(k int) bool { return name == filepath.Base(h.path(folder, k)) })
	}); err != nil {
		return w.written, err
	}
	if len(w.todo) == 0 {
		return w.written, nil
	}
	if err := durable.Check(h.path(folder, w.todo[0])); err != nil {
		return w.written, err
	}
	err = w.run(ctx)
	return w.written, err
}

// head is the description that all files share.
func (c *Config) head() (*Head, *encode.Spec, error) {
	spec, err := encode.SpecOf(c.Game)
	if err != nil {
		return nil, nil, err
	}
	h := &Head{
		Format: format, Version: c.Version, Game: spec.Config, Seed: c.Seed, Matches: c.Matches, PartMatches: c.PartMatches,
		RandomMoves: c.RandomMoves, Observation: spec.Observation.Hash,
	}
	if c.Rows {
		if spec.ActionRow == nil {
			return nil, nil, fmt.Errorf("data set: rows: %s does not describe what actions do", spec.Config)
		}
		h.ActionRow = spec.ActionRow.Hash
	}
	for _, p := range c.Players {
		h.Players = append(h.Players, Player{p.Name, p.Digest})
	}
	if err := h.check(); err != nil {
		return nil, nil, fmt.Errorf("data set: %w", err)
	}
	return h, spec, nil
}

// work is the files of a call.
type work struct {
	config   *Config
	head     *Head
	folder   string
	metadata map[string]string
	todo     []int // parts
	next     atomic.Int64

	mu      sync.Mutex
	written Written
	failed  failure
}

// failure is an error of a part.
type failure struct {
	part int
	error
}

// run writes all files, as many at a time as there are workers. What workers are left over play side by side in a file.
func (w *work) run(ctx context.Context) error {
	workers := w.config.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	files := min(workers, len(w.todo))
	var wg sync.WaitGroup
	for i := range files {
		wg.Go(func() {
			part, err := w.writeFiles(ctx, workers*(i+1)/files-workers*i/files)
			if err != nil {
				w.fail(part, err)
			}
		})
	}
	wg.Wait()
	return w.failed.error
}

// fail keeps the error of the first part, and has no more of them begun. Those under way are finished: among them are all before it.
func (w *work) fail(part int, err error) {
	w.next.Store(int64(len(w.todo)))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed.error == nil || part < w.failed.part {
		w.failed = failure{part, err}
	}
}

// writeFiles writes one file after the other; part is the one that failed.
func (w *work) writeFiles(ctx context.Context, workers int) (part int, err error) {
	players := slices.Clone(w.config.Players)
	for i := range players {
		players[i] = telling(players[i])
	}
	runner, err := match.NewRunner(w.head.Game, workers, players...)
	if err != nil {
		return -1, err
	}
	defer runner.Close()
	s, err := w.head.shape(runner.Game())
	if err != nil {
		return -1, err
	}
	p := newPart(s)
	first := 0
	runner.Watch = func() (match.Watcher, error) {
		var r *record
		var seats []int
		watch := match.Watcher{
			Begin: func(k int, of *match.Match) error {
				r, seats = p.record(), of.Seats
				r.begin(first+k, of)
				return nil
			},
			Decide: func(m engine.Match, by bots.Bot, a engine.Action) error {
				r.decide(s, m, by, seats[m.Seat()], a)
				return nil
			},
			End: func(_ engine.Match, f *match.Final) error { return p.add(r, f) },
		}
		if s.random > 0 {
			watch.Replace = func(m engine.Match, chosen engine.Action, draw *engine.Rand) engine.Action {
				r.choice = chosen
				if draw.Float64() < s.random {
					return m.Legal().Sample(draw)
				}
				return chosen
			}
		}
		return watch, nil
	}
	for {
		at := int(w.next.Add(1)) - 1
		if at >= len(w.todo) {
			return 0, nil
		}
		part = w.todo[at]
		first = part * w.head.PartMatches
		matches := make([]match.Match, min(w.head.PartMatches, w.head.Matches-first))
		for k := range matches {
			matches[k] = match.Rotated(w.head.Seed, first+k, runner.Info().Seats, len(players))
		}
		p.begin(first, w.head.Version, w.metadata)
		finals, err := runner.Play(ctx, matches)
		if err != nil {
			return part, fmt.Errorf("data set: %s: %w", filepath.Base(w.head.path(w.folder, part)), err)
		}
		data, err := p.file()
		if err == nil {
			err = durable.WriteFile(w.head.path(w.folder, part), data)
		}
		if err != nil {
			return part, err
		}
		w.count(matches, finals, p.total)
	}
}

// count adds a file to what was written.
func (w *work) count(matches []match.Match, finals []match.Final, decisions int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written.Files++
	w.written.Matches += len(matches)
	w.written.Decisions += decisions
	for k, f := range finals {
		for seat, faults := range f.Faults {
			if w.written.Faults == nil {
				w.written.Faults = make([]bots.Faults, len(w.config.Players))
			}
			player := matches[k].Seats[seat]
			w.written.Faults[player] = w.written.Faults[player].Plus(faults)
		}
	}
	if w.config.Progress != nil {
		w.config.Progress(w.written.Matches, w.written.Decisions)
	}
}
