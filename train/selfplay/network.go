package selfplay

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// ReadsActions reports whether the network reads the rows of the legal actions.
func (c *Config) ReadsActions() bool { return c.Network == "entity" }

// Learner is the configuration of the network.
func (c *Config) Learner(e *encode.Encoder) learner.Config {
	lc := learner.Config{
		Network: c.Network,
		ObsDim:  e.Schema().Size, ObsScale: e.Schema().Scales(),
		NumActions: len(e.Schema().Actions),
		Hidden:     c.Hidden,
		Device:     c.Device, Threads: c.Threads,
		Seed: engine.NewRand(c.Seed).At(streamWeights).Key,
	}
	if c.PerfectCritic {
		lc.CriticDim, lc.CriticScale = e.FullSchema().Size, e.FullSchema().Scales()
	}
	if c.ReadsActions() && e.ActionSize() > 0 {
		lc.RowDim, lc.RowScale, lc.RowHidden = e.ActionSize(), e.ActionSchema().Scales(), c.RowHidden
	}
	return lc
}

// SchemaHash identifies everything that the network reads and writes.
func (c *Config) SchemaHash(e *encode.Encoder) string {
	all := e.Schema().Hash()
	if !c.PerfectCritic && !c.ReadsActions() {
		return all
	}
	if c.PerfectCritic {
		all += e.FullSchema().Hash()
	}
	if s := e.ActionSchema(); c.ReadsActions() && s != nil {
		all += s.Hash()
	}
	sum := sha256.Sum256([]byte(all))
	return hex.EncodeToString(sum[:])
}

// Bundle makes a bundle that samples, from weights after the given number of decisions; it is not checked yet. scale is that of the value
// head; without one, or with a critic that sees hidden information, the bundle has no value head.
func (c *Config) Bundle(e *encode.Encoder, tensors []learner.Tensor, scale *Scale, steps int64) *bundle.Bundle {
	b := &bundle.Bundle{
		Game: c.Game, Choice: bundle.Sample,
		Network: infer.Network{Name: c.Network, Hidden: slices.Clone(c.Hidden), Activation: "relu", Norm: infer.LayerNorm, NormEps: learner.NormEps},
	}
	b.SetLayout(e.Schema())
	if c.ReadsActions() {
		b.Network.RowHidden = slices.Clone(c.RowHidden)
		b.SetActionLayout(e.ActionSchema())
	}
	for _, t := range tensors {
		switch {
		case strings.HasPrefix(t.Name, "critic."): // reads what is hidden from players
			continue
		case strings.HasPrefix(t.Name, "value.") && (c.PerfectCritic || scale == nil):
			continue
		case strings.HasPrefix(t.Name, "value."):
			t.Data = slices.Clone(t.Data)
			for i, x := range t.Data { // what the head says becomes a return
				y := float64(float64(x) * scale.Deviation)
				if t.Name == "value.bias" {
					y += scale.Mean
				}
				t.Data[i] = float32(y)
			}
		}
		b.Weights = append(b.Weights, infer.NewTensor(t.Name, t.Shape, t.Data))
	}
	return b
}
