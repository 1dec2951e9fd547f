package env

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

// Errors of calls at the wrong time.
var (
	ErrNotReset = errors.New("env: step before reset: call Reset first")
	ErrClosed   = errors.New("env: the vector is closed")
	ErrUnderWay = errors.New("env: rows are under way: wait for their parts, receive them, or finish the stopped call, first")
)

// ErrStopped is the error of a call that has stopped: see Vec.Until.
var ErrStopped = errors.New("env: the call was stopped: Finish continues it")

// IllegalActionError names the refused action of a batch. Nothing of the batch was applied.
type IllegalActionError struct {
	Row    int // the environment
	Seat   int
	Action engine.Action
	Err    error // why, with the action's name and what is legal: an *engine.IllegalActionError
}

func (e *IllegalActionError) Error() string {
	return fmt.Sprintf("env: row %d: %v", e.Row, e.Err)
}

func (e *IllegalActionError) Unwrap() error { return e.Err }

// Vec is a vector of matches of one game. Its methods, and those of its parts,
// must not be called at the same time from several goroutines.
type Vec struct {
	cfg  Config
	game engine.Game
	info *engine.Info
	enc  *encode.Encoder
	n    int
	wide widths

	states  engine.Batch
	matches []engine.Match // of states, as are seats and legal
	seats   []int32
	legal   []engine.Mask
	memory  []byte
	every   engine.Mask // what is legal at a finished row

	rows      []row
	described [][]uint8 // by row: what its legal actions do; nil unless Config.ActionRows
	done      []bool    // finished and not reset
	paid      []float32 // [n, P] returns paid out so far in the episode
	tallies   tallies
	batch     Batch

	deciders   []deciders    // by worker; nil if the caller decides for all
	asks       bool          // some player is a policy
	draws      []engine.Rand // by row: what bots and policies draw from
	veiled     []bool        // by player: the caller may not see what it sees; nil if the caller may see everything
	recordings []recording   // by row: what is being recorded; nil if nothing is

	begun  bool
	closed bool
	over   func() bool // Until
	stop   func() bool // over, which once it is true stays true until the next call
	stops  atomic.Bool // stop has been true in the call at hand
	halted bool        // a call has stopped and is not finished
	blank  bool        // the batch has buffers that nothing has been shown in
	fault  error       // why the vector cannot continue before a Reset

	workers *workers
	all     *job
	// The workers' functions on rows, bound once so that no step allocates.
	accept, step, begin, end, sample, observe task

	taken []int32 // the actions that rows are to perform, checked

	parts []*Part
	async *async
}

// New makes a vector. It holds goroutines until Close when Config.Workers is
// above 1 or when rows are stepped in the background (Parts, Send). Call Reset before
// the first step.
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
	if err := cfg.checkPlayers(info); err != nil {
		return nil, err
	}
	enc, err := encode.For(game)
	if err != nil {
		return nil, fmt.Errorf("env: %w", err)
	}
	n, actions := cfg.NumEnvs, len(info.Actions)
	v := &Vec{
		cfg: cfg, game: game, info: info, enc: enc, n: n,
		wide: widths{
			seats: info.Seats, actions: actions, packed: (actions + 7) / 8, sources: len(info.ScoreSources),
			obs: enc.Schema().Size, full: enc.FullSchema().Size,
		},
		states:  game.NewBatch(n),
		rows:    make([]row, n),
		done:    make([]bool, n),
		paid:    make([]float32, n*info.Seats),
		tallies: newTallies(n, info.Seats),
		taken:   make([]int32, n),
		workers: newWorkers(cfg.Workers, cfg.Apart),
		all:     newJob(cfg.Workers, 0, n),
	}
	if cfg.ActionRows {
		if v.wide.action = enc.ActionSize(); v.wide.action == 0 {
			return nil, fmt.Errorf("env: action rows of %s: the game describes no actions: leave them out", info.Config)
		}
		v.described = make([][]uint8, n)
	}
	v.matches, v.seats, v.legal, v.memory = v.states.Matches(), v.states.Seats(), v.states.Legal(), v.states.Bytes()
	v.wide.state = len(v.memory) / n
	for a := range actions {
		v.every.Set(engine.Action(a))
	}
	v.batch = newBatch(n, v.wide, &cfg)
	if err := v.newDeciders(); err != nil {
		return nil, err
	}
	if cfg.Record.Share > 0 {
		v.recordings = make([]recording, n)
	}
	v.stop = func() bool {
		if !v.stops.Load() && v.over() {
			v.stops.Store(true)
		}
		return v.stops.Load()
	}
	v.reseed(cfg.Seed)
	for t, do := range map[*task]func(with *arguments, worker, from, to int) error{
		&v.accept: v.acceptRows, &v.step: v.stepRows, &v.begin: v.beginRows, &v.end: v.endRows, &v.sample: v.sampleRows, &v.observe: v.observeRows,
	} {
		t.do = do
	}
	return v, nil
}

