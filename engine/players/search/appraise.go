package search

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Appraise tries the legal actions, two or more, in a number of worlds each, and appends what is known of those that were tried to dst,
// in ascending order. It returns the index among them of the prior's choice, with which Lead and Doubt compare, or −1. It is what a
// training learns from, and allocates nothing that dst has room for.
func (b *Search) Appraise(m engine.Match, worlds int, r *engine.Rand, dst []bots.Considered) (own int, all []bots.Considered) {
	own = b.narrow(b.weigh(m, r))
	b.flat.run(m, m.Seat(), own, r.Split(), budget{rollouts: worlds * len(b.flat.tried), equal: true})
	return own, b.considered(dst, m.Seat(), own)
}

// InTheMatch lets rollouts begin in the match as it is, with all that is hidden from the seat, except what chance will decide: rivals
// then hold what they do hold, as those who play them choose it, which no dealing again can know. A player must not know
// it; but what a policy learns of many such matches is right on average over what may be hidden.
func (b *Search) InTheMatch(yes bool) {
	b.actual = yes
	for _, w := range b.rollers {
		w.actual = yes
	}
}
