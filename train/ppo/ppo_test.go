package ppo

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

func TestSchedulesReachBothEnds(t *testing.T) {
	c, s := selfplay.Default(), Default()
	c.TotalTimesteps, c.NumEnvs, c.NumSteps, c.LearningRate, c.LearningRateFinal = 1000, 10, 1, 1e-2, 1e-4
	s.EntCoef, s.EntCoefFinal, s.MagnetCoef, s.MagnetCoefFinal = 0.2, 0.05, 0.1, 0.001
	for _, schedule := range []string{"linear", "geometric"} {
		c.Schedule = schedule
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", schedule, what, got, want)
			}
		}
		for at, want := range map[int][3]float64{0: {1e-2, 0.2, 0.1}, 99: {1e-4, 0.05, 0.001}} {
			h := annealed(c, s, at)
			near("learning rate", h.LR, want[0])
			near("entropy weight", h.EntCoef, want[1])
			near("pull of the magnet", h.MagnetCoef, want[2])
		}
	}
	s.EntCoefFinal = 0
	if err := s.Validate(&c); err == nil {
		t.Error("a geometric schedule goes to 0")
	}
}

func annealed(c selfplay.Config, s Settings, iteration int) learner.Hyper {
	var u selfplay.Update
	return New(&selfplay.Play{Config: c, State: selfplay.State{Iteration: iteration}}, s).anneal(&u)
}

func TestCriticLearnsAloneDuringWarmup(t *testing.T) {
	s := Default()
	s.WarmupUpdates = 3
	for at, want := range []bool{true, true, true, false, false} {
		if got := annealed(selfplay.Default(), s, at).CriticOnly; got != want {
			t.Errorf("update %d: the critic learns alone: %v", at+1, got)
		}
	}
}
