package benchmark_test

import (
	"context"
	"fmt"
	"log"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/benchmark"
)

// Kuhn poker is measured exactly.
func ExamplePlay() {
	tasks, err := benchmark.Find([]string{"kuhn"})
	if err != nil {
		log.Fatal(err)
	}
	r, _, err := benchmark.Play(context.Background(), match.Named("random"), tasks, benchmark.Config{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %.3f at %s\n", r.Player, r.Tasks[0].Score.Mean, r.Tasks[0].Name)
	// Output: random: 0.000 at kuhn@1
}
