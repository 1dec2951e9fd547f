//go:build torch

package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/counterfactual"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

func torchOptions(t *testing.T) Options {
	return Options{Root: t.TempDir(), Warn: func(w string) { t.Errorf("warning: %s", w) }}
}

// The network, the optimiser's moments and libtorch's generator must come back
// too: weights and metrics are compared bit for bit.
func TestTorchInterruptedAndResumedRunEqualsUninterruptedOne(t *testing.T) {
	for i, network := range []string{"mlp", "mlp", "entity", "entity", "entity"} {
		perfect := i == 1
		cfg := small("leduc")
		if i == 4 {
			ppoOf(&cfg).MagnetCoef, ppoOf(&cfg).MagnetCoefFinal = 0.02, 0.001
			cfg.Opponents, cfg.League = []string{"league"}, []string{"random", "past"}
		}
		cfg.Network = network
		if i == 3 {
			cfg.Algorithm, cfg.Settings = "imitation", &imitation.Settings{Teacher: "random", Targets: "hard", Temperature: 0.1, HeldOut: 50, OwnMatches: 0.5}
		}
		cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.Hidden = 32, 16, 32*16*12, []int{32, 32}
		cfg.PerfectCritic, cfg.Threads = perfect, 2
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
	poker.Network, counterfactualOf(&poker).Hidden, counterfactualOf(&poker).Tau = "entity", "actual", 0.1
	poker.Opponents = []string{"random"}
	poker.MinibatchSize = poker.NumEnvs - 1 // a minibatch need not have room for a decision of every match
	captain := rolling("doubloons(seats=3)")
	captain.NumEnvs, captain.NumSteps, captain.TotalTimesteps, captain.EvalMatches = 4, 6, 4*6*12, 2
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
			if v := whole.Last.Values; v["rollouts/labels"] == 0 || !(v["rollouts/step_kl"] > 0) {
				t.Errorf("labels of the last update: %v", v)
			}
		})
	}
}

// rolling is a small run of counterfactual rollouts.
func rolling(game string) Config {
	c := small(game)
	settings := counterfactual.Default()
	settings.Worlds, settings.Share = 4, 0.5
	c.Algorithm, c.Settings = "counterfactual", &settings
	c.PerfectCritic, c.Exploitability = false, false
	return c
}

