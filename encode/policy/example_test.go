package policy_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// A bundle is written, loaded again and plays. The weights of this one are zero, so that it
// bets whatever it sees; one of a trained policy is what `privateer export` writes.
func ExampleOf() {
	game, err := engine.NewGame("kuhn")
	if err != nil {
		log.Fatal(err)
	}
	enc, err := encode.For(game)
	if err != nil {
		log.Fatal(err)
	}
	in, out := enc.Schema().Size, len(game.Info().Actions)
	made := &bundle.Bundle{
		Game: game.Info().Config, Choice: bundle.Greedy,
		Network: infer.Network{Name: infer.MLP, Hidden: []int{1}, Activation: "relu", Norm: infer.LayerNorm, NormEps: 1e-5},
		Weights: []infer.Tensor{
			infer.NewTensor("trunk.0.linear.weight", []int{1, in}, make([]float32, in)),
			infer.NewTensor("trunk.0.linear.bias", []int{1}, []float32{0}),
			infer.NewTensor("trunk.0.norm.weight", []int{1}, []float32{0}),
			infer.NewTensor("trunk.0.norm.bias", []int{1}, []float32{0}),
			infer.NewTensor("policy.weight", []int{out, 1}, []float32{0, 0}),
			infer.NewTensor("policy.bias", []int{out}, []float32{0, 1}),
		},
	}
	made.SetLayout(enc.Schema())
	if err := made.MakeGolden(game, 4); err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "bundle")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "bets"+bundle.Ext)
	if err := made.Save(path); err != nil {
		log.Fatal(err)
	}

	read, err := bundle.Load(path)
	if err != nil {
		log.Fatal(err)
	}
	bot, err := policy.Of("bets", read, game) // refused if the game is not the bundle's
	if err != nil {
		log.Fatal(err)
	}
	m, rand := game.NewMatch(), engine.NewRand(1)
	m.Reset(7)
	fmt.Println(bot.Name(), "chooses", game.Info().ActionName(bot.Act(m, &rand)))
	// Output: bets chooses bet
}
