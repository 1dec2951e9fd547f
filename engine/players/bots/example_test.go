package bots_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// One heuristic captain against two random ones.
func ExamplePlay() {
	game, err := engine.NewGame("doubloons(seats=3)")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("bots:", bots.Names(game))
	var table []bots.Bot
	for _, name := range []string{"heuristic", "random", "random"} {
		b, err := bots.New(name, game)
		if err != nil {
			log.Fatal(err)
		}
		table = append(table, b)
	}
	m, rand := game.NewMatch(), engine.NewRand(1) // what the bots draw from
	m.Reset(7)
	if err := bots.Play(m, table, &rand); err != nil {
		log.Fatal(err)
	}
	returns := make([]float32, 3)
	m.Returns(returns)
	fmt.Println("the heuristic captain wins:", returns[0] == 1)
	// Output:
	// bots: [random greedy heuristic heuristic2]
	// the heuristic captain wins: true
}
