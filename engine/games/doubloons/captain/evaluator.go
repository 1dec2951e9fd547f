package captain

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// evaluator gives each seat its chance to win from how it stands, for rollouts that are cut short: a conditional
// logit over what tells the seats apart, with weights for each stage of the match. The weights are fitted on matches as they stand
// when a round begins (evaluator_test.go), of heuristic captains.
type evaluator struct {
	c       *captain
	weights *coefficients
	final   *search.Final
}

// The features by which seats differ, as evaluator.json names them.
const (
	byWorth = iota
	byFragments
	byDoubloons
	byJewels
	byJewelPoints
	byReputation
	byCrew
	byOrbs
	byGhost
	byHull
	byHullSquared
	bySoundHull
	byTrack
	byDistance
	byWater
	byRight
	numFeatures
)

var featureNames = [numFeatures]string{
	"worth", "fragments", "doubloons", "jewels", "jewel_points", "reputation_points", "crew", "orbs", "ghost",
	"hull", "hull_squared", "sound_hull", "track", "distance", "water", "right_to_advance",
}

// Stages of a match: rounds before the dig, then by the leader on the end-game track.
const (
	roundsBefore = 7
	tracksAfter  = 4
	numStages    = roundsBefore + tracksAfter
)

// coefficients are each feature's weights in the log odds of winning, by stage of the match.
type coefficients [numStages][numFeatures]float64

// islands are the keys of evaluator.json and prices.json.
var islands = [2]string{"standard", "alternate"}

// A book has coefficients by island.
type book [len(islands)]coefficients

var (
	//go:embed evaluator.json
	evaluatorFile []byte

	fittedBook = sync.OnceValues(func() (*book, error) { return readBook("evaluator.json", evaluatorFile) })
)

func readBook(name string, data []byte) (*book, error) {
	var file map[string][]map[string]float64
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := &book{}
	for i, island := range islands {
		for stage, by := range file[island] {
			for f, name := range featureNames {
				all[i][stage][f] = by[name]
			}
		}
	}
	return all, nil
}

// of are the coefficients for the island that a captain plays on.
func (b *book) of(c *captain) *coefficients {
	if c.away {
		return &b[1]
	}
	return &b[0]
}

// Of the win and of the points at the end of a match: a win by one point and a loss by one are near each other.
const (
	finalWon    = .5
	finalSpread = 4.
)

// newEvaluator makes the evaluator of a game, nil if its matches are not played for the win.
func newEvaluator(g engine.Game) (search.Value, error) {
	c, err := captainForWins(g)
	if c == nil || err != nil {
		return nil, err
	}
	all, err := fittedBook()
	if err != nil {
		return nil, err
	}
	return &evaluator{c: c, weights: all.of(c), final: search.NewFinal(g, finalWon, finalSpread)}, nil
}

// captainForWins is the captain whose eyes an evaluator of a game has, nil if its matches are not played for the win.
func captainForWins(g engine.Game) (*captain, error) {
	_, given, err := engine.Given(g.Info().Config)
	if err != nil || given[engine.ObjectiveParam.Name] != "" {
		return nil, err
	}
	return newCaptain(g)
}

// Value implements search.Value.
func (j *evaluator) Value(m engine.Match, dst []float64) {
	if m.Seat() == engine.Over {
		j.final.Value(m, dst)
		return
	}
	s := engine.State[doubloons.State](m)
	st := j.c.standing(s)
	weights := &j.weights[j.c.stage(s)]
	var x [numFeatures]float64
	for seat := range dst {
		j.c.features(s, &st, seat, &x)
		sum := 0.0
		for f, w := range weights {
			sum += float64(w * x[f])
		}
		dst[seat] = sum
	}
	search.Softmax(dst, 1, dst)
}

