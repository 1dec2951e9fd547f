package selfplay

import (
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/train/learner"
)

// Returns computes the undiscounted return of each decision (λ = 1) and lists the complete rows. Where a trajectory continues, the
// critic's value stands in for the rest.
func (p *Play) Returns() error {
	c, b := &p.critic, p.Buffer
	for from := 0; from < b.n; {
		c.rows = c.rows[:0]
		for ; from < b.n && len(c.rows) < c.capacity; from++ {
			if b.next[from] == open {
				c.add(b.obs[from*c.d:(from+1)*c.d], b.full[from*c.f:(from+1)*c.f], int32(from))
			}
		}
		if err := c.answer(p.Learner, b.Value, p.Norm.Scale()); err != nil {
			return fmt.Errorf("update %d: value of what continues: %w", p.Iteration+1, err)
		}
	}
	b.Finish(1, 1)
	p.Norm.Add(b.Complete, b.Returns)
	return nil
}

// Fit takes the passes of minibatches over the complete rows, in which the network learns target distributions and the returns: the
// loss is imitation in learner/internal/aten/losses.h. target gives a row's target for each legal action (learner.ImitationBatch.Target).
func (p *Play) Fit(target func(row int) []float32, hyper learner.Hyper, u *Update) error {
	updates := 0.0
	for range p.Config.UpdateEpochs {
		err := p.Minibatches(func(rows []int32) error {
			s, err := p.Learner.Imitate(p.ImitationBatch(rows, target), hyper)
			if err != nil {
				return fmt.Errorf("update %d: %w", p.Iteration+1, err)
			}
			updates++
			u.Losses.Add(learner.Stats{PolicyLoss: s.Divergence, ValueLoss: s.ValueLoss, Entropy: s.Entropy, GradNorm: s.GradNorm}, updates)
			return nil
		})
		if err != nil {
			return err
		}
		u.Epochs++
	}
	return nil
}

// ImitationBatch makes a minibatch of rows with their targets. It is valid until the next call.
func (p *Play) ImitationBatch(rows []int32, target func(row int) []float32) learner.ImitationBatch {
	b, l := p.Batch(rows), &p.imitation
	l.Decisions, l.Return = b.Decisions, b.Return
	l.Target, p.offsets = l.Target[:0], append(p.offsets[:0], 0)
	for _, row := range rows {
		l.Target = append(l.Target, target(int(row))...)
		p.offsets = append(p.offsets, int32(len(l.Target)))
	}
	l.Offsets = p.offsets
	return *l
}

// Softmax turns scores into probabilities, in place; −Inf becomes 0.
func Softmax(x []float32) {
	most, sum := float64(slices.Max(x)), 0.0
	for i := range x {
		e := portable.Exp(float64(x[i]) - most)
		x[i] = float32(e)
		sum += e
	}
	for i := range x {
		x[i] = float32(float64(x[i]) / sum)
	}
}
