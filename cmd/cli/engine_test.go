package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/frontend"
)

// Whatever comes, each line has its answer, and so has the next one.
func TestAnyLineIsAnsweredAndTheNextOneIsToo(t *testing.T) {
	const new = `{"op": "match", "game": "kuhn"}`
	for line, why := range map[string]string{
		"not JSON":       "want one JSON object",
		new + new:        "want one JSON object",
		"x\xff\xfe{\x00": "want one JSON object",
		strings.Repeat("x", frontend.LongestQuestion+2): "more than",
	} {
		out := strings.Split(must(t, line+"\n\n"+new+"\n"+new, "engine"), "\n")
		if len(out) != 4 || !strings.Contains(out[0], `"error"`) || !strings.Contains(out[0], why) || !strings.Contains(out[1], `"state"`) || out[1] != out[2] {
			t.Errorf("%.40q: %.200q, want %q in the first line", line, out, why)
		}
	}
	if got := must(t, "\ufeff"+new, "engine"); !strings.Contains(got, `"state"`) {
		t.Errorf("after a byte order mark: %s", got)
	}
}

// The help has every op, as the answer about an unknown one lists them.
func TestTheHelpOfEngineHasEveryOp(t *testing.T) {
	var refused struct {
		Text string `json:"error"`
	}
	if err := json.Unmarshal(frontend.New().Answer([]byte(`{}`)), &refused); err != nil {
		t.Fatal(err)
	}
	_, all, _ := strings.Cut(refused.Text, "want one of ")
	for op := range strings.SplitSeq(all, ", ") {
		if help := newEngine().Long; !strings.Contains(help, "\n  "+op+" ") {
			t.Errorf("the help does not have %q", op)
		}
	}
}

// The example of serve/frontend is a whole program, short, that knows nothing but this command.
func TestTheExampleOfAFrontendLetsCaptainsPlay(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Log("the example is not run here: there is no python3")
		return
	}
	const example, position = "../../serve/frontend/examples/opponent.py", "../../engine/games/doubloons/testdata/examples/duel.json"
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 40 {
		t.Errorf("the example has %d lines: want 40 at most", n)
	}
	run := func(args ...string) string {
		c := exec.Command("python3", append([]string{example}, args...)...)
		c.Env = append(os.Environ(), childMark+"="+time.Duration(0).String())
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out := run(self); !strings.Contains(out, "wins with") || !strings.Contains(out, " decisions, returns [") {
		t.Errorf("a match of captains: %s", out)
	}
	choice := decode[bots.Thought](t, must(t, "", "position", "think", position, "--bot", "policy:captain", "--json")).Choice
	if out := run(self, position); !strings.Contains(out, ": "+choice+" of ") {
		t.Errorf("captain's choice is %s; the example says %s", choice, out)
	}
}
