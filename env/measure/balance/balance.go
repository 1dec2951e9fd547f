package balance

import (
	"context"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// Config says what to play.
type Config struct {
	Players   []match.Player // around the table; repeated to fill the seats
	Matches   int            // least matches; rounded up to whole deals, each of which takes as many as there are seats
	Seed      uint64         // of everything
	OwnChoice bool           // let players choose their roles, instead of dealing them out in turn
	Workers   int            // goroutines; 0: one a core
}

// Run plays a game by its game string and sums up. It stops with the context's
// cause when the context is done.
func Run(ctx context.Context, game string, cfg Config) (*Report, error) {
	t, err := newRun(game, cfg)
	if err != nil {
		return nil, fmt.Errorf("balance: %w", err)
	}
	defer t.runner.Close()
	info := t.runner.Info()
	switch {
	case cfg.Matches < 1:
		return nil, fmt.Errorf("balance: %d matches: want at least 1", cfg.Matches)
	case len(cfg.Players) < 1 || len(cfg.Players) > info.Seats:
		return nil, fmt.Errorf("balance: %d players for %d seats of %s: want from 1 to %d", len(cfg.Players), info.Seats, info.Config, info.Seats)
	}
	if err := t.play(ctx, (cfg.Matches+info.Seats-1)/info.Seats); err != nil {
		return nil, fmt.Errorf("balance: %w", err)
	}
	return t.report(t.deals), nil
}

// run is a configuration being played.
type run struct {
	cfg       Config
	runner    *match.Runner
	chronicle engine.Chronicle // nil if the game has none
	replays   int              // of each deal with the same seats; 0: a match for each seat, moved on by one
	deals     []deal
}

func newRun(game string, cfg Config) (*run, error) {
	r, err := match.NewRunner(game, cfg.Workers, cfg.Players...)
	if err != nil {
		return nil, err
	}
	t := &run{cfg: cfg, runner: r}
	t.chronicle, _ = engine.ChronicleOf(r.Game())
	return t, nil
}

// deal is the record of the matches of one deal.
type deal []outcome

// outcome is the record of a match.
type outcome struct {
	match.Final
	player   []int   // by seat: index in Config.Players
	role     []int   // by seat: its role at the end, or −1
	events   [][]int // by seat
	measures []float64
	course   course
}

// play plays deals, each once for each seat or as often as it is replayed. In match number turn of a deal, seat s has the
// player and the role of place s + turn.
func (t *run) play(ctx context.Context, deals int) error {
	seats := t.runner.Info().Seats
	each, moveOn := seats, 1
	if t.replays > 0 {
		each, moveOn = t.replays, 0
	}
	outcomes, matches := make([]outcome, deals*each), make([]match.Match, deals*each)
	for k := range deals {
		// Streams of their own, apart from the chance of the match: here the
		// roles of the deal, and below the choices in each match.
		root := engine.NewRand(t.cfg.Seed).At(uint64(k))
		roles := t.dealRoles(root.At(0), seats)
		for turn := range each {
			m := match.Match{Seed: engine.DealSeed(t.cfg.Seed, uint64(k)), Choices: root.At(uint64(1 + turn)), Seats: make([]int, seats)}
			for seat := range seats {
				m.Seats[seat] = (seat + turn*moveOn) % seats % len(t.cfg.Players)
			}
			if roles != nil {
				m.Forced = func(m engine.Match) engine.Action {
					return t.chronicle.RoleAction(m, roles[(m.Seat()+turn*moveOn)%seats])
				}
			}
			matches[k*each+turn] = m
		}
		t.deals = append(t.deals, outcomes[k*each:(k+1)*each])
	}
	t.runner.Watch = func() (match.Watcher, error) {
		w := &follower{run: t, outcomes: outcomes, before: t.runner.Game().NewMatch(), points: make([]int32, len(t.runner.Info().ScoreSources))}
		return match.Watcher{Begin: w.begin, Decide: w.decide, End: w.end}, nil
	}
	_, err := t.runner.Play(ctx, matches)
	return err
}

// dealRoles draws as many roles as there are seats; nil if they are not dealt
// out.
func (t *run) dealRoles(r engine.Rand, seats int) []int {
	if t.chronicle == nil || t.cfg.OwnChoice {
		return nil
	}
	all := make([]int, len(t.chronicle.Roles()))
	if len(all) < seats {
		return nil
	}
	for i := range all {
		j := r.Intn(i + 1)
		all[i], all[j] = all[j], i
	}
	return all[:seats]
}

// follower records matches one after the other.
type follower struct {
	*run
	outcomes []outcome
	of       *outcome     // that of the match under way
	before   engine.Match // as it stood at the last decision
	begun    bool
	points   []int32
}

func (w *follower) begin(k int, of *match.Match) error {
	w.of, w.begun = &w.outcomes[k], false
	*w.of = outcome{player: of.Seats}
	if w.chronicle != nil {
		for range of.Seats {
			w.of.events = append(w.of.events, make([]int, len(w.chronicle.Events())))
		}
	}
	w.of.course.begin(w.runner.Info())
	return nil
}

func (w *follower) decide(m engine.Match, _ bots.Bot, _ engine.Action) error {
	w.note(m)
	w.before.CopyFrom(m)
	w.begun = true
	return nil
}

// note records what the last decision has led to.
func (w *follower) note(m engine.Match) {
	if !w.begun {
		return
	}
	if w.chronicle != nil {
		for seat, events := range w.of.events {
			w.chronicle.Note(w.before, m, seat, events)
		}
	}
	w.of.course.note(m, w.points)
}

func (w *follower) end(m engine.Match, f *match.Final) error {
	w.note(m)
	o := w.of
	o.Final = *f
	for seat := range o.player {
		role := -1
		if w.chronicle != nil {
			role = w.chronicle.Role(m, seat)
		}
		o.role = append(o.role, role)
	}
	if w.chronicle != nil {
		o.measures = make([]float64, len(w.chronicle.Measures()))
		w.chronicle.Measure(m, o.measures)
	}
	o.course.end(o.Wins)
	return nil
}
