//go:build torch

package learner

import (
	"fmt"
	"testing"
)

// benchConfig is the size of network that the games here train with.
func benchConfig(threads int) Config {
	return Config{ObsDim: 512, NumActions: 192, Hidden: []int{256, 256}, Seed: 1, Threads: threads}
}

func BenchmarkForward(b *testing.B) {
	for _, n := range []int{1, 64, 1024} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("rows=%d/threads=%d", n, threads), func(b *testing.B) {
				c := benchConfig(threads)
				l := newLearner(b, c)
				in := fuzzBatch(c, n, 1)
				logp, values := make([]float32, n*c.NumActions), make([]float32, n)
				b.ReportAllocs()
				for b.Loop() {
					if err := l.Forward(in.Decisions, logp, values); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("rows=4096/threads=%d", threads), func(b *testing.B) {
			c := benchConfig(threads)
			l := newLearner(b, c)
			in := fuzzBatch(c, 4096, 1)
			b.ReportAllocs()
			start := l.TorchTime()
			for b.Loop() {
				if _, err := l.Update(in, tinyHyper); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(4096*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(100*(1-(l.TorchTime()-start).Seconds()/b.Elapsed().Seconds()), "%outside")
		})
	}
}
