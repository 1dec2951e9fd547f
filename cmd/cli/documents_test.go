package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// shellWords are the words of a command up to where the shell does something else with it.
var shellWords = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"'|<>;&]+|[|<>;&]`)

func TestCommandsInTheDocumentsHaveTheFlagsThatTheyAreGiven(t *testing.T) {
	root, commands := "../..", 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == ".build" || name == "runs" || name == ".git") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" || filepath.Base(path) == "CHANGELOG.md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			for line := range strings.Lines(strings.ReplaceAll(block[1], "\\\n", " ")) {
				_, args, found := strings.Cut(line, "bin/privateer ")
				if !found {
					continue
				}
				commands++
				if err := parses(args); err != nil {
					t.Errorf("%s: %s: %v", strings.TrimPrefix(path, root+"/"), strings.TrimSpace(line), err)
				}
			}
		}
		return nil
	})
	if err != nil || commands < 15 {
		t.Fatalf("%d commands found: %v", commands, err)
	}
}

// Who changes output on purpose looks there for the tests that rewrite it.
func TestContributorsAreToldOfEveryPackageWhoseTestsRewriteFiles(t *testing.T) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if command, _, _ := strings.Cut(line, " #"); strings.HasPrefix(command, "go test ") && strings.Contains(command, " -update") {
			for _, word := range strings.Fields(command) {
				told[strings.TrimPrefix(word, "./")] = true
			}
		}
	}
	tests, err := fs.Glob(os.DirFS("../.."), "*/*/*_test.go")
	for _, pattern := range []string{"*/*_test.go", "*/*/*/*_test.go", "*/*/*/*/*_test.go"} {
		more, _ := fs.Glob(os.DirFS("../.."), pattern)
		tests = append(tests, more...)
	}
	if err != nil || len(tests) < 100 {
		t.Fatalf("%d files of tests: %v", len(tests), err)
	}
	for _, path := range tests {
		test, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		if folder := filepath.ToSlash(filepath.Dir(path)); strings.Contains(string(test), `flag.Bool("update",`) && !told[folder] {
			t.Errorf("CONTRIBUTING.md has no line go test ./%s -update", folder)
		}
	}
}

// parses looks up the command of a line and gives it the flags of the line.
func parses(line string) error {
	line, _, _ = strings.Cut(line, " #")
	var args []string
	for _, word := range shellWords.FindAllString(strings.TrimRight(line, ")\n"), -1) {
		if strings.Contains("|<>;&", word) {
			break
		}
		args = append(args, strings.Trim(word, `"'`))
	}
	if len(args) > 0 && args[0] == "completion" { // which is made when the program runs
		return nil
	}
	cmd, rest, err := newRoot().Find(args)
	if err != nil {
		return err
	}
	if !cmd.HasParent() {
		return unknownCommand(cmd, args[0])
	}
	if err := cmd.ParseFlags(rest); err != nil && err != pflag.ErrHelp {
		return err
	}
	return nil
}
