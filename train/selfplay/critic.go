package selfplay

import (
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// critic asks the network for values that stand in for unknown returns: after matches that were cut short, and where a trajectory
// continues.
type critic struct {
	rows           []int32 // of the buffer, waiting for a value
	obs, full      []uint8
	values         []float32
	d, f, capacity int
}

func newCritic(capacity int, lc learner.Config) critic {
	return critic{
		rows: make([]int32, 0, capacity), obs: make([]uint8, capacity*lc.ObsDim), full: make([]uint8, capacity*lc.CriticDim),
		values: make([]float32, capacity), d: lc.ObsDim, f: lc.CriticDim, capacity: capacity,
	}
}

// bootstrap sets boot of the last decisions of all seats of truncated matches.
func (c *critic) bootstrap(l learner.Learner, r *Buffer, b *env.Batch, s Scale) error {
	c.rows = c.rows[:0]
	for i, truncated := range b.Truncated {
		if !truncated || b.Terminated[i] {
			continue
		}
		for slot := i * r.seats; slot < (i+1)*r.seats; slot++ {
			if r.last[slot] < 0 {
				continue
			}
			if len(c.rows) == c.capacity {
				if err := c.answer(l, r.boot, s); err != nil {
					return err
				}
			}
			var full []uint8
			if c.f > 0 {
				full = b.FinalFull[slot*c.f : (slot+1)*c.f]
			}
			c.add(b.FinalObs[slot*c.d:(slot+1)*c.d], full, r.last[slot])
		}
	}
	return c.answer(l, r.boot, s)
}

// add queues a row of the buffer, with its seat's observation.
func (c *critic) add(obs, full []uint8, row int32) {
	k := len(c.rows)
	c.rows = append(c.rows, row)
	copy(c.obs[k*c.d:(k+1)*c.d], obs)
	copy(c.full[k*c.f:(k+1)*c.f], full)
}

// answer writes the values of the queued rows to their places in to, and empties the queue.
func (c *critic) answer(l learner.Learner, to []float32, s Scale) error {
	n := len(c.rows)
	if n == 0 {
		return nil
	}
	if err := l.Forward(learner.Decisions{N: n, Obs: c.obs[:n*c.d], Critic: c.full[:n*c.f]}, nil, c.values[:n]); err != nil {
		return err
	}
	for i, row := range c.rows {
		to[row] = s.Restore(c.values[i])
	}
	c.rows = c.rows[:0]
	return nil
}
