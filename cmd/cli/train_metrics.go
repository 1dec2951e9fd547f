package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/serve/metrics"
	"github.com/privateer-rl/privateer/train"
)

// exportProgress serves the progress of a run to Prometheus until stop is called, and passes it
// on to next. Without an address it does nothing.
func exportProgress(ctx context.Context, addr string, next func(train.Update), errs io.Writer) (update func(train.Update), stop func(), err error) {
	if addr == "" {
		return next, func() {}, nil
	}
	m := metrics.NewTraining()
	at, stop, err := m.Listen(ctx, addr)
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(errs, "metrics: http://%s/metrics\n", at)
	return func(u train.Update) {
		m.Update(progressOf(u))
		for _, v := range u.Versus {
			m.Versus(policy.Label(v.Bot), v.One.WinRate.Mean, v.One.Return.Mean)
		}
		next(u)
	}, stop, nil
}

func progressOf(u train.Update) metrics.Progress {
	p := metrics.Progress{
		Iteration: int64(u.Iteration), Steps: u.Steps, Episodes: u.Episodes, LearningRate: u.LearningRate,
		Losses: map[string]float64{
			"policy": u.Losses.Policy, "value": u.Losses.Value, "entropy": u.Losses.Entropy, "clip_fraction": u.Losses.ClipFrac,
			"approx_kl": u.Losses.ApproxKL, "gradient_norm": u.Losses.GradNorm, "explained_variance": u.Losses.ExplainedVariance,
		},
		StepsPerSecond: map[string]float64{"all": u.Rates.SPS, "env": u.Rates.EnvSPS, "update": u.Rates.TrainSPS},
		EpisodeLength:  u.EpisodeLength, Remaining: u.Remaining, Checkpoint: u.Checkpoint,
	}
	if u.Solution != nil {
		p.Exploitability = &u.Solution.Exploitability
	}
	return p
}
