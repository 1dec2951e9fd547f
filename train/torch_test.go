//go:build torch

package train

import (
	"context"
	"errors"
	"testing"
)

func torchOptions(t *testing.T) Options {
	return Options{Root: t.TempDir(), Warn: func(w string) { t.Errorf("warning: %s", w) }}
}

// The network, the optimiser's moments and libtorch's generator must come back
// too: weights and metrics are compared bit for bit.
func TestTorchInterruptedAndResumedRunEqualsUninterruptedOne(t *testing.T) {
	for _, perfect := range []bool{false, true} {
		cfg := small("leduc")
		cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.Hidden = 32, 16, 32*16*12, []int{32, 32}
		cfg.PerfectCritic, cfg.MaxDecisions, cfg.ClipVLoss, cfg.Threads = perfect, 5, true, 2
		whole, err := Run(context.Background(), cfg, torchOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		ctx, opt := interruptedAfter(5, torchOptions(t))
		part, err := Run(ctx, cfg, opt)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		if _, err := Resume(context.Background(), part.Dir, nil, torchOptions(t)); err != nil {
			t.Fatal(err)
		}
		sameOutcome(t, whole.Dir, part.Dir)
	}
}

// The proofs that the trainer finds what is known to be optimal, from the
// committed configurations. Kuhn's uniform policy has a NashConv of 0.917, Leduc's
// one of 4.747.
func TestKuhnIsSolved(t *testing.T) {
	s := prove(t, "configs/kuhn.yaml")
	if got := s.Last.Solution.Exploitability; !(got < 0.05) {
		t.Errorf("exploitability of the last policy %.4f; want less than 0.05", got)
	}
}

func TestLeducIsFarBelowHalfOfUniform(t *testing.T) {
	s := prove(t, "configs/leduc.yaml")
	if got := *s.Last.Solution.AverageNashConv; !(got < 1) {
		t.Errorf("NashConv of the average policy %.4f; want less than 1, a fifth of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
	}
	if got := s.Last.Solution.NashConv; !(got < s.Last.Solution.UniformNashConv/2) {
		t.Errorf("NashConv of the last policy %.4f; want less than half of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
	}
}

func prove(t *testing.T, config string) Summary {
	t.Helper()
	cfg, err := LoadConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Run(context.Background(), cfg, torchOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	sol := s.Last.Solution
	t.Logf("%s: NashConv %.4f, of the average policy %.4f, of the uniform policy %.4f; %d decisions", cfg.Game, sol.NashConv, *sol.AverageNashConv, sol.UniformNashConv, s.Steps)
	return s
}
