package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// small is a run of 12 updates that exercises everything.
func small(game string) Config {
	c := DefaultConfig()
	c.Game, c.Exp, c.Seed = game, "test", 7
	c.NumEnvs, c.NumSteps, c.TotalTimesteps = 8, 6, 8*6*12
	c.NumMinibatches, c.UpdateEpochs, c.Hidden = 2, 2, []int{16}
	c.PerfectCritic, c.MaxDecisions = true, 3
	c.EvalEvery, c.EvalMatches, c.Exploitability = 4, 10, game == "kuhn"
	c.CheckpointEvery, c.KeepCheckpoints = 3, 2
	c.Workers, c.Threads = 2, 1
	return c
}

func options(t testing.TB) Options {
	return Options{Root: t.TempDir(), NewLearner: newLinear, Warn: func(w string) { t.Errorf("warning: %s", w) }}
}

// sameOutcome compares the last checkpoints of two runs bit for bit, and their
// metrics but for the timings.
func sameOutcome(t *testing.T, a, b string) {
	t.Helper()
	sa, sta, _, err := newest(a, func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	sb, stb, _, err := newest(b, func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	sta.Seconds, stb.Seconds, sta.MetricsOffset, stb.MetricsOffset = 0, 0, 0, 0
	if !reflect.DeepEqual(sta, stb) {
		t.Errorf("states differ:\n%+v\n%+v", sta, stb)
	}
	if len(sa) != len(sb) {
		t.Errorf("%d sections and %d", len(sa), len(sb))
	}
	for name := range sa {
		if name != "state" && !bytes.Equal(sa[name], sb[name]) {
			t.Errorf("section %s differs", name)
		}
	}
	ma, mb := metricsOf(t, a), metricsOf(t, b)
	if len(ma) != len(mb) {
		t.Fatalf("%d lines of metrics and %d", len(ma), len(mb))
	}
	for i := range ma {
		if ma[i] != mb[i] {
			t.Errorf("metrics, line %d:\n%s\n%s", i+1, ma[i], mb[i])
		}
	}
}

// metricsOf returns the lines of a run's metrics without their timings.
func metricsOf(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.SplitAfter(string(data), "\n") {
		if line == "" {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("metrics, line %d: %v", len(lines)+1, err)
		}
		if m["time"] == nil {
			t.Errorf("metrics, line %d has no timings", len(lines)+1)
		}
		delete(m, "time")
		bare, _ := json.Marshal(m)
		lines = append(lines, string(bare))
	}
	return lines
}

// interruptedAfter stops a run at its n-th report.
func interruptedAfter(n int, opt Options) (context.Context, Options) {
	ctx, cancel := context.WithCancel(context.Background())
	opt.Progress = func(u Update) {
		if u.Iteration == n {
			cancel()
		}
	}
	return ctx, opt
}

func TestInterruptedAndResumedRunEqualsUninterruptedOne(t *testing.T) {
	opposed := small("kuhn")
	opposed.Opponents = []string{"random"}
	reading := small("leduc")
	reading.Network = "entity"
	damped := small("leduc")
	damped.KLCoef, damped.Magnet, damped.MagnetCoef, damped.MagnetCoefFinal, damped.MagnetEvery = 0.1, pastMagnet, 0.1, 0.01, 3
	damped.AdvantageFilter, damped.WarmupUpdates, damped.Schedule, damped.EntCoef, damped.EntCoefFinal = 0.25, 2, geometrically, 0, 0
	sampled := small("leduc")
	sampled.AdvantageSample = 0.5
	several := small("doubloons(seats=2)")
	several.Games, several.Exploitability, several.Opponents, several.EvalMatches = []string{"doubloons(seats=2)", "doubloons(seats=3)"}, false, []string{"random"}, 0
	late := small("doubloons(seats=2,objective=margin)")
	late.LateGame, late.LateFrom, late.LateMinibatchSize, late.WarmupUpdates, late.Exploitability, late.EvalMatches = "doubloons(seats=2)", 0.5, 17, 1, false, 0
	met := leagueConfig()
	met.League, met.LeagueBy = []string{"random", "random"}, byLearning
	leading := small("leduc")
	leading.Critic = actionCritic
	telling := several
	telling.Values = allValues
	for name, cfg := range map[string]Config{"telling": telling, "leading": leading, "kuhn": small("kuhn"), "leduc": small("leduc"), "opponents": opposed, "entity": reading, "damped": damped, "sampled": sampled, "league": met, "games": several, "late": late} {
		t.Run(name, func(t *testing.T) {
			whole, err := Run(context.Background(), cfg, options(t))
			if err != nil {
				t.Fatal(err)
			}
			if !whole.Closed || whole.Last.Iteration != 12 || whole.Steps != 576 {
				t.Errorf("summary %+v", whole)
			}
			ctx, opt := interruptedAfter(4, options(t))
			part, err := Run(ctx, cfg, opt)
			if !errors.Is(err, context.Canceled) || part.Closed {
				t.Fatalf("an interrupted run returned %+v, error %v", part, err)
			}
			ctx, opt = interruptedAfter(7, options(t))
			if _, err := Resume(ctx, part.Dir, nil, opt); !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			if rest, err := Resume(context.Background(), part.Dir, nil, options(t)); err != nil || !rest.Closed {
				t.Fatalf("resumed: %+v, error %v", rest, err)
			}
			sameOutcome(t, whole.Dir, part.Dir)
		})
	}
	if n := openLearners.Load(); n != 0 {
		t.Errorf("%d learners were not closed", n)
	}
}

// A run that is killed has done updates since its last checkpoint. A copy of the
// folder at such a moment is what a kill would leave.
func TestUpdatesAfterTheLastCheckpointAreDoneAgain(t *testing.T) {
	opt := options(t)
	killed := filepath.Join(t.TempDir(), "killed")
	opt.Progress = func(u Update) {
		if u.Iteration != 8 || killed == "" {
			return
		}
		dirs, _ := filepath.Glob(filepath.Join(opt.Root, "*"))
		if err := os.CopyFS(killed, os.DirFS(dirs[0])); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := Run(context.Background(), small("kuhn"), opt)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(metricsOf(t, killed)); n != 8 {
		t.Fatalf("%d lines of metrics at the kill; want 8", n)
	}
	// A kill while a checkpoint is being written leaves this too.
	stray := filepath.Join(killed, checkpointsDir, "step_000000009999.ckpt.tmp-1")
	if err := os.WriteFile(stray, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), killed, nil, options(t)); err != nil {
		t.Fatal(err)
	}
	sameOutcome(t, whole.Dir, killed)
	if exists(stray) {
		t.Error("the temporary file is still there")
	}
}

func TestRunFolderHasWhatItShould(t *testing.T) {
	opt := options(t)
	var seen []int
	opt.Progress = func(u Update) { seen = append(seen, u.Iteration) }
	cfg := small("kuhn")
	s, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 13 || seen[0] != 0 || seen[12] != 12 {
		t.Errorf("progress was reported for %v", seen)
	}
	if name := filepath.Base(s.Dir); !strings.HasPrefix(name, "kuhn__test__7__") {
		t.Errorf("the folder is called %s", name)
	}
	back, err := LoadConfig(filepath.Join(s.Dir, "config.yaml"))
	if err != nil || !reflect.DeepEqual(back, cfg) {
		t.Errorf("config.yaml holds %+v, error %v", back, err)
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, checkpointsDir, "*"))
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	want := []string{"best.ckpt", "best.safetensors", "step_000000000432.ckpt", "step_000000000432.safetensors", "step_000000000576.ckpt", "step_000000000576.safetensors"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("checkpoints %v; want %v", names, want)
	}
	f, err := os.Open(filepath.Join(s.Dir, checkpointsDir, "best.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tensors, meta, err := learner.ReadSafetensors(f)
	if err != nil || len(tensors) != 3 || meta["game"] != "kuhn" || len(meta["schema_hash"]) != 64 {
		t.Errorf("weights: %d tensors, %v, error %v", len(tensors), meta, err)
	}
	events, _ := filepath.Glob(filepath.Join(s.Dir, "events.out.tfevents.*"))
	if len(events) != 1 {
		t.Fatalf("event files %v", events)
	}
	data, _ := os.ReadFile(events[0])
	all := bytes.Join(records(t, data), nil)
	for _, tag := range []string{
		"charts/episodic_return", "charts/episodic_length", "charts/learning_rate", "charts/SPS",
		"losses/policy_loss", "losses/value_loss", "losses/entropy", "losses/approx_kl", "losses/old_approx_kl", "losses/clipfrac", "losses/explained_variance",
		"eval/winrate_vs_random", "eval/return_vs_random", "eval/exploitability", "eval/average_exploitability", "perf/env_sps", "perf/train_sps",
	} {
		if !bytes.Contains(all, []byte(tag)) {
			t.Errorf("the events lack %s", tag)
		}
	}
}

func TestScheduleIsLinear(t *testing.T) {
	opt := options(t)
	var rates, entropies []float64
	opt.Progress = func(u Update) { rates, entropies = append(rates, u.LearningRate), append(entropies, u.EntCoef) }
	c := small("kuhn")
	c.EvalEvery, c.LearningRate, c.EntCoef, c.EntCoefFinal = 0, 0.0012, 0.24, 0.12
	if _, err := Run(context.Background(), c, opt); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 12; i++ {
		left := float64(13-i) / 12
		if d := rates[i] - 0.0012*left; d > 1e-9 || d < -1e-9 {
			t.Errorf("update %d: learning rate %v", i, rates[i])
		}
		if d := entropies[i] - (0.12 + 0.12*float64(12-i)/11); d > 1e-9 || d < -1e-9 {
			t.Errorf("update %d: entropy weight %v", i, entropies[i])
		}
	}
}

func TestTargetKLStopsThePasses(t *testing.T) {
	for _, c := range []struct {
		kl   float64
		want int
	}{{1e-12, 1}, {0, 2}} {
		opt := options(t)
		epochs := 0
		opt.Progress = func(u Update) {
			if u.Iteration > 1 {
				epochs = max(epochs, u.Epochs)
			}
		}
		cfg := small("leduc")
		cfg.TargetKL, cfg.EvalEvery, cfg.EvalMatches = c.kl, 0, 0
		if _, err := Run(context.Background(), cfg, opt); err != nil {
			t.Fatal(err)
		}
		if epochs != c.want {
			t.Errorf("target_kl %v: up to %d passes; want %d", c.kl, epochs, c.want)
		}
	}
}

func TestRunNamesWhatIsMissingBeforeItWritesAnything(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Game = "chess" }, "unknown game"},
		{func(c *Config) { c.EvalBots = []string{"deep blue"} }, `unknown bot "deep blue"`},
		{func(c *Config) { c.ClipCoef = 0 }, "clip_coef"},
	} {
		cfg, opt := small("kuhn"), options(t)
		c.change(&cfg)
		if _, err := Run(context.Background(), cfg, opt); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v; want one line with %s", err, c.want)
		}
		if left, _ := os.ReadDir(opt.Root); len(left) != 0 {
			t.Errorf("it left %v behind", left)
		}
	}
}

