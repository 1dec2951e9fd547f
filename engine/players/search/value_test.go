package search

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// nothing is a Value that no other test has.
type nothing struct{}

func (nothing) Value(_ engine.Match, dst []float64) { clear(dst) }

// The runtime keeps what it has found out about a type, where a program asks for an interface, and makes
// room for that in one of a thousand calls: too rare for counts of whole decisions to find every time.
func TestAdviceAllocatesNothingHoweverOftenItIsAsked(t *testing.T) {
	g, err := engine.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	m, v := g.NewMatch(), newAdvised(nothing{}, nothing{})
	m.Reset(1)
	for m.Seat() == engine.Chance {
		apply(m, m.SampleChance())
	}
	dst, times := make([]float64, g.Info().Seats), 1
	if n := testing.AllocsPerRun(1, func() {
		for range times {
			v.Value(m, dst)
		}
		times = 20_000
	}); n > 0 {
		t.Errorf("%v allocations in %d calls", n, times)
	}
}
