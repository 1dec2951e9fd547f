package captain

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// mends are captain 2's improvements over the heuristic captain, as a set. CAPTAIN2.md has the value of each.
type mends uint8

const (
	byOdds      mends = 1 << iota // counts in log odds of winning instead of points (prices.go)
	byForesight                   // plays the slot out, whose cards lie face up, before it evaluates (foresight.go)
	byCaution                     // fears what rivals may do to its ship in the slots to come (caution.go)
)

// makeCaptain2 makes captain 2: the heuristic captain, improved where search disagreed with it most.
func makeCaptain2(g engine.Game) (bots.Bot, error) {
	c, err := newCaptain(g)
	if err != nil {
		return nil, err
	}
	c.name, c.mends = "heuristic2", byOdds|byForesight|byCaution
	c.rival = greedy{rules: c.rules, seats: c.seats}
	if c.away {
		c.rival.isle = &c.isle
	}
	if _, given, err := engine.Given(g.Info().Config); err != nil || given[engine.ObjectiveParam.Name] != "" {
		return c, err // odds are those of a win
	}
	all, err := tariffs()
	if err != nil {
		return nil, err
	}
	c.tariff = all.of(c)
	return c, nil
}

func (c *captain) does(m mends) bool { return c.mends&m != 0 }