func TestCollectingAllocatesNothing(t *testing.T) {
	tr, err := newTrainer(small("leduc"), newLinear)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	if n := testing.AllocsPerRun(20, func() {
		if _, err := tr.collect(); err != nil {
			t.Fatal(err)
		}
		tr.rollout.finish(1, 0.95)
		tr.rollout.carry()
	}); n > 0 {
		t.Errorf("%v allocations for a collection", n)
	}
}

// Each decision of these matches is followed by a cut. What the critic says of each seat's
// own view of the end must be what its last decision is bootstrapped with.
func TestTruncatedMatchesAreBootstrappedFromEachSeatsView(t *testing.T) {
	cfg := small("leduc")
	cfg.MaxDecisions, cfg.PerfectCritic, cfg.NumEnvs, cfg.NumSteps = 2, false, 3, 2
	checkBootstrapped(t, cfg, 1)
}

// A limit of the game cuts matches short as the cap on decisions does.
func TestMatchesThatALimitCutsShortAreBootstrapped(t *testing.T) {
	cfg := small("doubloons(seats=2,max_rounds=1)")
	cfg.MaxDecisions, cfg.PerfectCritic, cfg.NumEnvs, cfg.NumSteps = 0, false, 3, 1
	checkBootstrapped(t, cfg, 100)
}

