package pirate

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/search"
)

func init() {
	search.Register(search.Game{Name: "jolly_roger", Value: newEvaluator, Round: roundOf, Horizon: "end", Prior: "heuristic", Player: "heuristic", Rollouts: rollouts, Recipe: search.Recipe{PriorAlone: true}})
}

// evaluator gives each seat its chance to win. It is made for the end of the match: how seats stand before the last round
// says next to nothing of who will win (gold explains 0.01 of it up to round 9), so that rollouts are not cut.
type evaluator struct {
	p     *pirate
	final *search.Final
}

// Of the win and of the gold at the end of a match: a win by one gold and a loss by one are near each other.
const (
	finalWon    = .5
	finalSpread = 2.
)

// spreads are how many gold behind another a seat is e times less likely to win, by rounds that are left.
var spreads = [...]float64{5, 8, 14}

// newEvaluator makes the evaluator of a game, nil if its matches are not played for the win.
func newEvaluator(g engine.Game) (search.Value, error) {
	_, given, err := engine.Given(g.Info().Config)
	if err != nil || given[engine.ObjectiveParam.Name] != "" {
		return nil, err
	}
	p, err := newPirate(g)
	if err != nil {
		return nil, err
	}
	return &evaluator{p, search.NewFinal(g, finalWon, finalSpread)}, nil
}

// Value implements search.Value.
func (j *evaluator) Value(m engine.Match, dst []float64) {
	if m.Seat() == engine.Over {
		j.final.Value(m, dst)
		return
	}
	p := j.p
	p.s = engine.State[jollyroger.State](m)
	for seat := range dst {
		p.me = seat // sees its own prizes
		dst[seat] = p.worth(&p.s.Prizes[seat], seat) + p.worth(&p.s.Buried[seat], seat)
	}
	search.Softmax(dst, spreads[min(max(jollyroger.Rounds-int(p.s.Round), 0), len(spreads)-1)], dst)
}

// roundOf is the round that a match is in.
func roundOf(m engine.Match) int { return int(engine.State[jollyroger.State](m).Round) }

// rolloutCost is how many µs of a core a rollout to the end takes for each seat, on average over a match: what the presets
// of searches count with. It is a measure of the past, and stays as it is, so that they stay the same.
const rolloutCost = 23

// rollouts is how many of them take the given number of ms.
func rollouts(g engine.Game, ms int) int { return 1000 * ms / (rolloutCost * g.Info().Seats) }
