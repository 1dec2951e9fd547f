package captain

import (
	"math"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Explain implements bots.Explainer: what the captain thinks each choice is worth, in points at the end of
// the match, or in what captain 2 counts in. It decides where its ship begins, and against whom it plays a card, without such figures.
func (c *captain) Explain(m engine.Match, r *engine.Rand) bots.Account {
	c.tries = 0
	account := bots.Account{Choice: c.Act(m, r), Prior: -1}
	s, legal := engine.State[doubloons.State](m), m.Legal()
	f := s.Top()
	programs := f.Kind == doubloons.AskProgram && legal.Count() > 1
	account.Unit = c.unit(programs)
	i := 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		one := bots.Considered{Action: a, Visits: c.tries, Error: math.NaN()}
		switch {
		case programs:
			from := course{at: position(c.plan.me.Region, c.plan.me.Facing), hand: c.plan.me.Hand}
			one.Visits, one.Mean = 1, c.plan.worthOf(from, int(f.Arg[0]), int8(a-doubloons.ToCard))
		case c.tries > 0:
			one.Mean = c.tried[i] / float64(c.tries)
		}
		if a == account.Choice {
			one.Prob = 1
		}
		if one.Visits == 0 {
			one.Weight = one.Prob // all that speaks for it
		}
		account.Actions = append(account.Actions, one)
		i++
	}
	return account
}

// unit is the captain's unit: it counts a plan by its gain, other choices by their results.
func (c *captain) unit(programs bool) string {
	switch {
	case c.tariff == nil:
		return "points"
	case programs:
		return "log odds of winning"
	}
	return "chance to win"
}

// worthOf is the worth of the best plan whose cards before slot lie on the table and that has a
// certain card there.
func (p *plan) worthOf(from course, slot int, card int8) float64 {
	next := card
	if from.slot < slot {
		next = p.me.Table[from.slot]
	}
	worth := math.Inf(-1)
	for to := p.reached(next, from.at); to != 0; to &= to - 1 {
		gain, then := p.play(from, next, bits.TrailingZeros16(to))
		var later float64
		if from.slot < slot {
			later = p.worthOf(then, slot, card)
		} else {
			later, _ = p.best(then)
		}
		worth = max(worth, gain+later)
	}
	return worth
}