// checkBootstrapped collects until the last step of a collection has cut a match short.
func checkBootstrapped(t *testing.T, cfg Config, most int) {
	t.Helper()
	tr, err := newTrainer(cfg, newLinear)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	for n := 0; ; n++ {
		if _, err := tr.collect(); err != nil {
			t.Fatal(err)
		}
		if n+1 == most || slices.Contains(tr.now.Truncated, true) {
			break
		}
		tr.rollout.finish(1, 0.95)
		tr.rollout.carry()
	}
	l, b, cut := tr.learner.(*linear), tr.now, 0
	for i := range cfg.NumEnvs {
		if !b.Truncated[i] {
			continue
		}
		if cut++; b.Terminated[i] {
			t.Errorf("match %d is terminated, too", i)
		}
		for row := range tr.rollout.n {
			if int(tr.rollout.owner[row])/2 != i || tr.rollout.next[row] >= 0 {
				continue // of another match, or not its seat's last decision
			}
			slot, d := int(tr.rollout.owner[row]), tr.rollout.d
			want := float32(l.dot(l.cfg.NumActions, b.FinalObs[slot*d:(slot+1)*d]))
			if got := tr.rollout.boot[row]; got != want || tr.rollout.next[row] != ended {
				t.Errorf("match %d, seat %d: bootstrapped with %v; the critic says %v", i, slot%2, got, want)
			}
		}
	}
	if cut == 0 {
		t.Error("no match was cut short")
	}
}

