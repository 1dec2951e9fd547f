package captain

import (
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

const (
	maxLine    = 8  // own decisions that are looked ahead
	maxChoices = 32 // of any decision but the programming of cards
	samples    = 3  // times that a choice is tried, each time with other luck
)

// search tries each choice to the end of the turn and returns the one that is
// best on average. Each try deals again what the seat cannot know.
func (c *captain) search(s *doubloons.State, legal *engine.Mask, r *engine.Rand) engine.Action {
	var total [maxChoices]float64
	tries := samples
	if c.away && hard(s.Top().Kind) {
		tries = openSamples
	}
	if c.quick {
		tries = 1
	}
	for range tries {
		root := &c.line[0]
		*root = *s
		if c.quick {
			root.Rand = r.Split() // no choice is followed to where it would show what is hidden
		} else {
			c.rules.Redeal(root, c.player, r)
		}
		i := 0
		for a := legal.First(); a >= 0; a = legal.Next(a) {
			total[i] += c.try(0, a)
			i++
		}
	}
	c.tried, c.tries = total, tries
	best, most, i := engine.Action(-1), math.Inf(-1), 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if total[i] > most {
			best, most = a, total[i]
		}
		i++
	}
	return best
}

// try performs a choice at a level of the line and follows the match from there
// while it asks for nothing but chance and the captain's own further choices, of
// which it takes the best. It returns the value of what comes of it.
func (c *captain) try(level int, a engine.Action) float64 {
	before, s := &c.line[level], &c.line[level+1]
	*s = *before
	c.rules.Apply(s, a)
	var legal engine.Mask
	for s.Turn == before.Turn && s.Phase == before.Phase {
		switch seat := c.rules.Seat(s); {
		case seat == engine.Chance && s.Top().Kind != doubloons.DrawCard:
			c.rules.Apply(s, c.rules.Sample(s))
			continue
		case seat == c.player && level+2 < maxLine:
			legal = engine.Mask{}
			c.rules.Legal(s, &legal)
			if k := s.Top().Kind; k == doubloons.AskPlaceTotem || k == doubloons.AskPlaceShell {
				c.rules.Apply(s, c.lay(s, &legal))
				continue
			}
			best := math.Inf(-1)
			for a := legal.First(); a >= 0; a = legal.Next(a) {
				best = max(best, c.try(level+1, a))
			}
			return best
		case seat >= 0 && int(s.Turn) == c.me:
			// Another seat follows, gives or resolves: any answer will do.
			legal = engine.Mask{}
			c.rules.Legal(s, &legal)
			c.rules.Apply(s, legal.First())
			continue
		}
		break
	}
	if c.does(byForesight) {
		c.playOut(s, before)
	}
	if c.tariff != nil {
		return c.chance(s, c.plan.rest(s))
	}
	return c.value(s) + c.plan.rest(s)
}
