//go:build torch

package train

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/counterfactual"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/ppo"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// bandit is a game of one decision for one seat: it pulls one of four arms, of which the last is never allowed, and chance says
// whether that arm pays. With pays=alike it makes no difference which.
type bandit struct{ pays [4]float64 }

type pull struct {
	Rand        engine.Rand
	Arm, Result int32 // +1; 0: not yet

}

// What chance decides follows the four arms.
const (
	banditLoses = 4 + iota
	banditPays
)

type banditRow struct {
	Turn uint8 `name:"turn" doc:"always 1"`
}

func init() {
	engine.Register(engine.Definition{
		Name: "bandit", Title: "a bandit of four arms",
		Params: []engine.Param{{Name: "pays", Default: "apart", Choices: []string{"apart", "alike"}, Help: "whether arms differ"}},
		New: func(c engine.Config) (engine.Game, error) {
			info := c.Info()
			info.Seats, info.MaxDecisions, info.ReturnScale = 1, 1, 1
			info.Actions, info.Outcomes = []string{"a", "b", "c", "d"}, []string{"lose", "win"}
			b := bandit{[4]float64{0.3, 0.4, 0.6, 1}}
			if c.Get("pays") == "alike" {
				b.pays = [4]float64{0.5, 0.5, 0.5, 0.5}
			}
			return engine.Make(info, engine.Rules[pull](b))
		},
	})
	encode.Register("bandit", func(g engine.Game) (*encode.Encoder, error) {
		return encode.New[banditRow, struct{ banditRow }](g, 1,
			func(_ engine.Match, _ int, dst []uint8) { encode.As[banditRow](dst).Turn = 1 }, func(engine.Match, int, []uint8) {}), nil
	})
}

func (b bandit) Reset(s *pull, seed uint64) { *s = pull{Rand: engine.NewRand(seed)} }

func (b bandit) Seat(s *pull) int {
	switch {
	case s.Arm == 0:
		return 0
	case s.Result == 0:
		return engine.Chance
	}
	return engine.Over
}

func (b bandit) Legal(_ *pull, m *engine.Mask) {
	for a := range engine.Action(3) {
		m.Set(a)
	}
}

func (b bandit) Apply(s *pull, a engine.Action) {
	if a >= banditLoses {
		s.Result = int32(a-banditLoses) + 1
	} else {
		s.Arm = int32(a) + 1
	}
}

func (b bandit) Outcomes(s *pull, dst []engine.Outcome) []engine.Outcome {
	p := b.pays[s.Arm-1]
	return append(dst, engine.Outcome{Action: banditLoses, Prob: 1 - p}, engine.Outcome{Action: banditPays, Prob: p})
}

func (b bandit) Sample(s *pull) engine.Action {
	if s.Rand.Float64() < b.pays[s.Arm-1] {
		return banditPays
	}
	return banditLoses
}

func (b bandit) Redeal(s *pull, _ int, r *engine.Rand) { s.Rand = r.Split() }

func (b bandit) Returns(s *pull, dst []float32) { dst[0] = float32(max(0, s.Result-1)) }

func (b bandit) Scores(*pull, int, int, []int32)              {}
func (b bandit) Position(s *pull, _ int) any                  { return s.Arm }
func (b bandit) SetPosition(*pull, []byte) error              { return nil }
func (b bandit) Decision(*pull) string                        { return "pull an arm" }
func (b bandit) Render(s *pull, _ int) string                 { return fmt.Sprint(s.Arm) }
func (b bandit) Sight(*pull, int, engine.Action) engine.Sight { return engine.Open }

// pulled are the chances with which a run pulls the arms, before it and after it.
func pulled(t *testing.T, cfg Config) (before, after [3]float64) {
	t.Helper()
	opt := torchOptions(t)
	ask := func(p *selfplay.Play) (chances [3]float64) {
		if err := p.Ask(); err != nil {
			t.Fatal(err)
		}
		for a := range chances {
			chances[a] = math.Exp(float64(p.Logps[a]))
		}
		return chances
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	fresh := &run{opt: opt.withDefaults()}
	if err := fresh.prepare(cfg); err != nil {
		t.Fatal(err)
	}
	defer fresh.play.Close()
	if cfg.InitFrom != "" {
		if err := beginWith(fresh.play, cfg.InitFrom, fresh.opt); err != nil {
			t.Fatal(err)
		}
	}
	before = ask(fresh.play)
	s, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := beginWith(fresh.play, s.Dir, fresh.opt); err != nil {
		t.Fatal(err)
	}
	return before, ask(fresh.play)
}

// pulling is a small run on the bandit.
func pulling(algorithm string) Config {
	c, err := Defaults(algorithm)
	if err != nil {
		panic(err)
	}
	c.Game, c.Exp, c.Hidden, c.Threads = "bandit", "bandit", []int{16}, 1
	c.NumEnvs, c.NumSteps, c.TotalTimesteps, c.MinibatchSize = 32, 8, 32*8*40, 64
	c.LearningRate, c.EvalMatches, c.CheckpointEvery = 5e-3, 0, 0
	switch s := c.Settings.(type) {
	case *ppo.Settings:
		s.EntCoef, s.EntCoefFinal = 0, 0
	case *imitation.Settings:
		s.Teacher, s.HeldOut = "search(rollouts=60)", 0
	case *counterfactual.Settings:
		s.Share, s.Worlds, s.Hidden = 1, 8, "actual"
	}
	return c
}

func TestEachAlgorithmFindsTheArmThatPaysMost(t *testing.T) {
	for _, name := range []string{"ppo", "counterfactual", "imitation"} {
		cfg := pulling(name)
		if before, after := pulled(t, cfg); after[2] < 0.9 || before[2] > 0.4 {
			t.Errorf("%s: the arm that pays most has probability %.3f after training, %.3f before", name, after[2], before[2])
		}
	}
}

// A policy that has nothing to learn must not lose what it knows: it begins with a clear preference, made by a run of its
// own, and continues in a game in which arms pay alike.
func TestAnAlgorithmThatHasNothingToLearnLeavesThePolicyAsItIs(t *testing.T) {
	cfg := pulling("ppo")
	cfg.TotalTimesteps, cfg.Game = 32*8*12, "bandit"
	opt := torchOptions(t)
	known, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ppo", "counterfactual"} {
		cfg := pulling(name)
		cfg.Game, cfg.InitFrom, cfg.LearningRate = "bandit(pays=alike)", known.Dir, 3e-4
		before, after := pulled(t, cfg)
		t.Logf("%s: %.3f to %.3f", name, before, after)
		for a := range before {
			if d := math.Abs(after[a] - before[a]); d > 0.1 {
				t.Errorf("%s: arm %d went from %.3f to %.3f, though all pay alike", name, a, before[a], after[a])
			}
		}
	}
}
