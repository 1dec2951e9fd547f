package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

func TestAnyTwoPlayersMeet(t *testing.T) {
	bundle := exported(t, "leduc")
	weights := filepath.Join(filepath.Dir(bundle), "new.safetensors") // an export that never was
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"heuristic", "--against", "random", "--game", "doubloons(seats=3)", "-n", "30"},
			[]string{"one heuristic against 2 × random", "one random against 2 × heuristic", "evenly mixed, heuristic's side", "heuristic is stronger than random, that is sure", "of CPU time for heuristic"}},
		{[]string{bundle, "--against", "random", "-n", "100", "--control"}, []string{"with luck taken out, by random play from here, exactly (digest ", "saves a factor of "}},
		{[]string{bundle, "--against", "random", "-n", "40"}, []string{"leduc, deals of seed 1", "one " + bundle + " against 1 × random"}},
		{[]string{"random", "--against", "policy:" + bundle, "-n", "40"}, []string{"leduc, deals of seed 1", "policy:" + bundle}},
		{[]string{weights, "--against", bundle, "-n", "40", "--greedy"}, []string{"wins 0.500", "neither is ahead"}},
		{[]string{"random", "--against", "random,random", "--game", "kuhn", "-n", "10", "--json"}, []string{`"mixed"`, `"directions"`, `"cpu_us"`, `"verdict"`}},
	} {
		out := must(t, "", append([]string{"eval"}, c.args...)...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("eval %q prints %q; want %q in it", c.args, out, want)
			}
		}
	}
	if two := decode[[]compare.Comparison](t, must(t, "", "eval", "random", "--against", "random,random", "--game", "kuhn", "-n", "10", "--json")); len(two) != 2 {
		t.Errorf("two opponents give %d comparisons", len(two))
	}
}

func TestALonePlayerMeetsTheOthersInOneDirectionOnly(t *testing.T) {
	args := []string{"eval", "heuristic", "--against", "random", "--game", "doubloons(seats=3)", "-n", "30"}
	out := must(t, "", append(args, "--alone")...)
	if !strings.Contains(out, "one heuristic against 2 × random") || strings.Contains(out, "one random") || strings.Contains(out, "mixed") || strings.Contains(out, "stronger") {
		t.Errorf("eval --alone prints %q", out)
	}
	both, alone := must(t, "", append(args, "--json")...), must(t, "", append(args, "--alone", "--json")...)
	if one := decode[[]compare.Comparison](t, alone)[0]; one.One != decode[[]compare.Comparison](t, both)[0].One || one.Mixed.Matches != 0 {
		t.Errorf("alone: %+v; want what the whole comparison has, and no more", one)
	}
	if strings.Contains(alone, "verdict") || strings.Contains(alone, "mixed") {
		t.Errorf("eval --alone --json prints %s", alone)
	}
}

func TestTheExitCodeOfAGateIsItsAnswer(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"heuristic", "--against", "random", "--gate", "5"}, exitOK, "heuristic is better than random"},
		{[]string{"random", "--against", "heuristic", "--gate", "5"}, exitNotBetter, "random is not better than heuristic by 5 points"},
		{[]string{"heuristic", "--against", "random", "--gate", "5", "--max-matches", "60"}, exitUndecided, "is not known"},
	} {
		r := privateer(t, "", append([]string{"eval", "--game", "doubloons(seats=3)"}, c.args...)...)
		if r.code != c.code || r.err != "" || !strings.Contains(r.out, c.want) {
			t.Errorf("eval %q: exit code %d, %q, %q; want %d and %q", c.args, r.code, r.out, r.err, c.code, c.want)
		}
	}
	g := decode[compare.Gated](t, privateer(t, "", "eval", "random", "--against", "heuristic", "--gate", "5", "--game", "doubloons(seats=3)", "--json").out)
	if g.Decision != compare.NotBetter || g.Alpha != .05 || g.Mixed.Matches == 0 {
		t.Errorf("%+v", g)
	}
}

func TestShardsOfAnEvaluationAreMerged(t *testing.T) {
	folder := t.TempDir()
	args := []string{"eval", "greedy", "--against", "random,greedy", "--game", "doubloons(seats=3)", "-n", "6"}
	for index := range 3 {
		t.Setenv(indexOfJob, strconv.Itoa(index))
		if out := must(t, "", append(args, "--shard", "job/3", "--out", folder)...); !strings.Contains(out, "is written; when all shards are, privateer eval --merge "+folder) {
			t.Errorf("pod %d: %s", index, out)
		}
	}
	if out := must(t, "", append(args, "--shard", "2/3", "--out", folder)...); !strings.Contains(out, "exists already") {
		t.Errorf("again: %s", out)
	}
	whole, merged := must(t, "", args...), must(t, "", "eval", "--merge", folder)
	costs := regexp.MustCompile("a decision takes .*")
	if whole, merged = costs.ReplaceAllString(whole, ""), costs.ReplaceAllString(merged, ""); merged != whole {
		t.Errorf("merged:\n%s\nwant\n%s", merged, whole)
	}
	if two := decode[[]compare.Comparison](t, must(t, "", "eval", folder, "--merge", "--json")); len(two) != 2 || two[0].One.Matches != 6 {
		t.Errorf("merged as JSON: %+v", two)
	}
}

