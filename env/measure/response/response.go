package response

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

// Config says against which player, and how much is played.
type Config struct {
	Game    string
	Frozen  match.Player // has all seats but one
	Trials  int          // least matches by which the best of several challengers is found
	Matches int          // least matches, of other deals, by which it is then measured
	Seed    uint64
	Workers int // goroutines; 0: one a core
	Nodes   int // nodes of the largest tree of which the best response itself is computed; 0: none
	Rules   int // random linear rules with which a search for the best of them begins; 0: no rules

	Budget time.Duration // after it no trial continues, except that of a trained challenger; 0: there is none
	Tried  []Tried       // by an earlier call with the same configuration: they are not tried again

	Report func(name string, t compare.Standing) // told of each challenger's trial; may be nil
	Keep   func([]Tried) error                   // given all that were tried after each trial; may be nil
}

// Challenger is a player that tries to be a best response.
type Challenger struct {
	match.Player
	How string // how it was made: "search", "learner", "named", "rule"

	Weights []float64 // [F] of a rule (policy.NewRule); else nil
	// Train makes the player of a learner, from as many decisions as it returns; nil for others. When the context has a deadline, it
	// makes the player that it has then.
	Train func(ctx context.Context) (p match.Player, decisions int64, err error)
	// Load makes the player of a learner that an earlier call has tried (Config.Tried), as it was then; nil for others.
	Load func() (match.Player, error)

	decisions int64 // that it was trained for
}

// Result is what has been found. Shares of the win and returns are those of the one seat.
type Result struct {
	Game       string      `json:"game"`
	Frozen     string      `json:"frozen"`
	Digest     string      `json:"digest,omitempty"` // of the frozen player's bundle
	Seats      int         `json:"seats"`
	Seed       engine.Long `json:"seed"`
	EqualShare float64     `json:"equal_share"` // 1/Seats: what the frozen player wins against itself
	ByReturn   bool        `json:"by_return"`   // challengers are told apart by returns, for want of scores or since the best response's is known

	Exact *Exact   `json:"exact,omitempty"` // nil of games that are too large
	Tried []Tried  `json:"tried"`
	Left  []string `json:"left,omitempty"` // names of challengers for which no time was left
	Best  *Tried   `json:"best,omitempty"` // the best of Tried, in deals that had no say in the choice; nil if nobody has tried
	Bound *Bound   `json:"bound,omitempty"`
}

// Tried is how a challenger did.
type Tried struct {
	Name     string           `json:"name"`
	How      string           `json:"how"`
	Digest   string           `json:"digest,omitempty"` // of its bundle
	Standing compare.Standing `json:"standing"`
	Cost     match.Cost       `json:"cost"`                   // of its decisions
	Faults   bots.Faults      `json:"faults,omitzero"`        // if it is another program
	OfFrozen bots.Faults      `json:"frozen_faults,omitzero"` // meanwhile, if that is
	Weights  []float64        `json:"weights,omitempty"`      // [F] of a rule (policy.NewRule)

	Decisions int64 `json:"decisions,omitempty"` // from which a learner has learnt
}

// Bound is what Best wins beyond what the frozen player wins against itself: at least so much can be won.
type Bound struct {
	Wins   measure.Estimate  `json:"wins"`             // share of the win beyond an equal one
	Return *measure.Estimate `json:"return,omitempty"` // beyond the frozen player's own mean return, where that is known exactly
}

// Find lets challengers play against the frozen player. The best of them is measured again in other deals, so that
// its interval holds though it was chosen for what it had won.
func Find(ctx context.Context, challengers []Challenger, cfg Config) (Result, error) {
	r, err := find(ctx, challengers, cfg)
	if err != nil {
		return Result{}, fmt.Errorf("best response to %s: %w", cfg.Frozen.Name, err)
	}
	return r, nil
}

