package cli

import (
	"encoding/json"
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
	imports, body, _ := strings.Cut(snippet, "\n\n")
	program := `package main

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

` + imports + "\n\nfunc main() {\n" + body + "}\n"
	// In a folder of the module that there is for the go command alone: the checkout may not be writable.
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	there, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "cmd", "cli", "_readme", "main.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string]string{file: program, overlay: string(there)} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "run", "-overlay", overlay, "./_readme").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "[0 ") {
		t.Errorf("%v: %s", err, out)
	}
}
