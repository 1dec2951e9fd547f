package encode_test

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

// positions are decisions of random play, spread over a few matches.
func positions(tb testing.TB, game string, n int) (engine.Game, []engine.Match) {
	g, err := engine.NewGame(game)
	if err != nil {
		tb.Fatal(err)
	}
	all := g.NewMatches(n)
	m := g.NewMatch()
	r := engine.NewRand(5)
	m.Reset(0)
	for i, at := range all {
		at.CopyFrom(m)
		for range 7 {
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				tb.Fatal(err)
			}
			if m.Seat() == engine.Over {
				m.Reset(uint64(i))
			}
		}
	}
	return g, all
}

func BenchmarkEncode(b *testing.B) {
	for _, game := range []string{"kuhn", "leduc", "doubloons(seats=2)", "doubloons(seats=4)", "doubloons(seats=6)"} {
		for _, full := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/full=%v", game, full), func(b *testing.B) {
				g, all := positions(b, game, 256)
				e, err := encode.For(g)
				if err != nil {
					b.Fatal(err)
				}
				dst := make([]uint8, e.FullSchema().Size)
				b.ReportAllocs()
				b.SetBytes(int64(e.Schema().Size))
				i := 0
				for b.Loop() {
					m := all[i%len(all)]
					if full {
						e.EncodeFull(m, m.Seat(), dst)
					} else {
						e.Encode(m, m.Seat(), dst)
					}
					i++
				}
			})
		}
	}
}
