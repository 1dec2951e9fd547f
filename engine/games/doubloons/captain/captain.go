// Package captain has the players of Dead Man's Doubloons: the greedy one, the heuristic one, and captain 2, who is the heuristic
// one improved (CAPTAIN2.md).
package captain

import (
	"errors"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/engine/portable"
)

// captain is the heuristic player of Dead Man's Doubloons. It knows what its
// seat may know and weighs everything in points at the end of the match
// (worth.go):
//
//   - cards are programmed by trying every order of three against where the
//     other ships are likely to be by then (plan.go);
//   - everything else is decided by trying each choice on a copy of the match,
//     in which what the seat cannot know is dealt again, to the end of the turn
//     (search.go).
type captain struct {
	rules   *doubloons.Rules
	seats   int
	regions int
	away    bool // on the alternate island
	quick   bool // each choice is tried once, with other luck in the match as it is
	name    string

	// The subject of the current decision; filled in by look.
	me     int                         // the seat at which the decision is taken …
	player int                         // … and who takes it: players may change seats
	rivals [doubloons.NumShips]float64 // how much a point of each other player hurts; none of the legendary ghost ship's does
	worth  [doubloons.MaxSeats]float64 // of each seat
	lead   float64                     // worth over that of the best rival
	plan   plan
	isle   isle

	// Of captain 2.
	mends  mends
	tariff *coefficients // nil: it counts in points
	rival  greedy

	line [maxLine]doubloons.State // the choices being tried, one a level

	tried [maxChoices]float64 // results of the choices of the last search, all tries together
	tries int
}

func init() {
	bots.Register(bots.Kind{Name: "greedy", Game: "doubloons", Help: "takes what brings most at once", New: newGreedy})
	bots.Register(bots.Kind{
		Name: "heuristic", Game: "doubloons", Help: "weighs everything in points at the end of the match", Make: makeCaptain,
		Params: []engine.Param{{Name: "quick", Default: "no", Choices: []string{"no", "yes"}, Help: "yes: try each choice once, in the match as it is with other luck: half the time, for rollouts"}},
	})
	bots.Register(bots.Kind{
		Name: "heuristic2", Game: "doubloons", Help: "the heuristic captain, mended: weighs everything by the odds of winning, and sees what rivals may do", New: makeCaptain2,
	})
}

func init() {
	search.Register(search.Game{
		Name: "doubloons", Value: newEvaluator, Network: newNetworkEvaluator, Recipe: search.Recipe{Eta: 500},
		Round: roundOf, Horizon: "round", Prior: "heuristic", Player: "greedy", Rollouts: rollouts,
	})
}

func makeCaptain(g engine.Game, s bots.Settings) (bots.Bot, error) {
	quick, err := s.OneOf("quick", "no", "yes")
	if err != nil {
		return nil, err
	}
	c, err := newCaptain(g)
	if err != nil {
		return nil, err
	}
	c.name, c.quick = s.Canonical(), quick == "yes"
	return c, nil
}

func newCaptain(g engine.Game) (*captain, error) {
	rules, ok := engine.RulesOf[doubloons.State, *doubloons.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of engine/games/doubloons")
	}
	c := &captain{name: "heuristic", rules: rules, seats: g.Info().Seats, regions: rules.Regions(), away: rules.Modules.Has(doubloons.AlternateIsland)}
	if c.away {
		c.survey()
	}
	return c, nil
}

func (c *captain) Name() string { return c.name }

func (c *captain) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	first := legal.First()
	if legal.Next(first) < 0 {
		return first
	}
	s := engine.State[doubloons.State](m)
	f := s.Top()
	switch f.Kind {
	case doubloons.AskCaptain:
		return favourite(legal)
	case doubloons.AskPlace:
		return c.berth(s, legal)
	case doubloons.AskPlaceLegendary:
		return c.haunt(s, int(f.Seat), legal)
	}
	c.look(s, int(f.Seat))
	if f.Kind == doubloons.AskProgram {
		return doubloons.ToCard + engine.Action(c.plan.card(int(f.Arg[0])))
	}
	return c.search(s, legal, r)
}

// look takes the decision of a seat in: how the rivals stand, and what its own
// cards may still bring this round.
func (c *captain) look(s *doubloons.State, me int) {
	c.me, c.player = me, c.rules.PlayerAt(s, me)
	worth := &c.worth
	c.worths(s, worth)
	best, total := math.Inf(-1), 0.0
	for i := range c.seats {
		if i != me {
			best = max(best, worth[i])
		}
	}
	c.lead = worth[me] - best
	for i := range c.seats {
		c.rivals[c.rules.PlayerAt(s, i)] = 0
		if i != me {
			c.rivals[c.rules.PlayerAt(s, i)] = portable.Exp((worth[i] - best) / rivalSpread)
			total += c.rivals[c.rules.PlayerAt(s, i)]
		}
	}
	for i := range c.seats {
		c.rivals[i] /= total
	}
	if c.tariff != nil {
		c.weighRivals(s)
	}
	c.plan.prepare(c, s)
}

// favourites are the captains by how often they won matches of this bot with 4 seats and
// captains drawn by lot: Valparisa 1.25 times an equal share, the last two 0.85 times.
var favourites = [doubloons.NumCaptains]engine.Action{
	doubloons.Valparisa, doubloons.Hayreddin, doubloons.Pollyanna,
	doubloons.CalicoJack, doubloons.Voet, doubloons.WidowCheng,
}

func favourite(legal *engine.Mask) engine.Action {
	for _, captain := range favourites {
		if a := doubloons.ToCaptain + captain; legal.Has(a) {
			return a
		}
	}
	return legal.First()
}

// berth places the ship where the water is good and there is room, looking at
// other ships.
func (c *captain) berth(s *doubloons.State, legal *engine.Mask) engine.Action {
	best, most := legal.First(), math.Inf(-1)
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		at := placed(a)
		region, ahead := int(at.Region), c.rules.Ahead(&at, 1)
		score := waterWorth(s, region)
		for i := range c.seats {
			switch int(s.Ships[i].Region) {
			case region:
				score -= companyCost
			case ahead:
				score += preyWorth
			}
		}
		if score > most {
			best, most = a, score
		}
	}
	return best
}

// placed is where an action places a ship.
func placed(a engine.Action) doubloons.Ship { return berthed(int(a - doubloons.ToPlace)) }

// haunt places the legendary ghost ship where its first turn hits the rivals'
// ships and not one's own.
func (c *captain) haunt(s *doubloons.State, me int, legal *engine.Mask) engine.Action {
	best, most := legal.First(), math.Inf(-1)
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		score := 0.0
		for i := range c.seats {
			hit := float64(c.prowl(s, placed(a), int(s.Ships[i].Region)))
			if i == me {
				hit = float64(hit * (1 - float64(c.seats)))
			}
			score += hit
		}
		if score > most {
			best, most = a, score
		}
	}
	return best
}
