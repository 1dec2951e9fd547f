package cli

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train"
	"github.com/privateer-rl/privateer/train/learner"
)

// exported exports a policy that has learnt nothing and returns the bundle's name.
func exported(t *testing.T, game string) string {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	cfg := train.DefaultConfig()
	cfg.Game, cfg.Hidden = game, []int{8}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	net := learner.Config{ObsDim: e.Schema().Size, NumActions: len(e.Schema().Actions), Hidden: cfg.Hidden}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "new.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := learner.WriteSafetensors(f, net.InitialWeights(), map[string]string{
		"config": string(cfg.YAML()), "schema_hash": e.Schema().Hash(), "iteration": "0", "steps": "0",
	}); err != nil {
		t.Fatal(err)
	}
	out := must(t, "", "export", f.Name(), "--matches", "20")
	bundle := filepath.Join(dir, "new.bundle")
	for _, want := range []string{bundle + ": ", "layers [8]", "plays by sampling", "against random in all other seats"} {
		if !strings.Contains(out, want) {
			t.Errorf("export says %q; want %q in it", out, want)
		}
	}
	return bundle
}

func TestGreedyChangesHowABundlePlaysOnlyIfItIsSaid(t *testing.T) {
	first := exported(t, "leduc")
	second := first + "-2"
	for _, c := range []struct{ flag, want string }{{"--greedy", "the likeliest action"}, {"", "the likeliest action"}, {"--greedy=false", "sampling"}, {"", "sampling"}} {
		args := []string{"export", first, "--out", second}
		if c.flag != "" {
			args = append(args, c.flag)
		}
		if out := must(t, "", args...); !strings.Contains(out, "plays by "+c.want) {
			t.Errorf("%q says %q; want that it plays by %s", args, out, c.want)
		}
		first, second = second, first
	}
	if r := privateer(t, "", "export", first, "--out", second, "--greedy=maybe"); r.code != exitUsage || !strings.Contains(r.err, "want true or false") {
		t.Errorf("--greedy=maybe: exit code %d, %q", r.code, r.err)
	}
}

func TestExportedPolicyIsABotOfEveryCommand(t *testing.T) {
	bundle := exported(t, "leduc")
	for _, c := range []struct {
		stdin string
		args  []string
		want  string
	}{
		{"", []string{"sim", "leduc", "--bots", "policy:" + bundle + ",random", "--matches", "20"}, "policy:" + bundle},
		{"", []string{"eval", bundle, "--matches", "20"}, "policy against 1 × random"},
		{"", []string{"eval", bundle, "--matches", "20", "--bots", "policy:" + bundle, "--json"}, `"bot": "policy:`},
		{"", []string{"balance", "leduc", "--bots", "policy:" + bundle + ",random", "--matches", "20"}, "seat 0"},
		{"call\nq\n", []string{"play", "leduc", "--bots", "policy:" + bundle, "--seed", "3"}, "the bots are policy:"},
	} {
		if out := must(t, c.stdin, c.args...); !strings.Contains(out, c.want) {
			t.Errorf("%q says %q; want %q in it", c.args, out, c.want)
		}
	}
	one := must(t, "", "sim", "leduc", "--bots", "policy:"+bundle, "--matches", "60", "--json", "--workers", "1")
	if two := must(t, "", "sim", "leduc", "--bots", "policy:"+bundle, "--matches", "60", "--json", "--workers", "2"); one != two {
		t.Error("the result depends on the workers")
	}
}

func TestPolicyIsExportedInAllFormatsWithManifestsAndGoldenDecisions(t *testing.T) {
	bundle := exported(t, "leduc")
	stem := strings.TrimSuffix(bundle, ".bundle")
	var r struct {
		Bundle string
		Golden string
		Files  []struct{ Format, File, SHA256, Manifest string }
	}
	out := must(t, "", "export", bundle, "--out", stem+"-2", "--greedy", "--format", "onnx,numpy", "--format", "safetensors,bundle", "--golden", "5", "--json")
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	want := []string{".bundle", ".onnx", ".safetensors", ".npz"}
	if r.Bundle != stem+"-2.bundle" || r.Golden != stem+"-2.golden.json" || len(r.Files) != len(want) {
		t.Fatalf("%s", out)
	}
	for i, f := range r.Files {
		data, err := os.ReadFile(f.File)
		if err != nil || f.File != stem+"-2"+want[i] || fmt.Sprintf("%x", sha256.Sum256(data)) != f.SHA256 {
			t.Errorf("%+v: %v", f, err)
		}
		text, err := os.ReadFile(f.Manifest)
		var m struct {
			Format, File, SHA256, Golden, Game, Choice, Bundle, Encoder string
			Seats                                                       int
		}
		if err := errors.Join(err, json.Unmarshal(text, &m)); err != nil {
			t.Fatal(err)
		}
		if m.Format != f.Format || m.File != filepath.Base(f.File) || m.SHA256 != f.SHA256 || m.Golden != filepath.Base(r.Golden) || m.Game != "leduc" || m.Choice != "greedy" || m.Seats != 2 || i > 0 && m.Bundle == "" || !strings.Contains(m.Encoder, "serve/frontend") {
			t.Errorf("manifest %s", text)
		}
	}
	var golden struct{ Decisions []struct{ Legal []int } }
	text, err := os.ReadFile(r.Golden)
	if err := errors.Join(err, json.Unmarshal(text, &golden)); err != nil || len(golden.Decisions) != 5 || len(golden.Decisions[0].Legal) < 2 {
		t.Errorf("golden decisions %.200s: %v", text, err)
	}
	one := must(t, "", "export", bundle, "--format", "onnx")
	if _, err := os.Stat(stem + ".onnx"); err != nil || !strings.Contains(one, stem+".golden.json: decisions") {
		t.Errorf("%s: %v", one, err)
	}
}

