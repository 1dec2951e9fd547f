// Package botstest has what the tests of bots share.
package botstest

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Bot makes the named bot for a game.
func Bot(t testing.TB, name string, g engine.Game) bots.Bot {
	t.Helper()
	b, err := bots.New(name, g)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// WinRate is how often one bot wins against a table of others, and half the
// width of its 95 % interval. Each deal is played from every seat; a shared win
// counts by its share.
func WinRate(t testing.TB, g engine.Game, one, others bots.Bot, deals int) (rate, half float64) {
	t.Helper()
	n := g.Info().Seats
	m := g.NewMatch()
	returns := make([]float32, n)
	seats := make([]bots.Bot, n)
	for k := range deals * n {
		for i := range seats {
			seats[i] = others
		}
		seats[k%n] = one
		m.Reset(uint64(k / n))
		r := engine.NewRand(uint64(k))
		if err := bots.Play(m, seats, &r); err != nil {
			t.Fatal(err)
		}
		m.Returns(returns)
		rate += (float64(float64(returns[k%n])*float64(n-1)) + 1) / float64(n)
	}
	matches := float64(deals * n)
	rate = max(0, rate/matches)
	return rate, float64(1.96 * math.Sqrt(rate*(1-rate)/matches))
}

// WantChoice takes the choices before the decision that matters, and checks what a bot does there.
func WantChoice(t *testing.T, bot string, g engine.Game, m engine.Match, rule string, before []string, want string) {
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
	if got := g.Info().ActionName(Bot(t, bot, g).Act(m, &r)); got != want {
		t.Errorf("%s: %s, want %s, at: %s", rule, got, want, m.Decision())
	}
}

// WantSameChoices plays a match, in which two bots must make the same choices of the same chance.
func WantSameChoices(t *testing.T, g engine.Game, one, other bots.Bot, seed uint64) {
	t.Helper()
	m, r := g.NewMatch(), engine.NewRand(seed)
	m.Reset(seed)
	for m.Seat() >= 0 {
		again := r
		a := one.Act(m, &r)
		if got := other.Act(m, &again); got != a || again != r {
			t.Fatalf("%s: %s: %s of %s, and %s of %s", g.Info().Config, m.Decision(), g.Info().ActionName(got), other.Name(), g.Info().ActionName(a), one.Name())
		}
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
}

// table is a match whose seats are all one bot's, and which is dealt again when it is over.
type table struct {
	bot  bots.Bot
	m    engine.Match
	r    engine.Rand
	seed uint64
}

func newTable(t testing.TB, name string, g engine.Game) *table {
	t.Helper()
	tb := &table{bot: Bot(t, name, g), m: g.NewMatch(), r: engine.NewRand(1)}
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

// WantNoAllocations plays matches of the named bot and fails if its decisions allocate.
func WantNoAllocations(t *testing.T, name string, g engine.Game) {
	t.Helper()
	tb := newTable(t, name, g)
	if n := testing.AllocsPerRun(2000, func() {
		if err := tb.decide(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%s: %v allocations a decision: want none", g.Info().Config, n)
	}
}

// BenchDecisions is the time of one decision of the named bot, the match's own step included.
func BenchDecisions(b *testing.B, name string, g engine.Game) {
	b.Helper()
	tb := newTable(b, name, g)
	b.ReportAllocs()
	for b.Loop() {
		if err := tb.decide(); err != nil {
			b.Fatal(err)
		}
	}
}
