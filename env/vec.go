package env

import (
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

// Errors of calls at the wrong time.
var (
	ErrNotReset = errors.New("env: step before reset: call Reset first")
	ErrClosed   = errors.New("env: the vector is closed")
)

// IllegalActionError says which action of a batch was refused. Nothing of the
// batch was applied.
type IllegalActionError struct {
	Row    int
	Seat   int
	Action engine.Action
	Err    error // why, with the action's name and what is legal: an *engine.IllegalActionError
}

func (e *IllegalActionError) Error() string {
	return fmt.Sprintf("env: row %d: %v", e.Row, e.Err)
}

func (e *IllegalActionError) Unwrap() error { return e.Err }

// Vec is a vector of matches of one game. Its methods must not be called at the
// same time from several goroutines.
type Vec struct {
	cfg  Config
	game engine.Game
	info *engine.Info
	enc  *encode.Encoder

	n, seats, actions, sources int // rows, P, A, score sources
	obs, full                  int // D, F

	matches []engine.Match
	legal   []engine.Mask // of each row, side by side, so that checking a batch reads little memory
	rows    []row
	paid    []float32 // [n, P] returns paid out so far in the episode
	tallies tallies
	batch   Batch

	begun  bool
	closed bool

	crew *crew
	// The crew's tasks, bound once so that no step allocates, and their arguments.
	step, begin, refill, sample func(from, to int)
	taken                       []int32 // actions to apply, or to fill with samples
	chosen                      []bool  // rows to begin anew; nil for all
	streams                     []engine.Rand
}

// row is what a vector knows of an environment besides its match.
type row struct {
	seed    uint64 // of the environment
	episode int64  // −1 before the first
	steps   int32  // decisions taken in the episode
	final   int32  // Seat to show while the row is finished
	done    bool   // finished and not reset
}

// New makes a vector. It holds goroutines until Close when Config.Workers is
// above 1. Call Reset before the first Step.
func New(cfg Config) (*Vec, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	game, err := engine.NewGame(cfg.Game)
	if err != nil {
		return nil, fmt.Errorf("env: %w", err)
	}
	info := game.Info()
	if info.Explicit {
		return nil, fmt.Errorf("env: game %q: chance=explicit makes chance events decisions, which no row can show: leave it out", cfg.Game)
	}
	enc, err := encode.For(game)
	if err != nil {
		return nil, fmt.Errorf("env: %w", err)
	}
	n, p := cfg.NumEnvs, info.Seats
	v := &Vec{
		cfg: cfg, game: game, info: info, enc: enc,
		n: n, seats: p, actions: len(info.Actions), sources: len(info.ScoreSources),
		obs: enc.Schema().Size, full: enc.FullSchema().Size,
		matches: game.NewMatches(n),
		legal:   make([]engine.Mask, n),
		rows:    make([]row, n),
		paid:    make([]float32, n*p),
		tallies: newTallies(n, p),
		crew:    newCrew(n, cfg.Workers),
	}
	v.batch = newBatch(n, p, v.actions, v.sources, v.obs, v.full, &cfg)
	v.reseed(cfg.Seed)
	v.step, v.begin, v.refill, v.sample = v.stepRows, v.beginRows, v.showRows, v.sampleRows
	return v, nil
}

// Game is the game that the rows play.
func (v *Vec) Game() engine.Game { return v.game }

// Encoder is what fills the observations; its schemas describe them.
func (v *Vec) Encoder() *encode.Encoder { return v.enc }

// Config is what the vector was made from, with the seed it has now.
func (v *Vec) Config() Config { return v.cfg }

// Match is the match of row i, to be looked at and not to be changed.
func (v *Vec) Match(i int) engine.Match { return v.matches[i] }

// Batch is what the last Reset, Step, ResetRows or Restore left.
func (v *Vec) Batch() *Batch { return &v.batch }

// Close ends the workers. Everything but Close is an error afterwards.
func (v *Vec) Close() {
	if !v.closed {
		v.closed = true
		v.crew.dismiss()
	}
}

// Reset begins a new episode in every row: the first since the vector was made
// or seeded is episode 0, later ones count on.
func (v *Vec) Reset() (*Batch, error) {
	if v.closed {
		return nil, ErrClosed
	}
	v.begun = true
	v.chosen = nil
	v.crew.run(v.begin)
	return &v.batch, nil
}

// ResetSeed is Reset with new seeds: row i begins episode 0 of seed+i.
func (v *Vec) ResetSeed(seed uint64) (*Batch, error) {
	if v.closed {
		return nil, ErrClosed
	}
	v.reseed(seed)
	return v.Reset()
}

func (v *Vec) reseed(seed uint64) {
	v.cfg.Seed = seed
	for i := range v.rows {
		v.rows[i] = row{seed: seed + uint64(i), episode: -1}
	}
}

// ResetRows begins a new episode in the rows chosen, [n], finished or not. The
// flags and rewards of the other rows stay as they are.
func (v *Vec) ResetRows(chosen []bool) (*Batch, error) {
	switch {
	case v.closed:
		return nil, ErrClosed
	case !v.begun:
		return nil, ErrNotReset
	case len(chosen) != v.n:
		return nil, fmt.Errorf("env: %d rows chosen or not: want %d, one for each row", len(chosen), v.n)
	}
	v.chosen = chosen
	v.crew.run(v.begin)
	v.chosen = nil
	return &v.batch, nil
}

// Step performs one action in each row, [n], and returns the batch after them.
// The batch is checked first: an action that is not legal is an *IllegalActionError, and then
// no row has changed. At a finished row any action is accepted and does nothing,
// except that with NextStep it begins the next episode.
func (v *Vec) Step(actions []int32) (*Batch, error) {
	switch {
	case v.closed:
		return nil, ErrClosed
	case !v.begun:
		return nil, ErrNotReset
	case len(actions) != v.n:
		return nil, fmt.Errorf("env: %d actions: want %d, one for each row", len(actions), v.n)
	}
	for i, a := range actions {
		if !v.legal[i].Has(engine.Action(a)) && !v.rows[i].done {
			return nil, v.refuse(i, engine.Action(a))
		}
	}
	v.taken = actions
	v.crew.run(v.step)
	v.taken = nil
	return &v.batch, nil
}

func (v *Vec) refuse(i int, a engine.Action) error {
	m := v.matches[i]
	// The match refuses it too, and says what is legal.
	return &IllegalActionError{Row: i, Seat: m.Seat(), Action: a, Err: m.Apply(a)}
}

// SampleActions fills actions, [n], with uniformly random legal ones; row i
// draws from streams[i]. Finished rows get action 0.
func (v *Vec) SampleActions(actions []int32, streams []engine.Rand) error {
	switch {
	case v.closed:
		return ErrClosed
	case !v.begun:
		return ErrNotReset
	case len(actions) != v.n || len(streams) != v.n:
		return fmt.Errorf("env: %d actions and %d streams: want %d of each, one for each row", len(actions), len(streams), v.n)
	}
	v.taken, v.streams = actions, streams
	v.crew.run(v.sample)
	v.taken, v.streams = nil, nil
	return nil
}

func (v *Vec) sampleRows(from, to int) {
	for i := from; i < to; i++ {
		v.taken[i] = 0
		if !v.rows[i].done {
			v.taken[i] = int32(v.legal[i].Sample(&v.streams[i]))
		}
	}
}