// The proofs that the trainer finds what is known to be optimal, from the
// committed configurations. Kuhn's uniform policy has a NashConv of 0.917, Leduc's
// one of 4.747.
func TestLeducIsFarBelowHalfOfUniform(t *testing.T) {
	s := prove(t, "configs/leduc.yaml")
	if got := *s.Last.Solution.AverageNashConv; !(got < 0.6) {
		t.Errorf("NashConv of the average policy %.4f; want less than 0.6, an eighth of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
	}
	if got := s.Last.Solution.NashConv; !(got < 0.6) {
		t.Errorf("NashConv with the mean weights %.4f; want less than 0.6", got)
	}
}

// By counterfactual rollouts.
func TestRolloutsSolveKuhn(t *testing.T) {
	s := prove(t, "configs/kuhn.yaml")
	if got := *s.Last.Solution.AverageExploitability; !(got < 0.01) {
		t.Errorf("exploitability of the average policy %.4f; want less than 0.01", got)
	}
	if got := s.Last.Solution.Exploitability; !(got < 0.03) {
		t.Errorf("exploitability with the mean weights %.4f; want less than 0.03", got)
	}
}

func TestRolloutsBringLeducNearItsEquilibrium(t *testing.T) {
	s := prove(t, "configs/leduc-counterfactual.yaml")
	if got := *s.Last.Solution.AverageNashConv; !(got < 0.15) {
		t.Errorf("NashConv of the average policy %.4f; want less than 0.15, a thirtieth of the uniform policy's %.4f", got, s.Last.Solution.UniformNashConv)
	}
	if got := s.Last.Solution.NashConv; !(got < 0.25) {
		t.Errorf("NashConv with the mean weights %.4f; want less than 0.25", got)
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
		game, network string
		perfect       bool
		hidden        []int
	}{
		{"kuhn", "mlp", true, []int{16}}, {"leduc", "mlp", false, []int{32, 32}},
		{"doubloons(seats=3)", "mlp", false, []int{64, 48, 32}},
		{"kuhn", "entity", true, []int{16}}, {"leduc", "entity", false, []int{32, 32}},
	} {
		cfg := small(c.game)
		cfg.Exploitability, cfg.EvalMatches = false, 0
		cfg.Network, cfg.RowHidden = c.network, []int{24, 12}
		cfg.Hidden, cfg.PerfectCritic = c.hidden, c.perfect
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
		worst := agreement(t, c.game, 500, net.Policy, policy.NewBatch(b, 2))
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
func told(t *testing.T, net *Trained, b *bundle.Bundle) {
	t.Helper()
	n := len(b.Golden.Observation) / b.ObservationSize()
	values := make([]float32, n)
	if err := net.net.Forward(learner.Decisions{N: n, Obs: b.Golden.Observation}, nil, values); err != nil {
		t.Fatal(err)
	}
	for i, x := range values {
		if got, want := b.Golden.Values[i], net.norm.Scale().Restore(x); math.Abs(float64(got-want)) > 1e-4*(1+math.Abs(float64(want))) {
			t.Errorf("%s: value %d is %v, and %v in libtorch", b.Game, i, got, want)
		}
	}
}

func TestARunBeginsWithAPolicyOfTheZoo(t *testing.T) {
	stages, err := LoadStages("configs/captain.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cfg := stages[len(stages)-1].Config
	cfg.Game, cfg.Tables, cfg.Opponents = cfg.EvalGame, nil, nil
	cfg.NumEnvs, cfg.InitFrom = 2, "policy:captain"
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	r := &run{opt: torchOptions(t).withDefaults()}
	if err := r.prepare(cfg); err != nil {
		t.Fatal(err)
	}
	tr := r.play
	defer tr.Close()
	if err := beginWith(r.play, cfg.InitFrom, r.opt); err != nil {
		t.Fatal(err)
	}
	b, err := policy.Find("captain")
	if err != nil {
		t.Fatal(err)
	}
	if worst := agreement(t, cfg.Game, 100, policyOf(tr.Learner, &cfg.Config), policy.NewBatch(b, 1)); worst > 1e-5 {
		t.Errorf("probabilities differ by %v", worst)
	}
	if err := tr.Ask(); err != nil {
		t.Fatal(err)
	}
	if tr.Norm.Weight != 1 || tr.Norm.Scale() != (selfplay.Scale{Mean: 0, Deviation: 1}) || !(tr.Values[0] > 0 && tr.Values[0] < 1) {
		t.Errorf("at the start its chance to win is %v, in a unit of %+v", tr.Values[0], tr.Norm)
	}
}

// agreement compares what two policies make of n decisions of a game.
func agreement(t *testing.T, game string, n int, one, other match.Policy) (worst float64) {
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
	m, r, seed, does := g.NewMatch(), engine.NewRand(9), uint64(0), selfplay.NewRagged[uint8](e.ActionSize())
	for i := range n {
		for m.Seat() < 0 {
			m.Reset(seed)
			seed++
		}
		e.Encode(m, m.Seat(), obs[i*d:(i+1)*d])
		m.Legal().Expand(mask[i*a : (i+1)*a])
		rows := make([]uint8, m.Legal().Count()*e.ActionSize())
		e.EncodeActions(m, rows)
		does.Add(rows)
		if err := m.Apply(m.Legal().Sample(&r)); err != nil {
			t.Fatal(err)
		}
	}
	p, q := make([]float32, n*a), make([]float32, n*a)
	ask := func(by match.Policy, probs []float32) error {
		if reads, ok := by.(match.ActionPolicy); ok {
			data, offsets := does.All()
			return reads.ActionProbs(n, obs, mask, data, offsets, probs)
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

// The last stage's teacher is every policy before it, as one player, in files of its own folder: exports of those stages do not change it,
// and the run continues elsewhere, but not with other policies.
func TestTorchALastStageLearnsFromTheStagesBefore(t *testing.T) {
	s := stagesIn(t, twoSeeds+`
  - algorithm: imitation
    total_timesteps: 96
    imitation: {teacher: stages, targets: soft, held_out: 40}
`)
	ctx, cancel := context.WithCancel(t.Context())
	opt, last := torchOptions(t), false
	opt.Progress = func(u Update) {
		if last = filepath.Base(u.Dir) == "3-imitation"; last && u.Iteration == 0 { // noticed after the first update
			cancel()
		}
	}
	sum, err := s.Run(ctx, opt)
	if !errors.Is(err, context.Canceled) || !last {
		t.Fatalf("%+v, %v", sum, err)
	}
	c, err := LoadConfig(filepath.Join(sum.Dir, "3-imitation", configFile))
	if err != nil {
		t.Fatal(err)
	}
	if from := filepath.Join(sum.Dir, "2-ppo-seed7"); c.InitFrom != from || c.Seed != 7 {
		t.Errorf("it begins with %s, seed %d; want %s and 7", c.InitFrom, c.Seed, from)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(sum.Dir, moved); err != nil {
		t.Fatal(err)
	}
	of := filepath.Join(moved, "3-imitation", teacherDir)
	var teachers []string
	for _, name := range []string{"1-ppo-seed7", "1-ppo-seed8", "2-ppo-seed7", "2-ppo-seed8"} {
		teachers = append(teachers, filepath.Join(of, name+".bundle"))
	}
	own, err := taught(&c, filepath.Dir(of))
	if err != nil {
		t.Fatal(err)
	}
	if name, err := own.(*imitation.Settings).TeacherAt(c.Game); err != nil || name != "policy:"+strings.Join(teachers, "+") {
		t.Errorf("its teacher is %s, %v; want %s", name, err, teachers)
	}
	other, err := os.ReadFile(teachers[0])
	if err != nil {
		t.Fatal(err)
	}
	kept := teachers[3] + ".kept"
	if err := errors.Join(os.Rename(teachers[3], kept), os.WriteFile(teachers[3], other, 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(t.Context(), moved, nil, torchOptions(t)); err == nil || !strings.Contains(err.Error(), "put its file back, or start a new run") {
		t.Errorf("with another teacher: %v", err)
	}
	if err := os.Rename(kept, teachers[3]); err != nil {
		t.Fatal(err)
	}
	sum, err = Resume(t.Context(), moved, nil, torchOptions(t))
	if err != nil || sum.Steps != 96 || sum.Last.Exam == nil || sum.Last.Exam.All.Decisions != 40 {
		t.Errorf("it ends as %+v, %v", sum, err)
	}
}
