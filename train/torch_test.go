//go:build torch

package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

func torchOptions(t *testing.T) Options {
	return Options{Root: t.TempDir(), Warn: func(w string) { t.Errorf("warning: %s", w) }}
}

// The network, the optimiser's moments and libtorch's generator must come back
// too: weights and metrics are compared bit for bit.
func TestTorchInterruptedAndResumedRunEqualsUninterruptedOne(t *testing.T) {
	for i, network := range []string{"mlp", "mlp", "entity", "entity", "entity", "entity"} {
		perfect := i == 1 || i == 5
		cfg := small("leduc")
		if i == 2 {
			cfg.AdvantageSample = 0.4
		}
		if i == 5 {
			cfg.Critic, cfg.AdvantageFilter = actionCritic, 0.5
		}
		if i == 4 {
			if err := cfg.Set("preset", "damped"); err != nil {
				t.Fatal(err)
			}
			cfg.Magnet, cfg.MagnetEvery = pastMagnet, 2
			cfg.Opponents, cfg.League, cfg.LeagueBy = []string{leagueOpponent}, []string{"random", pastPlayer}, byLearning
			cfg.PastEvery, cfg.PastSelves, cfg.PastGate, cfg.PastGateMatches = 2, 2, 1, 100
		}
		cfg.Network = network
		if i == 3 {
			cfg.Algorithm, cfg.Teacher, cfg.HeldOut, cfg.StudentMoves = imitation, "random", 50, 0.5
		}
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

// Labels must not depend on who makes them, nor on when the run was interrupted.
func TestTorchInterruptedAndResumedRolloutsEqualUninterruptedOnes(t *testing.T) {
	poker := rolling("leduc")
	poker.Network, poker.RolloutHidden, poker.Tau = "entity", actualWorld, 0.1
	poker.RolloutPlayers, poker.RolloutShares = []string{selfPlayer, pastPlayer, "search(rollouts=4,rollout=random)"}, []float64{3, 2, 1}
	poker.PastEvery, poker.PastSelves, poker.Opponents = 2, 2, []string{"random"}
	poker.MinibatchSize = poker.NumEnvs - 1 // a minibatch need not have room for a decision of every match
	captain := rolling("doubloons(seats=3)")
	captain.NumEnvs, captain.NumSteps, captain.TotalTimesteps, captain.EvalMatches = 4, 6, 4*6*12, 2
	captain.Values, captain.RolloutHorizon, captain.RolloutValue = allValues, "round", selfPlayer
	captain.RolloutBest, captain.RolloutSchedule, captain.RolloutPlayers = 4, "halving", []string{selfPlayer, "greedy"}
	for name, cfg := range map[string]Config{"poker": poker, "captain": captain} {
		t.Run(name, func(t *testing.T) {
			whole, err := Run(context.Background(), cfg, torchOptions(t))
			if err != nil {
				t.Fatal(err)
			}
			ctx, opt := interruptedAfter(5, torchOptions(t))
			part, err := Run(ctx, cfg, opt)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			workers := func(c *Config) error { c.Workers = 3; return nil }
			if _, err := Resume(context.Background(), part.Dir, workers, torchOptions(t)); err != nil {
				t.Fatal(err)
			}
			metrics, again := metricsOf(t, whole.Dir), metricsOf(t, part.Dir)
			if !slices.Equal(metrics, again) {
				t.Errorf("metrics\n%v\nand resumed\n%v", metrics, again)
			}
			if l := whole.Last.Rollouts; l == nil || l.Count == 0 || !(l.StepKL > 0) {
				t.Errorf("labels of the last update: %+v", l)
			}
		})
	}
}

// rolling is a small run of counterfactual rollouts.
func rolling(game string) Config {
	c := small(game)
	c.Algorithm, c.RolloutWorlds, c.LabelShare = counterfactualRollouts, 4, 0.5
	c.PerfectCritic, c.MaxDecisions, c.Exploitability, c.EntCoef, c.EntCoefFinal = false, 0, false, 0, 0
	return c
}

// The proofs that the trainer finds what is known to be optimal, from the
// committed configurations. Kuhn's uniform policy has a NashConv of 0.917, Leduc's
// one of 4.747.
func TestKuhnIsSolved(t *testing.T) {
	s := prove(t, "configs/kuhn.yaml")
	if got := *s.Last.Solution.AverageExploitability; !(got < 0.02) {
		t.Errorf("exploitability of the average policy %.4f; want less than 0.02", got)
	}
	if got := s.Last.Solution.Exploitability; !(got < 0.08) {
		t.Errorf("exploitability of the last policy %.4f; want less than 0.08", got)
	}
}

func TestLeducIsFarBelowHalfOfUniform(t *testing.T) {
	s := prove(t, "configs/leduc.yaml")
	if got := *s.Last.Solution.AverageNashConv; !(got < 0.6) {
		t.Errorf("NashConv of the average policy %.4f; want less than 0.6, an eighth of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
	}
	if got := s.Last.Solution.NashConv; !(got < s.Last.Solution.UniformNashConv/2) {
		t.Errorf("NashConv of the last policy %.4f; want less than half of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
	}
}

// The same by counterfactual rollouts.
func TestRolloutsSolveKuhn(t *testing.T) {
	s := prove(t, "configs/kuhn-rollouts.yaml")
	if got := *s.Last.Solution.AverageExploitability; !(got < 0.01) {
		t.Errorf("exploitability of the average policy %.4f; want less than 0.01", got)
	}
	if got := s.Last.Solution.Exploitability; !(got < 0.08) {
		t.Errorf("exploitability of the last policy %.4f; want less than 0.08", got)
	}
}

func TestRolloutsBringLeducNearItsEquilibrium(t *testing.T) {
	s := prove(t, "configs/leduc-rollouts.yaml")
	if got := *s.Last.Solution.AverageNashConv; !(got < 0.15) {
		t.Errorf("NashConv of the average policy %.4f; want less than 0.15, a thirtieth of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
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
	t.Logf("%s: NashConv %.4f, of the average policy %.4f, of the network that learnt it %.4f, of the uniform policy %.4f; %d decisions",
		cfg.Game, sol.NashConv, *sol.AverageNashConv, *sol.NetworkNashConv, sol.UniformNashConv, s.Steps)
	if !(*sol.NetworkNashConv < *sol.AverageNashConv+0.02) {
		t.Errorf("NashConv of the network that learnt the average policy %.4f; want at most 0.02 more than that policy's %.4f", *sol.NetworkNashConv, *sol.AverageNashConv)
	}
	net, err := LoadPolicy(s.Dir, "cpu", 1, torchOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	defer net.Close()
	if got, want := nashConv(t, cfg, net), min(*sol.NetworkNashConv, sol.NashConv); !(got <= want) {
		t.Errorf("the run stands for %s with NashConv %.4f; want the least exploitable of what it kept, at most %.4f", net.Path, got, want)
	}
	if _, from, err := Export(s.Dir, ExportOptions{}); err != nil || from != net.Path {
		t.Errorf("exported %s, error %v; want %s, for which the run stands", from, err, net.Path)
	}
	return s
}

// What libtorch computes and what a bundle computes without it.
func TestBundlePlaysAsTheTrainedNetworkDoes(t *testing.T) {
	for _, c := range []struct {
		game, network, activation string
		perfect                   bool
		hidden                    []int
		values                    string
	}{
		{"kuhn", "mlp", "relu", true, []int{16}, ownValue}, {"leduc", "mlp", "silu", false, []int{32, 32}, ownValue},
		{"doubloons(seats=3)", "mlp", "relu", false, []int{64, 48, 32}, allValues},
		{"kuhn", "entity", "relu", true, []int{16}, ownValue}, {"leduc", "entity", "silu", false, []int{32, 32}, allValues},
	} {
		cfg := small(c.game)
		cfg.Exploitability, cfg.EvalMatches, cfg.MaxDecisions = false, 0, 0
		cfg.Network, cfg.RowHidden, cfg.Values = c.network, []int{24, 12}, c.values
		cfg.Hidden, cfg.Activation, cfg.PerfectCritic = c.hidden, c.activation, c.perfect
		cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.LearningRate = 16, 32, 16*32*6, 0.01
		s, err := Run(t.Context(), cfg, torchOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		net, err := LoadPolicy(s.Dir, "cpu", 1, torchOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		b, from, err := Export(s.Dir, ExportOptions{})
		if err != nil || from != net.Path {
			t.Fatalf("%s: %v", from, err)
		}
		worst := agreement(t, c.game, 500, net.Policy, b.Policy(2))
		t.Logf("%s: largest difference of a probability %.2g", c.game, worst)
		if worst > 1e-5 {
			t.Errorf("%s: probabilities differ by %v", c.game, worst)
		}
		if !c.perfect {
			told(t, net, b)
		}
		net.Close()
	}
}

// told holds the values of a bundle's golden decisions against what the network says in libtorch.
func told(t *testing.T, net *Trained, b *policy.Bundle) {
	t.Helper()
	scales := net.Config.outlook().scales(net.norm, nil)
	n := len(b.Golden.Observation) / b.ObservationSize()
	values := make([]float32, n*len(scales))
	if err := net.net.Forward(learner.Decisions{N: n, Obs: b.Golden.Observation}, nil, values); err != nil {
		t.Fatal(err)
	}
	for i, x := range values {
		if got, want := b.Golden.Values[i], scales[i%len(scales)].meant(x); math.Abs(float64(got-want)) > 1e-4*(1+math.Abs(float64(want))) {
			t.Errorf("%s: value %d is %v, and %v in libtorch", b.Game, i, got, want)
		}
	}
}

func TestARunBeginsWithAPolicyOfTheZoo(t *testing.T) {
	cfg, err := LoadConfig("configs/doubloons-4p-search.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Algorithm, cfg.Labels, cfg.NumEnvs, cfg.InitFrom = "ppo", "", 2, "policy:captain-1"
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	tr, err := newTrainer(cfg, learner.New)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	if err := tr.beginWith(cfg.InitFrom, torchOptions(t)); err != nil {
		t.Fatal(err)
	}
	b, err := policy.Find("captain-1")
	if err != nil {
		t.Fatal(err)
	}
	if worst := agreement(t, cfg.Game, 100, policyOf(tr.learner, cfg), b.Policy(1)); worst > 1e-5 {
		t.Errorf("probabilities differ by %v", worst)
	}
	if err := tr.ask(tr.now, tr.values); err != nil {
		t.Fatal(err)
	}
	mean, deviation := tr.norm.scale()
	if tr.norm.Weight != 1 || mean != 0 || deviation != 1 || !(tr.values[0] > 0 && tr.values[0] < 1) {
		t.Errorf("at the start its chance to win is %v, in a unit of %+v", tr.values[0], tr.norm)
	}
}

// agreement compares what two policies make of n decisions of a game.
func agreement(t *testing.T, game string, n int, one, other env.Policy) (worst float64) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encoderOf(game)
	if err != nil {
		t.Fatal(err)
	}
	d, a := e.Schema().Size, len(g.Info().Actions)
	obs, mask := make([]uint8, n*d), make([]uint8, n*a)
	m, r, seed, does := g.NewMatch(), engine.NewRand(9), uint64(0), newRagged[uint8](e.ActionSize())
	for i := range n {
		for m.Seat() < 0 {
			m.Reset(seed)
			seed++
		}
		e.Encode(m, m.Seat(), obs[i*d:(i+1)*d])
		m.Legal().Expand(mask[i*a : (i+1)*a])
		rows := make([]uint8, m.Legal().Count()*e.ActionSize())
		e.EncodeActions(m, rows)
		does.add(rows)
		if err := m.Apply(m.Legal().Sample(&r)); err != nil {
			t.Fatal(err)
		}
	}
	p, q := make([]float32, n*a), make([]float32, n*a)
	ask := func(by env.Policy, probs []float32) error {
		if reads, ok := by.(env.ActionPolicy); ok {
			return reads.ActionProbs(n, obs, mask, does.data, does.at, probs)
		}
		return by.Probs(n, obs, mask, probs)
	}
	if err := errors.Join(ask(one, p), ask(other, q)); err != nil {
		t.Fatal(err)
	}
	if slices.Max(p) == slices.Min(p) {
		t.Fatal(fmt.Sprint("all probabilities are ", p[0]))
	}
	for i := range p {
		worst = max(worst, float64(max(p[i]-q[i], q[i]-p[i])))
	}
	return worst
}
