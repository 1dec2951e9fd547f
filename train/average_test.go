package train

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// measured is a small run whose exploitability is measured, and evaluated only at its end.
func measured() Config {
	cfg := small("kuhn")
	cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.MaxDecisions, cfg.LearningRate = 64, 16, 64*16*60, 0, 3e-3
	cfg.EvalEvery, cfg.EvalMatches, cfg.CheckpointEvery, cfg.PerfectCritic = 0, 0, 0, false
	return cfg
}

func TestARunFolderStandsForTheAverageIfThatIsTheLeastExploitable(t *testing.T) {
	cfg, opt := measured(), options(t)
	sum, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	sol := sum.Last.Solution
	if !(*sol.NetworkNashConv < sol.NashConv) {
		t.Fatalf("NashConv %v of the network that learnt the average, %v of the last policy: want a run whose average is better", *sol.NetworkNashConv, sol.NashConv)
	}
	p, err := LoadPolicy(sum.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got := nashConv(t, cfg, p); got != *sol.NetworkNashConv || filepath.Base(p.Path) != averageName+checkpointExt {
		t.Errorf("%s has a NashConv of %v: want that of the network that learnt the average, %v", p.Path, got, *sol.NetworkNashConv)
	}
}

func TestAnAverageThatIsNoBetterIsNotKept(t *testing.T) {
	cfg, opt := measured(), options(t)
	sum, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{dir: sum.Dir, opt: opt}
	if err := r.prepare(cfg); err != nil {
		t.Fatal(err)
	}
	defer r.trainer.close()
	equilibrium := 0.0
	r.best = &equilibrium
	if err := r.solver.collect(policyOf(r.trainer.learner, cfg), 1); err != nil {
		t.Fatal(err)
	}
	if err := r.conclude(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.averageFile(checkpointExt)); !os.IsNotExist(err) {
		t.Errorf("%s: error %v: want that it was removed", r.averageFile(checkpointExt), err)
	}
}

func TestARunThatGoesOnForgetsItsAverage(t *testing.T) {
	cfg, opt := measured(), options(t)
	sum, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Resume(context.Background(), sum.Dir, nil, opt)
	if err != nil || again.Steps != sum.Steps {
		t.Fatalf("%d decisions, error %v", again.Steps, err)
	}
	average := (&run{dir: sum.Dir}).averageFile(checkpointExt)
	if _, err := os.Stat(average); err != nil {
		t.Errorf("a run that is over was resumed: %v", err)
	}
	opt.Warn = nil // that its schedules begin again
	ctx, interrupted := interruptedAfter(cfg.Iterations()+1, opt)
	longer := func(c *Config) error { c.TotalTimesteps *= 2; return nil }
	if _, err := Resume(ctx, sum.Dir, longer, interrupted); err == nil {
		t.Fatal("it was not interrupted")
	}
	if _, err := os.Stat(average); !os.IsNotExist(err) {
		t.Errorf("%s: error %v: want that a run which goes on has none", average, err)
	}
}

func nashConv(t *testing.T, cfg Config, p *Trained) float64 {
	t.Helper()
	s, err := newSolver(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.measure(p.Policy)
	if err != nil {
		t.Fatal(err)
	}
	return r.NashConv
}
