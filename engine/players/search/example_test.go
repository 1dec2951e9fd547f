package search_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	_ "github.com/privateer-rl/privateer/engine/players/search"
)

// Importing this package adds the bots that search.
func Example() {
	game, err := engine.NewGame("kuhn")
	if err != nil {
		log.Fatal(err)
	}
	bot, err := bots.New("search(rollouts=200)", game)
	if err != nil {
		log.Fatal(err)
	}
	m, rand := game.NewMatch(), engine.NewRand(1)
	m.Reset(3)
	fmt.Println(bot.Name(), "chooses", game.Info().ActionName(bot.Act(m, &rand)))
	// Output: search(rollouts=200) chooses bet
}
