package compare

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// Luck takes luck out of results, in the manner of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: A
// new variance reduction technique for agent evaluation in imperfect information games", AAAI 2018). At each chance event,
// and at each decision of a bot that draws its choice by chances that it can say (bots.Mixed), a frozen value function
// values what has come of it and whatever else could have come. What came less the mean of what could have come is
// luck. It is zero on average whatever the function says, so that results less luck have the same mean; the better the
// function predicts results, the less they vary.
type Luck struct {
	Value  string `json:"value"`  // the function
	Digest string `json:"digest"` // of what it says about positions that are drawn by a fixed seed: the function is frozen before the matches

	new func() (search.Value, error)
}

// NewLuck finds the value function of a game: the game's own evaluation of standings (search.Game), after a number of rollouts
// or of what lies there if they are 0, or, for games small enough, what the match is worth if all play on at random, worked out exactly.
func NewLuck(game string, rollouts int) (*Luck, error) {
	explicit, err := engine.NewGameWith(game, "chance", "explicit")
	if err != nil {
		return nil, err
	}
	l := &Luck{Value: "the game's evaluation of standings", new: func() (search.Value, error) { return search.Of(explicit).Value(explicit) }}
	v, err := evaluation(explicit)
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		if err := small(explicit); err != nil {
			return nil, err
		}
		l.Value, l.new = "random play from here, exactly", func() (search.Value, error) { return newTree(explicit), nil }
	case rollouts > 0:
		l.Value = "the game's evaluation of the results of " + engine.Count(rollouts, "rollout", "rollouts")
		l.new = func() (search.Value, error) { return search.ByRollouts(explicit, rollouts) }
	}
	l.Digest, err = l.digest(explicit)
	return l, err
}

// evaluation is the game's own, nil if it has none for this configuration.
func evaluation(g engine.Game) (search.Value, error) {
	if search.Of(g).Value == nil {
		return nil, nil
	}
	return search.Of(g).Value(g)
}

// probes is how many matches the digest of a value function looks at.
const probes = 8

