package eval

import (
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/env"
)

// AsBot makes a player of a policy that decides one row at a time, for places
// that know bots only: slow if the network is large. It samples, and panics if
// the policy fails, since a bot cannot.
func AsBot(name string, p env.Policy, e *encode.Encoder, g engine.Game) bots.Bot {
	a := len(g.Info().Actions)
	action, _ := p.(env.ActionPolicy)
	return &policyBot{name: name, policy: p, action: action, encoder: e,
		obs: make([]uint8, e.Schema().Size), mask: make([]uint8, a), probs: make([]float32, a)}
}

type policyBot struct {
	name      string
	policy    env.Policy
	action    env.ActionPolicy // the same, if it asks what actions do
	encoder   *encode.Encoder
	obs, mask []uint8
	does      []uint8
	offsets   []int32
	probs     []float32
}

func (b *policyBot) Name() string { return b.name }

func (b *policyBot) Act(m engine.Match, r *engine.Rand) engine.Action {
	b.encoder.Encode(m, m.Seat(), b.obs)
	m.Legal().Expand(b.mask)
	if err := b.ask(m); err != nil {
		panic(fmt.Sprintf("eval: %s at %s: %v", b.name, m.Decision(), err))
	}
	a := m.Legal().PickProbable(b.probs, r)
	if a < 0 {
		panic(fmt.Sprintf("eval: %s: the probabilities are not finite at: %s", b.name, m.Decision()))
	}
	return a
}

func (b *policyBot) ask(m engine.Match) error {
	if b.action == nil {
		return b.policy.Probs(1, b.obs, b.mask, b.probs)
	}
	b.does, b.offsets = describe(b.encoder, m, b.does[:0], append(b.offsets[:0], 0))
	return b.action.ActionProbs(1, b.obs, b.mask, b.does, b.offsets, b.probs)
}
