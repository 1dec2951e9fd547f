package balance

import (
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/measure"
)

// Report is the result of the matches of a configuration. Intervals are of 95 %,
// by bootstrap over deals.
type Report struct {
	Game       string      `json:"game"`
	Players    []string    `json:"players"` // around the table
	Seed       engine.Long `json:"seed"`
	Deals      int         `json:"deals"`
	Matches    int         `json:"matches"`
	EqualShare float64     `json:"equal_share"` // of wins, for a seat

	Seats []Side `json:"seats"`
	Roles []Side `json:"roles,omitempty"`
	Bots  []Side `json:"bots,omitempty"` // if more than one plays

	Faults []Failed `json:"faults,omitempty"` // of players that are other programs, if there are any

	Length  []Figure `json:"length"`            // decisions, the share of matches that a limit of the game string has ended (truncated), and what the game measures a match by
	Sources []Figure `json:"sources,omitempty"` // points by source of a seat, on average
	Winners []Figure `json:"winners,omitempty"` // the same of those who won
	Events  []Figure `json:"events,omitempty"`  // how often in a match, all seats together
	Course  []Figure `json:"course,omitempty"`  // how matches turn; see Glossary
	Spread  Figure   `json:"seat_spread"`       // win rate of the best seat minus that of the worst
}

// Side is how one seat, role or player did.
type Side struct {
	Name    string            `json:"name"`
	Matches int               `json:"matches"`
	Wins    measure.Estimate  `json:"wins"` // a win shared by k seats counts 1/k for each, as does a truncated match for all
	Return  measure.Estimate  `json:"return"`
	Score   *measure.Estimate `json:"score,omitempty"`
}

// Failed is a player that is another program, and how it has failed.
type Failed struct {
	Player string `json:"player"`
	bots.Faults
}

// Figure is an estimate by name.
type Figure struct {
	Name string `json:"name"`
	measure.Estimate
}

