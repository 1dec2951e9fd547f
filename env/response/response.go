package response

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/eval"
)

// Config says against whom, and how much is played.
type Config struct {
	Game    string
	Frozen  eval.Player // has all seats but one
	Trials  int         // least matches by which the best of several challengers is found
	Matches int         // least matches, of other deals, by which it is then measured
	Seed    uint64
	Workers int // goroutines; 0: one a core
	Nodes   int // nodes of the largest tree of which the best response itself is computed; 0: none

	Report func(name string, t eval.Standing) // told of each challenger's trial; may be nil
}

// Challenger is a player who tries to be a best response.
type Challenger struct {
	eval.Player
	How string // how it came to be: "search", "learner", "named"
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

	Exact *Exact  `json:"exact,omitempty"` // nil of games that are too large
	Tried []Tried `json:"tried"`
	Best  *Tried  `json:"best,omitempty"` // the best of Tried, in deals that had no say in the choice; nil if nobody has tried
	Bound *Bound  `json:"bound,omitempty"`
}

// Tried is how a challenger did.
type Tried struct {
	Name     string        `json:"name"`
	How      string        `json:"how"`
	Digest   string        `json:"digest,omitempty"` // of its bundle
	Standing eval.Standing `json:"standing"`
	Cost     eval.Cost     `json:"cost"` // of its decisions
}

// Bound is what Best wins beyond what the frozen player wins against itself: at least so much can be won.
type Bound struct {
	Wins   eval.Estimate  `json:"wins"`             // share of the win beyond an equal one
	Return *eval.Estimate `json:"return,omitempty"` // beyond the frozen player's own mean return, where that is known exactly
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
		if r.Exact, err = exact(ctx, g, cfg); err != nil {
			return Result{}, err
		}
	}
	r.ByReturn = r.Exact != nil || len(info.ScoreSources) == 0
	if len(challengers) == 0 {
		return r, nil
	}
	best, most := 0, math.Inf(-1)
	for i, c := range challengers {
		t, err := cfg.play(ctx, c, cfg.Trials, cfg.Seed)
		if err != nil {
			return Result{}, err
		}
		r.Tried = append(r.Tried, t)
		if x := r.worth(&t.Standing); x > most {
			best, most = i, x
		}
		if cfg.Report != nil {
			cfg.Report(c.Name, t.Standing)
		}
	}
	last, err := cfg.play(ctx, challengers[best], cfg.Matches, engine.NewRand(cfg.Seed).At(measured).Key)
	if err != nil {
		return Result{}, err
	}
	r.Best, r.Bound = &last, r.bound(&last.Standing)
	return r, nil
}

// measured is the child stream of the deals in which the best challenger is measured.
const measured = 1

// play has a challenger play alone against the frozen player.
func (cfg *Config) play(ctx context.Context, c Challenger, matches int, seed uint64) (Tried, error) {
	met, err := eval.Compare(ctx, c.Player, cfg.Frozen, eval.CompareConfig{Game: cfg.Game, Matches: matches, Seed: seed, Workers: cfg.Workers, Alone: true})
	if err != nil {
		return Tried{}, err
	}
	return Tried{Name: c.Name, How: c.How, Digest: c.Digest, Standing: met.One, Cost: met.CostA}, nil
}

// worth is what tells challengers apart.
func (r *Result) worth(s *eval.Standing) float64 {
	if r.ByReturn {
		return s.Return.Mean
	}
	return s.Wins.Mean
}

func (r *Result) bound(s *eval.Standing) *Bound {
	b := &Bound{Wins: less(s.Wins, r.EqualShare)}
	if r.Exact != nil {
		beyond := less(s.Return, r.Exact.Value)
		b.Return = &beyond
	}
	return b
}

func less(e eval.Estimate, x float64) eval.Estimate {
	return eval.Estimate{Mean: e.Mean - x, Low: e.Low - x, High: e.High - x}
}
