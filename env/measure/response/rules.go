package response

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

// How rules are searched for: each round draws as many as there were seeds around the best of the round before.
const (
	rounds   = 3
	elite    = 3    // one in this many
	leastDev = 0.05 // least standard deviation of a weight that is drawn again
	share    = 8    // of Config.Trials, one in this many is played by each rule
)

// Found is the name of a rule that is found rather than drawn by a seed.
const Found = "rule by cross-entropy"

// rule is a linear rule over the rows of actions (policy.Rule).
type rule struct {
	Challenger
	worth float64
}

// rules are two linear rules to challenge the frozen player with: the best of the seeds from 1 to Config.Rules, and the best that the cross-entropy
// method finds from there (Rubinstein, "The cross-entropy method for combinatorial and continuous optimization", Methodology and
// Computing in Applied Probability 1, 1999), if it is better. A game whose actions have no rows has none.
func (r *Result) rules(ctx, trial context.Context, g engine.Game, cfg Config) (found []Challenger, err error) {
	for _, t := range cfg.Tried {
		if len(t.Weights) > 0 {
			found = append(found, Challenger{Player: weighing(t.Name, t.Weights), How: t.How, Weights: t.Weights})
		}
	}
	n := cfg.Rules
	if len(found) > 0 {
		return found, nil
	}
	if n < 1 || !policy.HasRules(g) {
		return nil, nil
	}
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	pool := make([]rule, n)
	for i := range pool {
		seed := uint64(i + 1)
		pool[i].Challenger = Challenger{Player: match.Named(fmt.Sprintf("rule(seed=%d)", seed)), How: "rule", Weights: policy.DrawRule(e.ActionSchema(), seed)}
	}
	if late, err := r.order(ctx, trial, pool, cfg, 0); late || err != nil {
		return nil, err
	}
	seeded, best := pool[0], pool[0]
	draw := engine.NewRand(cfg.Seed).At(drawnRules)
	for round := range rounds {
		pool = around(pool[:max(1, n/elite)], n, &draw)
		late, err := r.order(ctx, trial, pool, cfg, round+1)
		if err != nil {
			return nil, err
		}
		if late {
			break
		}
		if pool[0].worth > best.worth {
			best = pool[0]
		}
	}
	if best.worth == seeded.worth {
		return []Challenger{seeded.Challenger}, nil
	}
	return []Challenger{seeded.Challenger, best.Challenger}, nil
}

// order has each rule of a round play the same deals and puts the best first, unless it is too late for that.
func (r *Result) order(ctx, trial context.Context, pool []rule, cfg Config, round int) (late bool, err error) {
	var best compare.Standing
	for i := range pool {
		t, err := cfg.play(trial, pool[i].Challenger, max(1, cfg.Trials/share), engine.NewRand(cfg.Seed).At(chosenRules).Key)
		if err != nil {
			late := trial.Err() != nil && ctx.Err() == nil
			if late {
				err = nil
			}
			return late, err
		}
		if pool[i].worth = r.worth(&t.Standing); i == 0 || pool[i].worth > r.worth(&best) {
			best = t.Standing
		}
	}
	slices.SortStableFunc(pool, func(a, b rule) int { return cmp.Compare(b.worth, a.worth) })
	if cfg.Report != nil {
		cfg.Report(fmt.Sprintf("%s, the best of %d,", pool[0].Name, len(pool)*(round+1)), best)
	}
	return false, nil
}

// The child streams of what is drawn for rules, and of the deals by which they are chosen.
const (
	drawnRules  = 2
	chosenRules = 3
)

// around draws n rules, each weight normally by its mean and standard deviation among some.
func around(some []rule, n int, draw *engine.Rand) []rule {
	size := len(some[0].Weights)
	mean, dev := make([]float64, size), make([]float64, size)
	for i := range size {
		for _, c := range some {
			mean[i] += c.Weights[i] / float64(len(some))
		}
		for _, c := range some {
			d := c.Weights[i] - mean[i]
			dev[i] += float64(d*d) / float64(len(some))
		}
		dev[i] = max(math.Sqrt(dev[i]), leastDev)
	}
	drawn := make([]rule, n)
	for k := range drawn {
		w := make([]float64, size)
		for i := range w {
			normal := -6.0 // twelve even numbers sum to nearly a normal one, alike on every machine
			for range 12 {
				normal += draw.Float64()
			}
			w[i] = mean[i] + float64(dev[i]*normal)
		}
		drawn[k].Challenger = Challenger{Player: weighing(Found, w), How: "rule", Weights: w}
	}
	return drawn
}

// weighing is the player of a rule.
func weighing(name string, weights []float64) match.Player {
	return match.Player{Name: name, Bot: func(g engine.Game) (bots.Bot, error) { return policy.NewRule("rule", g, weights) }}
}
