package match

import (
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

// Inference asks a policy about decisions in several matches with one forward pass: Clear, Add each decision, Run, and Choose an
// action for each. It allocates only when there are more decisions than ever before.
type Inference struct {
	policy  Policy
	actions ActionPolicy // the same, if it asks what actions do
	greedy  bool
	encoder *encode.Encoder

	n, size, width int     // decisions; bytes of an observation; actions
	obs, mask      []uint8 // [n, size], [n, width]
	rows           []uint8 // what the legal actions do, [offsets[n], encoder.ActionSize()]
	offsets        []int32 // [n+1]
	probs          []float32
}

// NewInference makes the policy of a player for a game.
func NewInference(p *Player, g engine.Game) (*Inference, error) {
	made, err := p.Policy(g)
	if err != nil {
		return nil, err
	}
	encoderOf := encode.For
	if reader, ok := made.(Encoded); ok {
		encoderOf = reader.Encoder
	}
	e, err := encoderOf(g)
	if err != nil {
		return nil, err
	}
	f := &Inference{policy: made, greedy: p.Greedy, encoder: e, size: e.Schema().Size, width: len(g.Info().Actions)}
	if f.actions, _ = made.(ActionPolicy); f.actions != nil && e.ActionSize() == 0 {
		return nil, fmt.Errorf("%s reads rows of actions, which %s does not have", p.Name, g.Info().Config)
	}
	return f, nil
}

// Clear forgets the decisions.
func (f *Inference) Clear() {
	f.n, f.obs, f.mask, f.rows, f.offsets = 0, f.obs[:0], f.mask[:0], f.rows[:0], append(f.offsets[:0], 0)
}

// Add takes in the decision that a match waits for.
func (f *Inference) Add(m engine.Match) {
	legal := m.Legal()
	f.obs = longer(f.obs, f.size)
	f.encoder.Encode(m, m.Seat(), f.obs[f.n*f.size:])
	f.mask = longer(f.mask, f.width)
	legal.Expand(f.mask[f.n*f.width:])
	if f.actions != nil {
		n, at := legal.Count(), len(f.rows)
		f.rows = longer(f.rows, n*f.encoder.ActionSize())
		f.encoder.EncodeActions(m, f.rows[at:])
		f.offsets = append(f.offsets, f.offsets[f.n]+int32(n))
	}
	f.n++
}

func longer(s []uint8, n int) []uint8 { return slices.Grow(s, n)[:len(s)+n] }

// Run asks the policy.
func (f *Inference) Run() error {
	if n := f.n * f.width; cap(f.probs) < n {
		f.probs = make([]float32, n, cap(f.mask))
	}
	f.probs = f.probs[:f.n*f.width]
	if f.actions != nil {
		return f.actions.ActionProbs(f.n, f.obs, f.mask, f.rows, f.offsets, f.probs)
	}
	return f.policy.Probs(f.n, f.obs, f.mask, f.probs)
}

// Choose draws the action of decision k, or takes the likeliest; −1 means that its probabilities of the legal actions are
// negative, not finite or all zero.
func (f *Inference) Choose(k int, legal *engine.Mask, r *engine.Rand) engine.Action {
	probs := f.probs[k*f.width : (k+1)*f.width]
	if f.greedy {
		return likeliest(legal, probs)
	}
	return legal.PickProbable(probs, r)
}

// likeliest is the first of the legal actions with the highest probability, −1 if none has any.
func likeliest(legal *engine.Mask, probs []float32) engine.Action {
	best := engine.Action(-1)
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if probs[a] > 0 && (best < 0 || probs[a] > probs[best]) {
			best = a
		}
	}
	return best
}
