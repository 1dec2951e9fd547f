package games_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A game in a module of its own needs no edit here: it is played, encoded, stepped, trained on and
// served as the games of the house are, and has the command line of the house. testdata/outside is that module.
func TestAModuleOutsideAddsAGame(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/outside")); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(stdin, program string, args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("", "go", "mod", "edit", "-replace", "github.com/privateer-rl/privateer="+root)
	run("", "go", "test", "-mod=mod", "./...")
	run("", "go", "build", "-mod=mod", "-o", "higher", "./cmd/higher")
	for _, c := range []struct{ stdin, args, says string }{
		{"", "games", "higher  Higher: keep a card or change it\n"},
		{"", "--help", "  higher [command]"},
		{"", "rules higher END-1", "the higher card wins"},
		{"", "sim higher --matches 20 --bots threshold,random", "threshold"},
		{"", "eval threshold --against random --game higher --matches 400", "threshold is stronger than random"},
		{"", "rate threshold random --game higher --matches 100", "no cycles"},
		{"keep\n", "play higher --bots threshold --seat 0 --seed 1", "you are seat 0, the bots are threshold"},
		{`{"op": "match", "game": "higher", "seed": 1}`, "engine", `{"state":`},
	} {
		if out := run(c.stdin, filepath.Join(dir, "higher"), strings.Fields(c.args)...); !strings.Contains(out, c.says) {
			t.Errorf("higher %s says\n%s\nwant %q in it", c.args, out, c.says)
		}
	}
}
