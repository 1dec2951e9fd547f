package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner/learnertest"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// stopped is a run that was interrupted after its 7th update: it has checkpoints
// of the 6th and 7th update and the best.
func stopped(t *testing.T) string {
	t.Helper()
	return stoppedRun(t, small("kuhn"))
}

func stoppedRun(t *testing.T, cfg Config) string {
	t.Helper()
	ctx, opt := interruptedAfter(6, options(t))
	s, err := Run(ctx, cfg, opt)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	return s.Dir
}

func checkpointsOf(t *testing.T, dir string) []string {
	t.Helper()
	files, err := numbered(filepath.Join(dir, checkpointsDir))
	if err != nil || len(files) != 2 {
		t.Fatalf("checkpoints %v, error %v", files, err)
	}
	return files
}

func TestDamagedCheckpointFallsBackToTheOneBeforeIt(t *testing.T) {
	fallsBack(t, map[string]func(t *testing.T, path string){
		"empty":     rewritten(func([]byte) []byte { return nil }),
		"truncated": rewritten(func(b []byte) []byte { return b[:len(b)/2] }),
		"one byte":  rewritten(func(b []byte) []byte { b[len(b)/3] ^= 4; return b }),
		"longer":    rewritten(func(b []byte) []byte { return append(b, 0) }),
		"no magic":  rewritten(func(b []byte) []byte { return append([]byte("something else"), b...) }),
	})
}

