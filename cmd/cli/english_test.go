package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// habits are turns of phrase that make a reader stop, and what to write instead.
var habits = []struct {
	refused *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[Ww]hoever\b`), "name the subject: the caller, the player that, everyone who"},
	{regexp.MustCompile(`\b(for|to|by|with|from|than) who\b`), "name the object: for the seat that, by the player that"},
	{regexp.MustCompile(`\b(is|are) said\b`), "say who says it: the error names it, see X, unless noted"},
	{regexp.MustCompile(`\b(go|[Gg]oes|[Gg]oing|[Gg]one|[Ww]ent) on\b`), "continue, pass on, under way"},
	{regexp.MustCompile(`\b([Cc]ome|[Cc]omes|[Cc]oming|[Cc]ame) to\b`), "reach, result in, the result of"},
	{regexp.MustCompile(`\bbut for\b`), "except, except for, besides"},
	{regexp.MustCompile(`(^|[^{"])\bso many\b`), "this many, a number of, at most n"},
	{regexp.MustCompile(`\b(nil|null|None) where\b`), "nil if"},
}

func TestTextHasNoneOfTheEightWorstHabits(t *testing.T) {
	const root = "../.."
	kinds := []string{".md", ".go", ".py", ".js", ".mjs", ".ts", ".html", ".proto", ".yaml", ".yml", ".sh", ".h", ".c", ".s", ".ipynb", ""}
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			hidden := strings.HasPrefix(name, ".") && name != ".ci" && name != ".github" && name != ".."
			built := strings.HasSuffix(path, "/serve/python/build") || strings.HasSuffix(name, ".egg-info")
			if hidden || built || slices.Contains([]string{"bin", "runs", "lab", "node_modules", "__pycache__"}, name) {
				return fs.SkipDir
			}
			return nil
		}
		generated := strings.HasSuffix(name, ".pb.go") || strings.Contains(name, "_pb2")
		if !slices.Contains(kinds, filepath.Ext(name)) || generated || name == "english_test.go" || name == "LICENSE" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if len(line) > 20_000 || strings.Contains(line, ":= range") {
				continue // data in one line; code
			}
			for _, h := range habits {
				if found := h.refused.FindString(line); found != "" {
					t.Errorf("%s:%d: %q: write instead: %s", strings.TrimPrefix(path, root+"/"), number, strings.TrimSpace(found), h.instead)
				}
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files read: %v", files, err)
	}
}
