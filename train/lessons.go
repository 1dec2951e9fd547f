package train

import (
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/train/learner"
)

// What the algorithms share that learn from probabilities of the legal actions, and from what matches came to.

// class makes lessons of rows and lets the network learn them.
type class struct {
	lesson  learner.Lesson
	offsets []int32 // of a lesson
}

// complete computes what the seats still earned after each decision, all of it (λ = 1), and lists the complete rows.
func (t *trainer) complete() error {
	if err := t.expect(); err != nil {
		return fmt.Errorf("update %d: value of what goes on: %w", t.iteration+1, err)
	}
	t.rollout.finish(t.cfg.Gamma, 1)
	t.norm.add(t.rollout.closed, t.rollout.returns)
	return nil
}

// expect asks the network what seats may still expect where a trajectory goes on: that stands in for what the next
// collections will show.
func (t *trainer) expect() error {
	scales := t.scales()
	value := func(p *prospect) []float32 { return p.value }
	e := &t.ends
	for from := 0; from < t.rollout.n; {
		e.rows = e.rows[:0]
		for ; from < t.rollout.n && len(e.rows) < e.capacity; from++ {
			if t.rollout.next[from] == open {
				e.add(t.rollout.obs[from*e.d:(from+1)*e.d], t.rollout.full[from*e.f:(from+1)*e.f], int32(from))
			}
		}
		if err := e.answer(t.learner, t.rollout, value, scales); err != nil {
			return err
		}
	}
	return nil
}

// study takes the passes of minibatches over the complete rows, of which target gives the probabilities to learn.
func (c *class) study(t *trainer, target func(row int) []float32, hyper learner.Hyper, u *Update) error {
	scales := t.scales()
	updates := 0.0
	for range t.cfg.UpdateEpochs {
		err := t.minibatches(func(rows []int32) error {
			s, err := t.learner.Imitate(c.gather(t, rows, target, scales), hyper)
			if err != nil {
				return fmt.Errorf("update %d: %w", t.iteration+1, err)
			}
			updates++
			u.Losses.add(learner.Stats{PolicyLoss: s.Divergence, ValueLoss: s.ValueLoss, Entropy: s.Entropy, GradNorm: s.GradNorm}, updates)
			return nil
		})
		if err != nil {
			return err
		}
		u.Epochs++
	}
	return nil
}

// softmax makes probabilities of scores, in place; one of −Inf has none.
func softmax(x []float32) {
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

// gather makes a lesson of rows.
func (c *class) gather(t *trainer, rows []int32, target func(row int) []float32, scales []scale) learner.Lesson {
	b := t.gather(rows, scales)
	l := &c.lesson
	l.Decisions, l.Return = b.Decisions, b.Return
	l.Target, c.offsets = l.Target[:0], append(c.offsets[:0], 0)
	for _, row := range rows {
		l.Target = append(l.Target, target(int(row))...)
		c.offsets = append(c.offsets, int32(len(l.Target)))
	}
	l.Offsets = c.offsets
	return *l
}

// carry keeps the rows that a rollout is about to carry.
func (g *ragged[T]) carry(r *rollout) {
	to := 0
	for row, next := range r.next[:r.n] {
		if next == open {
			g.move(to, row)
			to++
		}
	}
	g.cut(to)
}
