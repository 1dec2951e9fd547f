package policy

import (
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
)

// Batch decides many rows at once by a bundle (env/match.Policy), for one caller at a time.
type Batch struct {
	bundle *bundle.Bundle
	all    infer.Parallel
}

// ActionBatch is a Batch of a bundle that reads what actions do (env/match.ActionPolicy).
type ActionBatch struct{ Batch }

// NewBatch makes an ActionBatch if the bundle reads what actions do, else a Batch, of n inferences that work side by side; 0: one a core.
func NewBatch(b *bundle.Bundle, n int) interface {
	Probs(n int, obs, mask []uint8, probs []float32) error
} {
	batch := Batch{b, b.Parallel(n)}
	if b.ReadsActions() {
		return ActionBatch{batch}
	}
	return batch
}

// Encoder is the bundle's for a game (env/match.Encoded).
func (b Batch) Encoder(g engine.Game) (*encode.Encoder, error) { return b.bundle.Encoder(g) }

// Probs writes the probabilities of n decisions with obs [n, D] and mask [n, A] into probs [n, A], exactly 0 where the mask is.
func (b Batch) Probs(n int, obs, mask []uint8, probs []float32) error {
	if b.bundle.ReadsActions() {
		return fmt.Errorf("policy: the network %s reads rows of actions: call ActionProbs with them", b.bundle.Network.Name)
	}
	return b.all.Probs(n, obs, mask, nil, nil, probs)
}

// ActionProbs is Probs with a row for each legal action, [total, F], those of decision i from offsets[i] to offsets[i+1], [n+1].
func (b ActionBatch) ActionProbs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	if offsets == nil {
		return errors.New("policy: no offsets of the rows that describe actions")
	}
	return b.all.Probs(n, obs, mask, rows, offsets, probs)
}
