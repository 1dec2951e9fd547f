package policy

import (
	"testing"

	"github.com/privateer-rl/privateer/encode"
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

// drawn is a bundle of the network mlp with weights from a generator.
func drawn(t testing.TB, game string, activation string, hidden ...int) *Bundle {
	return drawnAs(t, game, Network{Name: MLP, Hidden: hidden, Activation: activation, NormEps: 1e-5})
}

// drawnBare is one without norms, which tells two values.
func drawnBare(t testing.TB, game string, activation string, hidden ...int) *Bundle {
	return drawnAs(t, game, Network{Hidden: hidden, Activation: activation, Norm: NoNorm})
}

// drawnEntity is one of the network entity.
func drawnEntity(t testing.TB, game string, activation string, rowHidden []int, hidden ...int) *Bundle {
	return drawnAs(t, game, Network{Name: Entity, Hidden: hidden, RowHidden: rowHidden, Activation: activation, NormEps: 1e-5})
}

func drawnAs(t testing.TB, game string, network Network) *Bundle {
	t.Helper()
	g := newGame(t, game)
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	b := &Bundle{Game: g.Info().Config, Choice: Sample, Network: network}
	b.SetLayout(e.Schema())
	r := engine.NewRand(7)
	add := func(name string, shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(r.Float64()-0.5) * 0.5
		}
		b.Weights = append(b.Weights, NewTensor(name, shape, data))
	}
	in := e.Schema().Size
	for i, h := range network.Hidden {
		prefix := "trunk." + string(rune('0'+i)) + "."
		add(prefix+"linear.weight", h, in)
		add(prefix+"linear.bias", h)
		if network.Norm != NoNorm {
			add(prefix+"norm.weight", h)
			add(prefix+"norm.bias", h)
		}
		in = h
	}
	last := in
	if network.Name == Entity {
		b.SetActionLayout(e.ActionSchema())
		width := e.ActionSize()
		for i, h := range network.RowHidden {
			add("rows."+string(rune('0'+i))+".weight", h, width)
			add("rows."+string(rune('0'+i))+".bias", h)
			width = h
		}
		add("context.weight", width, 2*width)
		add("query.weight", width, in)
		add("query.bias", width)
		add("direct.weight", width, in)
		add("embed.weight", width, width)
		add("score.weight", 1, width)
	} else {
		add("policy.weight", len(b.Actions), in)
		add("policy.bias", len(b.Actions))
	}
	if network.Norm == NoNorm { // such are other people's, and some of them tell values
		add("value.weight", 2, last)
		add("value.bias", 2)
	}
	if err := b.MakeGolden(g, 4); err != nil {
		t.Fatal(err)
	}
	return b
}
