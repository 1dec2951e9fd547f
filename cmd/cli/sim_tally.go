package cli

import (
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// simResult is the result of a simulation.
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
	Mean   measure.Estimate `json:"mean"`
	Least  int              `json:"least"`
	P5     int              `json:"p5"` // 5 % of the matches take no more
	Median int              `json:"median"`
	P95    int              `json:"p95"`
	Most   int              `json:"most"`
	Total  int64            `json:"total"`
}

// side is how a seat, or the seats of a bot, did in a match on average.
type side struct {
	Played  int64            `json:"played"` // seats filled
	Wins    measure.Estimate `json:"wins"`   // share of the wins; one shared by k seats counts 1/k for each, as does a truncated match for all
	Return  measure.Estimate `json:"return"`
	Score   measure.Estimate `json:"score"`           // sum of the sources
	Sources []float64        `json:"score_by_source"` // means
}

type botSide struct {
	Name string `json:"name"`
	side
	Faults bots.Faults `json:"faults,omitzero"` // of a player that is another program
}

const z = measure.Normal975

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
func (m moments) normal() measure.Estimate {
	if m.n == 0 {
		return measure.Estimate{}
	}
	n := float64(m.n)
	mean := m.sum / n
	half := 0.0
	if m.n > 1 {
		variance := max(0, (m.sq-float64(n*mean*mean))/(n-1))
		half = float64(z * math.Sqrt(variance/n))
	}
	return measure.Estimate{Mean: mean, Low: mean - half, High: mean + half}
}

// wilson is the mean of samples in [0, 1] with Wilson's score interval ("Probable
// inference, the law of succession, and statistical inference", 1927), which
// stays sensible at 0 and 1. Samples between the two make it a little too wide.
func (m moments) wilson() measure.Estimate {
	if m.n == 0 {
		return measure.Estimate{}
	}
	n := float64(m.n)
	p := m.sum / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := float64(z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n)))
	return measure.Estimate{Mean: p, Low: max(0, middle-half), High: min(1, middle+half)}
}

// counts counts samples that are small numbers: [x] is how many are x.
type counts []int64

func (c *counts) add(x int) {
	if more := x + 1 - len(*c); more > 0 {
		*c = append(*c, make(counts, more)...)
	}
	(*c)[x]++
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
		m.n += n
		m.sum += float64(float64(n) * float64(x))
		m.sq += float64(float64(n) * float64(x) * float64(x))
	}
	least := slices.IndexFunc(c, func(n int64) bool { return n > 0 })
	return lengths{m.normal(), least, c.percentile(5), c.percentile(50), c.percentile(95), len(c) - 1, int64(m.sum)}
}

// simTally sums up matches.
type simTally struct {
	took  counts      // decisions of the matches
	cut   int         // matches that were truncated
	sides []sideTally // of the seats, and then of the bots on the list
}

type sideTally struct {
	wins, returns, score moments
	sources              []int64
	faults               bots.Faults
}

// summedAtOnce is how many matches are summed up apart before they are added to those before, so that sums of many lose fewer digits.
const summedAtOnce = 16

func newSides(n, sources int) []sideTally {
	sides := make([]sideTally, n)
	for i := range sides {
		sides[i].sources = make([]int64, sources)
	}
	return sides
}

func (t *simTally) add(matches []match.Match, finals []match.Final) {
	seats, sources := len(finals[0].Wins), len(t.sides[0].sources)
	part := newSides(len(t.sides), sources)
	for i := range finals {
		f := &finals[i]
		t.took.add(f.Decisions)
		t.cut += int(engine.Bit(f.Truncated))
		for seat, bot := range matches[i].Seats {
			part[seat].add(f, seat)
			part[seats+bot].add(f, seat)
		}
		if i%summedAtOnce < summedAtOnce-1 && i < len(finals)-1 {
			continue
		}
		for k := range part {
			t.sides[k].merge(&part[k])
		}
		part = newSides(len(t.sides), sources)
	}
}

func (t *sideTally) add(f *match.Final, seat int) {
	t.wins.add(f.Wins[seat])
	if f.Faults != nil {
		t.faults = t.faults.Plus(f.Faults[seat])
	}
	t.returns.add(float64(f.Returns[seat]))
	if f.Scores == nil {
		t.score.add(0)
		return
	}
	t.score.add(f.Points[seat])
	for k, n := range f.Scores[seat] {
		t.sources[k] += int64(n)
	}
}

func (t *sideTally) merge(o *sideTally) {
	t.wins.merge(o.wins)
	t.returns.merge(o.returns)
	t.score.merge(o.score)
	t.faults = t.faults.Plus(o.faults)
	for k, n := range o.sources {
		t.sources[k] += n
	}
}

func (t *sideTally) result() side {
	returns := t.returns.normal()
	returns.Low, returns.High = max(-1, returns.Low), min(1, returns.High) // as returns are
	s := side{Played: t.wins.n, Wins: t.wins.wilson(), Return: returns, Score: t.score.normal(), Sources: make([]float64, len(t.sources))}
	for i, sum := range t.sources {
		s.Sources[i] = float64(sum) / float64(t.wins.n)
	}
	return s
}

func (s *simulation) result(t *simTally) *simResult {
	info := s.runner.Info()
	r := &simResult{
		Game: info.Config, Matches: s.matches, Truncated: t.cut, Seed: engine.Long(s.seed), EqualShare: 1 / float64(info.Seats),
		Length:  t.took.lengths(),
		Sources: append([]string{}, info.ScoreSources...),
	}
	for seat := range info.Seats {
		r.Seats = append(r.Seats, t.sides[seat].result())
	}
	for i, name := range s.bots {
		own := &t.sides[info.Seats+i]
		if slices.Contains(s.bots[:i], name) {
			continue
		}
		for k := i + 1; k < len(s.bots); k++ { // a bot that is on the list twice is one bot
			if s.bots[k] == name {
				own.merge(&t.sides[info.Seats+k])
			}
		}
		r.Bots = append(r.Bots, botSide{name, own.result(), own.faults})
	}
	return r
}
