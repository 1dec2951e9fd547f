package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// completed is what a shell is offered for the last word of a command line.
func completed(t *testing.T, line ...string) string {
	t.Helper()
	r := privateer(t, "", append([]string{"__complete"}, line...)...)
	if r.code != exitOK {
		t.Fatalf("complete %q: exit code %d: %s", line, r.code, r.err)
	}
	return r.out
}

func TestShellsCompleteCommandsGamesBotsAndFlags(t *testing.T) {
	for _, c := range []struct {
		line []string
		want []string
	}{
		{[]string{"re"}, []string{"replay"}},
		{[]string{"play", ""}, []string{"doubloons\t", "jolly_roger\t", "leduc\t"}},
		{[]string{"position", "new", ""}, []string{"kuhn\t"}},
		{[]string{"eval", "mine.bundle", "--game", ""}, []string{"doubloons\t"}},
		{[]string{"sim", "doubloons(seats=3)", "--bots", "random,"}, []string{"random,heuristic\n", "random,policy:captain\n"}},
		{[]string{"train", "--learning"}, []string{"--learning-rate\t"}},
	} {
		got := completed(t, c.line...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("complete %q: %q; want %q in it", c.line, got, want)
			}
		}
	}
	if got := completed(t, "sim", "leduc", "--bots", ""); strings.Contains(got, "heuristic") {
		t.Errorf("bots of leduc: %q; it has no heuristic one", got)
	}
}

// What bash is told to source is what bash can read, and completes with.
func TestCompletionOfBashIsReadByBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Log("there is no bash here: only the scripts' beginnings are looked at")
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script := must(t, "", "completion", shell)
		if !strings.Contains(script, "privateer") {
			t.Errorf("completion %s: %q", shell, script)
		}
		if shell != "bash" || bash == "" {
			continue
		}
		path := filepath.Join(t.TempDir(), "privateer.bash")
		if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(bash, "-c", `. "$0" && complete -p privateer`, path).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "__start_privateer") {
			t.Errorf("bash: %v: %s", err, out)
		}
	}
}

func TestWordsForAShellAreQuotedIfItWouldTakeThemApart(t *testing.T) {
	for word, want := range map[string]string{
		"runs/kuhn__ppo__1__17": "runs/kuhn__ppo__1__17", "doubloons(seats=4)": "'doubloons(seats=4)'", "it's": `'it'\''s'`, "": "''",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("shellWord(%q) is %s; want %s", word, got, want)
		}
	}
}
