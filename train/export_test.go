package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// weightsFile writes the weights that a run begins with, as it would beside a checkpoint.
func weightsFile(t *testing.T, cfg Config, change func(about map[string]string)) string {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	e, err := encoderOf(cfg.Game)
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]string{"game": cfg.Game, "schema_hash": cfg.SchemaHash(e), "iteration": "3", "steps": "4000", "config": string(cfg.YAML())}
	if change != nil {
		change(about)
	}
	var b bytes.Buffer
	if err := learner.WriteSafetensors(&b, cfg.Learner(e).InitialWeights(), about); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "step_000000004000"+weightsExt)
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnExportPlaysAsItsRunWasEvaluatedUnlessToldOtherwise(t *testing.T) {
	for _, c := range []struct {
		greedy      bool
		asked, want string
	}{
		{false, "", bundle.Sample}, {true, "", bundle.Greedy}, {true, bundle.Sample, bundle.Sample}, {false, bundle.Greedy, bundle.Greedy},
	} {
		cfg := small("leduc")
		cfg.EvalGreedy = c.greedy
		if b, _, err := Export(weightsFile(t, cfg, nil), ExportOptions{Choice: c.asked}); err != nil || b.Choice != c.want {
			t.Errorf("evaluated greedily: %v, asked for %q: it plays by %s, error %v", c.greedy, c.asked, b.Choice, err)
		}
	}
}