func TestBundlesThatDoNotFitAreRefusedInOneLine(t *testing.T) {
	bundle := exported(t, "leduc")
	whole, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	cut := file(t, "cut.bundle", string(whole[:len(whole)/2]))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sim", "kuhn", "--bots", "policy:" + bundle}, "it plays leduc, not kuhn"},
		{[]string{"sim", "leduc", "--bots", "policy:" + cut}, "damaged"},
		{[]string{"eval", cut}, "damaged"},
		{[]string{"eval", bundle, "--game", "kuhn"}, "trained on leduc"},
		{[]string{"play", "leduc", "--bots", "policy:" + bundle + "x"}, "no such file"},
		{[]string{"export", bundle}, "over itself"},
		{[]string{"export", cut}, "damaged"},
		{[]string{"export", cut, "--format", "onnx"}, "damaged"},
		{[]string{"export", bundle, "--format", "onnx,onnx"}, "each once"},
		{[]string{"export", bundle, "--format", "onnx,numpy", "--out", t.TempDir() + string(filepath.Separator)}, "is a folder"},
		{[]string{"export", bundle, "--format", "coreml"}, "want some of bundle, onnx, safetensors, numpy"},
		{[]string{"export", bundle, "--format", "numpy", "--golden", "0"}, "--golden 0"},
		{[]string{"export", bundle, "--matches", "-1"}, "--matches -1"},
	} {
		r := privateer(t, "", c.args...)
		if r.code == exitOK || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want one line with %q", c.args, r.code, r.out, r.err, c.want)
		}
	}
}

// What was measured and how it is named hold for what was read, not for what is made of it.
func TestExportsThatPlayOtherwiseDoNotClaimToBeWhatTheyWereMadeOf(t *testing.T) {
	bundle := exported(t, "leduc")
	for _, c := range []struct {
		flags           []string
		same, evaluated bool
	}{
		{nil, true, true},
		{[]string{"--greedy=false"}, true, true}, // as it plays already
		{[]string{"--greedy"}, false, false},
		{[]string{"--compact"}, false, true},
	} {
		to := filepath.Join(t.TempDir(), "x.onnx")
		must(t, "", append([]string{"export", bundle, "--format", "onnx", "--out", to}, c.flags...)...)
		var m struct {
			Bundle     string
			Evaluation []struct{ Bot string }
		}
		text, err := os.ReadFile(to + ".json")
		if err := errors.Join(err, json.Unmarshal(text, &m)); err != nil {
			t.Fatal(err)
		}
		own := must(t, "", append([]string{"export", bundle, "--out", filepath.Join(t.TempDir(), "x.bundle"), "--json"}, c.flags...)...)
		var made exportResult
		if err := json.Unmarshal([]byte(own), &made); err != nil {
			t.Fatal(err)
		}
		beside, err := os.ReadFile(made.Files[0].Manifest)
		if digest := made.Files[0].SHA256[:12]; err != nil || !strings.Contains(string(beside), `"bundle": "`+digest) {
			t.Errorf("with %q the manifest of the bundle %s does not name it: %v", c.flags, digest, err)
		}
		if (m.Bundle != "") != c.same || (len(m.Evaluation) > 0) != c.evaluated {
			t.Errorf("with %q the manifest says that it is the bundle %q, evaluated against %v", c.flags, m.Bundle, m.Evaluation)
		}
	}
}

// A bundle has the name that bots have, and is not written over by whatever other name it is given.
func TestExportTakesBundlesByTheirNamesAndWritesOverNone(t *testing.T) {
	bundle := exported(t, "leduc")
	t.Chdir(filepath.Dir(bundle))
	before, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	must(t, "", "export", "policy:"+bundle, "--format", "onnx", "--out", "other.onnx")
	for _, out := range []string{bundle, filepath.Base(bundle), "./" + filepath.Base(bundle)} {
		if r := privateer(t, "", "export", "policy:"+bundle, "--greedy", "--out", out); r.code != exitUsage || !strings.Contains(r.err, "would be written over itself") {
			t.Errorf("--out %s: %+v", out, r)
		}
	}
	if after, err := os.ReadFile(bundle); err != nil || string(after) != string(before) {
		t.Errorf("the bundle has changed, error %v", err)
	}
}

