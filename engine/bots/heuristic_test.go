package bots

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// What the tests of every heuristic bot share.

func bot(t testing.TB, name string, g engine.Game) Bot {
	t.Helper()
	b, err := New(name, g)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantChoice takes the choices before the decision that matters, and checks what the heuristic
// bot chooses there.
func wantChoice(t *testing.T, g engine.Game, m engine.Match, rule string, before []string, want string) {
	t.Helper()
	for _, name := range before {
		a, err := g.Info().ParseAction(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	r := engine.NewRand(1)
	if got := g.Info().ActionName(bot(t, "heuristic", g).Act(m, &r)); got != want {
		t.Errorf("%s: %s, want %s, at: %s", rule, got, want, m.Decision())
	}
}

// table is a match whose seats are all the heuristic bot's, and which begins anew when it is
// over.
type table struct {
	bot  Bot
	m    engine.Match
	r    engine.Rand
	seed uint64
}

func newTable(t testing.TB, g engine.Game) *table {
	t.Helper()
	tb := &table{bot: bot(t, "heuristic", g), m: g.NewMatch(), r: engine.NewRand(1)}
	tb.m.Reset(tb.seed)
	return tb
}

// decide plays one decision.
func (tb *table) decide() error {
	if tb.m.Seat() == engine.Over {
		tb.seed++
		tb.m.Reset(tb.seed)
	}
	return tb.m.Apply(tb.bot.Act(tb.m, &tb.r))
}

func wantNoAllocations(t *testing.T, g engine.Game) {
	t.Helper()
	tb := newTable(t, g)
	if n := testing.AllocsPerRun(2000, func() {
		if err := tb.decide(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%s: %v allocations a decision: want none", g.Info().Config, n)
	}
}

// benchDecisions is the time of one decision, the match's own step included.
func benchDecisions(b *testing.B, g engine.Game) {
	b.Helper()
	tb := newTable(b, g)
	b.ReportAllocs()
	for b.Loop() {
		if err := tb.decide(); err != nil {
			b.Fatal(err)
		}
	}
}
