package infer_test

import (
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
)

func zoos(t testing.TB, name string) *bundle.Bundle {
	t.Helper()
	data, err := zoo.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The golden vectors: of whole networks, libtorch (package train), the description (TestNetworkComputes…), Go and vectors agree.
func TestWholeNetworksHaveTheSameBitsWithVectors(t *testing.T) {
	for _, b := range []*bundle.Bundle{
		drawn(t, "doubloons(seats=3)", "relu", 96, 41), drawnEntity(t, "doubloons(seats=3)", "relu", []int{72, 24}, 128, 64),
		drawnEntity(t, "doubloons(seats=4)", "silu", []int{40, 64}, 33),
		inWholes(t, drawn(t, "doubloons(seats=3)", "relu", 320, 41)), inWholes(t, drawnEntity(t, "doubloons(seats=4)", "silu", []int{72, 24}, 256, 64)),
		inWholes(t, zoos(t, "captain")), inWholes(t, zoos(t, "pirate")),
	} {
		const n = 60
		q, p := questions(t, newGame(t, b.Game), n), b.Inference(1)
		var first []uint32
		infer.WithVectors(func() {
			var all []uint32
			for i := range n {
				legal, rows := q.legal(b, i)
				logits := make([]float32, len(legal))
				p.Scores(q.obs[i*b.ObservationSize():(i+1)*b.ObservationSize()], legal, rows, logits)
				all = append(all, infer.BitsOf(logits)...)
			}
			if first == nil {
				first = all
			}
			if !slices.Equal(all, first) {
				t.Errorf("%s of %s: vectors compute other bits", b.Network.Name, b.Game)
			}
		})
	}
}
