package compare_test

import (
	"context"
	"fmt"
	"log"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

// always takes one action if it is legal, else any.
type always struct{ action int }

func (p always) Probs(n int, _, mask []uint8, probs []float32) error {
	actions := len(mask) / n
	for i := range mask {
		probs[i] = 1e-6 * float32(mask[i])
		if i%actions == p.action {
			probs[i] = float32(mask[i])
		}
	}
	return nil
}

// A policy of Kuhn poker that always bets, against the random bot: each deal is played from both seats.
func ExampleEvaluate() {
	r, err := compare.Evaluate(context.Background(), always{1}, compare.Evaluation{Game: "kuhn", Bot: "random", Matches: 2000, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.One.Matches, "matches")
	fmt.Printf("wins %.2f of them, a random player %.2f\n", r.One.WinRate.Mean, r.EqualShare)
	// Output:
	// 2000 matches
	// wins 0.69 of them, a random player 0.50
}
