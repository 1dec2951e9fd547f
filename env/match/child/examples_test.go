package child

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestExamplesConform(t *testing.T) {
	for file, tool := range map[string]string{"bot.py": "python3", "text.py": "python3", "bot.js": "node", "bot.c": "gcc", "bot.rs": "rustc"} {
		t.Run(file, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Logf("%s is not run here: there is no %s", file, tool)
				return
			}
			text, err := os.ReadFile("examples/" + file)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), "\n"); n > 30 {
				t.Errorf("%s has %d lines: want 30 at most", file, n)
			}
			command := build(t, file)
			for _, game := range []string{"kuhn", "doubloons(seats=2)", "jolly_roger"} {
				g, err := engine.NewGame(game)
				if err != nil {
					t.Fatal(err)
				}
				kind := name
				if file == "text.py" {
					kind = textName
				}
				checks, err := Conform(t.Context(), kind+"(ms=20000,start_ms=20000):"+command, g, 2)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range checks {
					if !c.OK {
						t.Errorf("%s: %s: %s", game, c.Name, c.Text)
					}
				}
			}
		})
	}
}
