package engine_test

import (
	"fmt"
	"log"
	"os"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games/kuhn"
	_ "github.com/privateer-rl/privateer/engine/games/leduc"
)

// A match of Leduc hold'em, played at random.
func Example() {
	game, err := engine.NewGame("leduc")
	if err != nil {
		log.Fatal(err)
	}
	rand := engine.NewRand(1) // for the choices; the match has a generator of its own
	m := game.NewMatch()
	m.Reset(7)
	for m.Seat() != engine.Over {
		a := m.Legal().Sample(&rand) // or a policy's choice
		fmt.Printf("%s: %s\n", engine.SeatName(m.Seat()), game.Info().ActionName(a))
		if err := m.Apply(a); err != nil {
			log.Fatal(err)
		}
	}
	returns := make([]float32, game.Info().Seats)
	m.Returns(returns)
	fmt.Println("returns", returns)
	// Output:
	// seat 0: raise
	// seat 1: fold
	// returns [0.07692308 -0.07692308]
}

// A match is written down as it is played, and replayed from what was written.
func ExampleTranscript_Replay() {
	game, err := engine.NewGame("kuhn")
	if err != nil {
		log.Fatal(err)
	}
	m := game.NewMatch()
	m.Reset(7)
	played := &engine.Transcript{Game: game.Info().Config, Seed: 7}
	for m.Seat() != engine.Over {
		a := m.Legal().First()
		played.Record(m, a)
		if err := m.Apply(a); err != nil {
			log.Fatal(err)
		}
	}
	played.Returns = make([]float32, 2)
	m.Returns(played.Returns)
	if err := played.Write(os.Stdout, nil); err != nil {
		log.Fatal(err)
	}
	again, err := played.Replay(func(m engine.Match, i int, a engine.Action) error {
		fmt.Println("step", i, m.Decision())
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same end:", again.Equal(m))
	// Output:
	// privateer transcript 1
	// game: kuhn
	// seed: 7
	// 0 pass
	// 1 pass
	// end: 0.5 -0.5
	// step 0 seat 0 passes or bets
	// step 1 seat 1 passes or bets
	// the same end: true
}
