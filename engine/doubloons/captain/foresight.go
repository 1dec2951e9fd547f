package captain

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/doubloons"
)

// playOut plays the turns that are left of the slot of before, by greedy captains: their cards lie face up, so
// that where they may sail and whom they can hit is no secret. Nothing is played if the captain's own turn is among them.
func (c *captain) playOut(s, before *doubloons.State) {
	slot := before.Slot
	if before.Phase != doubloons.PhaseAction || c.plan.first <= int(slot) {
		return
	}
	for s.Phase == doubloons.PhaseAction && s.Slot == slot {
		if c.rules.Seat(s) == engine.Chance {
			c.rules.Apply(s, c.rules.Sample(s))
			continue
		}
		var legal engine.Mask
		c.rules.Legal(s, &legal)
		a := legal.First()
		if legal.Next(a) >= 0 {
			if choice := c.rival.choose(s, &legal, 0); choice >= 0 {
				a = choice
			}
		}
		c.rules.Apply(s, a)
	}
}
