package captain

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// mends are what captain 2 does otherwise than the heuristic captain, as a set. CAPTAIN2.md has what each is worth.
type mends uint8

const (
	byOdds      mends = 1 << iota // counts in log odds of winning instead of points (prices.go)
	byForesight                   // plays the slot out, whose cards lie face up, before he judges (foresight.go)
	byCaution                     // fears what rivals may do to his ship in the slots to come (caution.go)
)

// mendWords name them in the bot's setting, in that order.
var mendWords = []string{"odds", "foresight", "caution"}

// withoutParam leaves mends out, so that each can be measured.
var withoutParam = engine.Param{Name: "without", Default: engine.NoWords, Words: mendWords, Help: "what he is to do as the heuristic captain does"}

// makeCaptain2 makes captain 2: the heuristic captain, mended where search disagreed with him most.
func makeCaptain2(g engine.Game, s bots.Settings) (bots.Bot, error) {
	c, err := newCaptain(g)
	if err != nil {
		return nil, err
	}
	c.name = s.Canonical()
	for i, word := range mendWords {
		if !s.Has(withoutParam.Name, word) {
			c.mends |= 1 << i
		}
	}
	c.rival = greedy{rules: c.rules, seats: c.seats}
	if c.away {
		c.rival.isle = &c.isle
	}
	if _, given, err := engine.Given(g.Info().Config); err != nil || given[engine.ObjectiveParam.Name] != "" || !c.does(byOdds) {
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
