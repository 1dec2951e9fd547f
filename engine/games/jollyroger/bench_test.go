package jollyroger

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// BenchmarkRandomPlay is a decision by uniformly random seats, new matches
// included.
func BenchmarkRandomPlay(b *testing.B) {
	for _, seats := range []int{4, 6, 10} {
		b.Run(fmt.Sprintf("seats=%d", seats), func(b *testing.B) {
			g, err := engine.NewGame(fmt.Sprintf("jolly_roger(seats=%d)", seats))
			if err != nil {
				b.Fatal(err)
			}
			m := g.NewMatch()
			r := engine.NewRand(1)
			m.Reset(0)
			b.ReportAllocs()
			for i := range b.N {
				if m.Seat() == engine.Over {
					m.Reset(uint64(i))
				}
				if err := m.Apply(m.Legal().Sample(&r)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