// MarshalJSON writes the name along with the estimate.
func (f Figure) MarshalJSON() ([]byte, error) {
	e, err := f.Estimate.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"name":%q,%s`, f.Name, e[1:]), nil
}

// Glossary says what the figures of Report.Course are. Matches that a limit has ended (truncated,
// in Report.Length) have no winner and are left out of them.
var Glossary = []struct{ Name, Means string }{
	{"comebacks", "share of matches won by a seat that did not lead in points halfway"},
	{"from_last", "share of matches won by a seat that was last halfway"},
	{"lead_changes", "how often in a match another seat takes the lead"},
	{"settled_at", "part of the match after which the winner leads to the end: 0 is from the start, 1 the last decision"},
	{"margin", "points between the first and the second"},
	{"winner", "points of the first"},
	{"shared_wins", "share of matches without a single winner"},
}

// report sums up deals, of which each is a sample.
func (t *run) report(deals []deal) *Report {
	info := t.runner.Info()
	r := &Report{Game: info.Config, Seed: engine.Long(t.cfg.Seed), Deals: len(deals), Matches: len(deals) * info.Seats, EqualShare: 1 / float64(info.Seats)}
	for seat := range info.Seats {
		r.Players = append(r.Players, t.cfg.Players[seat%len(t.cfg.Players)].Name)
		r.Seats = append(r.Seats, t.side(deals, fmt.Sprintf("seat %d", seat), func(_ *outcome, s int) bool { return s == seat }))
	}
	if t.chronicle != nil {
		for role, name := range t.chronicle.Roles() {
			if s := t.side(deals, name, func(o *outcome, s int) bool { return o.role[s] == role }); s.Matches > 0 {
				r.Roles = append(r.Roles, s)
			}
		}
	}
	if len(t.cfg.Players) > 1 {
		for p, player := range t.cfg.Players {
			r.Bots = append(r.Bots, t.side(deals, player.Name, func(o *outcome, s int) bool { return o.player[s] == p }))
		}
	}
	for p, player := range t.cfg.Players {
		failed := Failed{Player: player.Name}
		for _, d := range deals {
			for i := range d {
				for seat, f := range d[i].Faults {
					if d[i].player[seat] == p {
						failed.Faults = failed.Plus(f)
					}
				}
			}
		}
		if failed.Faults != (bots.Faults{}) {
			r.Faults = append(r.Faults, failed)
		}
	}
	r.Spread = Figure{"seat_spread", spread(deals, info.Seats, t.cfg.Seed)}
	each := func(name string, of func(o *outcome) float64) Figure {
		return Figure{name, t.mean(deals, func(o *outcome) (float64, float64) { return of(o), 1 })}
	}
	won := func(name string, of func(o *outcome) float64) Figure { // of matches that have a winner
		return Figure{name, t.mean(deals, func(o *outcome) (float64, float64) {
			if o.Truncated {
				return 0, 0
			}
			return of(o), 1
		})}
	}
	r.Length = append(r.Length, each("decisions", func(o *outcome) float64 { return float64(o.Decisions) }))
	r.Length = append(r.Length, each("truncated", func(o *outcome) float64 {
		if o.Truncated {
			return 1
		}
		return 0
	}))
	if t.chronicle != nil {
		for i, name := range t.chronicle.Measures() {
			r.Length = append(r.Length, each(name, func(o *outcome) float64 { return o.measures[i] }))
		}
		for i, name := range t.chronicle.Events() {
			r.Events = append(r.Events, each(name, func(o *outcome) float64 {
				n := 0
				for _, by := range o.events {
					n += by[i]
				}
				return float64(n)
			}))
		}
	}
	for i, name := range info.ScoreSources {
		r.Sources = append(r.Sources, each(name, func(o *outcome) float64 {
			total := 0.0
			for _, by := range o.Scores {
				total += float64(by[i])
			}
			return total / float64(info.Seats)
		}))
		r.Winners = append(r.Winners, won(name, func(o *outcome) float64 {
			total := 0.0
			for seat, by := range o.Scores {
				total += float64(o.Wins[seat] * float64(by[i]))
			}
			return total
		}))
	}
	if len(info.ScoreSources) > 0 {
		for i, of := range []func(c *course) float64{
			func(c *course) float64 { return c.comeback }, func(c *course) float64 { return c.fromLast },
			func(c *course) float64 { return c.leads }, func(c *course) float64 { return c.settled },
			func(c *course) float64 { return c.margin }, func(c *course) float64 { return c.winnerHas },
		} {
			r.Course = append(r.Course, won(Glossary[i].Name, func(o *outcome) float64 { return of(&o.course) }))
		}
	}
	r.Course = append(r.Course, won("shared_wins", func(o *outcome) float64 {
		for _, w := range o.Wins {
			if w > 0 && w < 1 {
				return 1
			}
		}
		return 0
	}))
	if !slices.ContainsFunc(deals, func(d deal) bool { return slices.ContainsFunc(d, func(o outcome) bool { return !o.Truncated }) }) {
		r.Winners, r.Course = nil, nil
	}
	return r
}

// side sums up the seats that belong to it.
func (t *run) side(deals []deal, name string, belongs func(o *outcome, seat int) bool) Side {
	s := Side{Name: name}
	over := func(of func(o *outcome, seat int) float64) measure.Estimate {
		s.Matches = 0
		return t.mean(deals, func(o *outcome) (total, n float64) {
			for seat := range o.Wins {
				if belongs(o, seat) {
					total, n = total+of(o, seat), n+1
					s.Matches++
				}
			}
			return total, n
		})
	}
	s.Wins = over(func(o *outcome, seat int) float64 { return o.Wins[seat] })
	s.Return = over(func(o *outcome, seat int) float64 { return float64(o.Returns[seat]) })
	if len(t.runner.Info().ScoreSources) > 0 {
		score := over(func(o *outcome, seat int) float64 { return o.Points[seat] })
		s.Score = &score
	}
	return s
}

// mean estimates the mean of what of returns for each match: a sum, and of how
// many it is. A deal that has none is not a sample.
func (t *run) mean(deals []deal, of func(o *outcome) (total, n float64)) measure.Estimate {
	var samples []float64
	for _, d := range deals {
		total, n := 0.0, 0.0
		for i := range d {
			x, k := of(&d[i])
			total, n = total+x, n+k
		}
		if n > 0 {
			samples = append(samples, total/n)
		}
	}
	if len(samples) == 0 {
		return measure.Bootstrap(nil, 0, 0, 0)
	}
	// A figure that is always between 0 and 1 is a share, or rare enough to be
	// taken for one. Any other figure that never changes has no wider range to assume.
	least, most := slices.Min(samples), slices.Max(samples)
	if least >= 0 && most <= 1 {
		least, most = 0, 1
	}
	return measure.Bootstrap(samples, least, most, t.cfg.Seed)
}
