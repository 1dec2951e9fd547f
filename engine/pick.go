package engine

import "math"

// Pick draws one thing among several by their weights. The things are shown to it one after
// another:
//
//	pick := r.Pick(1)
//	for _, o := range outcomes {
//		if pick.On(o.Prob) {
//			return o.Action
//		}
//	}
//
// When all weights have been shown, rounding may have left a little of their sum: the caller then
// decides what is drawn.
type Pick struct{ left float64 }

// Pick begins a draw among weights that sum to total, up to rounding. It takes one number from the generator.
func (r *Rand) Pick(total float64) Pick { return Pick{float64(r.Float64() * total)} }

// On reports whether the draw falls on the next thing, which has this weight.
func (p *Pick) On(weight float64) bool {
	p.left -= weight
	return p.left < 0
}

// Pick draws one action of the set by weights, one for each action of the game, of which those
// of the set sum to total, up to rounding. If rounding leaves a little of it, the action drawn is otherwise.
func (m *Mask) Pick(weights []float32, total float64, otherwise Action, r *Rand) Action {
	pick := r.Pick(total)
	for a := m.First(); a >= 0; a = m.Next(a) {
		if pick.On(float64(weights[a])) {
			return a
		}
	}
	return otherwise
}

// PickProbable draws one action of the set by probabilities, as a policy gives them: one for each action of the game, of
// which those of the set count, and need not sum to 1. It is −1, and nothing is drawn, if one of them is
// negative or not finite, or if all are zero.
func (m *Mask) PickProbable(probs []float32, r *Rand) Action {
	total, last := 0.0, Action(-1)
	for a := m.First(); a >= 0; a = m.Next(a) {
		p := probs[a]
		if !(p >= 0 && p <= math.MaxFloat32) {
			return -1
		}
		if p > 0 {
			total, last = total+float64(p), a
		}
	}
	if last < 0 {
		return -1
	}
	return m.Pick(probs, total, last, r)
}

// PickOutcome draws one of the outcomes of a chance event, which has at least one.
func PickOutcome(outcomes []Outcome, r *Rand) Action {
	pick := r.Pick(1)
	for _, o := range outcomes {
		if pick.On(o.Prob) {
			return o.Action
		}
	}
	return outcomes[len(outcomes)-1].Action
}
