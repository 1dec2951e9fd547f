package encode_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// What the seat to act sees of a match of Leduc hold'em, by the groups of the schema.
func ExampleEncoder_Encode() {
	game, err := engine.NewGame("leduc")
	if err != nil {
		log.Fatal(err)
	}
	enc, err := encode.For(game)
	if err != nil {
		log.Fatal(err)
	}
	m := game.NewMatch()
	m.Reset(7)
	schema := enc.Schema()
	obs := make([]uint8, schema.Size)
	enc.Encode(m, m.Seat(), obs)
	for _, g := range schema.Groups {
		fmt.Println(g.Name, obs[g.Offset:g.Offset+g.Size])
	}
	floats := make([]float32, schema.Size)
	if err := schema.Floats(floats, obs); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(floats), "features")
	// Output:
	// self.order [1 0]
	// self.card [0 1 0]
	// public [0 0 0]
	// round [1 0]
	// raises [0]
	// seats.paid [1 1]
	// history [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]
	// decision.seat [1 0]
	// 39 features
}