// Game is the game that the rows play.
func (v *Vec) Game() engine.Game { return v.game }

// Encoder is what fills the observations; its schemas describe them.
func (v *Vec) Encoder() *encode.Encoder { return v.enc }

// Config is what the vector was made from, with the seed it has now.
func (v *Vec) Config() Config { return v.cfg }

// Batch is what the last Reset, Step, ResetRows or Restore left: the present
// state of all rows that are not under way.
func (v *Vec) Batch() *Batch { return &v.batch }

// Close ends the workers, after what they are at. Afterwards every call but Close
// is an error.
func (v *Vec) Close() {
	if !v.closed {
		v.closed = true
		v.workers.stop()
	}
}

// idle is nil if all rows wait for the caller.
func (v *Vec) idle() error {
	switch {
	case v.closed:
		return ErrClosed
	case v.halted, v.async != nil && v.async.sent > 0:
		return ErrUnderWay
	}
	for _, p := range v.parts {
		if p.underWay {
			return ErrUnderWay
		}
	}
	return nil
}

// ready is nil if a step is possible.
func (v *Vec) ready() error {
	switch err := v.idle(); {
	case err != nil:
		return err
	case !v.begun:
		return ErrNotReset
	}
	return v.fault
}

// conclude ends a step that ended with err: it hands over what was recorded in
// the rows from ≤ i < to.
func (v *Vec) conclude(err error, from, to int) error {
	v.halted = errors.Is(err, ErrStopped)
	if v.halted {
		return err
	}
	if err != nil {
		v.fault = err
		return err
	}
	if to-from == v.n {
		v.gatherAll()
	}
	return v.deliver(from, to)
}

// Reset begins a new episode in every row: the first since the vector was made
// or seeded is episode 0, later ones count on.
func (v *Vec) Reset() (*Batch, error) {
	if err := v.idle(); err != nil {
		return nil, err
	}
	v.repair()
	v.begun, v.blank = true, false
	return &v.batch, v.conclude(v.workers.run(v.all, &v.begin, arguments{over: v.until()}), 0, v.n)
}

// Until has Reset, ResetSeed, ResetSeeds, ResetRows, Step and Finish stop once over reports true: before the next decision of a bot or a
// policy, or within one of a bot that is bots.Interruptible. Their error is then ErrStopped, and the rows are under way until Finish has continued them: nothing is
// lost, and nothing done twice but the decision that was cut short. Several workers call over, before each such decision and in long ones. nil: they do not stop. Parts, and
// Send and Recv, never do.
func (v *Vec) Until(over func() bool) { v.over = over }

// until is what a call that begins now asks whether it is to stop; nil: it does not.
func (v *Vec) until() func() bool {
	if v.over == nil {
		return nil
	}
	v.stops.Store(false)
	return v.stop
}

// Finish continues the call that has stopped, and returns what it would have returned; at once if none has.
func (v *Vec) Finish() (*Batch, error) {
	switch {
	case v.closed:
		return nil, ErrClosed
	case !v.halted:
		return &v.batch, v.ready()
	}
	err := v.workers.run(v.all, &v.end, arguments{over: v.until()})
	v.blank = v.blank && err != nil
	return &v.batch, v.conclude(err, 0, v.n)
}

// repair makes a vector usable again that could not continue.
func (v *Vec) repair() {
	v.fault = nil
	for w := range v.deciders {
		v.deciders[w].fault, v.deciders[w].asked = nil, v.deciders[w].asked[:0]
	}
}

// ResetSeed is Reset with another seed: every row begins episode 0, as of a vector that was made with it.
func (v *Vec) ResetSeed(seed uint64) (*Batch, error) {
	if err := v.idle(); err != nil {
		return nil, err
	}
	v.reseed(seed)
	return v.Reset()
}

