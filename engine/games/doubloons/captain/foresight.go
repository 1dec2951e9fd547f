package captain

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// playOut plays the turns that are left of the slot of before, by greedy captains: their cards lie face up, so
// that where they may sail and which ships they can hit is no secret. Nothing is played if the captain's own turn is among them.
func (c *captain) playOut(s, before *doubloons.State) {
	slot := before.Slot
	if before.Phase != doubloons.PhaseAction || c.plan.first <= int(slot) {
		return
	}
	for s.Phase == doubloons.PhaseAction && s.Slot == slot {
		c.rival.play(s)
	}
}

// Rollout plays matches of one configuration on by greedy captains. They do not waver, so that what comes of a match depends on
// nothing but its state. It belongs to one goroutine at a time.
type Rollout struct{ captain *greedy }

// NewRollout makes the rollout for a game.
func NewRollout(g engine.Game) (*Rollout, error) {
	b, err := greedyOf(g)
	return &Rollout{b}, err
}

// FinishSlot plays on to the end of the slot whose cards are executed now, of its last one to the end of the round, and in set-up and while a round
// begins to where cards are programmed; or to the end of the match.
func (r *Rollout) FinishSlot(s *doubloons.State) {
	slot, round, rules := s.Slot, s.Round, r.captain.rules
	for rules.Seat(s) != engine.Over && s.Round == round && s.Top().Kind != doubloons.AskProgram && (s.Phase != doubloons.PhaseAction || s.Slot == slot) {
		r.captain.play(s)
	}
}

// play performs one decision, or one outcome of chance.
func (g *greedy) play(s *doubloons.State) {
	if g.rules.Seat(s) == engine.Chance {
		g.rules.Apply(s, g.rules.Sample(s))
		return
	}
	var legal engine.Mask
	g.rules.Legal(s, &legal)
	a := legal.First()
	if legal.Next(a) >= 0 {
		if choice := g.choose(s, &legal, 0); choice >= 0 {
			a = choice
		}
	}
	g.rules.Apply(s, a)
}
