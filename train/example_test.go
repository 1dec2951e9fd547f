package train_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/train"
)

// A configuration has the defaults of its algorithm where it says nothing.
func ExampleParseConfig() {
	cfg, err := train.ParseConfig([]byte("game: leduc\nseed: 3\n"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Game, cfg.Seed)
	_, err = train.ParseConfig([]byte("sede: 3\n"))
	fmt.Println(err)
	// Output:
	// leduc 3
	// configuration, line 1: unknown key "sede": `privateer train --help` lists the known ones; do you mean seed?
}
