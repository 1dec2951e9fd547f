package bundle

import (
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
)

// Random is a bundle of a network with random weights from −¼ to ¼, the same for a seed, with four golden decisions and, if asked for,
// a value head: for tests and benchmarks of what reads bundles.
func Random(game string, n infer.Network, value bool, seed uint64) (*Bundle, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	b := &Bundle{Game: g.Info().Config, Choice: Sample, Network: n}
	b.SetLayout(e.Schema())
	r := engine.NewRand(seed)
	add := func(name string, shape ...int) {
		size := 1
		for _, s := range shape {
			size *= s
		}
		data := make([]float32, size)
		for i := range data {
			data[i] = float32(r.Float64()/2 - 0.25)
		}
		b.Weights = append(b.Weights, infer.NewTensor(name, shape, data))
	}
	in := b.ObservationSize()
	for i, h := range n.Hidden {
		prefix := fmt.Sprintf("trunk.%d.", i)
		add(prefix+"linear.weight", h, in)
		add(prefix+"linear.bias", h)
		if n.Norm == infer.LayerNorm {
			add(prefix+"norm.weight", h)
			add(prefix+"norm.bias", h)
		}
		in = h
	}
	if n.Name == infer.Entity {
		if e.ActionSchema() == nil {
			return nil, fmt.Errorf("%w: %s describes no actions, which the network %s reads", ErrMisfit, game, n.Name)
		}
		b.SetActionLayout(e.ActionSchema())
		width := b.RowSize()
		for i, h := range n.RowHidden {
			add(fmt.Sprintf("rows.%d.weight", i), h, width)
			add(fmt.Sprintf("rows.%d.bias", i), h)
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
	if value {
		add("value.weight", 1, in)
		add("value.bias", 1)
	}
	return b, b.MakeGolden(g, 4)
}