// Whatever is named to be read, and however: what was read and what a run needs are still there.
func TestExportWritesOverNothingThatWasReadOrThatARunNeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	mine, err := zoo.Bundle("pirate")
	if err != nil {
		t.Fatal(err)
	}
	weights, err := os.ReadFile(strings.TrimSuffix(exported(t, "leduc"), ".bundle") + ".safetensors")
	if err != nil {
		t.Fatal(err)
	}
	small, err := os.ReadFile(exported(t, "leduc"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"mine.bundle": mine, "small.bundle": small, "x.onnx.json": small, "x.golden.json": small,
		"run/checkpoints/best.safetensors": weights, "run/checkpoints/best.ckpt": []byte("for training on"), "run/config.yaml": []byte("game: leduc\n"),
		"run/metrics.jsonl": []byte("{}\n"), "run/events.out.tfevents.1": []byte("x"), "pirate": []byte("not read"),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	const best = "run/checkpoints/best.safetensors"
	for _, c := range []struct {
		args []string
		over string
	}{
		{[]string{"pirate", "mine.bundle", "--out", "mine.bundle"}, "mine.bundle"},
		{[]string{"mine.bundle", "policy:pirate", "--out", "./mine.bundle"}, "mine.bundle"},
		{[]string{"x.onnx.json", "--format", "onnx", "--out", "x.onnx"}, "x.onnx.json"},
		{[]string{"x.golden.json", "--format", "onnx", "--out", "x.onnx"}, "x.golden.json"},
		{[]string{best, "--format", "safetensors"}, best},
		{[]string{best, "--out", "run/checkpoints/best.ckpt"}, "run/checkpoints/best.ckpt"},
		{[]string{"small.bundle", "--format", "bundle,safetensors", "--out", "run/checkpoints/best"}, best},
		{[]string{"small.bundle", "--out", "run/config.yaml"}, "run/config.yaml"},
		{[]string{"small.bundle", "--out", "run/metrics.jsonl"}, "run/metrics.jsonl"},
		{[]string{"small.bundle", "--out", "run/events.out.tfevents.1"}, "run/events.out.tfevents.1"},
	} {
		before, err := os.ReadFile(c.over)
		if err != nil {
			t.Fatal(err)
		}
		args := append([]string{"export", "--matches", "0"}, c.args...)
		if r := privateer(t, "", args...); r.code != exitUsage || !strings.Contains(r.err, "name another") {
			t.Errorf("%q: %+v", args, r)
		}
		if after, err := os.ReadFile(c.over); err != nil || string(after) != string(before) {
			t.Errorf("%q: %s has changed, error %v", args, c.over, err)
		}
	}
	if r := privateer(t, "", "export", "small.bundle", "--format", "onnx", "--out", "y.golden"); r.code != exitUsage || !strings.Contains(r.err, "y.golden.json would be written twice") {
		t.Errorf("the manifest and the golden decisions are one file: %+v", r)
	}
	if r := privateer(t, "", "export", "pirate", "mine.bundle", "--matches", "0", "--out", "mine.bundle/x"); r.code != exitFailed || !strings.Contains(r.err, "mine.bundle is not a folder") {
		t.Errorf("into a file: %+v", r)
	}
	for range 2 { // what was exported is exported again
		must(t, "", "export", best, "--matches", "0", "--format", "bundle,onnx")
		must(t, "", "export", best, "--matches", "0", "--format", "safetensors", "--out", "run/checkpoints/mine.safetensors")
		must(t, "", "export", "pirate@2", "--out", "pirate")
	}
}

func TestSeveralPoliciesBecomeTheMeanOfTheirWeights(t *testing.T) {
	first, other, another := exported(t, "leduc"), exported(t, "leduc"), exported(t, "kuhn")
	out := filepath.Join(t.TempDir(), "mean.bundle")
	said := must(t, "", "export", first, "policy:"+other, first, "--out", out, "--matches", "20")
	for _, want := range []string{"mean.bundle", first + ", " + other + ", " + first, "against random in all other seats"} {
		if !strings.Contains(said, want) {
			t.Errorf("it says %q; want %q in it", said, want)
		}
	}
	var r struct{ Evaluation []any }
	if err := json.Unmarshal([]byte(must(t, "", "export", first, other, "--out", out, "--matches", "0", "--json")), &r); err != nil || len(r.Evaluation) != 0 {
		t.Errorf("not evaluated, it has the results %v: error %v", r.Evaluation, err)
	}
	if r := privateer(t, "", "export", first, another, "--out", out); r.code != exitFailed || !strings.Contains(r.err, "policy 2 to average") || !strings.Contains(r.err, "it reads kuhn") {
		t.Errorf("of two games: %+v", r)
	}
	if r := privateer(t, "", "export", other, first, "--out", first); r.code != exitUsage || !strings.Contains(r.err, "would be written over itself") {
		t.Errorf("over the second: %+v", r)
	}
}
