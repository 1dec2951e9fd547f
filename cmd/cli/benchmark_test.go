package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env/measure/benchmark"
)

func TestAPlayerIsScoredInterruptedAndChecked(t *testing.T) {
	bundle := exported(t, "leduc")
	dir := t.TempDir()
	a, b, whole := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "whole")
	out := must(t, "", "benchmark", bundle, "--tasks", "leduc", "--out", whole)
	for _, want := range []string{"leduc@1  leduc\n", "score ", ", of random play 2.374", "leduc: ", "the mean of 1 task\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("it prints %q; want %q in it", out, want)
		}
	}
	before, err := os.ReadFile(filepath.Join(whole, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := decode[benchmark.Result](t, must(t, "", "benchmark", bundle, "--tasks", "leduc", "--out", whole, "--json"))
	after, err := os.ReadFile(filepath.Join(whole, "result.json"))
	if err != nil || string(after) != string(before) || r.Tasks[0].Exact == nil || r.Digest == "" {
		t.Errorf("again it is %+v, error %v", r, err)
	}
	if r.Player != filepath.Base(bundle) {
		t.Errorf("the player of a file is called %q: on another machine it lies elsewhere, and the result is the same", r.Player)
	}
	// Shards: the exact task is the first's.
	must(t, "", "benchmark", bundle, "--tasks", "leduc", "--out", a, "--shard", "1/2")
	must(t, "", "benchmark", bundle, "--tasks", "leduc", "--out", b, "--shard", "2/2")
	if got := must(t, "", "benchmark", "--merge", a, b, "--json"); got != string(before) {
		t.Errorf("merged:\n%s\nwant\n%s", got, before)
	}
	card := "name: small\nplayer: p.bundle\nby: us\nhow: a test\ndecisions: 1\ncost: none\ndata: none\n"
	data, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"card.yaml": []byte(card), "p.bundle": data} {
		if err := os.WriteFile(filepath.Join(whole, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out := must(t, "", "benchmark", "--check", whole, "--seed", "3"); !strings.Contains(out, "the result is that of its player: digests agree, and 1 part, drawn by --seed 3, came out alike") {
		t.Errorf("a submission: %s", out)
	}
	if out := must(t, "", "benchmark", "--table", whole); !strings.Contains(out, "| small | ") {
		t.Errorf("the leaderboard: %s", out)
	}
	if err := os.WriteFile(filepath.Join(whole, "card.yaml"), []byte(strings.Replace(card, "p.bundle", "../"+filepath.Base(filepath.Dir(bundle))+"/x.bundle", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := privateer(t, "", "benchmark", "--check", whole); r.code == exitOK || !strings.Contains(r.err, "want a file of the folder, a bot or exec:COMMAND") {
		t.Errorf("a card that names a file of another folder: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(whole, "card.yaml"), []byte(strings.Replace(card, "p.bundle", "exec:false", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := privateer(t, "", "benchmark", "--check", whole); r.code == exitOK || !strings.Contains(r.err, "--programs runs it on this machine") {
		t.Errorf("a card that names a program: %+v", r)
	}
}

func TestFaultsAtAnExactTaskAreReported(t *testing.T) {
	if out := must(t, "", "benchmark", "exec:false", "--tasks", "kuhn"); !strings.Contains(out, "faults of exec:false: 1200 crashes; the first: no hello: ") {
		t.Errorf("a program that ends at once: %s", out)
	}
}

func TestTheLeaderboardKeepsWhatStandsAboveIt(t *testing.T) {
	dir := t.TempDir()
	entry, board := filepath.Join(dir, "entry"), filepath.Join(dir, "board")
	quick := filepath.Join(dir, "quick")
	must(t, "", "benchmark", "random", "--tasks", "kuhn", "--out", entry)
	must(t, "", "benchmark", "random", "--tasks", "kuhn", "--out", quick, "--quick")
	if err := os.WriteFile(filepath.Join(entry, "card.yaml"), []byte("name: random\nplayer: random\nby: us\nhow: by chance\ndecisions: none\ncost: none\ndata: none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	card, err := os.ReadFile(filepath.Join(entry, "card.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(quick, "card.yaml"), card, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := privateer(t, "", "benchmark", "--table", entry, quick); r.code != exitFailed || !strings.Contains(r.err, quick+": the result is of --quick") {
		t.Errorf("a quick result on the leaderboard: %+v", r)
	}
	must(t, "", "benchmark", "--table", entry, "--out", board)
	page := filepath.Join(board, "README.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	must(t, "", "benchmark", "--table", entry, "--out", board)
	if again, err := os.ReadFile(page); err != nil || string(again) != string(data) {
		t.Errorf("a second time it is\n%s\nerror %v; want\n%s", again, err, data)
	}
	if err := os.WriteFile(page, append([]byte("# Leaderboard\n\nOf ours.\n\n## old\n"), data...), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "", "benchmark", "--table", entry, "--out", board)
	if got, err := os.ReadFile(page); err != nil || string(got) != "# Leaderboard\n\nOf ours.\n\n"+string(data) {
		t.Errorf("%s, error %v", got, err)
	}
}

func TestTheLeaderboardIsThatOfItsFolders(t *testing.T) {
	folder := filepath.Join("..", "..", "notebooks", "benchmark")
	cards, err := filepath.Glob(filepath.Join(folder, "*", "card.yaml"))
	if err != nil || len(cards) == 0 {
		t.Fatalf("%d entries: %v", len(cards), err)
	}
	args := []string{"benchmark", "--table"}
	for _, card := range cards {
		args = append(args, filepath.Dir(card))
	}
	page, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := must(t, "", args...); !strings.HasSuffix(string(page), "\n"+want) {
		t.Error("notebooks/benchmark/README.md is not that of its folders: run make leaderboard")
	}
	// Nothing is played again here: that rules, opponents and players have the digests that the results are of is enough.
	must(t, "", append([]string{"benchmark", "--check", "--programs", "--sample", "0"}, args[2:]...)...)
}

func TestMistakesOfBenchmarkAreNamed(t *testing.T) {
	dir := t.TempDir()
	pool := filepath.Join(dir, "pool.yaml")
	if err := os.WriteFile(pool, []byte("- {player: greedy, digest: 0123}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(dir, "damaged")
	if err := os.MkdirAll(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged, "result.json"), []byte(`{"player": "ra`), 0o600); err != nil {
		t.Fatal(err)
	}
	network := filepath.Join(dir, "my.onnx")
	if err := os.WriteFile(network, []byte("\x08\x08"), 0o600); err != nil {
		t.Fatal(err)
	}
	other, third := filepath.Join(dir, "other"), filepath.Join(dir, "third")
	must(t, "", "benchmark", "random", "--tasks", "jolly-cards", "--out", other)
	must(t, "", "benchmark", "greedy", "--tasks", "jolly-cards", "--out", third)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"random", "--tasks", "doubloons-4@9"}, exitUsage, "this privateer has doubloons-4@1"},
		{[]string{"random", "--tasks", "chess"}, exitUsage, `there is no task "chess"`},
		{[]string{"heuristic", "--tasks", "leduc"}, exitFailed, "task leduc@1"},
		{[]string{"random", "--shard", "1/2"}, exitUsage, "--shard wants --out"},
		{[]string{"random", "--tasks", "jolly-3", "--pool", pool, "--quick"}, exitFailed, `opponent greedy: its decisions have the digest`},
		{[]string{network}, exitFailed, `plays as a program: "exec:python3 env/match/child/examples/onnx.py ` + network},
		{[]string{"random", "--tasks", "kuhn", "--out", damaged}, exitFailed, "this is no result of privateer benchmark"},
		{[]string{"greedy", "--tasks", "jolly-cards", "--out", other}, exitFailed, "give this one a folder of its own: these are results of two runs: greedy"},
		{[]string{"--merge", other, third}, exitFailed, third + ": these are results of two runs: random"},
		{[]string{"--merge", "--check", dir}, exitUsage, "want one of them"},
		{[]string{"--check", dir}, exitFailed, "card.yaml"},
	} {
		if r := privateer(t, "", append([]string{"benchmark"}, c.args...)...); r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("benchmark %v: code %d, %q; want %d, %q", c.args, r.code, r.err, c.code, c.want)
		}
	}
	if out := must(t, "", "benchmark"); !strings.Contains(out, "jolly-10@1") || !strings.Contains(out, "measured exactly") {
		t.Errorf("the list: %s", out)
	}
}
