package train

import (
	"io"

	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/train/learner"
)

// magnet is a policy that PPO is drawn to: a network that does not learn.
type magnet struct {
	net  learner.Learner
	logp []float32 // [minibatch, actions]
}

// What Config.Magnet may be.
const (
	uniformMagnet = "uniform"
	initialMagnet = "initial"
	pastMagnet    = "past"
)

// drawn reports whether the policy is drawn to a magnet.
func (c *Config) drawn() bool { return c.MagnetCoef > 0 || c.MagnetCoefFinal > 0 }

// newMagnet makes one that begins as the network is, for minibatches of so many rows.
func newMagnet(net learner.Learner, lc learner.Config, rows int, newLearner func(learner.Config) (learner.Learner, error)) (*magnet, error) {
	m, err := newLearner(lc)
	if err != nil {
		return nil, err
	}
	return &magnet{net: m, logp: make([]float32, rows*lc.NumActions)}, learner.Copy(m, net)
}

// follow moves half the way to the network.
func (g *magnet) follow(net learner.Learner) error {
	goal, err := net.Weights()
	if err != nil {
		return err
	}
	now, err := g.net.Weights()
	if err != nil {
		return err
	}
	for i, w := range now {
		for k, x := range goal[i].Data {
			w.Data[k] += float32((x - w.Data[k]) / 2)
		}
	}
	return g.net.SetWeights(now)
}

// save writes the network, if there is one.
func (g *magnet) save(w io.Writer) error {
	if g == nil {
		return nil
	}
	return g.net.Save(w)
}

// anchor adds to a minibatch what the policies of the loss, other than the network's, say of its rows.
func (t *trainer) anchor(b *learner.Batch, rows []int32, h learner.Hyper) error {
	if h.KLCoef == 0 && h.MagnetCoef == 0 {
		return nil
	}
	a := t.rollout.a
	if b.Offsets == nil {
		b.Offsets = t.offsets(b)
	}
	if h.KLCoef > 0 {
		t.batch.DataLogp = t.batch.DataLogp[:0]
		for _, row := range rows {
			t.batch.DataLogp = append(t.batch.DataLogp, t.rollout.policy.of(int(row))...)
		}
		b.DataLogp = t.batch.DataLogp
	}
	if h.MagnetCoef == 0 {
		return nil
	}
	var logp []float32
	if t.magnet != nil {
		logp = t.magnet.logp[:b.N*a]
		if err := t.magnet.net.Forward(b.Decisions, logp, nil); err != nil {
			return err
		}
	}
	t.batch.MagnetLogp = t.batch.MagnetLogp[:0]
	for i := range b.N {
		equal := float32(-portable.Log(float64(b.Offsets[i+1] - b.Offsets[i])))
		for k, legal := range b.Mask[i*a : (i+1)*a] {
			switch {
			case legal == 0:
			case t.magnet == nil:
				t.batch.MagnetLogp = append(t.batch.MagnetLogp, equal)
			default:
				t.batch.MagnetLogp = append(t.batch.MagnetLogp, logp[i*a+k])
			}
		}
	}
	b.MagnetLogp = t.batch.MagnetLogp
	return nil
}

// offsets are where the legal actions of each row of a minibatch begin.
func (t *trainer) offsets(b *learner.Batch) []int32 {
	t.batch.Offsets = append(t.batch.Offsets[:0], 0)
	total, a := int32(0), t.rollout.a
	for i := range b.N {
		for _, legal := range b.Mask[i*a : (i+1)*a] {
			total += int32(legal)
		}
		t.batch.Offsets = append(t.batch.Offsets, total)
	}
	return t.batch.Offsets
}
