package captain

import (
	_ "embed"
	"math"
	"sync"

	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/search"
)

//go:embed prices.json
var pricesFile []byte

// tariffs are the prices of captain 2: the evaluator's features, weighed by their results at tables of heuristic captains and
// of its like (prices_test.go). The evaluator itself is fitted on heuristic captains only, and a captain that follows it is lost among others that do: there
// orbs win half as often, and jewels twice.
var tariffs = sync.OnceValues(func() (*book, error) { return readBook("prices.json", pricesFile) })

// prices are the values of things to a captain. The heuristic captain counts in points at the end of the match, as worth.go
// estimates them. Captain 2 counts in log odds of winning, as the evaluator does, so that its prices are those of winning: a
// fragment, an orb or a step towards the mount far more than its points say early on, a doubloon less.
type prices struct {
	of    *[numFeatures]float64 // each of the things that the evaluator looks at; worth is one of them
	point float64               // a point of what it does not look at
}

// inPoints are the prices of the heuristic captain.
var inPoints = [numFeatures]float64{byWorth: 1}

// pointOdds is the approximate value of a point in log odds of winning, if the evaluator has no price: from .05 to .35 it made no
// difference that 1,000 matches could show.
const pointOdds = .12

// pricesIn are the prices at the stage of a match.
func (c *captain) pricesIn(s *doubloons.State) prices {
	if c.tariff == nil {
		return prices{&inPoints, 1}
	}
	return prices{&c.tariff[c.stage(s)], pointOdds}
}

// price is that of n things of a kind, which are worth points together.
func (p *prices) price(points float64, kind int, n float64) float64 {
	return float64(p.of[byWorth]*points) + float64(p.of[kind]*n)
}

// doubloons is the value of a number of them, some of which may only be expected.
func (p *prices) doubloons(n float64) float64 { return p.price(n, byDoubloons, n) }

// hull is the value of a given hull.
func (p *prices) hull(hull int, future float64) float64 {
	v := p.price(hullWorth(hull, future), byHull, float64(hull)) + float64(p.of[byHullSquared]*float64(hull*hull)/doubloons.MaxHull)
	if hull == doubloons.MaxHull {
		v += p.of[bySoundHull]
	}
	return v
}

// crew is the value of a larger crew over a smaller one.
func (p *prices) crew(less, more uint8, future float64) float64 {
	n := float64(more - less)
	return p.price(n+float64((crewUse[more]-crewUse[less])*future), byCrew, n)
}

// jewel is the value of a jewel of that many points.
func (p *prices) jewel(points int32) float64 {
	return p.price(float64(points), byJewelPoints, float64(points)) + p.of[byJewels]
}

// reputation is the value of a rise by that many points.
func (p *prices) reputation(points int32) float64 {
	return p.price(float64(points), byReputation, float64(points))
}

// rights is the value of more map fragments over fewer before the dig, besides their points.
func (p *prices) rights(less, more int) float64 {
	return p.price(hunting(more)-hunting(less), byRight, float64(min(more, 2)-min(less, 2)))
}

// sunk is the cost of becoming a ghost ship with a given hull left.
func (p *prices) sunk(hull int, future float64) float64 {
	return p.price(ghostCost, byGhost, -1) + p.hull(hull, future)
}

// chance is the captain's chance to win as the evaluator sees it, with the expected gains of the rest of the round.
func (c *captain) chance(s *doubloons.State, rest float64) float64 {
	var odds [doubloons.MaxSeats]float64
	c.oddsOf(s, &odds)
	odds[c.rules.SeatOf(s, c.player)] += rest
	search.Softmax(odds[:c.seats], 1, odds[:c.seats])
	return odds[c.rules.SeatOf(s, c.player)]
}

// oddsOf are the log odds of all seats. What pillage tokens will bring, which the evaluator never sees, counts as doubloons.
func (c *captain) oddsOf(s *doubloons.State, odds *[doubloons.MaxSeats]float64) {
	st := c.standing(s)
	weights := &c.tariff[c.stage(s)]
	var x [numFeatures]float64
	for seat := range c.seats {
		c.features(s, &st, seat, &x)
		x[byDoubloons] += coins(int(s.Ships[seat].Pillage), st.tokens-int(s.Ships[seat].Pillage), c.seats, s, st.slots)
		odds[seat] = 0
		for f, w := range weights {
			odds[seat] += float64(w * x[f])
		}
	}
}

// weighRivals weighs rivals by how likely each is to win if the captain does not: that is how much their odds cost it.
func (c *captain) weighRivals(s *doubloons.State) {
	var odds [doubloons.MaxSeats]float64
	c.oddsOf(s, &odds)
	odds[c.me] = math.Inf(-1)
	search.Softmax(odds[:c.seats], 1, odds[:c.seats])
	for i := range c.seats {
		c.rivals[c.rules.PlayerAt(s, i)] = odds[i]
	}
}