// digest is that of what the function says in some matches of random play.
func (l *Luck) digest(g engine.Game) (string, error) {
	v, err := l.new()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	m, dst := g.NewMatch(), make([]float64, g.Info().Seats)
	var room []engine.Outcome
	for seed := range uint64(probes) {
		m.Reset(seed)
		r := engine.NewRand(seed)
		for m.Seat() != engine.Over {
			v.Value(m, dst)
			for _, x := range dst {
				_ = binary.Write(h, binary.LittleEndian, math.Float64bits(x)) // a hash takes everything
			}
			var a engine.Action
			if m.Seat() == engine.Chance {
				room = m.Outcomes(room[:0])
				a = engine.PickOutcome(room, &r)
			} else {
				a = m.Legal().Sample(&r)
			}
			if err := m.Apply(a); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// tracker follows a match and adds up its luck, by seat.
type tracker struct {
	value   search.Value
	at      engine.Match // the match, with chance in its own events
	next    engine.Match // where one of the possible ways leads
	luck    []float64
	came    []float64 // value of what has come
	could   []float64 // mean of what could have come
	one     []float64
	returns []float32
	events  []engine.Outcome
	chances []float64
}

// follow has a runner follow the luck of its matches.
func (l *Luck) follow(r *match.Runner) {
	r.Watch = func() (match.Watcher, error) {
		t, err := l.tracker(r.Game())
		if err != nil {
			return match.Watcher{}, err
		}
		return match.Watcher{Begin: t.begin, Decide: t.decide, End: t.end}, nil
	}
}

func (l *Luck) tracker(g engine.Game) (*tracker, error) {
	explicit, err := engine.NewGameWith(g.Info().Config, "chance", "explicit")
	if err != nil {
		return nil, err
	}
	v, err := l.new()
	if err != nil {
		return nil, err
	}
	n := g.Info().Seats
	return &tracker{
		value: v, at: explicit.NewMatch(), next: explicit.NewMatch(), luck: make([]float64, n), came: make([]float64, n),
		could: make([]float64, n), one: make([]float64, n), returns: make([]float32, n), chances: make([]float64, len(g.Info().Actions)),
	}, nil
}

// begin goes through the chance events of a deal.
func (t *tracker) begin(_ int, of *match.Match) error {
	clear(t.luck)
	t.at.Reset(of.Seed)
	return t.chance()
}

// chance goes through the chance events that follow, as they fall in the match itself.
func (t *tracker) chance() error {
	for t.at.Seat() == engine.Chance {
		t.events = t.at.Outcomes(t.events[:0])
		if err := t.take(t.at.SampleChance(), t.events); err != nil {
			return err
		}
	}
	return nil
}

// decide follows a decision.
func (t *tracker) decide(m engine.Match, by bots.Bot, a engine.Action) error {
	mixed, ok := by.(bots.Mixed)
	if !ok {
		if err := t.at.Apply(a); err != nil {
			return err
		}
		return t.chance()
	}
	legal := t.at.Legal()
	chances := t.chances[:legal.Count()]
	mixed.Chances(m, chances)
	t.events = t.events[:0]
	for x, i := legal.First(), 0; x >= 0; x, i = legal.Next(x), i+1 {
		t.events = append(t.events, engine.Outcome{Action: x, Prob: chances[i]})
	}
	if err := t.take(a, t.events); err != nil {
		return err
	}
	return t.chance()
}

// take performs what has come, and adds to the luck what it is worth beyond the mean of all that could.
func (t *tracker) take(a engine.Action, all []engine.Outcome) error {
	if len(all) > 1 {
		clear(t.could)
		for _, o := range all {
			t.next.CopyFrom(t.at)
			if err := t.next.Apply(o.Action); err != nil {
				return err
			}
			worth(t.value, t.next, t.returns, t.one)
			for i, v := range t.one {
				t.could[i] += float64(o.Prob * v)
				if o.Action == a {
					t.came[i] = v
				}
			}
		}
		for i := range t.luck {
			t.luck[i] += t.came[i] - t.could[i]
		}
	}
	return t.at.Apply(a)
}

// worth is the value function, and the result where there is one.
func worth(v search.Value, m engine.Match, returns []float32, dst []float64) {
	if m.Seat() != engine.Over {
		v.Value(m, dst)
		return
	}
	m.Returns(returns)
	for i := range dst {
		dst[i] = engine.Won(m, returns, i)
	}
}

// end checks that the match was followed to where it has ended.
func (t *tracker) end(m engine.Match, f *match.Final) error {
	if !bytes.Equal(t.at.Bytes(), m.Bytes()) {
		return errors.New("luck: a match with chance=explicit has ended elsewhere than the match itself")
	}
	f.Luck = slices.Clone(t.luck)
	return nil
}

// tree works out what a match is worth to each seat if all play on at random, over all that may come.
type tree struct {
	levels  []level // by depth below the position asked for
	game    engine.Game
	returns []float32
}

type level struct {
	m      engine.Match
	value  []float64
	events []engine.Outcome
}

func newTree(g engine.Game) *tree {
	return &tree{game: g, returns: make([]float32, g.Info().Seats)}
}

// Value writes what m is worth into dst.
func (t *tree) Value(m engine.Match, dst []float64) { t.expect(m, 0, dst) }

func (t *tree) expect(m engine.Match, depth int, dst []float64) {
	if m.Seat() == engine.Over {
		worth(nil, m, t.returns, dst)
		return
	}
	if depth == len(t.levels) {
		t.levels = append(t.levels, level{m: t.game.NewMatch(), value: make([]float64, len(dst))})
	}
	l := &t.levels[depth]
	l.events = ways(m, l.events[:0])
	events, next, value := l.events, l.m, l.value // levels may move as it grows
	clear(dst)
	for _, o := range events {
		next.CopyFrom(m)
		if err := next.Apply(o.Action); err != nil {
			panic(fmt.Sprintf("compare: luck: %v", err))
		}
		t.expect(next, depth+1, value)
		for i, v := range value {
			dst[i] += float64(o.Prob * v)
		}
	}
}

// ways are all that may come of a position if the seats play at random.
func ways(m engine.Match, dst []engine.Outcome) []engine.Outcome {
	if m.Seat() == engine.Chance {
		return m.Outcomes(dst)
	}
	legal := m.Legal()
	p := 1 / float64(legal.Count())
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		dst = append(dst, engine.Outcome{Action: a, Prob: p})
	}
	return dst
}

// mostNodes is how large the tree of a game may be that is small.
const mostNodes = 50_000

// small refuses a game whose tree is large.
func small(g engine.Game) error {
	left := mostNodes
	var count func(m engine.Match) error
	count = func(m engine.Match) error {
		if left--; left < 0 {
			return fmt.Errorf("luck: %s has no evaluation of positions, and is too large for an exact one", g.Info().Config)
		}
		if m.Seat() == engine.Over {
			return nil
		}
		next := g.NewMatch()
		for _, o := range ways(m, nil) {
			next.CopyFrom(m)
			if err := next.Apply(o.Action); err != nil {
				return err
			}
			if err := count(next); err != nil {
				return err
			}
		}
		return nil
	}
	m := g.NewMatch()
	m.Reset(0)
	return count(m)
}

// Controlled is an estimate from which luck is taken, as far as it foretells results.
type Controlled struct {
	measure.Estimate
	Saved float64 `json:"saved"` // deals without control that say as much as one with it
}

// control takes luck out of samples, deal by deal. How much of it is taken is learnt from the deals before, by least
// squares, so that each deal's part of it is known before the deal is looked at: the mean stays what it is, and luck that says
// nothing does no harm.
type control struct {
	n                  float64
	x, luck, cross, sq float64 // sums
	before, after      []float64
}

// leastLearnt is how many deals are looked at before any luck is taken out.
const leastLearnt = 20

func (c *control) add(x, luck float64) float64 {
	adjusted := x
	if c.n >= leastLearnt {
		if spread := c.sq - float64(c.luck*c.luck)/c.n; spread > 1e-12 {
			part := (c.cross - float64(c.x*c.luck)/c.n) / spread
			adjusted -= float64(part * luck)
		}
	}
	c.n++
	c.x += x
	c.luck += luck
	c.cross += float64(x * luck)
	c.sq += float64(luck * luck)
	c.before, c.after = append(c.before, x), append(c.after, adjusted)
	return adjusted
}

// estimate sums up. What is saved is measured on the deals from which luck was taken.
func (c *control) estimate(low, high float64, seed uint64) *Controlled {
	e := &Controlled{Estimate: measure.Bootstrap(c.after, low, high, seed), Saved: 1}
	if len(c.after) > leastLearnt+1 {
		if rest := measure.Variance(c.after[leastLearnt:]); rest > 0 {
			e.Saved = measure.Variance(c.before[leastLearnt:]) / rest
		}
	}
	return e
}
