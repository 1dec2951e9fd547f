package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/ppo"
)

// DefaultResponse is the recipe to start from for learning a best response: a fixed opponent needs neither small steps nor an entropy bonus
// to the end. The network reads rows of actions if the game has them: flat ones learn little there.
func DefaultResponse(g engine.Game) Config {
	c := DefaultConfig()
	if policy.HasRules(g) {
		c.Network = "entity"
	}
	c.Exp, c.TotalTimesteps = "response", 1_000_000
	c.NumEnvs, c.NumSteps, c.LearningRate = 128, 32, 1e-3
	s := ppo.Default()
	s.EntCoef, s.EntCoefFinal, s.ClipCoef = 0.02, 0, 0.2
	c.Settings = &s
	c.EvalEvery, c.EvalMatches, c.EvalGreedy = 20, 1000, true
	return c
}

// BeginAsPolicy changes that recipe for a learner that begins as a policy: with steps as large as those of a learner from nothing, it forgets the
// policy before it learns what beats it.
func BeginAsPolicy(c *Config) { c.LearningRate, c.NumSteps = 6e-4, 64 }

// Respond trains a learner, from the beginning or from cfg.InitFrom, in one seat against a fixed bot, named frozen, in all other seats. The
// run folder's best checkpoint is the one that won most against it.
func Respond(ctx context.Context, cfg Config, frozen string, opt Options) (Summary, error) {
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		return Summary{}, fmt.Errorf("respond to %s: %w", frozen, err)
	}
	cfg.Opponents = nil
	for range g.Info().Seats - 1 {
		cfg.Opponents = append(cfg.Opponents, frozen)
	}
	cfg.EvalBots, cfg.EvalGame = []string{frozen}, ""
	cfg.Exploitability = false // it would be the learner's, which does not matter here
	return Run(ctx, cfg, opt)
}

// CanTrain reports whether this build can train networks.
func CanTrain() bool {
	_, err := learner.New(learner.Config{})
	return !errors.Is(err, learner.ErrNoTorch)
}
