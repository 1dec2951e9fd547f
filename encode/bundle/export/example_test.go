package export_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/bundle/export"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// The captain that comes with the program as an ONNX model, and decisions by which another runtime checks that it computes the same.
func ExampleONNX() {
	data, err := zoo.Bundle("captain")
	if err != nil {
		log.Fatal(err)
	}
	b, err := bundle.Decode(data)
	if err != nil {
		log.Fatal(err)
	}
	model, err := export.ONNX(b, map[string]string{"author": "me"})
	if err != nil {
		log.Fatal(err)
	}
	golden, err := export.Play(b, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a model:", len(model) > 0, "and", len(golden.Decisions), "decisions of", b.Name)
	// Output: a model: true and 10 decisions of doubloons
}
