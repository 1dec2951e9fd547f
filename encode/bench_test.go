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
	for _, game := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=2)", "doubloons(seats=4)", "doubloons(seats=6)", "doubloons(seats=4,modules=alternate_island)", "jolly_roger(seats=4)", "jolly_roger(seats=6)", "jolly_roger(seats=10)"} {
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

// Bytes are those of the observations, a quarter of what is written.
func BenchmarkFloats(b *testing.B) {
	for _, game := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons"} {
		b.Run(game, func(b *testing.B) {
			g, all := positions(b, game, 64)
			e, err := encode.For(g)
			if err != nil {
				b.Fatal(err)
			}
			d := e.Schema().Size
			src, dst := make([]uint8, len(all)*d), make([]float32, len(all)*d)
			for i, m := range all {
				e.Encode(m, m.Seat(), src[i*d:(i+1)*d])
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if err := e.Schema().Floats(dst, src); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(all)), "ns/observation")
		})
	}
}

// Random play that writes every observation and mask into buffers of n rows: what
// a vector of matches does at least. Bytes are those written.
func BenchmarkPlay(b *testing.B) {
	for _, game := range []string{"leduc", "doubloons(seats=4)", "doubloons(seats=6)", "jolly_roger(seats=6)", "jolly_roger(seats=10)"} {
		for _, n := range []int{1 << 10, 4 << 10, 16 << 10} {
			b.Run(fmt.Sprintf("%s/matches=%d", game, n), func(b *testing.B) {
				g, err := engine.NewGame(game)
				if err != nil {
					b.Fatal(err)
				}
				e, err := encode.For(g)
				if err != nil {
					b.Fatal(err)
				}
				d, a := e.Schema().Size, len(g.Info().Actions)
				obs, masks := make([]uint8, n*d), make([]uint8, n*a)
				matches := g.NewBatch(n).Matches()
				for i, m := range matches {
					m.Reset(uint64(i))
				}
				r, next := engine.NewRand(3), uint64(n)
				pass := func() {
					for i, m := range matches {
						if err := m.Apply(m.Legal().Sample(&r)); err != nil {
							b.Fatal(err)
						}
						if m.Seat() == engine.Over {
							m.Reset(next)
							next++
						}
						m.Legal().Expand(masks[i*a : i*a+a])
						e.Encode(m, m.Seat(), obs[i*d:i*d+d])
					}
				}
				for range 100 { // so that the matches are spread over all parts of the game
					pass()
				}
				b.ReportAllocs()
				b.SetBytes(int64(n * (d + a)))
				for b.Loop() {
					pass()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/decision")
			})
		}
	}
}
