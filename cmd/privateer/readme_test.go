package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// README's Go snippet is built and run as it is.
func TestReadmesGoSnippetRuns(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```go\n")
	snippet, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("README.md has no Go snippet")
	}
	program := `package main

import (
	"errors"
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env"
)

func main() {
` + snippet + "}\n"
	// A folder of the module that the go command ignores in ./...
	dir, err := os.MkdirTemp(".", "_readme")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "./"+dir).CombinedOutput()
	if want := " <nil>\n"; err != nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("%v: %s", err, out)
	}
}
