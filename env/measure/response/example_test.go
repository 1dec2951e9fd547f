package response_test

import (
	"context"
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/response"
)

// How exploitable random play of Kuhn poker is, by the whole tree.
func ExampleExactOf() {
	game, err := engine.NewGame("kuhn")
	if err != nil {
		log.Fatal(err)
	}
	e, err := response.ExactOf(context.Background(), game, match.Named("random"), 1_000_000, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a best response wins %.3f antes a match, random play %.3f\n", e.BestResponse, e.Value)
	// Output:
	// a best response wins 0.458 antes a match, random play 0.000
}
