package env_test

import (
	"bytes"
	"fmt"
	"log"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// Two matches of Kuhn poker: everybody passes, until both have ended.
func ExampleVec_Step() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 2, Seed: 3, Autoreset: env.SameStep})
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
	// rewards [0.5 -0.5 -0.5 0.5] terminated [true true]
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

// Two halves of a vector: while one is stepped, actions are found for the other.
func ExampleVec_Parts() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 4, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	if _, err := vec.Reset(); err != nil {
		log.Fatal(err)
	}
	halves, err := vec.Parts(2)
	if err != nil {
		log.Fatal(err)
	}
	pass := make([]int32, 2)
	for turn := range 4 {
		half := halves[turn%2]
		batch, err := half.Wait() // at once, the first time
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("environments", batch.EnvID, "seats", batch.Seat)
		// A policy would look at batch here, while the other half is under way.
		if err := half.Start(pass); err != nil {
			log.Fatal(err)
		}
	}
	for _, half := range halves {
		batch, err := half.Wait()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("environments", batch.EnvID, "terminated", batch.Terminated)
	}
	// Output:
	// environments [0 1] seats [0 0]
	// environments [2 3] seats [0 0]
	// environments [0 1] seats [1 1]
	// environments [2 3] seats [1 1]
	// environments [0 1] terminated [true true]
	// environments [2 3] terminated [true true]
}

// Each batch has the first two of four environments that are ready.
func ExampleVec_Recv() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 4, BatchSize: 2, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	if err := vec.SendReset(nil); err != nil {
		log.Fatal(err)
	}
	steps := make([]int, 4)
	for range 6 {
		batch, err := vec.Recv()
		if err != nil {
			log.Fatal(err)
		}
		for _, id := range batch.EnvID {
			steps[id]++
		}
		if err := vec.Send(batch.EnvID, []int32{0, 0}); err != nil { // everybody passes
			log.Fatal(err)
		}
	}
	slices.Sort(steps)
	fmt.Println("batches of each environment, in whatever order:", steps)
	// Output:
	// batches of each environment, in whatever order: [3 3 3 3]
}

// A bot in the loop: the rows show the caller's decisions only.
func ExampleNew_players() {
	vec, err := env.New(env.Config{
		Game: "leduc", NumEnvs: 1, Seed: 1, Autoreset: env.NextStep,
		Players: []match.Player{{}, match.Named("random")},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	batch, err := vec.Reset()
	for err == nil && !batch.Terminated[0] {
		fmt.Println("player", batch.Players[batch.Seat[0]], "is asked after", batch.EpisodeStep[0], "of the caller's steps")
		batch, err = vec.Step([]int32{1}) // call
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("over after", batch.Length[0], "of them")
	// Output:
	// player 0 is asked after 0 of the caller's steps
	// player 0 is asked after 1 of the caller's steps
	// player 0 is asked after 2 of the caller's steps
	// player 0 is asked after 3 of the caller's steps
	// over after 4 of them
}

// Every match that ends is handed over with its transcript.
func ExampleRecord() {
	vec, err := env.New(env.Config{
		Game: "kuhn", NumEnvs: 1, Seed: 1, Autoreset: env.SameStep,
		Record: env.Record{Share: 1, Sink: func(r env.Recorded) error {
			fmt.Println("row", r.Row, "episode", r.Episode, len(r.Transcript.Steps), "decisions,", r.Transcript.Steps[1].Action, "is the second; returns", r.Transcript.Returns)
			return nil
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	if _, err := vec.Reset(); err != nil {
		log.Fatal(err)
	}
	for _, action := range []int32{0, 1, 0} { // pass, bet, pass
		if _, err := vec.Step([]int32{action}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// row 0 episode 0 3 decisions, bet is the second; returns [-0.5 0.5]
}

// A vector continues where another was saved.
func ExampleVec_Restore() {
	cfg := env.Config{Game: "leduc", NumEnvs: 2, Seed: 5, Autoreset: env.SameStep}
	old, err := env.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer old.Close()
	if _, err := old.Reset(); err != nil {
		log.Fatal(err)
	}
	var saved bytes.Buffer
	if err := old.Snapshot(&saved); err != nil {
		log.Fatal(err)
	}
	vec, err := env.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	if err := vec.Restore(&saved); err != nil {
		log.Fatal(err)
	}
	a, err := old.Step([]int32{1, 2})
	if err != nil {
		log.Fatal(err)
	}
	b, err := vec.Step([]int32{1, 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same:", bytes.Equal(a.Obs, b.Obs) && slices.Equal(a.Seat, b.Seat))
	// Output:
	// the same: true
}

// A search that does not cheat: what the seat to act cannot know is dealt again for
// each of its playouts.
func ExampleVec_Redeal() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 1, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	batch, err := vec.Reset()
	if err != nil {
		log.Fatal(err)
	}
	playout, draw, returns := vec.Game().NewMatch(), engine.NewRand(1), make([]float32, 2)
	var sum float32
	const playouts = 1000
	for range playouts {
		if err := vec.Redeal(0, int(batch.Seat[0]), &draw, playout); err != nil {
			log.Fatal(err)
		}
		for playout.Seat() != engine.Over {
			if err := playout.Apply(0); err != nil { // everybody passes
				log.Fatal(err)
			}
		}
		playout.Returns(returns)
		sum += returns[batch.Seat[0]]
	}
	fmt.Println("worth of passing, with the lowest card:", sum/playouts)
	// Output:
	// worth of passing, with the lowest card: -0.5
}

// What a network reads: float32 features, and the masks as bytes though the vector
// keeps them in bits.
func ExampleVec_ExpandMasks() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 2, Seed: 1, Masks: env.MaskPacked})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	batch, err := vec.Reset()
	if err != nil {
		log.Fatal(err)
	}
	features, masks := make([]float32, len(batch.Obs)), make([]uint8, 2*2)
	if err := vec.Encoder().Schema().Floats(features, batch.Obs); err != nil {
		log.Fatal(err)
	}
	if err := vec.ExpandMasks(masks); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(features)/2, "features a row, masks", batch.Packed, masks)
	// Output:
	// 26 features a row, masks [3 3] [1 1 1 1]
}

// What the seats that are not to act see: Kuhn's seat 1 knows its own card while
// seat 0 decides.
func ExampleVec_ObserveAll() {
	vec, err := env.New(env.Config{Game: "kuhn", NumEnvs: 2, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		log.Fatal(err)
	}
	defer vec.Close()
	batch, err := vec.Reset()
	if err != nil {
		log.Fatal(err)
	}
	width := len(batch.Obs) / 2
	views := make([]uint8, 2*width)
	if err := vec.ObserveAll([]int32{1, 1}, views); err != nil {
		log.Fatal(err)
	}
	for row := range 2 {
		own := make([]uint8, width)
		if err := vec.Observe(row, int(batch.Seat[row]), own); err != nil {
			log.Fatal(err)
		}
		fmt.Println("the batch shows the seat to act:", slices.Equal(own, batch.Obs[row*width:(row+1)*width]),
			"- the other sees the same:", slices.Equal(own, views[row*width:(row+1)*width]))
	}
	// Output:
	// the batch shows the seat to act: true - the other sees the same: false
	// the batch shows the seat to act: true - the other sees the same: false
}
