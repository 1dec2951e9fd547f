package bundle_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// A bundle is a file that says for which game its policy is, what it reads, and what it decided when it was written.
func ExampleLoad() {
	network := infer.Network{Name: infer.MLP, Hidden: []int{16}, Activation: "relu", Norm: infer.NoNorm}
	made, err := bundle.Random("leduc", network, false, 1)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "bundle")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "mine"+bundle.Ext)
	if err := made.Save(path); err != nil {
		log.Fatal(err)
	}

	b, err := bundle.Load(path) // refused if the file is damaged or its golden decisions are not met
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Game, "with", b.ObservationSize(), "bytes of observation and the actions", b.Actions)
	// Output: leduc with 39 bytes of observation and the actions [fold call raise]
}
