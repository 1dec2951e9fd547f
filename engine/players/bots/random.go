package bots

import "github.com/privateer-rl/privateer/engine"

// random plays each legal action with the same probability.
type random struct{}

func newRandom(engine.Game) (Bot, error) { return random{}, nil }

func (random) Name() string { return "random" }

func (random) Act(m engine.Match, r *engine.Rand) engine.Action { return m.Legal().Sample(r) }

func (random) Chances(_ engine.Match, dst []float64) {
	for i := range dst {
		dst[i] = 1 / float64(len(dst))
	}
}
