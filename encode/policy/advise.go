package policy

import (
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// Weights makes a bundle the prior of a search (engine/players/search.Prior): its probabilities of the legal actions, in ascending order,
// into dst. It uses only what the seat to act may know, and draws nothing from r.
func (b *Bot) Weights(m engine.Match, dst []float64, _ *engine.Rand) {
	logits := b.score(m, m.Legal())
	softmax(logits, dst[:len(logits)])
}

// softmax is that of logits, into dst.
func softmax(logits []float32, dst []float64) {
	most := slices.Max(logits)
	for i, x := range logits {
		dst[i] = float64(x - most)
	}
	search.Softmax(dst, 1, dst)
}

// Explain implements bots.Explainer: the probabilities of the choice and, with a value head, the return that it expects for the seat to
// act. It uses only what that seat may know.
func (b *Bot) Explain(m engine.Match, r *engine.Rand) bots.Account {
	logits := b.score(m, m.Legal())
	weights := make([]float64, len(logits))
	softmax(logits, weights)
	account := bots.Account{Choice: b.pick(logits, r), Prior: -1, Unit: "return"}
	if len(b.values) > 0 {
		b.net.Values(b.obs, b.values)
		account.Value = slices.Repeat([]float64{math.NaN()}, len(b.returns))
		account.Value[m.Seat()] = float64(b.values[0])
	}
	i := 0
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		one := bots.Considered{Action: a, Weight: weights[i], Prob: weights[i]}
		if b.bundle.Choice == bundle.Greedy {
			one.Prob = float64(engine.Bit(a == account.Choice))
		}
		account.Actions = append(account.Actions, one)
		i++
	}
	return account
}
