package train

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/dataset"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/counterfactual"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/learner/learnertest"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// smallImitation is a small run of imitation.
func smallImitation(game string) Config {
	c := small(game)
	c.Algorithm, c.Settings = "imitation", &imitation.Settings{Teacher: "random", Targets: "hard", Temperature: 0.1, HeldOut: 200}
	c.Exploitability, c.EvalMatches, c.EvalBots = false, 10, []string{"random"}
	return c
}

func TestInterruptedAndResumedImitationEqualsUninterruptedOne(t *testing.T) {
	reading := smallImitation("leduc")
	reading.Network, reading.PerfectCritic = "entity", false
	stray := smallImitation("kuhn(seats=3)")
	imitationOf(&stray).OwnMatches, stray.Opponents = 0.5, []string{"random"}
	captain := smallImitation("doubloons(seats=2)")
	captain.Settings = &imitation.Settings{Teacher: "heuristic", Targets: "soft", Temperature: 0.1, HeldOut: 20}
	captain.NumEnvs, captain.NumSteps, captain.TotalTimesteps, captain.EvalMatches = 3, 4, 3*4*12, 2
	for name, cfg := range map[string]Config{"entity": reading, "opponents": stray, "soft": captain} {
		t.Run(name, func(t *testing.T) {
			whole, err := Run(context.Background(), cfg, options(t))
			if err != nil {
				t.Fatal(err)
			}
			ctx, opt := interruptedAfter(5, options(t))
			part, err := Run(ctx, cfg, opt)
			if !errors.Is(err, context.Canceled) || part.Closed {
				t.Fatalf("an interrupted run returned %+v, error %v", part, err)
			}
			// Who says what the teacher says must make no difference.
			workers := func(c *Config) error { c.Workers = 5; return nil }
			if rest, err := Resume(context.Background(), part.Dir, workers, options(t)); err != nil || !rest.Closed {
				t.Fatalf("resumed: %+v, error %v", rest, err)
			}
			metrics, again := metricsOf(t, whole.Dir), metricsOf(t, part.Dir)
			if !slices.Equal(metrics, again) {
				t.Errorf("metrics\n%v\nand resumed\n%v", metrics, again)
			}
		})
	}
	if n := learnertest.Open.Load(); n != 0 {
		t.Errorf("%d learners were not closed", n)
	}
}

// last is a teacher that takes the last of the legal actions, and says what actions are worth.
type last struct{ bad bool }

func (last) Name() string { return "last" }

func (l last) Act(m engine.Match, r *engine.Rand) engine.Action { return l.Explain(m, r).Choice }

func (l last) Explain(m engine.Match, _ *engine.Rand) bots.Account {
	out := bots.Account{Prior: -1}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		out.Choice = a
		out.Actions = append(out.Actions, bots.Considered{Action: a, Visits: 1, Mean: float64(a)})
	}
	out.Actions[0].Visits = len(out.Actions) - 1 // the first is not tried where there are others
	if l.bad {
		out.Choice = 400
	}
	return out
}

func init() {
	for name, l := range map[string]last{"last": {}, "illegal": {bad: true}} {
		bots.Register(bots.Kind{Name: name, Game: "leduc", New: func(engine.Game) (bots.Bot, error) { return l, nil }})
	}
}

