package observe_test

import (
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/doubloons"
	_ "github.com/privateer-rl/privateer/engine/doubloons/captain"
)

// decisions are up to n decisions by kind, from matches that heuristic captains play.
func decisions(tb testing.TB, game string, n int) map[doubloons.Kind][]engine.Match {
	tb.Helper()
	g, _ := encodetest.Make(tb, game)
	b, err := bots.New("heuristic", g)
	if err != nil {
		tb.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(6)
	all := map[doubloons.Kind][]engine.Match{}
	for seed := range uint64(40) {
		for m.Reset(seed); m.Seat() >= 0; {
			if k := engine.State[doubloons.State](m).Top().Kind; len(all[k]) < n {
				one := g.NewMatch()
				one.CopyFrom(m)
				all[k] = append(all[k], one)
			}
			if err := m.Apply(b.Act(m, &r)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return all
}

// What the rows of a decision cost, by what is asked. The last is the mean over all decisions of play.
func BenchmarkEncodeActions(b *testing.B) {
	const game = "doubloons(seats=4)"
	_, e := encodetest.Make(b, game)
	rows := make([]uint8, 64*e.ActionSize())
	for kind, all := range decisions(b, game, 256) {
		b.Run(kind.String(), func(b *testing.B) {
			b.ReportAllocs()
			i, n := 0, 0
			for b.Loop() {
				n += e.EncodeActions(all[i%len(all)], rows)
				i++
			}
			b.ReportMetric(float64(n)/float64(b.N), "rows/op")
		})
	}
}
