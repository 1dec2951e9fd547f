//go:build torch

package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// trained trains for a moment and returns the run folder.
func trained(t *testing.T) string {
	t.Helper()
	r := privateer(t, "", "train", "--game", "kuhn", "--runs", t.TempDir(), "--json",
		"--total-timesteps", "512", "--num-envs", "8", "--num_steps", "16", "--hidden", "8", "--threads", "1",
		"--eval-matches", "20", "--exploitability")
	if r.code != exitOK {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	if !strings.Contains(r.err, "update 4 of 4") || !strings.Contains(r.err, "against random") {
		t.Errorf("progress %q; want the last update and its evaluation", r.err)
	}
	type report struct {
		Run    string
		Steps  int64
		Versus []struct{ Bot string }
	}
	got := decode[report](t, r.out)
	if got.Steps != 512 || len(got.Versus) != 1 || got.Versus[0].Bot != "random" {
		t.Errorf("result %+v", got)
	}
	return got.Run
}

func TestTrainedRunIsEvaluatedAndResumed(t *testing.T) {
	run := trained(t)
	out := must(t, "", "eval", run, "--matches", "20")
	for _, want := range []string{"policy against 1 × random", "random against 1 × policy", "0.500"} {
		if !strings.Contains(out, want) {
			t.Errorf("evaluation %q; want %q in it", out, want)
		}
	}
	if again := must(t, "", "eval", run, "--matches", "20"); again != out {
		t.Errorf("evaluated again with the same seed: %q; want %q", again, out)
	}
	three := must(t, "", "eval", run, "--matches", "20", "--game", "kuhn(seats=3)", "--json")
	if !strings.Contains(three, `"seats": 3`) {
		t.Errorf("evaluation with three seats: %q", three)
	}
	r := privateer(t, "", "train", "--resume", run, "--total-timesteps", "1024", "--eval-matches", "0")
	if r.code != exitOK || !strings.Contains(r.err, "update 8 of 8") || !strings.Contains(r.out, "run folder: "+run) {
		t.Errorf("resumed: %+v", r)
	}
	exported := filepath.Join(run, "policy.bundle")
	for _, want := range []string{" export " + run + "\n", " play kuhn --web --bots policy:" + exported + "\n", " rate " + exported + " random --game kuhn --matches 400\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the end of a run is %q; want %q in it", r.out, want)
		}
	}
}

func TestInterruptedTrainingSaysHowToGoOn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs strings.Builder
	root := t.TempDir()
	code := run(ctx, []string{"train", "--game", "kuhn", "--runs", root, "--total-timesteps", "512", "--num-envs", "8", "--num-steps", "16", "--hidden", "8"}, nil, &out, &errs)
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if last := lines[len(lines)-1]; code != exitFailed || !strings.Contains(last, "interrupted after update 1 of 4") || !strings.Contains(last, "--resume "+root) {
		t.Errorf("exit code %d, error %q", code, last)
	}
}

func TestUnfitCheckpointsAreRefusedInOneLine(t *testing.T) {
	run := trained(t)
	files, err := filepath.Glob(filepath.Join(run, "checkpoints", "step_*.ckpt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no checkpoints: %v", err)
	}
	whole, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	save := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cut := save("cut.ckpt", whole[:len(whole)/2])
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	bent := save("bent.ckpt", flipped)
	// A checkpoint of another layout of observations, whole otherwise.
	hash := regexp.MustCompile(`"schema_hash":"[0-9a-f]{8}`)
	if !hash.Match(whole) {
		t.Fatal("no schema hash in the checkpoint")
	}
	other := hash.ReplaceAll(whole[:len(whole)-4], []byte(`"schema_hash":"00000000`))
	other = binary.LittleEndian.AppendUint32(other, crc32.Checksum(other, crc32.MakeTable(crc32.Castagnoli)))
	alien := save("alien.ckpt", other)

	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"eval", cut}, []string{"cut.ckpt", "damaged"}},
		{[]string{"eval", bent}, []string{"bent.ckpt", "damaged"}},
		{[]string{"eval", alien}, []string{"alien.ckpt", "schema hash 00000000"}},
		{[]string{"eval", run, "--bots", "shark"}, []string{`"shark"`, "random"}},
		{[]string{"eval", run, "--game", "leduc"}, []string{"leduc", "kuhn"}},
		{[]string{"train", "--resume", run, "--hidden", "16"}, []string{"hidden", "[8]"}},
	} {
		r := privateer(t, "", c.args...)
		if r.code == exitOK || r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: exit code %d, output %q, error %q; want one line of error", c.args, r.code, r.out, r.err)
		}
		for _, w := range c.want {
			if !strings.Contains(r.err, w) {
				t.Errorf("%q: error %q; want it to name %q", c.args, r.err, w)
			}
		}
	}
}

func TestARecipeOfStagesIsTrainedEvaluatedAndExported(t *testing.T) {
	folder := t.TempDir()
	recipe := filepath.Join(folder, "recipe.yaml")
	text := "game: kuhn\nexp: two\nnum_envs: 8\nnum_steps: 16\nhidden: [8]\nthreads: 1\neval_matches: 20\nstages:\n" +
		"  - {algorithm: imitation, imitation: {teacher: random, held_out: 40}}\n  - {learning_rate: 1e-3}\n"
	if err := os.WriteFile(recipe, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := privateer(t, "", "train", "--config", recipe, "--total-timesteps", "256", "--runs", folder, "--json")
	run := decode[struct{ Run string }](t, r.out).Run
	if r.code != exitOK || filepath.Dir(run) != folder || !strings.Contains(r.err, filepath.Join(run, "2-ppo")) {
		t.Fatalf("exit code %d, %q, %q", r.code, r.out, r.err)
	}
	must(t, "", "eval", run, "--matches", "20")
	must(t, "", "export", run)
	if r := privateer(t, "", "train", "--resume", run, "--workers", "1"); r.code != exitOK {
		t.Errorf("a recipe at its end is resumed: %+v", r)
	}
}