func find(ctx context.Context, challengers []Challenger, cfg Config) (Result, error) {
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		return Result{}, err
	}
	info := g.Info()
	switch {
	case info.Explicit:
		return Result{}, fmt.Errorf("game %s: chance=explicit makes chance the caller's: leave it out", cfg.Game)
	case info.Seats < 2:
		return Result{}, errors.New("a game of one seat has no opponents")
	case cfg.Matches < 1 || cfg.Trials < 1:
		return Result{}, fmt.Errorf("%d matches and %d trials: want at least 1 of each", cfg.Matches, cfg.Trials)
	}
	r := Result{
		Game: info.Config, Frozen: cfg.Frozen.Name, Digest: cfg.Frozen.Digest, Seats: info.Seats, Seed: engine.Long(cfg.Seed),
		EqualShare: 1 / float64(info.Seats), Tried: []Tried{},
	}
	if cfg.Nodes > 0 {
		if r.Exact, err = ExactOf(ctx, g, cfg.Frozen, cfg.Nodes, cfg.Seed); err != nil {
			return Result{}, err
		}
	}
	r.ByReturn = r.Exact != nil || len(info.ScoreSources) == 0
	trial, cancel := cfg.within(ctx)
	defer cancel()
	rules, err := r.rules(ctx, trial, g, cfg)
	if err != nil {
		return Result{}, err
	}
	challengers = append(rules, challengers...)
	best, most := -1, math.Inf(-1)
	for i := range challengers {
		c := &challengers[i]
		t, err := cfg.try(ctx, trial, c)
		switch {
		case err != nil && trial.Err() != nil && ctx.Err() == nil:
			r.Left = append(r.Left, c.Name)
			continue
		case err != nil:
			return Result{}, err
		}
		r.Tried = append(r.Tried, t)
		if x := r.worth(&t.Standing); x > most {
			best, most = i, x
		}
		if cfg.Report != nil {
			cfg.Report(c.Name, t.Standing)
		}
		if cfg.Keep != nil && len(r.Tried) >= len(rules) { // else the search for rules would begin again
			if err := cfg.Keep(r.Tried); err != nil {
				return Result{}, err
			}
		}
	}
	if best < 0 {
		return r, nil
	}
	if c := &challengers[best]; c.Train != nil { // it was tried by an earlier call
		if err := c.load(cfg.tried(c)); err != nil {
			return Result{}, err
		}
	}
	last, err := cfg.play(ctx, challengers[best], cfg.Matches, engine.NewRand(cfg.Seed).At(measured).Key)
	if err != nil {
		return Result{}, err
	}
	r.Best, r.Bound = &last, r.bound(&last.Standing)
	return r, nil
}

// within is a context that ends with the budget.
func (cfg *Config) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if cfg.Budget == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, cfg.Budget)
}

// try has a challenger play its trial, or says how it did in an earlier call.
func (cfg *Config) try(ctx, trial context.Context, c *Challenger) (Tried, error) {
	if t := cfg.tried(c); t != nil {
		return *t, nil
	}
	if trial.Err() != nil {
		return Tried{}, context.Cause(trial)
	}
	if c.Train != nil {
		if err := c.train(trial); err != nil {
			return Tried{}, err
		}
		trial = ctx // what was learnt in time is played with
	}
	return cfg.play(trial, *c, cfg.Trials, cfg.Seed)
}

// tried is the trial of a challenger in an earlier call, or nil. Another policy of the same name has had none; that of a learner is known only
// when it is trained or loaded.
func (cfg *Config) tried(c *Challenger) *Tried {
	for i := range cfg.Tried {
		if t := &cfg.Tried[i]; t.Name == c.Name && (c.Train != nil || t.Digest == c.Digest) {
			return t
		}
	}
	return nil
}

// load makes the player of a learner that was tried, and refuses one that has been trained since.
func (c *Challenger) load(t *Tried) error {
	p, err := c.Load()
	if err == nil && p.Digest != t.Digest {
		err = fmt.Errorf("it has the digest %q, and the player that was tried has %q", p.Digest, t.Digest)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	p.Name = c.Name
	c.Player, c.decisions = p, t.Decisions
	return nil
}

// train makes the player of a learner.
func (c *Challenger) train(ctx context.Context) error {
	p, decisions, err := c.Train(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	p.Name = c.Name
	c.Player, c.decisions, c.Train = p, decisions, nil
	return nil
}

// measured is the child stream of the deals in which the best challenger is measured.
const measured = 1

// play has a challenger play alone against the frozen player.
func (cfg *Config) play(ctx context.Context, c Challenger, matches int, seed uint64) (Tried, error) {
	met, err := compare.Compare(ctx, c.Player, cfg.Frozen, compare.Config{Game: cfg.Game, Matches: matches, Seed: seed, Workers: cfg.Workers, Alone: true})
	if err != nil {
		return Tried{}, err
	}
	return Tried{Name: c.Name, How: c.How, Digest: c.Digest, Standing: met.One, Cost: met.CostA, Faults: met.FaultsA, OfFrozen: met.FaultsB, Weights: c.Weights, Decisions: c.decisions}, nil
}

// worth is the figure by which challengers are ranked.
func (r *Result) worth(s *compare.Standing) float64 {
	if r.ByReturn {
		return s.Return.Mean
	}
	return s.Wins.Mean
}

func (r *Result) bound(s *compare.Standing) *Bound {
	b := &Bound{Wins: less(s.Wins, r.EqualShare)}
	if r.Exact != nil {
		beyond := less(s.Return, r.Exact.Value)
		b.Return = &beyond
	}
	return b
}

func less(e measure.Estimate, x float64) measure.Estimate {
	return measure.Estimate{Mean: e.Mean - x, Low: e.Low - x, High: e.High - x}
}
