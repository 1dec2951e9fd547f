package search

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// rivalsModel is who rivals are taken for; nil: nobody in particular.
func rivalsModel(g engine.Game, s bots.Settings, of parts) (Rivals, error) {
	name := of.rivals
	switch name {
	case uniform:
		return nil, nil
	case policy:
		if name = of.prior; name == uniform {
			return nil, fmt.Errorf("rivals=%s: the search has no prior: want prior=BOT too, or rivals=BOT", policy)
		}
	}
	b, err := s.BotNamed("rivals", name, g)
	if err != nil {
		return nil, err
	}
	if model, ok := b.(Rivals); ok {
		return model, nil
	}
	prior, ok := b.(Prior)
	switch {
	case !ok:
		return nil, fmt.Errorf("rivals=%s: it cannot model a rival's secrets: want %s, or a policy", name, uniform)
	case !engine.Retraces(g):
		return nil, fmt.Errorf("rivals=%s: matches of %s do not remember how rivals got their cards: want %s", name, g.Info().Config, uniform)
	}
	return newSuspicion(g, prior), nil
}

// mostDeals is how often a world is dealt again until it is one that the opponents would have led to.
const mostDeals = 64

// suspicion makes of worlds as they may be worlds as likely as they are if rivals play by a Prior: what they have decided
// openly, they would have decided of the same cards, and what they have decided in secret is decided again. A world is kept with
// the probability of all the open decisions in it, and dealt again otherwise, which is exact however many there are.
type suspicion struct {
	prior   Prior
	over    func() bool  // Until
	world   engine.Match // being looked at
	past    engine.Match
	refused engine.Match // one of those that were not kept
	weights []float64
	choices []engine.Outcome // in the past, each with its probability
}

func newSuspicion(g engine.Game, p Prior) *suspicion {
	return &suspicion{prior: p, world: g.NewMatch(), past: g.NewMatch(), refused: g.NewMatch(), weights: make([]float64, len(g.Info().Actions))}
}

// Until implements bots.Interruptible.
func (p *suspicion) Until(over func() bool) {
	p.over = over
	bots.Until(p.prior, over)
}

// stopped reports whether it was to stop: what the Prior has said then means nothing.
func (p *suspicion) stopped() bool { return p.over != nil && p.over() }

// Suppose implements Rivals. A world that is refused again and again is in the end one of those refused, drawn so that
// it is as likely as if there had been no end to it; a world whose past the Prior takes for impossible stays as it is.
func (p *suspicion) Suppose(world engine.Match, seat int, r *engine.Rand) {
	p.world.CopyFrom(world)
	total := 0.0
	for k := range mostDeals {
		if k > 0 {
			p.world.Redeal(seat, r)
		}
		chance := p.retrace(seat, r)
		if p.stopped() {
			return
		}
		if chance == 1 || r.Float64() < chance {
			world.CopyFrom(p.world)
			return
		}
		odds := chance / (1 - chance)
		if total += odds; r.Float64()*total < odds {
			p.refused.CopyFrom(p.world)
		}
	}
	if total > 0 {
		world.CopyFrom(p.refused)
	}
}

// retrace decides anew what rivals have decided in secret in the world, and returns the probability of what they have decided openly.
func (p *suspicion) retrace(seat int, r *engine.Rand) float64 {
	chance := 1.0
	for step := 0; ; step++ {
		took, secret, ok := engine.Retrace(p.world, seat, step, p.past)
		if !ok {
			return chance
		}
		likely := p.weigh(took, r)
		if p.stopped() {
			return 0
		}
		if secret {
			engine.Retake(p.world, seat, step, engine.PickOutcome(p.choices, r))
		} else {
			chance = float64(chance * likely)
		}
	}
}

// weigh lists what could be decided in the past with its probabilities, and returns that of what was.
func (p *suspicion) weigh(took engine.Action, r *engine.Rand) (likely float64) {
	legal := p.past.Legal()
	weights, total := p.weights[:legal.Count()], 0.0
	p.prior.Weights(p.past, weights, r)
	for _, x := range weights {
		total += x
	}
	p.choices = p.choices[:0]
	for a, i := legal.First(), 0; a >= 0; a, i = legal.Next(a), i+1 {
		p.choices = append(p.choices, engine.Outcome{Action: a, Prob: weights[i] / total})
		if a == took {
			likely = weights[i] / total
		}
	}
	return likely
}