func TestUnreadableCheckpointFallsBackToTheOneBeforeIt(t *testing.T) {
	linked := func(to string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.Symlink(to, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	ways := map[string]func(t *testing.T, path string){
		"folder": func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "inside"), 0o755)); err != nil {
				t.Fatal(err)
			}
		},
		"link to nothing": linked("nowhere"),
		"link to itself":  linked("step_000000000336.ckpt"),
	}
	if runtime.GOOS == "linux" {
		ways["I/O error"] = linked("/proc/self/mem")
	}
	if os.Geteuid() != 0 {
		ways["permission"] = func(t *testing.T, path string) {
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	fallsBack(t, ways)
}

// fallsBack spoils the newest checkpoint of a run in one way after another, and wants
// the run to continue from the one before it, saying so, to the same end.
func fallsBack(t *testing.T, ways map[string]func(t *testing.T, path string)) {
	whole, err := Run(context.Background(), small("kuhn"), options(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range ways {
		t.Run(name, func(t *testing.T) {
			dir := stopped(t)
			files := checkpointsOf(t, dir)
			spoil(t, files[0])
			var warnings []string
			opt := options(t)
			opt.Warn = func(w string) { warnings = append(warnings, w) }
			if _, err := Resume(context.Background(), dir, nil, opt); err != nil {
				t.Fatal(err)
			}
			spoilt := filepath.Base(files[0])
			if len(warnings) != 2 || !strings.Contains(warnings[0], spoilt) || !strings.Contains(warnings[0], "falling back to "+filepath.Base(files[1])) || !strings.Contains(warnings[1], "put aside as "+spoilt+unusable) || strings.Contains(strings.Join(warnings, ""), "\n") {
				t.Errorf("warnings %q", warnings)
			}
			if _, err := os.Lstat(files[0] + unusable); err != nil {
				t.Error(err)
			}
			sameOutcome(t, whole.Dir, dir)
		})
	}
}

func rewritten(change func([]byte) []byte) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { rewrite(t, path, change) }
}

// A run that continues from an older checkpoint than the newest writes one that has fewer
// decisions than what was skipped. It must not be pruned as the older one.
func TestCheckpointsAfterAFallBackAreKept(t *testing.T) {
	cfg := small("kuhn")
	cfg.KeepCheckpoints = 1
	dir := stoppedRun(t, cfg)
	rewrite(t, filepath.Join(dir, checkpointsDir, "step_000000000336.ckpt"), func(b []byte) []byte { return b[:20] })
	ctx, opt := interruptedAfter(4, options(t))
	opt.Warn = func(string) {}
	if _, err := Resume(ctx, dir, nil, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if _, st, from, err := newest(dir, func(w string) { t.Error(w) }); err != nil || st.Iteration != 5 || filepath.Base(from) != "step_000000000240.ckpt" {
		t.Errorf("the newest is %s of update %d (%v), want that of update 5", from, st.Iteration, err)
	}
	if _, err := Resume(context.Background(), dir, nil, options(t)); err != nil {
		t.Error(err)
	}
}

// It would pass for the newest, and what was trained after it would be lost.
func TestCheckpointOfAnotherNameIsRefused(t *testing.T) {
	dir := stopped(t)
	files := checkpointsOf(t, dir)
	renamed := filepath.Join(dir, checkpointsDir, saveName(999)+checkpointExt)
	if err := os.Rename(files[1], renamed); err != nil {
		t.Fatal(err)
	}
	refused := func(what string, err error) {
		t.Helper()
		for _, part := range []string{renamed, "its name says 999 decisions", "it has had 288", filepath.Base(files[1])} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v; want one with %s", what, err, part)
			}
		}
	}
	_, err := Resume(context.Background(), dir, nil, options(t))
	refused("resume", err)
	_, _, err = readCheckpoint(renamed)
	refused("read", err)
	if err := os.Rename(renamed, files[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), dir, nil, options(t)); err != nil {
		t.Error(err)
	}
}

func TestCheckpointsAheadOfARunAreNotPruned(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int64{48, 96, 144, 999} {
		for _, ext := range []string{checkpointExt, weightsExt} {
			if err := os.WriteFile(filepath.Join(dir, saveName(n)+ext), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := prune(dir, 1, 144); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	want := []string{saveName(144) + checkpointExt, saveName(144) + weightsExt, saveName(999) + checkpointExt, saveName(999) + weightsExt}
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if !reflect.DeepEqual(left, want) {
		t.Errorf("%v are left, want %v", left, want)
	}
}

func TestCheckpointsAreOrderedByNumber(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"step_999999999999.ckpt", "step_1000000000000.ckpt", "step_000000000007.ckpt", "step_0000000000008.ckpt", "step_-00000000009.ckpt", "step_+00000000009.ckpt", "step_best.ckpt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := numbered(dir)
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if want := []string{"step_1000000000000.ckpt", "step_999999999999.ckpt", "step_000000000007.ckpt"}; err != nil || !reflect.DeepEqual(files, want) {
		t.Errorf("%v (%v), want %v", files, err, want)
	}
}

func TestARunRemovesOnlyWhatItNamed(t *testing.T) {
	dir := stopped(t)
	stay := []string{
		"notes.txt", "metrics.tmp-1", "config.yaml.tmp-mine", "config.yaml.bak",
		"transcripts/000000000048_random.txt", "transcripts/mine.txt.tmp-1",
		"checkpoints/notes.txt", "checkpoints/notes.txt.tmp-1", "checkpoints/mine.ckpt", "checkpoints/mine.safetensors", "checkpoints/best.ckpt.bak",
		"checkpoints/best-of-all.ckpt", "checkpoints/best.ckpt.tmp-mine", "checkpoints/step_final.ckpt", "checkpoints/step_48.ckpt",
		"checkpoints/step_000000000048-good.ckpt", "checkpoints/step_000000000048.ckpt.bak", "checkpoints/copy of step_000000000048.ckpt",
		"checkpoints/step_000000000001.ckpt/mine.txt", "checkpoints/step_000000000002.safetensors/mine.txt", "checkpoints/step_000000000003.ckpt.tmp-1/mine.txt",
	}
	gone := []string{
		"config.yaml.tmp-123", "transcripts/000000000192_random.txt.tmp-9",
		"checkpoints/step_000000000384.ckpt.tmp-1", "checkpoints/step_000000000384.safetensors.tmp-77", "checkpoints/best.ckpt.tmp-link", "checkpoints/best.safetensors.tmp-5",
	}
	for _, name := range append(gone, stay...) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("mine"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../notes.txt", filepath.Join(dir, "checkpoints/step_000000000004.ckpt")); err != nil {
		t.Fatal(err)
	}
	stay = append(stay, "checkpoints/step_000000000004.ckpt")
	if _, err := Resume(context.Background(), dir, nil, options(t)); err != nil {
		t.Fatal(err)
	}
	for _, name := range stay {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != "mine" {
			t.Errorf("%s holds %q, %v", name, data, err)
		}
	}
	for _, name := range append(gone, "checkpoints/step_000000000336.ckpt", "checkpoints/step_000000000336.safetensors") {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range []string{"step_000000000432.ckpt", "step_000000000576.ckpt", "step_000000000576.safetensors", "best.ckpt"} {
		if !exists(filepath.Join(dir, checkpointsDir, name)) {
			t.Errorf("%s is missing: a file of the user's counts as a checkpoint", name)
		}
	}
	// A run that is complete has nothing more to write, yet cleans up.
	stray := filepath.Join(dir, "config.yaml.tmp-4")
	if err := os.WriteFile(stray, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), dir, nil, options(t)); err != nil || exists(stray) {
		t.Errorf("resumed once more: %v; the temporary file is there: %t", err, exists(stray))
	}
}

func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A new file: best may be another name of the old one.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestResumeWithoutAnyWholeCheckpointSaysSo(t *testing.T) {
	dir := stopped(t)
	files := append(checkpointsOf(t, dir), filepath.Join(dir, checkpointsDir, "best.ckpt"))
	for _, f := range files {
		rewrite(t, f, func(b []byte) []byte { return b[:20] })
	}
	opt := options(t)
	opt.Warn = func(string) {}
	before := metricsOf(t, dir)
	_, err := Resume(context.Background(), dir, nil, opt)
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "start a new run") {
		t.Errorf("error %v", err)
	}
	for _, f := range files {
		os.Remove(f)
	}
	if _, err := Resume(context.Background(), dir, nil, opt); err == nil || !strings.Contains(err.Error(), "has no checkpoint") {
		t.Errorf("error %v", err)
	}
	if len(metricsOf(t, dir)) != len(before) {
		t.Error("a failed resume changed the metrics")
	}
	if _, err := Resume(context.Background(), t.TempDir(), nil, opt); err == nil || !strings.Contains(err.Error(), "no run folder") {
		t.Errorf("error %v", err)
	}
	if learnertest.Open.Load() != 0 {
		t.Error("a learner was not closed")
	}
}

func TestResumeRefusesAnotherLayoutOfObservations(t *testing.T) {
	dir := stopped(t)
	rewrite(t, checkpointsOf(t, dir)[0], func(b []byte) []byte {
		s, err := decodeSections(b)
		if err != nil {
			t.Fatal(err)
		}
		s["state"] = bytes.Replace(s["state"], []byte(`"schema_hash":"`), []byte(`"schema_hash":"0`), 1)
		return s.encode()
	})
	_, err := Resume(context.Background(), dir, nil, options(t))
	if err == nil || !strings.Contains(err.Error(), "schema hash") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if _, err := LoadPolicy(checkpointsOf(t, dir)[0], "cpu", 1, options(t)); err == nil || !strings.Contains(err.Error(), "schema hash") {
		t.Errorf("error %v", err)
	}
}

func TestResumeRefusesANewerFormat(t *testing.T) {
	dir := stopped(t)
	rewrite(t, checkpointsOf(t, dir)[0], func(b []byte) []byte {
		s, err := decodeSections(b)
		if err != nil {
			t.Fatal(err)
		}
		return s.encodeVersion(checkpointVersion + 1)
	})
	if _, err := Resume(context.Background(), dir, nil, options(t)); err == nil || !strings.Contains(err.Error(), "checkpoint format 2") {
		t.Errorf("error %v", err)
	}
}

func TestResumeRefusesWhatDoesNotFitTheCheckpoint(t *testing.T) {
	dir := stopped(t)
	for key, value := range map[string]string{"hidden": "32", "num_envs": "9", "game": "leduc", "seed": "1", "perfect_critic": "false"} {
		_, err := Resume(context.Background(), dir, func(c *Config) error { return c.Set(key, value) }, options(t))
		if err == nil || !strings.Contains(err.Error(), key+" is ") {
			t.Errorf("%s=%s: error %v", key, value, err)
		}
	}
	longer, err := Resume(context.Background(), dir, func(c *Config) error { return c.Set("total_timesteps", "720") }, options(t))
	if err != nil || longer.Last.Iteration != 15 {
		t.Errorf("a longer run ended with %+v, error %v", longer.Last, err)
	}
	back, err := LoadConfig(filepath.Join(dir, configFile))
	if err != nil || back.TotalTimesteps != 720 {
		t.Errorf("config.yaml has total_timesteps %d, error %v", back.TotalTimesteps, err)
	}
}

// Nothing would be trained, and config.yaml would say that the network has seen less than it has.
func TestResumeRefusesARunShorterThanItIsAlready(t *testing.T) {
	dir := stopped(t)
	before, err := os.ReadFile(filepath.Join(dir, configFile))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Resume(context.Background(), dir, func(c *Config) error { return c.Set("total_timesteps", "10") }, options(t))
	if err == nil || !strings.Contains(err.Error(), "total_timesteps is 10, but the checkpoint has 336 decisions: want at least as many") {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, configFile)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("config.yaml is now\n%s: %v", after, err)
	}
	s, err := Resume(context.Background(), dir, func(c *Config) error { return c.Set("total_timesteps", "336") }, options(t))
	if err != nil || !s.Closed {
		t.Errorf("a run that ends where it is: %+v, %v", s, err)
	}
}

func TestALongerRunSaysThatItsLearningRateRisesAgain(t *testing.T) {
	dir := stopped(t)
	var said []string
	opt := options(t)
	opt.Warn = func(text string) { said = append(said, text) }
	to := func(steps string) {
		said = nil
		if _, err := Resume(context.Background(), dir, func(c *Config) error { return c.Set("total_timesteps", steps) }, opt); err != nil {
			t.Fatal(err)
		}
	}
	to("576")
	if len(said) > 0 {
		t.Errorf("a run that continues as it was said %q", said)
	}
	to("5760")
	if len(said) != 1 || !strings.Contains(said[0], "the learning rate goes from") || !strings.Contains(said[0], "was 576") {
		t.Errorf("a run that has ended and continues said %q", said)
	}
}

func TestRunFolderIsTrainedByOneProcessAtATime(t *testing.T) {
	dir := stopped(t)
	lock, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Resume(context.Background(), dir, nil, options(t))
	if err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("error %v", err)
	}
	lock.Close()
	if _, err := Resume(context.Background(), dir, nil, options(t)); err != nil {
		t.Error(err)
	}
}

func TestLoadedPolicyPlaysAsTheNetworkDid(t *testing.T) {
	dir := stopped(t)
	p, err := LoadPolicy(dir, "cpu", 1, options(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Config.Game != "kuhn" || filepath.Base(p.Path) != "best.ckpt" || p.Iteration < 1 {
		t.Errorf("loaded %+v", p)
	}
	if _, err := LoadPolicy(filepath.Join(dir, "none.ckpt"), "cpu", 1, options(t)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	s, _, err := readCheckpoint(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	var saved bytes.Buffer
	if err := p.net.Save(&saved); err != nil || !bytes.Equal(saved.Bytes(), s.network()) {
		t.Errorf("the weights are others, error %v", err)
	}
}

func FuzzDecodeCheckpoint(f *testing.F) {
	f.Add(sections{"state": []byte("{}"), "learner": nil}.encode())
	f.Add([]byte(checkpointMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := decodeSections(data)
		if err == nil && !bytes.Equal(s.encode(), data) {
			t.Errorf("%x is accepted, but is not what its sections encode to", data)
		}
	})
}

// childRun is the folder that a copy of this test process is to train in.
const childRun = "PRIVATEER_TEST_CHILD"

// TestMain lets the test binary be the process that is killed below.
func TestMain(m *testing.M) {
	root := os.Getenv(childRun)
	if root == "" {
		os.Exit(m.Run())
	}
	opt := Options{Root: root, NewLearner: learnertest.New}
	var err error
	if dirs, _ := filepath.Glob(filepath.Join(root, "*")); len(dirs) > 0 {
		_, err = Resume(context.Background(), dirs[0], nil, opt)
	} else {
		_, err = Run(context.Background(), killable(), opt)
	}
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

func killable() Config {
	c := small("kuhn")
	c.TotalTimesteps, c.CheckpointEvery = 8*6*150, 1
	return c
}

func TestRunKilledAtAnyMomentResumesToTheSameEnd(t *testing.T) {
	whole, err := Run(context.Background(), killable(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := engine.NewRand(uint64(time.Now().UnixNano())) // any moment must do
	kills := 0
	for attempt := 0; ; attempt++ {
		child := exec.Command(self)
		child.Env = append(os.Environ(), childRun+"="+root)
		var stderr bytes.Buffer
		child.Stderr = &stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if kills < 4 {
			before := progressOf(t, root)
			for deadline := time.Now().Add(time.Minute); progressOf(t, root) <= before && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Duration(r.Intn(20_000)) * time.Microsecond)
			if err := child.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			kills++
		}
		if err := child.Wait(); err == nil {
			break
		} else if stderr.Len() > 0 {
			t.Fatalf("attempt %d: %s", attempt, stderr.String())
		}
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "*"))
	if len(dirs) != 1 {
		t.Fatalf("run folders %v", dirs)
	}
	sameOutcome(t, whole.Dir, dirs[0])
}

// progressOf is the step of the newest checkpoint under root, −1 without one.
func progressOf(t *testing.T, root string) int {
	t.Helper()
	dirs, _ := filepath.Glob(filepath.Join(root, "*", checkpointsDir))
	if len(dirs) == 0 {
		return -1
	}
	files, err := numbered(dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		return -1
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), checkpointExt)
	n, err := strconv.Atoi(strings.TrimPrefix(name, "step_"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestStateSurvivesJSONExactly(t *testing.T) {
	score := -0.1234567890123456789
	in := state{BestScore: &score, State: selfplay.State{
		Sampling: engine.Rand{Key: 1<<64 - 1, Counter: 1<<63 + 1}, Norm: selfplay.Normaliser{Mean: 1.0 / 3, Square: 2.0 / 3, Weight: 0.1},
	}}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out state
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	if out.State != in.State || *out.BestScore != score {
		t.Errorf("%+v became %+v", in, out)
	}
}