// stage is the stage of a match.
func (c *captain) stage(s *doubloons.State) int {
	if !s.Dug {
		return min(int(s.Round), roundsBefore-1)
	}
	track := 0
	for i := range c.seats {
		track = max(track, int(s.Ships[i].Track))
	}
	return roundsBefore + min(track, tracksAfter-1)
}

// features writes the features that distinguish a seat from the others.
func (c *captain) features(s *doubloons.State, st *stand, seat int, x *[numFeatures]float64) {
	sh := &s.Ships[seat]
	*x = [numFeatures]float64{
		byWorth: c.worthOf(s, st, seat), byFragments: float64(count(&sh.Fragments)), byDoubloons: float64(sh.Doubloons),
		byReputation: float64(c.rules.ReputationPoints[sh.Reputation]), byCrew: float64(sh.Crew), byOrbs: float64(sh.Orbs),
		byGhost: float64(engine.Bit(sh.Ghost)), byHull: float64(sh.Hull), byHullSquared: float64(float64(sh.Hull)*float64(sh.Hull)) / doubloons.MaxHull,
		bySoundHull: float64(engine.Bit(sh.Hull == doubloons.MaxHull)), byTrack: float64(sh.Track), byDistance: st.distance[seat],
		byRight: float64(min(count(&sh.Fragments), 2)),
	}
	for k, n := range sh.Jewels[:doubloons.BlackJewel] {
		x[byJewels] += float64(n)
		x[byJewelPoints] += float64(float64(n) * float64(c.rules.JewelValue[k]))
	}
	if sh.Region >= 0 {
		x[byWater] = waterWorth(s, int(sh.Region))
	}
}

// roundOf is the round that a match is in.
func roundOf(m engine.Match) int { return int(engine.State[doubloons.State](m).Round) }

// rolloutCost is how many µs of a core a greedy rollout to the end of the round takes on average over a match, by seats:
// what the presets of searches count with. It is a measure of the past, and stays as it is, so that they stay the same.
var rolloutCost = [doubloons.MaxSeats + 1]int{2: 4, 3: 7, 4: 10, 5: 15, 6: 21}

// rollouts is how many of them take the given number of ms.
func rollouts(g engine.Game, ms int) int {
	n := 1000 * ms / rolloutCost[g.Info().Seats]
	if rules, ok := engine.RulesOf[doubloons.State, *doubloons.Rules](g.NewMatch()); ok && rules.Modules.Has(doubloons.AlternateIsland) {
		n = 2 * n / 3 // its rounds are longer
	}
	return n
}

// Suppose implements search.Rivals: the other seats' cards that lie face down are those that this captain would have
// programmed of the same cards, seen from where the match is now. It knows no more of a ship than its player does.
func (c *captain) Suppose(world engine.Match, seat int, _ *engine.Rand) {
	s := engine.State[doubloons.State](world)
	if s.Phase != doubloons.PhaseRoundStart && s.Phase != doubloons.PhaseAction || c.rules.Modules.Has(doubloons.StealShip) {
		return // nothing lies face down; or players have seen cards of others, which must stay where they are
	}
	for i := range c.seats {
		if i != seat {
			c.reprogram(s, i)
		}
	}
}

// reprogram lets a seat choose its face-down cards again.
func (c *captain) reprogram(s *doubloons.State, seat int) {
	sh := &s.Ships[seat]
	from := int(s.Revealed)
	to := from
	for to < doubloons.NumSlots && sh.Table[to] >= 0 {
		to++
	}
	if to == from {
		return
	}
	for k := from; k < to; k++ {
		sh.Hand |= 1 << sh.Table[k]
		sh.Table[k] = -1
	}
	c.look(s, seat)
	for k := from; k < to; k++ {
		at := course{slot: c.plan.first, at: position(sh.Region, sh.Facing), hand: sh.Hand, icons: c.plan.icons}
		_, card := c.plan.bestAt(at, k)
		sh.Table[k] = card
		sh.Hand &^= 1 << card
	}
}