func (v *Vec) reseed(seed uint64) {
	v.cfg.Seed = seed
	for i := range v.rows {
		v.rows[i] = row{seed: engine.RowSeed(seed, uint64(i)), episode: -1}
	}
}

// ResetSeeds begins episode 0 of a seed of its own in each of the rows chosen, [n], or in all of nil: row i begins what a vector of one row begins that
// was made with seeds[i].
func (v *Vec) ResetSeeds(seeds []uint64, chosen []bool) (*Batch, error) {
	err := v.idle()
	if chosen != nil {
		err = v.chosen(chosen)
	}
	if err != nil {
		return nil, err
	}
	if len(seeds) != v.n {
		return nil, fmt.Errorf("env: %d seeds: want %d, one for each row", len(seeds), v.n)
	}
	for i, seed := range seeds {
		if chosen == nil || chosen[i] {
			v.rows[i] = row{seed: engine.RowSeed(seed, 0), episode: -1}
		}
	}
	if chosen == nil {
		return v.Reset()
	}
	return v.ResetRows(chosen)
}

// chosen reports whether some of the rows can be reset.
func (v *Vec) chosen(rows []bool) error {
	if err := v.ready(); err != nil {
		return err
	}
	if len(rows) != v.n {
		return fmt.Errorf("env: %d rows chosen or not: want %d, one for each row", len(rows), v.n)
	}
	return nil
}

// ResetRows begins a new episode in the rows chosen, [n], finished or not. The
// flags and rewards of the other rows stay as they are.
func (v *Vec) ResetRows(chosen []bool) (*Batch, error) {
	if err := v.chosen(chosen); err != nil {
		return nil, err
	}
	err := v.workers.run(v.all, &v.begin, arguments{chosen: chosen, over: v.until()})
	v.blank = v.blank && err != nil
	return &v.batch, v.conclude(err, 0, v.n)
}

// Step performs one action in each row, [n], and returns the batch after them.
// The batch is checked first: an action that is not legal is an *IllegalActionError, and then
// no row has changed. At a finished row any action is accepted and does nothing,
// except that with NextStep it begins the next episode.
//
// If a bot or a policy inside the loop fails, the error says which and in what row; the
// vector then takes nothing but Reset, ResetSeed, ResetSeeds and Restore.
func (v *Vec) Step(actions []int32) (*Batch, error) {
	if err := v.ready(); err != nil {
		return nil, err
	}
	if len(actions) != v.n {
		return nil, fmt.Errorf("env: %d actions: want %d, one for each row", len(actions), v.n)
	}
	// Each worker checks its own rows, whose masks are in the cache of its core.
	if err := v.workers.run(v.all, &v.accept, arguments{actions: actions}); err != nil {
		return nil, err
	}
	v.blank = false
	return &v.batch, v.conclude(v.workers.run(v.all, &v.step, arguments{over: v.until()}), 0, v.n)
}

func (v *Vec) acceptRows(with *arguments, _, from, to int) error {
	return v.check(from, with.actions[from:to])
}

// check takes actions over for the rows from the first, if all are legal.
func (v *Vec) check(first int, actions []int32) error {
	legal, done := v.legal[first:first+len(actions)], v.done[first:first+len(actions)]
	for k, a := range actions {
		if !legal[k].Has(engine.Action(a)) && !done[k] {
			return v.refuse(first+k, engine.Action(a))
		}
	}
	copy(v.taken[first:], actions)
	return nil
}

func (v *Vec) refuse(i int, a engine.Action) error {
	m := v.matches[i]
	// The match refuses it too, and says what is legal.
	return &IllegalActionError{Row: i, Seat: m.Seat(), Action: a, Err: m.Apply(a)}
}

// SampleActions fills actions, [n], with uniformly random legal ones; row i
// draws from streams[i]. Finished rows get action 0.
func (v *Vec) SampleActions(actions []int32, streams []engine.Rand) error {
	if err := v.ready(); err != nil {
		return err
	}
	if len(actions) != v.n || len(streams) != v.n {
		return fmt.Errorf("env: %d actions and %d streams: want %d of each, one for each row", len(actions), len(streams), v.n)
	}
	return v.workers.run(v.all, &v.sample, arguments{actions: actions, streams: streams})
}

func (v *Vec) sampleRows(with *arguments, _, from, to int) error {
	for i := from; i < to; i++ {
		with.actions[i] = 0
		if !v.done[i] {
			with.actions[i] = int32(v.legal[i].Sample(&with.streams[i]))
		}
	}
	return nil
}
