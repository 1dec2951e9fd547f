package train

import (
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// endings asks the critic about matches that were cut short: what each seat
// could still expect there is part of what its last decision was worth.
type endings struct {
	rows           []int32 // of the rollout, waiting for a value
	obs, full      []uint8
	values         []float32
	d, f, capacity int
}

func newEndings(capacity int, lc learner.Config) endings {
	return endings{
		rows: make([]int32, 0, capacity), obs: make([]uint8, capacity*lc.ObsDim), full: make([]uint8, capacity*lc.CriticDim),
		values: make([]float32, capacity*lc.Values), d: lc.ObsDim, f: lc.CriticDim, capacity: capacity,
	}
}

// bootstrap sets boot of the last decisions of all seats of truncated matches.
func (e *endings) bootstrap(l learner.Learner, r *rollout, b *env.Batch, scales []scale) error {
	e.rows = e.rows[:0]
	boot := func(p *prospect) []float32 { return p.boot }
	for i, truncated := range b.Truncated {
		if !truncated || b.Terminated[i] {
			continue
		}
		for slot := i * r.seats; slot < (i+1)*r.seats; slot++ {
			if r.last[slot] < 0 {
				continue
			}
			if len(e.rows) == e.capacity {
				if err := e.answer(l, r, boot, scales); err != nil {
					return err
				}
			}
			var full []uint8
			if e.f > 0 {
				full = b.FinalFull[slot*e.f : (slot+1)*e.f]
			}
			e.add(b.FinalObs[slot*e.d:(slot+1)*e.d], full, r.last[slot])
		}
	}
	return e.answer(l, r, boot, scales)
}

// add puts one more row of the rollout down for an answer, with what its seat sees.
func (e *endings) add(obs, full []uint8, row int32) {
	k := len(e.rows)
	e.rows = append(e.rows, row)
	copy(e.obs[k*e.d:(k+1)*e.d], obs)
	copy(e.full[k*e.f:(k+1)*e.f], full)
}

// answer writes what the critic says into a part of the rollout's prospects, and forgets the rows.
func (e *endings) answer(l learner.Learner, r *rollout, part func(*prospect) []float32, scales []scale) error {
	n := len(e.rows)
	if n == 0 {
		return nil
	}
	if err := l.Forward(learner.Decisions{N: n, Obs: e.obs[:n*e.d], Critic: e.full[:n*e.f]}, nil, e.values[:n*len(scales)]); err != nil {
		return err
	}
	for i, row := range e.rows {
		for k, s := range scales {
			part(r.of(k))[row] = s.meant(e.values[i*len(scales)+k])
		}
	}
	e.rows = e.rows[:0]
	return nil
}
