package train

import (
	"cmp"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// focus is what an update of PPO learns from: all complete decisions, or some of them, since most make no difference and cost as much to
// learn from as those that do.
//
// With advantage_filter it is those with the largest advantages. The value would lean to surprises if it learnt from the same decisions alone,
// so that as many of the others, drawn at random, are shown to it, and count for all of them.
//
// With advantage_sample each epoch draws some anew: a decision's chance grows with its advantage, and it weighs as much more as it is less likely, so that
// what is learnt from is all decisions on average (importance sampling, as in Zhao and Zhang, "Stochastic optimization with importance
// sampling for regularized loss minimization", ICML 2015, with advantages for the norms of gradients).
type focus struct {
	acting, others []int32   // rows
	counts         float32   // for how many of the others each of them counts
	all            []int32   // the complete rows, if epochs draw from them
	chance         []float64 // that the row is drawn, of each row of the rollout
	rows           []int32   // scratch of a minibatch
	weight         []float32
}

// choose sorts the complete rows, and reports whether advantages are still to be normalised by minibatch.
func (f *focus) choose(r *rollout, cfg Config, h learner.Hyper, chance *engine.Rand) (norm bool) {
	f.acting, f.others, f.all, f.counts = append(f.acting[:0], r.closed...), f.others[:0], f.all[:0], 0
	keep := int(math.Ceil(float64(cfg.AdvantageFilter * float64(len(f.acting)))))
	if h.CriticOnly || keep == len(f.acting) && cfg.AdvantageSample == 1 {
		return h.NormAdv
	}
	if h.NormAdv { // over all: those that are kept are far from the mean by choice
		normalise(r.closed, r.advantage)
	}
	if cfg.AdvantageSample < 1 {
		f.favour(r, cfg.AdvantageSample)
		return false
	}
	size := func(row int32) float64 { return math.Abs(float64(r.advantage[row])) }
	slices.SortFunc(f.acting, func(a, b int32) int { return cmp.Or(cmp.Compare(size(b), size(a)), cmp.Compare(a, b)) })
	f.others = append(f.others, f.acting[keep:]...)
	f.acting = f.acting[:keep]
	left := len(f.others)
	shuffle(f.others, chance)
	f.others = f.others[:min(keep, left)]
	f.counts = float32(left) / float32(len(f.others))
	return false
}

// chanceRounds bring the chances of a draw near enough to their sum: those that would be above 1 leave the rest to the others.
const chanceRounds = 20

// favour gives each complete row its chance to be drawn. Half of it, before it is cut at 1, is the same for all, so that none
// weighs much.
func (f *focus) favour(r *rollout, share float64) {
	f.all = append(f.all, r.closed...)
	f.chance = slices.Grow(f.chance[:0], len(r.advantage))[:len(r.advantage)]
	mean, want := 0.0, float64(share*float64(len(f.all)))
	for _, row := range f.all {
		mean += math.Abs(float64(r.advantage[row])) / float64(len(f.all))
	}
	if mean == 0 {
		for _, row := range f.all {
			f.chance[row] = share
		}
		return
	}
	scale := share / (2 * mean)
	for range chanceRounds {
		sum := 0.0
		for _, row := range f.all {
			f.chance[row] = min(1, float64(scale*(math.Abs(float64(r.advantage[row]))+mean)))
			sum += f.chance[row]
		}
		scale = float64(scale * (want / sum))
	}
}

// normalise brings the numbers of rows to mean 0 and deviation 1.
func normalise(rows []int32, x []float32) {
	var sum, squares float64
	for _, row := range rows {
		sum += float64(x[row])
	}
	mean := sum / float64(len(rows))
	for _, row := range rows {
		d := float64(x[row]) - mean
		squares += float64(d * d)
	}
	deviation := math.Sqrt(squares/float64(len(rows))) + 1e-8
	for _, row := range rows {
		x[row] = float32((float64(x[row]) - mean) / deviation)
	}
}

// minibatches deals an epoch's rows out, in a new order each time; the first acting of a minibatch bear on the policy.
func (f *focus) minibatches(t *trainer, learn func(rows []int32, acting int) error) error {
	if len(f.all) > 0 {
		f.draw(&t.shuffling)
	}
	shuffle(f.acting, &t.shuffling)
	shuffle(f.others, &t.shuffling)
	n := t.cfg.minibatches(len(f.acting)+len(f.others), t.steps)
	for k := range n {
		acting := part(f.acting, k, n)
		f.rows = append(append(f.rows[:0], acting...), part(f.others, k, n)...)
		if len(acting) == 0 {
			continue
		}
		if err := learn(f.rows, len(acting)); err != nil {
			return err
		}
	}
	return nil
}

// draw takes each row by its chance.
func (f *focus) draw(r *engine.Rand) {
	f.acting = f.acting[:0]
	for _, row := range f.all {
		if r.Float64() < f.chance[row] {
			f.acting = append(f.acting, row)
		}
	}
}

// weigh tells the learner which rows of a minibatch are there for what.
func (f *focus) weigh(b *learner.Batch, acting int) {
	b.Acting, b.Weight = acting, nil
	drawn := len(f.all) > 0
	if acting == b.N && !drawn {
		return
	}
	f.weight = f.weight[:0]
	for i := range b.N {
		w := float32(1)
		switch {
		case drawn:
			w = float32(1 / f.chance[f.rows[i]])
		case i >= acting:
			w = f.counts
		}
		f.weight = append(f.weight, w)
	}
	b.Weight = f.weight
}
