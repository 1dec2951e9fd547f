package child_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match/child"
)

// A program in Python plays a match of Leduc against the random bot.
func ExampleNew() {
	game, err := engine.NewGame("leduc")
	if err != nil {
		log.Fatal(err)
	}
	program, err := child.New("exec(ms=5000):python3 bot.py", game)
	if err != nil {
		log.Fatal(err)
	}
	defer program.Close()
	random, err := bots.New("random", game)
	if err != nil {
		log.Fatal(err)
	}
	m, rand := game.NewMatch(), engine.NewRand(1)
	m.Reset(7)
	if err := bots.Play(m, []bots.Bot{program, random}, &rand); err != nil {
		log.Fatal(err)
	}
	returns := make([]float32, 2)
	m.Returns(returns)
	fmt.Println(returns)
}
