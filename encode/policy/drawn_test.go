package policy

import (
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

func newGame(t testing.TB, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func inWholes(t testing.TB, b *bundle.Bundle) *bundle.Bundle {
	t.Helper()
	whole, err := b.InWholeNumbers()
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// drawn is a bundle of the network mlp with weights from a generator.
func drawn(t testing.TB, game string, activation string, hidden ...int) *bundle.Bundle {
	return drawnAs(t, game, infer.Network{Name: infer.MLP, Hidden: hidden, Activation: activation, Norm: infer.LayerNorm, NormEps: 1e-5})
}

// drawnEntity is one of the network entity.
func drawnEntity(t testing.TB, game string, activation string, rowHidden []int, hidden ...int) *bundle.Bundle {
	return drawnAs(t, game, infer.Network{Name: infer.Entity, Hidden: hidden, RowHidden: rowHidden, Activation: activation, Norm: infer.LayerNorm, NormEps: 1e-5})
}

func drawnAs(t testing.TB, game string, network infer.Network) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Random(game, network, network.Norm == infer.NoNorm, 7)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
