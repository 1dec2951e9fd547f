// Package bidder has the heuristic player of Liar's Dice.
package bidder

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/liarsdice"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

func init() {
	bots.Register(bots.Kind{
		Name: "heuristic", Game: "liars_dice", Help: "bids what its own dice and an even chance of all others make likeliest, and calls what is less likely than that",
		New: func(engine.Game) (bots.Bot, error) { return bidder{}, nil },
	})
}

type bidder struct{}

func (bidder) Name() string { return "heuristic" }

// Act takes the bid that most probably holds, the lowest of several, unless the last one fails more probably. It
// believes a bidder that it holds one die that counts.
func (bidder) Act(m engine.Match, _ *engine.Rand) engine.Action {
	s, seat := engine.State[liarsdice.State](m), m.Seat()
	r, _ := engine.RulesOf[liarsdice.State, *liarsdice.Rules](m)
	best, most := engine.Action(-1), -1.0
	last, _ := r.Last(s)
	if last >= 0 {
		quantity, face := liarsdice.Of(last)
		best, most = liarsdice.Liar, 1-r.Holds(quantity-r.Count(s, seat, face)-1, face)
	}
	for _, bid := range r.Above(s) {
		quantity, face := liarsdice.Of(bid)
		if chance := r.Holds(quantity-r.Count(s, seat, face), face); chance > most {
			best, most = bid, chance
		}
	}
	return best
}