func TestSelfPlayApproachesAnEquilibriumEvenWithALinearPolicy(t *testing.T) {
	cfg := small("kuhn")
	cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.MaxDecisions, cfg.LearningRate = 64, 16, 64*16*60, 0, 1e-3
	cfg.EvalEvery, cfg.EvalMatches, cfg.CheckpointEvery, cfg.PerfectCritic = 0, 0, 0, false
	s, err := Run(context.Background(), cfg, options(t))
	if err != nil {
		t.Fatal(err)
	}
	if sol := s.Last.Solution; !(*sol.AverageNashConv < sol.UniformNashConv/2) {
		t.Errorf("NashConv %v, of the average policy %v; want less than half of the uniform policy's %v", sol.NashConv, *sol.AverageNashConv, sol.UniformNashConv)
	}
}

func TestEvaluationsLeaveAMatchToRead(t *testing.T) {
	cfg := small("leduc")
	sum, err := Run(context.Background(), cfg, options(t))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(sum.Dir, "transcripts", "*_random.txt"))
	if want := int(cfg.Iterations()) / cfg.EvalEvery; err != nil || len(files) != want {
		t.Fatalf("%d transcripts, error %v; want %d, one for each evaluation", len(files), err, want)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := engine.ReadTranscript(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := tr.Replay(nil); err != nil || tr.Returns == nil {
			t.Errorf("%s: returns %v, replay: %v", name, tr.Returns, err)
		}
	}
}

func TestARunCanBeginWithTheWeightsOfAnother(t *testing.T) {
	opt := options(t)
	first, err := Run(context.Background(), small("leduc"), opt)
	if err != nil {
		t.Fatal(err)
	}
	trained, err := LoadPolicy(first.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer trained.Close()
	want, _ := trained.net.Weights()

	// With a learning rate of next to nothing the weights stay what they were.
	cfg := small("leduc")
	cfg.InitFrom, cfg.LearningRate, cfg.Seed = first.Dir, 1e-30, 8
	second, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	again, err := LoadPolicy(second.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got, _ := again.net.Weights(); !reflect.DeepEqual(got, want) {
		t.Error("the second run did not begin with the weights of the first")
	}

	// The value head is worth what it was worth: its unit comes with it, or it is brought into the unit of returns.
	if mean, deviation := trained.norm.scale(); mean == 0 && deviation == 1 {
		t.Fatal("the first run has learnt no unit: this tests nothing")
	}
	told := func(cfg Config) float64 {
		tr := trainerOf(t, cfg)
		if err := tr.beginWith(first.Dir, opt); err != nil {
			t.Fatal(err)
		}
		values := make([]float32, tr.cfg.NumEnvs)
		if err := tr.ask(tr.now, values); err != nil {
			t.Fatal(err)
		}
		mean, deviation := tr.norm.scale()
		return float64(values[0])*deviation + mean
	}
	inUnits := told(cfg)
	cfg.NormValue = false
	if plain := told(cfg); math.Abs(plain-inUnits) > 1e-5 {
		t.Errorf("the value is %v in the unit of the first run, and %v in returns", inUnits, plain)
	}
	cfg.NormValue = true

	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Game, c.InitFrom = "kuhn", first.Dir }, "observations or actions are not those of kuhn"},
		{func(c *Config) { c.Activation = "silu" }, "set activation: relu"},
		{func(c *Config) { c.Network = "entity" }, "set network: mlp"},
		{func(c *Config) { c.InitFrom = filepath.Join(first.Dir, "nowhere") }, "nowhere"},
	} {
		bad := cfg
		c.change(&bad)
		bad.Exploitability = false
		if _, err := Run(context.Background(), bad, opt); err == nil || !strings.Contains(err.Error(), "init_from") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want one about init_from that has %q", err, c.want)
		}
	}
}

func TestOpponentsTakeSeatsThatChange(t *testing.T) {
	cfg := small("kuhn(seats=3)")
	cfg.Exploitability, cfg.Opponents = false, []string{"random", "random"}
	tr := trainerOf(t, cfg)
	seats := map[int32]bool{}
	for range 5 {
		if _, err := tr.iterate(); err != nil {
			t.Fatal(err)
		}
		for i, seat := range tr.now.Seat {
			seats[seat] = true
			if player := tr.now.Players[i*3+int(seat)]; player != 0 {
				t.Fatalf("row %d asks for a decision of player %d, who is a bot", i, player)
			}
		}
	}
	if len(seats) != 3 {
		t.Errorf("the network has only had seats %v", seats)
	}
	if tr.finished.matches == 0 || len(tr.finished.returns) != 1 {
		t.Errorf("%d matches ended, returns of %d players; want some, of the network alone", tr.finished.matches, len(tr.finished.returns))
	}

	for _, c := range []struct {
		opponents []string
		want      string
	}{
		{[]string{"random", "random", "random"}, "at most 2"},
		{[]string{"randum"}, "opponents"},
	} {
		cfg.Opponents = c.opponents
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("opponents %v: error %v; want one with %q", c.opponents, err, c.want)
		}
	}
}
