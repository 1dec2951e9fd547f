package cli

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/serve/frontend"
)

// Whatever comes, each line has its answer, and so has the next one.
func TestAnyLineIsAnsweredAndTheNextOneIsToo(t *testing.T) {
	const new = `{"op": "new", "game": "kuhn"}`
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
