package infer_test

import (
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/encode/infer"
)

// A network of one layer computes the probabilities of two decisions. Its inputs are bytes, each with a scale.
func ExampleInference_Probs() {
	net, err := infer.New(infer.Model{
		Network:     infer.Network{Name: infer.MLP, Hidden: []int{1}, Activation: "relu", Norm: infer.NoNorm},
		Observation: []infer.Slice{{Name: "card", Size: 2, Scale: 1}},
		Actions:     2,
		Weights: []infer.Tensor{
			infer.NewTensor("trunk.0.linear.weight", []int{1, 2}, []float32{0, 1}),
			infer.NewTensor("trunk.0.linear.bias", []int{1}, []float32{0}),
			infer.NewTensor("policy.weight", []int{2, 1}, []float32{0, 2}),
			infer.NewTensor("policy.bias", []int{2}, []float32{0, 0}),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	obs, mask := []uint8{1, 0, 0, 1}, []uint8{1, 1, 1, 1} // [2, 2] each
	probs := make([]float32, 4)
	if err := net.Inference(1).Probs(2, obs, mask, nil, nil, probs); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", probs)
	// Output: [0.50 0.50 0.12 0.88]
}
