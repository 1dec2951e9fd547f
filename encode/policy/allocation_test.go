//go:build !race

package policy

import (
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
)

// Rows of actions are written with scratch of a sync.Pool, which the race detector empties at random.
func TestSearchWithANetworkAllocatesNothing(t *testing.T) {
	const game = "doubloons(seats=4)"
	g := newGame(t, game)
	var all []engine.Match
	n := 0
	each(t, g, 4, func(m engine.Match, _ engine.Rand) {
		if n++; n%40 == 0 && len(all) < 6 {
			all = append(all, g.NewMatch())
			all[len(all)-1].CopyFrom(m)
		}
	})
	for _, bundle := range []*bundle.Bundle{drawnEvaluator(t, game), inWholes(t, drawnEvaluator(t, game))} {
		b, err := makerOf(bundle).New(asNetwork, g)
		if err != nil {
			t.Fatal(err)
		}
		r := engine.NewRand(1)
		play := func() {
			for _, m := range all {
				b.Act(m, &r)
			}
		}
		play()
		// What a decision allocates is in every count. The runtime's own is not: it makes that pool anew after a collection, and
		// room for what it has found out about a type in one of a thousand assertions.
		least := testing.AllocsPerRun(2, play)
		for k := 0; k < 4 && least > 0; k++ {
			least = min(least, testing.AllocsPerRun(2, play))
		}
		if least > 0 {
			t.Errorf("%v allocations in %d decisions", least, len(all))
		}
	}
}
