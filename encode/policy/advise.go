package policy

import (
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Weights makes a bundle the prior of a search (engine/search.Prior): its probabilities of the legal actions, in
// ascending order, into dst. It looks at no more than the seat to act may know, and draws nothing from r.
func (b *Bot) Weights(m engine.Match, dst []float64, _ *engine.Rand) {
	legal := m.Legal()
	logits := b.score(m, legal)
	most := logits[0]
	for _, x := range logits {
		most = max(most, x)
	}
	sum := 0.0
	for i, x := range logits {
		dst[i] = portable.Exp(float64(x - most))
		sum += dst[i]
	}
	for i := range logits {
		dst[i] /= sum
	}
}

// Explain implements bots.Explainer: the probabilities that the choice is drawn by, and if the bundle tells values, what
// chance to win it sees, or else what return: of all seats, or of the one that acts. It looks at no more than that seat may know.
func (b *Bot) Explain(m engine.Match, r *engine.Rand) bots.Account {
	account := bots.Account{Choice: b.Act(m, r), Prior: -1, Unit: "return"}
	if len(b.values) > 0 {
		kind := Return
		if b.net.bundle.tells(Win) {
			kind, account.Unit = Win, "chance to win"
		}
		seats, first := b.net.bundle.told(kind)
		b.expects(m, m.Seat())
		account.Value = slices.Repeat([]float64{math.NaN()}, len(b.returns))
		for k := range min(seats, len(b.returns)) {
			account.Value[(m.Seat()+k)%len(b.returns)] = float64(b.values[first+k])
		}
	}
	weights := make([]float64, m.Legal().Count())
	b.Weights(m, weights, r)
	i := 0
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		one := bots.Considered{Action: a, Weight: weights[i], Prob: weights[i]}
		if b.net.bundle.Choice == Greedy {
			one.Prob = float64(engine.Bit(a == account.Choice))
		}
		account.Actions = append(account.Actions, one)
		i++
	}
	return account
}
