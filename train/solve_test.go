package train

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/privateer-rl/privateer/train/learner"
)

// measured is a small run whose exploitability is measured, and evaluated only at its end.
func measured() Config {
	cfg := small("kuhn")
	cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.LearningRate = 64, 16, 64*16*60, 3e-3
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
	defer r.close()
	equilibrium := 0.0
	r.best = &equilibrium
	if err := r.solver.collect(policyOf(r.play.Learner, &cfg.Config), 1); err != nil {
		t.Fatal(err)
	}
	if err := r.conclude(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(averageFile(r.dir)); !os.IsNotExist(err) {
		t.Errorf("%s: error %v: want that it was removed", averageFile(r.dir), err)
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
	average := averageFile(sum.Dir)
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
		t.Errorf("%s: error %v: want that a run which continues has none", average, err)
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

func averageFile(runDir string) string {
	return filepath.Join(runDir, checkpointsDir, averageName+checkpointExt)
}

// still is a network whose weights are given.
type still struct {
	learner.Learner
	at float32
}

func (s *still) Weights() ([]learner.Tensor, error) {
	return []learner.Tensor{{Name: "w", Shape: []int{1}, Data: []float32{s.at}}}, nil
}

func (s *still) SetWeights(w []learner.Tensor) error { s.at = w[0].Data[0]; return nil }

// A mean that forgets holds for any length of a run: of weights that settle it is where they settle, of those that go up and down between two
// it is the middle, and what the first updates did is soon no part of it.
func TestTheMeanOfWeightsFollowsTheRun(t *testing.T) {
	m, of := mean{net: &still{}}, &still{}
	for n := 1; n <= 400; n++ {
		of.at = float32(n % 2)
		if n <= 10 {
			of.at = 1000
		}
		if err := m.take(of, n); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.net.(*still).at; math.Abs(float64(got)-.5) > .01 {
		t.Errorf("of weights between 0 and 1 the mean is %v", got)
	}
	for n := 401; n <= 4000; n++ {
		of.at = 7
		if err := m.take(of, n); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.net.(*still).at; math.Abs(float64(got)-7) > .01 {
		t.Errorf("of weights that stay at 7 the mean is %v", got)
	}
}
