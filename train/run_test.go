package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/learner/learnertest"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// small is a run of 12 updates that exercises everything.
func small(game string) Config {
	c := DefaultConfig()
	c.Game, c.Exp, c.Seed = game, "test", 7
	c.NumEnvs, c.NumSteps, c.TotalTimesteps = 8, 6, 8*6*12
	c.MinibatchSize, c.UpdateEpochs, c.Hidden = 32, 2, []int{16}
	c.PerfectCritic = true
	c.EvalEvery, c.EvalMatches, c.Exploitability = 4, 10, game == "kuhn"
	c.CheckpointEvery, c.KeepCheckpoints = 3, 2
	c.Workers, c.Threads = 2, 1
	return c
}

func options(t testing.TB) Options {
	return Options{Root: t.TempDir(), NewLearner: learnertest.New, Warn: func(w string) { t.Errorf("warning: %s", w) }}
}

// sameOutcome compares the last checkpoints of two runs bit for bit, and their
// metrics except the timings.
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
	drawn := small("leduc")
	ppoOf(&drawn).MagnetCoef, ppoOf(&drawn).MagnetCoefFinal = 0.1, 0.01
	ppoOf(&drawn).WarmupUpdates, drawn.Schedule, ppoOf(&drawn).EntCoef, ppoOf(&drawn).EntCoefFinal = 2, "geometric", 0, 0
	several := small("doubloons(seats=2)")
	several.Tables, several.Exploitability, several.Opponents, several.EvalMatches = []selfplay.Table{{Game: "doubloons(seats=2)", Share: 1}, {Game: "doubloons(seats=3)", Share: 1, Opponents: &[]string{}}}, false, []string{"random"}, 0
	late := small("doubloons(seats=2)")
	late.Late.From, late.Late.Steps, ppoOf(&late).WarmupUpdates, late.Exploitability, late.EvalMatches = 0.5, 6, 1, false, 0
	met := small("kuhn")
	met.Opponents, met.League = []string{"league"}, []string{"random", "random"}
	for name, cfg := range map[string]Config{"kuhn": small("kuhn"), "leduc": small("leduc"), "opponents": opposed, "entity": reading, "drawn": drawn, "league": met, "games": several, "late": late} {
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
	if n := learnertest.Open.Load(); n != 0 {
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
	opt.Progress = func(u Update) {
		rates, entropies = append(rates, u.LearningRate), append(entropies, u.Values["charts/ent_coef"])
	}
	c := small("kuhn")
	c.EvalEvery, c.LearningRate, ppoOf(&c).EntCoef, ppoOf(&c).EntCoefFinal = 0, 0.0012, 0.24, 0.12
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
		ppoOf(&cfg).TargetKL, cfg.EvalEvery, cfg.EvalMatches = c.kl, 0, 0
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
		{func(c *Config) { ppoOf(c).ClipCoef = 0 }, "clip_coef"},
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

func TestSelfPlayApproachesAnEquilibriumEvenWithALinearPolicy(t *testing.T) {
	cfg := small("kuhn")
	cfg.NumEnvs, cfg.NumSteps, cfg.MinibatchSize, cfg.TotalTimesteps, cfg.LearningRate = 64, 16, 600, 64*16*60, 1e-3
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
	if trained.norm.Scale() == (selfplay.Scale{Mean: 0, Deviation: 1}) {
		t.Fatal("the first run has learnt no unit: this tests nothing")
	}
	r := &run{opt: opt.withDefaults()}
	if err := r.prepare(cfg); err != nil {
		t.Fatal(err)
	}
	defer r.play.Close()
	if err := beginWith(r.play, first.Dir, r.opt); err != nil || r.play.Norm.Scale() != trained.norm.Scale() {
		t.Errorf("the unit of the value head is %v, error %v; want %v", r.play.Norm.Scale(), err, trained.norm.Scale())
	}

	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Game, c.InitFrom = "kuhn", first.Dir }, "observations or actions are not those of kuhn"},
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

// The updates of a late game are larger: the time that is left goes by decisions.
func TestTheTimeLeftGoesByDecisions(t *testing.T) {
	for _, c := range []struct {
		collected, missing int64
		want               time.Duration
	}{{2000, 6000, 3 * time.Minute}, {2000, 0, 0}, {2000, -100, 0}, {0, 6000, 0}} {
		if got := remaining(time.Minute, c.collected, c.missing); got != c.want {
			t.Errorf("after a minute with %d decisions, %d missing: %v, want %v", c.collected, c.missing, got, c.want)
		}
	}
}
