package compare

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// absent is a program that never answers, and so forfeits; some of its matches, if one in a number is given.
type absent struct{ oneIn int }

func (absent) Name() string                                     { return "absent" }
func (absent) Act(m engine.Match, r *engine.Rand) engine.Action { return m.Legal().Sample(r) }
func (b absent) Answer(q bots.Question, r *engine.Rand) (engine.Action, bots.Faults, error) {
	var f bots.Faults
	if q.Number%b.oneIn == 0 {
		f = bots.Faults{Silences: 1, Forfeits: 1, First: "silent for 1s"}
	}
	return b.Act(q.Match, r), f, nil
}

func (b absent) player() match.Player {
	return match.Player{Name: "absent", Bot: func(engine.Game) (bots.Bot, error) { return b, nil }}
}

// A bundle names the bots of its training: it is a file, and runs nothing.
func TestAnEvaluationRunsNoProgramUnlessAsked(t *testing.T) {
	cfg := Evaluation{Game: "kuhn", Bot: "exec(start_ms=60000):false", Matches: 2, Seed: 1, Workers: 1}
	if _, err := Evaluate(t.Context(), uniform{}, cfg); err == nil || !strings.Contains(err.Error(), "unknown bot") {
		t.Errorf("got %v: want it to be unknown", err)
	}
	cfg.Programs = true
	r, err := Evaluate(t.Context(), uniform{}, cfg)
	if err != nil || r.Faults.Crashes == 0 {
		t.Errorf("faults %v, %v: want crashes", r.Faults, err)
	}
}

func TestAComparisonSaysWhenFaultsDecide(t *testing.T) {
	cfg := Config{Game: "leduc", Matches: 200, Seed: 1, Workers: 1}
	for _, oneIn := range []int{1, 2} {
		c, err := Compare(t.Context(), match.Named("random"), absent{oneIn}.player(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Verdict.ByFaults || c.Verdict.Sure || !strings.Contains(c.Verdict.Text, "faults decide, not strength: random is ahead") {
			t.Errorf("one in %d: %+v", oneIn, c.Verdict)
		}
		if c.FaultsA != (bots.Faults{}) || c.FaultsB.Silences == 0 || c.FaultsB.First != "silent for 1s" {
			t.Errorf("faults %v and %v", c.FaultsA, c.FaultsB)
		}
	}
	// Where faults are rare, strength decides.
	c, err := Compare(t.Context(), match.Named("heuristic"), absent{50}.player(), Config{Game: "doubloons(seats=2)", Matches: 100, Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if v := c.Verdict; v.ByFaults || !v.Sure || v.Stronger != "heuristic" || c.FaultsB.Silences == 0 {
		t.Errorf("%+v, faults %v", v, c.FaultsB)
	}
	g, err := Gate(t.Context(), match.Named("random"), absent{1}.player(), GateConfig{Config: Config{Game: "leduc", Seed: 1, Workers: 1}, Points: 10})
	if err != nil {
		t.Fatal(err)
	}
	if g.Decision != Better || !g.ByFaults || !strings.HasPrefix(g.Text, "faults decide, not strength: ") || g.FaultsB.Total() == 0 {
		t.Errorf("%+v", g)
	}
}