// A policy that takes the likeliest action is another player than one that samples.
func TestAPolicyThatChoosesOtherwiseIsAnotherPlayer(t *testing.T) {
	policy, folder := exported(t, "kuhn"), t.TempDir()
	shard := []string{"eval", policy, "--against", "random", "--game", "kuhn", "-n", "4", "--out", folder}
	must(t, "", append(shard, "--shard", "1/2", "--greedy=false")...)
	must(t, "", append(shard, "--shard", "2/2", "--greedy")...)
	rated := []string{"rate", policy, "random", "--results", filepath.Join(t.TempDir(), "ratings.jsonl")}
	must(t, "", append(rated, "-n", "4", "--greedy=false")...)
	must(t, "", append(rated, "-n", "8", "--greedy=false")...)
	for want, args := range map[string][]string{
		"is of another comparison":                       append(shard, "--shard", "1/2", "--greedy"),
		"these are of two comparisons":                   {"eval", "--merge", folder},
		"rate: the results know another " + policy + " ": append(rated, "-n", "12", "--greedy"),
	} {
		if r := privateer(t, "", args...); r.code == exitOK || !strings.Contains(r.err, want) {
			t.Errorf("%v: %+v; want %q", args, r, want)
		}
	}
}

// drawnPolicy writes a policy of random weights to a file.
func drawnPolicy(t *testing.T, path, game string, seed uint64) {
	t.Helper()
	b, err := bundle.Random(game, infer.Network{Name: infer.MLP, Hidden: []int{8}, Activation: "relu", Norm: infer.LayerNorm, NormEps: 1e-5}, false, seed)
	if err == nil {
		err = b.Save(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A player is no longer the same when a file has changed that it uses, by whatever name.
func TestAPlayerWhosePoliciesHaveChangedIsAnotherPlayer(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.bundle"), filepath.Join(dir, "b.bundle")
	drawnPolicy(t, b, "kuhn", 2)
	for i, name := range []string{"policy:" + a, "policy:" + a + "+" + b, "float:" + a, "search(rollouts=2,prior=policy:" + a + ")"} {
		drawnPolicy(t, a, "kuhn", 1)
		folder := filepath.Join(dir, strconv.Itoa(i))
		data := []string{"dataset", "kuhn", "--players", name, "--matches", "8", "--part", "4", "-o", folder}
		shard := []string{"eval", name, "--against", "random", "--game", "kuhn", "-n", "4", "--out", folder}
		rated := []string{"rate", name, "random", "--game", "kuhn", "--results", folder + ".jsonl"}
		exploited := []string{"exploit", name, "--game", "kuhn", "--learners", "0", "--rollouts", "0", "--rules", "0", "--by", "random", "-n", "2", "--trials", "2", "--out", folder}
		must(t, "", append(data, "--shard", "1/2")...)
		must(t, "", append(shard, "--shard", "1/2")...)
		must(t, "", append(rated, "-n", "4")...)
		must(t, "", append(rated, "-n", "8")...)
		must(t, "", exploited...)
		drawnPolicy(t, a, "kuhn", 3)
		must(t, "", append(shard, "--shard", "2/2")...)
		for want, args := range map[string][]string{
			"is of another data set: its players is":       append(data, "--shard", "2/2"),
			"these are of two comparisons":                 {"eval", "--merge", folder},
			"rate: the results know another " + name + " ": append(rated, "-n", "12"),
			"is of another command":                        exploited,
		} {
			if r := privateer(t, "", args...); r.code == exitOK || !strings.Contains(r.err, want) {
				t.Errorf("%v: %+v; want %q", args, r, want)
			}
		}
		if r := privateer(t, "", "rate", "--results", folder+".jsonl", "-n", "4"); r.code != exitOK || !strings.Contains(r.err, name+" cannot play further matches: its file has changed") {
			t.Errorf("%s, not named: %+v", name, r)
		}
	}
}

func TestMistakesOfAMeetingAreNamed(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"random", "--against", "random"}, exitUsage, "--game is missing"},
		{[]string{"random", "--gate", "2"}, exitUsage, "--gate is for --against"},
		{[]string{"random", "--alone"}, exitUsage, "--alone is for --against"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--gate", "2", "--alone"}, exitUsage, "want one of them"},
		{[]string{"random", "--against", "random,random", "--game", "kuhn", "--gate", "2"}, exitUsage, "--gate is for one opponent"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--matches", "0"}, exitUsage, "--matches 0"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--gate", "-1"}, exitFailed, "-1 points: want more than 0"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--gate", "50"}, exitFailed, "50 points: want more than 0 and less than 50"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--gate", "2", "--alpha", "0"}, exitUsage, "--alpha 0, --beta 0.05: want both above 0 and below 0.5"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--beta", "0.1"}, exitUsage, "--beta is for --gate"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--max-matches", "10"}, exitUsage, "--max-matches is for --gate"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--out", "x"}, exitUsage, "--out is for --shard"},
		{[]string{"random", "--game", "kuhn"}, exitFailed, "name an opponent with --against"},
		{[]string{"policy:captain+captain", "--game", "doubloons(seats=2)"}, exitFailed, "name an opponent with --against"},
		{[]string{"policy:captain+captain", "--against", "random"}, exitUsage, "--game is missing"},
		{[]string{"policy:captain+nobody", "--against", "random", "--game", "doubloons(seats=2)"}, exitFailed, "nobody"},
		{[]string{"random", "--shard", "1/2"}, exitUsage, "--shard is for --against"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--shard", "3/2"}, exitUsage, "--shard 3/2"},
		{[]string{"random", "--against", "random", "--game", "kuhn", "--shard", "1/2", "--gate", "2"}, exitUsage, "--gate and --shard"},
		{[]string{"nowhere", "--merge"}, exitFailed, "there is no file *.matches in it"},
		{[]string{"random", "--against", "nobody", "--game", "kuhn"}, exitFailed, `unknown bot "nobody"`},
		{[]string{"random", "--against", "policy:none", "--game", "kuhn"}, exitFailed, "none"},
	} {
		r := privateer(t, "", append([]string{"eval"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.err, c.want) || r.out != "" {
			t.Errorf("eval %q: exit code %d, %q, %q; want %d and %q", c.args, r.code, r.out, r.err, c.code, c.want)
		}
	}
}

func TestPoliciesOfTheZooAreMeasuredAndExportedByName(t *testing.T) {
	out := must(t, "", "eval", "policy:captain", "--against", "random", "--game", "doubloons(seats=2)", "--matches", "4", "--json")
	if !strings.Contains(out, "captain") {
		t.Errorf("eval: %s", out)
	}
	if out := must(t, "", "eval", "policy:captain+captain", "--against", "random", "--game", "doubloons(seats=2)", "--matches", "4"); !strings.Contains(out, "one policy:captain+captain against 1 × random") {
		t.Errorf("eval: %s", out)
	}
	path := filepath.Join(t.TempDir(), "captain.npz")
	must(t, "", "export", "captain", "--format", "numpy", "--golden", "1", "--matches", "0", "--out", path)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// The names by default of what is exported of the program's own are files like others.
func TestAFileWithTheNameOfAVersionIsRead(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "", "export", "pirate@2", "--greedy")
	for _, args := range [][]string{
		{"export", "pirate@2.bundle", "--format", "numpy", "--golden", "1", "--out", "other.npz"},
		{"eval", "pirate@2.bundle", "--game", "jolly_roger(seats=3)", "--bots", "random", "--matches", "2"},
		{"sim", "jolly_roger(seats=3)", "--bots", "policy:pirate@2.bundle,random", "--matches", "2"},
	} {
		if r := privateer(t, "", args...); r.code != exitOK {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

func TestPoliciesThatTheProgramDoesNotHaveAreMetByThoseThatItHas(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"pirate@9", "pirate@9 is not a version that this program has: take pirate@"},
		{"captain@0", "captain@0 is not a version that this program has: take captain@"},
		{"pirate-6", "(and the program has no policy of that name: it has captain, pirate)"},
	} {
		for _, args := range [][]string{
			{"eval", "policy:" + c.name}, {"eval", "policy:" + c.name, "--against", "random"}, {"export", "policy:" + c.name},
			{"exploit", "policy:" + c.name}, {"rate", "policy:" + c.name, "random", "--game", "kuhn"},
		} {
			if r := privateer(t, "", args...); r.code != exitFailed || !strings.Contains(r.err, c.want) {
				t.Errorf("%q: exit code %d, %q; want %q", args, r.code, r.err, c.want)
			}
		}
	}
	if r := privateer(t, "", "eval", "runs/mine"); strings.Contains(r.err, "captain") {
		t.Errorf("a path: %s", r.err)
	}
}

// Whether a policy of the program is called captain or policy:captain, it is the same one, with --against and without.
func TestEvalTakesPoliciesByTheNamesThatBotsHave(t *testing.T) {
	short := []string{"--matches", "4", "--game", "doubloons(seats=2)", "--bots", "random", "--json"}
	var first evalResult
	for i, name := range []string{"captain", "policy:captain"} {
		r := decode[evalResult](t, must(t, "", append([]string{"eval", name}, short...)...))
		r.Checkpoint = ""
		if i == 0 {
			first = r
		}
		if !reflect.DeepEqual(r, first) || len(r.Versus) != 1 {
			t.Errorf("eval %s: %+v; want %+v", name, r, first)
		}
	}
}

// A folder that was made for a bot's results does not hide the bot.
func TestAFolderWithTheNameOfABotIsThatOfItsResults(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("random", 0o755); err != nil {
		t.Fatal(err)
	}
	must(t, "", "eval", "random", "--against", "random", "--game", "leduc", "--matches", "4")
	if r := privateer(t, "", "eval", "policy:random", "--against", "random", "--game", "leduc", "--matches", "4"); !strings.Contains(r.err, "has no checkpoint") {
		t.Errorf("policy:random with a folder of that name: %q", r.err)
	}
}