func TestAPupilBecomesItsTeacherAndItsFolderIsAStart(t *testing.T) {
	cfg := smallImitation("leduc")
	imitationOf(&cfg).Teacher, cfg.LearningRate, cfg.TotalTimesteps = "last", 1e-2, 8*6*60
	opt := options(t)
	s, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	e := s.Last.Exam
	if e == nil || e.All.Decisions != 200 || e.All.Top1 < 0.99 || e.All.AsGood < 0.99 || e.All.Regret > 0.01 {
		t.Fatalf("the exam: %+v", e)
	}
	sum := 0
	for _, g := range e.Kinds {
		sum += g.Decisions
	}
	if sum != 200 {
		t.Errorf("the kinds have %d decisions", sum)
	}
	values, _ := s.Last.values()
	if values["imitation/top1"] != e.All.Top1 || values["imitation/regret"] != e.All.Regret {
		t.Errorf("values %v", values)
	}

	// PPO continues from the clone.
	cfg = small("leduc")
	cfg.InitFrom, cfg.LearningRate = s.Dir, 1e-30
	ppo, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	clone, err := LoadPolicy(s.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer clone.Close()
	further, err := LoadPolicy(ppo.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer further.Close()
	a, _ := clone.net.Weights()
	b, _ := further.net.Weights()
	if !slices.Equal(a[0].Data, b[0].Data) {
		t.Error("the training did not begin with the clone")
	}
}

func TestImitationNamesWhatItCannotLearnFrom(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"teacher: not given":           func(c *Config) { imitationOf(c).Teacher = "" },
		"unknown bot":                  func(c *Config) { imitationOf(c).Teacher = "nobody" },
		"want hard or soft":            func(c *Config) { imitationOf(c).Targets = "firm" },
		"random has no values":         func(c *Config) { imitationOf(c).Targets = "soft" },
		"temperature":                  func(c *Config) { imitationOf(c).Temperature = 0 },
		"own_matches":                  func(c *Config) { imitationOf(c).OwnMatches = 1.5 },
		"algorithm":                    func(c *Config) { c.Algorithm = "hearsay" },
		"last chose action 400, which": func(c *Config) { imitationOf(c).Teacher = "illegal" },
		"data: here: it has one game": func(c *Config) {
			c.Game, c.Tables, imitationOf(c).Data = "doubloons(seats=2)", []selfplay.Table{{Game: "doubloons(seats=2)", Share: 1}, {Game: "doubloons(seats=3)", Share: 1}}, "here"
		},
	} {
		cfg := smallImitation("leduc")
		change(&cfg)
		if _, err := Run(context.Background(), cfg, options(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Training from data continues after an interruption as if there had been none, and it learns the teacher.
func TestTrainingFromDataResumesExactly(t *testing.T) {
	cfg := smallImitation("leduc")
	settings := &imitation.Settings{Teacher: "last", Targets: "soft", Temperature: 0.1, HeldOut: 20, Data: t.TempDir()}
	cfg.Settings, cfg.LearningRate, cfg.PerfectCritic = settings, 1e-2, false
	cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.EvalMatches = 3, 4, 3*4*120, 2
	if _, err := dataset.Write(t.Context(), settings.Data, dataset.Config{
		Game: "leduc", Players: []match.Player{match.Named("last"), match.Named("random")}, Seed: 2, Matches: 150, PartMatches: 20, RandomMoves: 0.2, Part: durable.Part{Shard: 1, Shards: 1},
	}); err != nil {
		t.Fatal(err)
	}
	whole, err := Run(context.Background(), cfg, options(t))
	if err != nil {
		t.Fatal(err)
	}
	if e := whole.Last.Exam; e == nil || e.All.Decisions < 5 || e.All.Top1 < 0.9 || e.All.Valued != e.All.Decisions {
		t.Errorf("the exam: %+v", e)
	}
	ctx, opt := interruptedAfter(50, options(t))
	part, err := Run(ctx, cfg, opt)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted run returned %+v, error %v", part, err)
	}
	if rest, err := Resume(context.Background(), part.Dir, nil, options(t)); err != nil || !rest.Closed {
		t.Fatalf("resumed: %+v, error %v", rest, err)
	}
	if metrics, again := metricsOf(t, whole.Dir), metricsOf(t, part.Dir); !slices.Equal(metrics, again) {
		t.Errorf("metrics\n%v\nand resumed\n%v", metrics, again)
	}
}

func TestConfigurationBeginsWithTheDefaultsOfItsAlgorithm(t *testing.T) {
	c, err := ParseConfig([]byte("game: leduc\nalgorithm: imitation\n"))
	if err != nil || imitationOf(&c).Teacher != "heuristic" || c.LearningRate != 1e-3 || c.MinibatchSize != 1024 {
		t.Errorf("teacher %q, learning rate %v, error %v", imitationOf(&c).Teacher, c.LearningRate, err)
	}
	if c, err = ParseConfig(c.YAML()); err != nil || c.Algorithm != "imitation" {
		t.Errorf("algorithm %q, error %v", c.Algorithm, err)
	}
}

func TestCounterfactualRolloutsNameWhatTheyCannotPlay(t *testing.T) {
	for want, change := range map[string]func(*counterfactual.Settings){
		"counterfactual.share: 0":                    func(s *counterfactual.Settings) { s.Share = 0 },
		"counterfactual.worlds: 1":                   func(s *counterfactual.Settings) { s.Worlds = 1 },
		`hidden: "marked": want redealt or actual`:   func(s *counterfactual.Settings) { s.Hidden = "marked" },
		"counterfactual.eta: 0: want a number above": func(s *counterfactual.Settings) { s.Eta = 0 },
		"counterfactual.tau: -1: want":               func(s *counterfactual.Settings) { s.Tau = -1 },
	} {
		cfg, err := Defaults("counterfactual")
		if err != nil {
			t.Fatal(err)
		}
		cfg.Game = "leduc"
		change(counterfactualOf(&cfg))
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for text, want := range map[string]string{
		"game: leduc\nalgorithm: counterfactual\nlate: {steps: 3}":                                  "late: the algorithm counterfactual has no late part",
		"game: [{game: doubloons(seats=2)}, {game: doubloons(seats=3)}]\nalgorithm: counterfactual": "game: 2 tables: the algorithm counterfactual learns at one",
		"game: leduc\nalgorithm: hearsay":                                                           `algorithm: "hearsay": want ppo, counterfactual, imitation`,
	} {
		c, err := ParseConfig([]byte(text))
		if err == nil {
			err = c.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %s", text, err, want)
		}
	}
}

func TestGameTakesAListWithShares(t *testing.T) {
	c, err := ParseConfig([]byte("game:\n  - game: doubloons(seats=4)\n    share: 2\n  - game: doubloons(seats=2,modules=black_jewel+compass)\n  - game: doubloons(seats=4)\n    opponents: [search(rollouts=24,horizon=round), random]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(c.Tables) != 3 || c.Game != c.Tables[0].Game || c.Tables[0].Share != 2 || c.Tables[1].Share != 1 || c.Tables[1].Opponents != nil {
		t.Errorf("game %s, tables %v", c.Game, c.Tables)
	}
	if own := c.Tables[2].Opponents; own == nil || !slices.Equal(*own, []string{"search(rollouts=24,horizon=round)", "random"}) {
		t.Errorf("opponents %v", own)
	}
	if back, err := ParseConfig(c.YAML()); err != nil || !reflect.DeepEqual(c, back) {
		t.Errorf("read back\n%+v\nwant\n%+v: %v", back, c, err)
	}
	for text, want := range map[string]string{
		"game: [{game: leduc}, {game: kuhn}]":               "game: kuhn: one network learns configurations of one game",
		"game: [{game: kuhn}, {game: kuhn}]":                "game: kuhn is listed twice with the same opponents",
		"game: [{game: kuhn, opponents: [random, random]}]": "opponents: 2: want at most 1, so that a seat of kuhn is left to learn",
		"game: [{game: kuhn, opponents: [nobody]}]":         "opponents: unknown bot \"nobody\"",
		"game: [{game: kuhn, share: 0}]":                    "game: share: 0: want numbers above 0",
		"game: [{game: kuhn, shares: 2}]":                   "game: line 1: want entries of the form",
	} {
		c, err := ParseConfig([]byte(text))
		if err == nil {
			err = c.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %s", text, err, want)
		}
	}
}

func TestEachConfigurationIsEvaluated(t *testing.T) {
	cfg := small("doubloons(seats=2)")
	cfg.Tables, cfg.Exploitability = []selfplay.Table{{Game: "doubloons(seats=2)", Share: 1}, {Game: "doubloons(seats=3)", Share: 1}}, false
	cfg.TotalTimesteps, cfg.EvalEvery, cfg.EvalMatches = 1, 0, 6
	s, err := Run(t.Context(), cfg, options(t))
	if err != nil {
		t.Fatal(err)
	}
	values, _ := s.Last.values()
	for _, tag := range []string{"eval/winrate_vs_random", "eval/winrate_vs_random_at_doubloons_seats_3", "eval/elo", "eval/elo_vs_random"} {
		if _, ok := values[tag]; !ok {
			t.Errorf("no %s in %v", tag, values)
		}
	}
}
