package balance

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// Player is somebody who takes seats.
type Player struct {
	Name string
	// Make returns the player for a game. Each worker makes its own.
	Make func(g engine.Game) (bots.Bot, error)
}

// Bot is a player by name, as in policy.NewBot.
func Bot(name string) Player {
	read := new(policy.Reader)
	return Player{name, func(g engine.Game) (bots.Bot, error) { return read.NewBot(name, g) }}
}

// Config says what to play.
type Config struct {
	Players   []Player // around the table; repeated to fill the seats
	Matches   int      // least matches; rounded up to whole deals, each of which takes as many as there are seats
	Seed      uint64   // of everything
	OwnChoice bool     // let players choose their roles, instead of dealing them out in turn
	Workers   int      // goroutines; 0: one a core
}

// Run plays a game by its game string and sums up. It stops with the context's
// cause when the context is done.
func Run(ctx context.Context, game string, cfg Config) (*Report, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, fmt.Errorf("balance: %w", err)
	}
	info := g.Info()
	switch {
	case info.Explicit:
		return nil, fmt.Errorf("balance: game %s: chance=explicit makes chance the caller's: leave it out", info.Config)
	case cfg.Matches < 1:
		return nil, fmt.Errorf("balance: %d matches: want at least 1", cfg.Matches)
	case len(cfg.Players) < 1 || len(cfg.Players) > info.Seats:
		return nil, fmt.Errorf("balance: %d players for %d seats of %s: want from 1 to %d", len(cfg.Players), info.Seats, info.Config, info.Seats)
	}
	if cfg.Workers < 1 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	t := &tables{cfg: cfg, game: g}
	t.chronicle, _ = engine.ChronicleOf(g)
	deals := make([]deal, (cfg.Matches+info.Seats-1)/info.Seats)
	if err := t.play(ctx, deals); err != nil {
		return nil, fmt.Errorf("balance: %w", err)
	}
	return t.report(deals), nil
}

// tables is where the matches of a configuration are played.
type tables struct {
	cfg       Config
	game      engine.Game
	chronicle engine.Chronicle // nil if the game has none
	replays   int              // of each deal with the same seats; 0: a match for each seat, moved on by one
}

// deal is what is recorded of the matches of one deal.
type deal []outcome

// outcome is what is recorded of a match.
type outcome struct {
	decisions int
	cut       bool      // a limit of the game string has ended it: nobody has won
	player    []int     // by seat: index in Config.Players
	role      []int     // by seat: its role at the end, or −1
	win       []float64 // by seat: 1/k if k seats share the win, or all of them if nobody has won the match
	returns   []float64
	sources   [][]float64 // by seat: points by source; nil if the game has no scores
	events    [][]int     // by seat
	measures  []float64
	course    course
}

func (t *tables) play(ctx context.Context, deals []deal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var all sync.WaitGroup
	for range t.cfg.Workers {
		all.Add(1)
		go func() {
			defer all.Done()
			w, err := t.newWorker()
			if err != nil {
				cancel(err)
				return
			}
			for k := range next {
				if deals[k], err = w.deal(ctx, k); err != nil {
					cancel(err)
					return
				}
			}
		}()
	}
feed:
	for k := range deals {
		select {
		case next <- k:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// worker plays deals one after the other.
type worker struct {
	*tables
	match, before engine.Match
	players       []bots.Bot
	returns       []float32
	points        []int32
}

func (t *tables) newWorker() (*worker, error) {
	info := t.game.Info()
	w := &worker{tables: t, match: t.game.NewMatch(), before: t.game.NewMatch(),
		returns: make([]float32, info.Seats), points: make([]int32, len(info.ScoreSources))}
	for _, p := range t.cfg.Players {
		b, err := p.Make(t.game)
		if err != nil {
			return nil, err
		}
		w.players = append(w.players, b)
	}
	return w, nil
}

// deal plays one deal, once for each seat or as often as it is replayed.
func (w *worker) deal(ctx context.Context, k int) (deal, error) {
	seats := w.game.Info().Seats
	// Streams of their own, apart from the chance of the match: here the
	// roles of the deal, and below the choices in each match.
	root := engine.NewRand(w.cfg.Seed).At(uint64(k))
	roles := w.dealRoles(root.At(0), seats)
	var d deal
	matches, moveOn := seats, 1
	if w.replays > 0 {
		matches, moveOn = w.replays, 0
	}
	for turn := range matches {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		rand := root.At(uint64(1 + turn))
		w.match.Reset(engine.DealSeed(w.cfg.Seed, uint64(k)))
		o, err := w.finish(turn*moveOn, roles, &rand)
		if err != nil {
			return nil, fmt.Errorf("%s, deal %d (seed %d), match %d: %w", w.game.Info().Config, k, engine.DealSeed(w.cfg.Seed, uint64(k)), turn, err)
		}
		d = append(d, o)
	}
	return d, nil
}

// dealRoles draws as many roles as there are seats; nil if they are not dealt
// out.
func (w *worker) dealRoles(r engine.Rand, seats int) []int {
	if w.chronicle == nil || w.cfg.OwnChoice {
		return nil
	}
	all := make([]int, len(w.chronicle.Roles()))
	if len(all) < seats {
		return nil
	}
	for i := range all {
		j := r.Intn(i + 1)
		all[i], all[j] = all[j], i
	}
	return all[:seats]
}

// finish plays the match to its end. In match number turn of a deal, seat s has the
// player and the role of place s + turn.
func (w *worker) finish(turn int, roles []int, r *engine.Rand) (outcome, error) {
	m, info := w.match, w.game.Info()
	o := outcome{player: make([]int, info.Seats), role: make([]int, info.Seats)}
	for seat := range info.Seats {
		o.player[seat] = (seat + turn) % info.Seats % len(w.players)
		if w.chronicle != nil {
			o.events = append(o.events, make([]int, len(w.chronicle.Events())))
		}
	}
	o.course.begin(info)
	for m.Seat() >= 0 {
		seat := m.Seat()
		a := engine.Action(-1)
		if roles != nil {
			a = w.chronicle.RoleAction(m, roles[(seat+turn)%info.Seats])
		}
		if a < 0 || !m.Legal().Has(a) {
			a = w.players[o.player[seat]].Act(m, r)
		}
		if w.chronicle != nil {
			w.before.CopyFrom(m)
		}
		if err := m.Apply(a); err != nil {
			return o, err
		}
		o.decisions++
		if w.chronicle != nil {
			for s := range info.Seats {
				w.chronicle.Note(w.before, m, s, o.events[s])
			}
		}
		o.course.note(m, w.points)
	}
	limit, _ := m.Truncated()
	o.cut = limit != ""
	m.Returns(w.returns)
	for seat := range info.Seats {
		o.win = append(o.win, engine.Won(m, w.returns, seat))
		o.returns = append(o.returns, float64(w.returns[seat]))
		o.role[seat] = -1
		if w.chronicle != nil {
			o.role[seat] = w.chronicle.Role(m, seat)
		}
		if len(w.points) > 0 {
			m.Scores(engine.Full, seat, w.points)
			by := make([]float64, len(w.points))
			for i, n := range w.points {
				by[i] = float64(n)
			}
			o.sources = append(o.sources, by)
		}
	}
	if w.chronicle != nil {
		o.measures = make([]float64, len(w.chronicle.Measures()))
		w.chronicle.Measure(m, o.measures)
	}
	o.course.end(o.win)
	return o, nil
}
