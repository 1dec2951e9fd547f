package games_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// Importing this package makes all games known by name.
func Example() {
	game, err := engine.NewGame("jolly_roger(seats=3)")
	if err != nil {
		log.Fatal(err)
	}
	m := game.NewMatch()
	m.Reset(1)
	fmt.Println(game.Info().Seats, "seats; seat", m.Seat(), "decides first")
	// Output: 3 seats; seat 2 decides first
}
