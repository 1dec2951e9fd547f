package dataset_test

import (
	"context"
	"fmt"
	"log"
	"os"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/dataset"
	"github.com/privateer-rl/privateer/env/match"
)

// Matches are written as Parquet, and their decisions are read again.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "dataset")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	players := []match.Player{match.Named("random"), match.Named("search(rollouts=20)")}
	cfg := dataset.Config{Game: "leduc", Players: players, Seed: 1, Matches: 10, PartMatches: 10}
	if _, err := dataset.Write(context.Background(), folder, cfg); err != nil {
		log.Fatal(err)
	}

	set, err := dataset.Open(folder)
	if err != nil {
		log.Fatal(err)
	}
	var d dataset.Decisions
	decided := map[string]int{}
	for k := range set.Groups() {
		if err := set.Read(k, &d); err != nil {
			log.Fatal(err)
		}
		for _, player := range d.Player[:d.N] {
			decided[set.Head.Players[player].Name]++
		}
	}
	fmt.Println(set.Head.Game, decided)
	// Output: leduc map[random:23 search(rollouts=20):22]
}
