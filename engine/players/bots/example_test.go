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

// raiser raises whenever it may. Actions have the numbers that privateer spec leduc gives them.
type raiser struct{}

func (raiser) Name() string { return "raiser" }

func (raiser) Act(m engine.Match, _ *engine.Rand) engine.Action {
	const raise engine.Action = 2
	if legal := m.Legal(); !legal.Has(raise) {
		return legal.First()
	}
	return raise
}

// A bot of your own, registered by an init function. In a program whose main function calls cli.Main (package cmd/cli), every
// command knows it by name, as in eval raiser --against random --game leduc.
func ExampleRegister() {
	bots.Register(bots.Kind{Name: "raiser", Game: "leduc", Help: "raises whenever it may", New: func(engine.Game) (bots.Bot, error) { return raiser{}, nil }})
	game, err := engine.NewGame("leduc")
	if err != nil {
		log.Fatal(err)
	}
	b, err := bots.New("raiser", game)
	if err != nil {
		log.Fatal(err)
	}
	m, rand := game.NewMatch(), engine.NewRand(1)
	m.Reset(7)
	fmt.Println(game.Info().Actions[b.Act(m, &rand)])
	// Output:
	// raise
}
