package env_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/env"
)

// Two matches of Kuhn poker: everybody passes, until both have ended.
func ExampleVec_Step() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 2, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	batch, err := vec.Reset()
	if err != nil {
		log.Fatal(err)
	}
	actions := make([]int32, 2)
	for range 2 {
		fmt.Println("seats", batch.Seat, "masks", batch.Mask)
		for row := range actions {
			actions[row] = 0 // pass; a policy would look at its part of batch.Obs and batch.Mask
		}
		if batch, err = vec.Step(actions); err != nil {
			log.Fatal(err)
		}
		fmt.Println("rewards", batch.Reward, "terminated", batch.Terminated)
	}
	// Output:
	// seats [0 0] masks [1 1 1 1]
	// rewards [0 0 0 0] terminated [false false]
	// seats [1 1] masks [1 1 1 1]
	// rewards [-0.5 0.5 -0.5 0.5] terminated [true true]
}

// An action that is not legal is refused before any row has moved.
func ExampleIllegalActionError() {
	vec, err := env.New(env.Config{Game: "leduc", NumEnvs: 2, Autoreset: env.SameStep})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	if _, err := vec.Reset(); err != nil {
		log.Fatal(err)
	}
	_, err = vec.Step([]int32{1, 0})
	fmt.Println(err)
	// Output:
	// env: row 1: leduc: illegal action "fold" for seat 0: seat 0 acts in round 1, with 0 to call and 0 of 2 raises made; legal are: call, raise
}
