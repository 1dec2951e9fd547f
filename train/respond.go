package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// DefaultResponse is the recipe to start from for learning a best response: an opponent that stands still needs neither small
// steps nor a bonus for chance to the end.
func DefaultResponse() Config {
	c := DefaultConfig()
	c.Exp, c.TotalTimesteps = "response", 500_000
	c.NumEnvs, c.NumSteps, c.LearningRate, c.EntCoef, c.EntCoefFinal, c.ClipCoef = 128, 32, 1e-3, 0.02, 0, 0.2
	c.EvalEvery, c.EvalMatches, c.EvalGreedy = 20, 1000, true
	return c
}

// Respond trains a learner, from the beginning or from cfg.InitFrom, in one seat against a player by name who has all other
// seats and does not change. The run folder's best checkpoint is the one that won most against it.
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
	cfg.Exploitability = false // that is how exploitable the learner is, and nobody asks
	return Run(ctx, cfg, opt)
}

// CanTrain reports whether this build has what trains networks.
func CanTrain() bool {
	_, err := learner.New(learner.Config{})
	return !errors.Is(err, learner.ErrNoTorch)
}
