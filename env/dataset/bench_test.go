package dataset

import (
	"testing"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
)

// BenchmarkWrite is what a core writes of a player that takes no time.
func BenchmarkWrite(b *testing.B) {
	for _, game := range []string{"doubloons(seats=4)", "jolly_roger(seats=6)", "kuhn"} {
		b.Run(game, func(b *testing.B) {
			b.ReportAllocs()
			decisions := 0
			for b.Loop() {
				w, err := Write(b.Context(), b.TempDir(), Config{
					Game: game, Players: []match.Player{match.Named("random")}, Seed: 1, Matches: 256, PartMatches: 256, Part: whole, Workers: 1,
				})
				if err != nil {
					b.Fatal(err)
				}
				decisions += w.Decisions
			}
			b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