func TestAnExportKnowsAllGamesOfItsTraining(t *testing.T) {
	cfg := small("doubloons(seats=2)")
	games := []string{"doubloons(seats=3,modules=alternate_island)", "doubloons(seats=2)"}
	for want, cfg := range map[*[]string]Config{{"doubloons(seats=2)"}: cfg, &games: func() Config {
		cfg.Game = games[0]
		for _, game := range games {
			cfg.Tables = append(cfg.Tables, selfplay.Table{Game: game, Share: 1})
		}
		return cfg
	}()} {
		b, _, err := Export(weightsFile(t, cfg, nil), ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := TrainingOf(b); err != nil || !slices.Equal(got.Games, *want) || got.Game != (*want)[0] || len(got.EvalBots) != 1 {
			t.Errorf("trained on %+v, error %v; want %q", got, err, *want)
		}
		b.Provenance.Config = ""
		if got, err := TrainingOf(b); err != nil || !slices.Equal(got.Games, []string{b.Game}) || got.Game != b.Game || !slices.Equal(got.EvalBots, DefaultConfig().EvalBots) {
			t.Errorf("without a configuration trained on %+v, error %v; want %s", got, err, b.Game)
		}
		b.Provenance.Config = "games: [leduc"
		if got, err := TrainingOf(b); err == nil {
			t.Errorf("of a damaged configuration trained on %+v", got)
		}
	}
}

// Inputs that only later parts of a mean have learnt to read must not be pruned, whichever is the first, and of a mean of means too.
func TestAMeanHasLearntTheGamesOfAllItsParts(t *testing.T) {
	part := func(game, bot string, tables ...string) *bundle.Bundle {
		cfg := small(game)
		cfg.EvalBots = []string{bot}
		for _, game := range tables {
			cfg.Tables = append(cfg.Tables, selfplay.Table{Game: game, Share: 1})
		}
		b, _, err := Export(weightsFile(t, cfg, nil), ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	two, six, both := part("doubloons(seats=2)", "random"), part("doubloons(seats=6)", "heuristic"), part("doubloons(seats=3)", "random", "doubloons(seats=3)", "doubloons(seats=2)")
	silent := part("doubloons(seats=5)", "random")
	silent.Provenance.Config = ""
	if err := six.Average(two, silent); err != nil {
		t.Fatal(err)
	}
	data, err := six.Encode()
	if err != nil {
		t.Fatal(err)
	}
	mean, err := bundle.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := TrainingOf(mean)
	if want := []string{"doubloons(seats=6)", "doubloons(seats=2)", "doubloons(seats=5)"}; err != nil || !slices.Equal(got.Games, want) || got.Game != want[0] || !slices.Equal(got.EvalBots, []string{"heuristic"}) {
		t.Errorf("trained on %+v, error %v; want %q", got, err, want)
	}
	if err := both.Average(mean); err != nil {
		t.Fatal(err)
	}
	got, err = TrainingOf(both)
	if want := []string{"doubloons(seats=3)", "doubloons(seats=2)", "doubloons(seats=6)", "doubloons(seats=5)"}; err != nil || !slices.Equal(got.Games, want) || got.Game != want[0] {
		t.Errorf("a mean of means is trained on %+v, error %v; want %q", got, err, want)
	}
}

func TestWeightsAreExportedWithoutTheCritic(t *testing.T) {
	cfg := small("leduc")
	cfg.Hidden, cfg.EvalMatches = []int{16, 8}, 10
	path := weightsFile(t, cfg, nil)
	b, from, err := Export(path, ExportOptions{Program: "v1"})
	if err != nil || from != path || b.Evaluation != nil {
		t.Fatalf("%s: %v", from, err)
	}
	if err := Evaluate(b, 20, 1); err != nil {
		t.Fatal(err)
	}
	if p := b.Provenance; p.Steps != 4000 || p.Iteration != 3 || p.Checkpoint != filepath.Base(path) || p.Program != "v1" || !strings.Contains(p.Config, "game: leduc") {
		t.Errorf("provenance %+v", p)
	}
	if b.Choice != bundle.Sample || b.Game != "leduc" || len(b.Evaluation) != 1 || b.Evaluation[0].Matches < 20 || b.Evaluation[0].EqualShare != 0.5 {
		t.Errorf("bundle for %s that plays by %s, evaluation %+v", b.Game, b.Choice, b.Evaluation)
	}
	for _, w := range b.Weights {
		if strings.HasPrefix(w.Name, "critic") {
			t.Errorf("it has the critic's %s", w.Name)
		}
	}
	more, _, err := Export(weightsFile(t, cfg, nil), ExportOptions{Program: "v1"})
	if err != nil || !reflect.DeepEqual(more.Weights, b.Weights) {
		t.Errorf("with a critic of actions other weights are exported: error %v", err)
	}
	if b.Values() != 0 {
		t.Error("it tells values, though nothing says what they are in units of returns")
	}
	// A policy that has learnt nothing is nearly uniform.
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	bot, err := policy.Of("x", b, g)
	if err != nil {
		t.Fatal(err)
	}
	m, r, seen := g.NewMatch(), engine.NewRand(1), map[engine.Action]int{}
	m.Reset(1)
	for range 300 {
		seen[bot.Act(m, &r)]++
	}
	if len(seen) != 2 || seen[1] < 100 || seen[2] < 100 { // there is nothing to fold to

		t.Errorf("it plays %v", seen)
	}
}

// The value head learns returns of mean 0 and deviation 1; a bundle tells returns.
func TestExportedValuesAreReturns(t *testing.T) {
	cfg := small("leduc")
	cfg.PerfectCritic = false
	of := func(cfg Config, mean, deviation string) *bundle.Bundle {
		b, _, err := Export(weightsFile(t, cfg, func(about map[string]string) {
			about["value_mean"], about["value_deviation"] = mean, deviation
		}), ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one, other := of(cfg, "0", "1"), of(cfg, "3", "2")
	if n := len(one.Golden.Values); one.Values() != 1 || n != goldenDecisions {
		t.Fatalf("%d values, %d golden ones", one.Values(), n)
	}
	for i, v := range one.Golden.Values {
		if got := other.Golden.Values[i]; math.Abs(float64(got-(2*v+3))) > 1e-5 {
			t.Errorf("decision %d: value %v; want 2 × %v + 3", i, got, v)
		}
	}
	cfg.PerfectCritic, cfg.Exploitability = true, false
	if b := of(cfg, "0", "1"); b.Values() != 0 {
		t.Error("a critic that sees what is hidden is exported")
	}
	if _, _, err := Export(weightsFile(t, cfg, func(about map[string]string) { about["value_deviation"] = "x" }), ExportOptions{}); err == nil || !strings.Contains(err.Error(), "value_deviation") {
		t.Errorf("error %v", err)
	}
}

func TestExportRefusesWhatItCannotRead(t *testing.T) {
	cfg := small("kuhn")
	for want, path := range map[string]string{
		"schema hash 0000": weightsFile(t, cfg, func(about map[string]string) { about["schema_hash"] = "0000" }),
		"lack config":      weightsFile(t, cfg, func(about map[string]string) { delete(about, "config") }),
		"iteration":        weightsFile(t, cfg, func(about map[string]string) { about["iteration"] = "x" }),
		"trunk.0.linear.weight: sha": weightsFile(t, cfg, func(about map[string]string) {
			about["config"] = strings.Replace(about["config"], "hidden: [16]", "hidden: [12]", 1)
		}),
		"no such file":      filepath.Join(t.TempDir(), "none"),
		"has no checkpoint": t.TempDir(),
	} {
		if _, _, err := Export(path, ExportOptions{}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

// A bundle is an opponent in training and evaluation.
func TestExportedPolicyIsAnOpponent(t *testing.T) {
	b, _, err := Export(weightsFile(t, small("kuhn"), nil), ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old"+bundle.Ext)
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	cfg := small("kuhn")
	cfg.Exploitability, cfg.Opponents, cfg.EvalBots = false, []string{policy.Prefix + path}, []string{policy.Prefix + path}
	cfg.EvalEvery, cfg.TotalTimesteps = 2, int64(cfg.NumEnvs*cfg.NumSteps*2)
	s, err := Run(t.Context(), cfg, options(t))
	if err != nil || len(s.Last.Versus) != 1 || s.Last.Versus[0].Bot != policy.Prefix+path {
		t.Errorf("%+v: %v", s.Last.Versus, err)
	}
	// Resumed against other weights under the old name it would not be the same run.
	cfg.TotalTimesteps *= 4
	for _, opponent := range []string{policy.Prefix + path, "search(rollouts=2,prior=" + policy.Prefix + path + ")"} {
		cfg.Opponents, b.Choice = []string{opponent}, bundle.Sample
		if err := b.Save(path); err != nil {
			t.Fatal(err)
		}
		ctx, opt := interruptedAfter(2, options(t))
		part, err := Run(ctx, cfg, opt)
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		b.Choice = bundle.Greedy
		if err := b.Save(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(t.Context(), part.Dir, nil, options(t)); err == nil || !strings.Contains(err.Error(), "player") {
			t.Errorf("%s: resumed against another policy: error %v", opponent, err)
		}
	}
	cfg.Opponents = []string{policy.Prefix + path + "x"}
	if _, err := Run(t.Context(), cfg, options(t)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("with an opponent that is not there: error %v", err)
	}
}
