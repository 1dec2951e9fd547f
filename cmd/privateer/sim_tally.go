package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/eval"
)

// simResult is what a simulation came to.
type simResult struct {
	Game       string      `json:"game"`
	Matches    int         `json:"matches"`
	Seed       engine.Long `json:"seed"`
	Truncated  int         `json:"truncated"`   // of Matches: cut short by a limit of the game string, without a winner
	EqualShare float64     `json:"equal_share"` // 1/seats
	Length     lengths     `json:"decisions"`
	Seats      []side      `json:"seats"`
	Bots       []botSide   `json:"bots"`
	Sources    []string    `json:"score_sources"`
}

// lengths is how many decisions the matches took.
type lengths struct {
	Mean   interval `json:"mean"`
	Least  int      `json:"least"`
	P5     int      `json:"p5"` // 5 % of the matches take no more
	Median int      `json:"median"`
	P95    int      `json:"p95"`
	Most   int      `json:"most"`
	Total  int64    `json:"total"`
}

// side is how a seat, or the seats of a bot, did in a match on average.
type side struct {
	Played  int64     `json:"played"` // seats filled
	Wins    interval  `json:"wins"`   // share of the wins; one shared by k seats counts 1/k for each, as does a truncated match for all
	Return  interval  `json:"return"`
	Score   interval  `json:"score"`           // sum of the sources
	Sources []float64 `json:"score_by_source"` // means
}

type botSide struct {
	Name string `json:"name"`
	side
}

// interval is a mean with its 95 % interval.
type interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func (i interval) String() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", i.Mean, i.Low, i.High) }

const z = eval.Normal975

// moments sums up samples.
type moments struct {
	n       int64
	sum, sq float64
}

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.sq += float64(x * x)
}

func (m *moments) merge(o moments) {
	m.n += o.n
	m.sum += o.sum
	m.sq += o.sq
}

// normal is the mean with the interval of the normal approximation.
func (m moments) normal() interval {
	if m.n == 0 {
		return interval{}
	}
	n := float64(m.n)
	mean := m.sum / n
	half := 0.0
	if m.n > 1 {
		variance := max(0, (m.sq-float64(n*mean*mean))/(n-1))
		half = float64(z * math.Sqrt(variance/n))
	}
	return interval{mean, mean - half, mean + half}
}

// share is the mean of samples in [0, 1] with Wilson's score interval ("Probable
// inference, the law of succession, and statistical inference", 1927), which
// stays sensible at 0 and 1. Samples between the two make it a little too wide.
func (m moments) share() interval {
	if m.n == 0 {
		return interval{}
	}
	n := float64(m.n)
	p := m.sum / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := float64(z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n)))
	return interval{p, max(0, middle-half), min(1, middle+half)}
}

// counts counts samples that are small numbers: [x] is how many are x.
type counts []int64

func (c *counts) add(x int) {
	if more := x + 1 - len(*c); more > 0 {
		*c = append(*c, make(counts, more)...)
	}
	(*c)[x]++
}

func (c *counts) merge(o counts) {
	if more := len(o) - len(*c); more > 0 {
		*c = append(*c, make(counts, more)...)
	}
	for x, n := range o {
		(*c)[x] += n
	}
}

// percentile is the least sample that p % of all samples do not exceed; p is at least 1.
func (c counts) percentile(p int64) int {
	var all, below int64
	for _, n := range c {
		all += n
	}
	for x, n := range c {
		if below += n; n > 0 && 100*below >= p*all {
			return x
		}
	}
	return 0
}

func (c counts) lengths() lengths {
	var m moments
	for x, n := range c {
		m.merge(moments{n, float64(float64(n) * float64(x)), float64(float64(n) * float64(x) * float64(x))})
	}
	least := slices.IndexFunc(c, func(n int64) bool { return n > 0 })
	return lengths{m.normal(), least, c.percentile(5), c.percentile(50), c.percentile(95), len(c) - 1, int64(m.sum)}
}

// simTally sums up matches.
type simTally struct {
	took  counts // decisions of the matches
	cut   int    // matches that were truncated
	seats []sideTally
	bots  []sideTally // by index in the simulation's bots
}

type sideTally struct {
	wins, returns, score moments
	sources              []int64
}

func newSimTally(s *simulation) *simTally {
	info := s.made.Info()
	t := &simTally{seats: make([]sideTally, info.Seats), bots: make([]sideTally, len(s.bots))}
	for _, list := range [][]sideTally{t.seats, t.bots} {
		for i := range list {
			list[i].sources = make([]int64, len(info.ScoreSources))
		}
	}
	return t
}

func (t *simTally) add(o *simTally) {
	t.took.merge(o.took)
	t.cut += o.cut
	for i := range t.seats {
		t.seats[i].add(&o.seats[i])
	}
	for i := range t.bots {
		t.bots[i].add(&o.bots[i])
	}
}

func (t *sideTally) add(o *sideTally) {
	t.wins.merge(o.wins)
	t.returns.merge(o.returns)
	t.score.merge(o.score)
	for i, n := range o.sources {
		t.sources[i] += n
	}
}

// finish adds match i, which is over and whose returns w has.
func (t *simTally) finish(i, length int, m engine.Match, w *simWorker) {
	t.took.add(length)
	if limit, _ := m.Truncated(); limit != "" {
		t.cut++
	}
	for seat, r := range w.returns {
		win := engine.Won(m, w.returns, seat)
		m.Scores(engine.Full, seat, w.scores)
		sum := int32(0)
		for _, v := range w.scores {
			sum += v
		}
		for _, side := range []*sideTally{&t.seats[seat], &t.bots[w.botAt(i, seat)]} {
			side.wins.add(win)
			side.returns.add(float64(r))
			side.score.add(float64(sum))
			for k, v := range w.scores {
				side.sources[k] += int64(v)
			}
		}
	}
}

func (t *sideTally) result() side {
	returns := t.returns.normal()
	returns.Low, returns.High = max(-1, returns.Low), min(1, returns.High) // as returns are
	s := side{Played: t.wins.n, Wins: t.wins.share(), Return: returns, Score: t.score.normal(), Sources: make([]float64, len(t.sources))}
	for i, sum := range t.sources {
		s.Sources[i] = float64(sum) / float64(t.wins.n)
	}
	return s
}

func (s *simulation) result(t *simTally) *simResult {
	info := s.made.Info()
	r := &simResult{
		Game: info.Config, Matches: s.matches, Truncated: t.cut, Seed: engine.Long(s.seed), EqualShare: 1 / float64(info.Seats),
		Length:  t.took.lengths(),
		Sources: info.ScoreSources,
	}
	if r.Sources == nil {
		r.Sources = []string{}
	}
	for i := range t.seats {
		r.Seats = append(r.Seats, t.seats[i].result())
	}
	// A bot that is on the list twice is one bot.
	at := map[string]int{}
	var merged []*sideTally
	var names []string
	for i, name := range s.bots {
		if k, ok := at[name]; ok {
			merged[k].add(&t.bots[i])
			continue
		}
		at[name] = len(names)
		names, merged = append(names, name), append(merged, &t.bots[i])
	}
	for k, name := range names {
		r.Bots = append(r.Bots, botSide{name, merged[k].result()})
	}
	return r
}
