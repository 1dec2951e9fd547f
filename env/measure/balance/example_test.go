package balance_test

import (
	"context"
	"fmt"
	"log"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/balance"
)

// Which seat of Kuhn poker has the advantage among random players.
func ExampleRun() {
	report, err := balance.Run(context.Background(), "kuhn", balance.Config{
		Players: []match.Player{match.Named("random")}, Matches: 2000, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, seat := range report.Seats {
		fmt.Printf("%s wins %.2f\n", seat.Name, seat.Wins.Mean)
	}
	// Output:
	// seat 0 wins 0.56
	// seat 1 wins 0.44
}
