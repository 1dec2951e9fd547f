package games_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A game in a module of its own needs no edit here: it is played, encoded, stepped, trained on and
// served as the games of the house are. testdata/outside is that module.
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
	// All modules that privateer needs are here, as this test was built from them.
	for _, args := range [][]string{
		{"mod", "edit", "-replace", "github.com/privateer-rl/privateer=" + root},
		{"test", "-mod=mod", "./..."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}
