package rate

import (
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// Anchor fixes the scale: a player and its rating. No name takes the heuristic bot at 1000, else the random
// bot at 0, else the player that joined first at 0.
type Anchor struct {
	Name   string
	Rating float64
}

// Table is how strong each player of the results is.
type Table struct {
	Game    string      `json:"game"`
	Seats   int         `json:"seats"`
	Seed    engine.Long `json:"seed"`
	Deals   int         `json:"deals"`
	Matches int         `json:"matches"` // at mixed tables
	Anchor  string      `json:"anchor"`
	Prior   float64     `json:"prior"`   // wins and defeats against a middling player that were added to each record
	Ratings []Rating    `json:"ratings"` // the strongest first
	Pairs   []Pair      `json:"pairs"`   // that have met, in the order of the ratings
	Cycles  []Cycle     `json:"cycles"`  // the surest first
	Alone   []Share     `json:"alone"`   // one against n−1, where that was played
}

// Rating is how strong a player is.
type Rating struct {
	Player   string           `json:"player"`
	Rating   float64          `json:"rating"` // 400 points more are odds of ten to one to finish ahead
	SE       float64          `json:"se"`     // standard error of the difference to the anchor, by the observed information
	SEByDeal float64          `json:"se_by_deal"`
	Low      float64          `json:"low"` // 95 %, by SEByDeal, as matches of a deal are not independent, and the wider the fewer the deals
	High     float64          `json:"high"`
	Strength float64          `json:"log_strength"` // of the Plackett-Luce model
	Behind   float64          `json:"deviation"`    // of Deviation: 0 … −50
	Wins     measure.Estimate `json:"wins"`         // share at mixed tables, by deal; equal is 1/seats
	Matches  int              `json:"matches"`      // at mixed tables
	Cost     match.Cost       `json:"cost"`
	Faults   bots.Faults      `json:"faults,omitzero"` // in all matches, if it is another program
	Worst    *Share           `json:"worst,omitempty"` // of Alone, the one player who wins most against n−1 of this one
}

// Pair is how two players placed at the tables where both sat.
type Pair struct {
	A       string           `json:"a"`
	B       string           `json:"b"`
	Ahead   measure.Estimate `json:"ahead"` // share of A's placings before B's, ties half, by deal
	Surely  float64          `json:"surely"`
	Matches int              `json:"matches"`
}

// Cycle is players that each place before the next, and the last before the first.
type Cycle struct {
	Players []string `json:"players"`
	Surely  float64  `json:"surely"` // that the least certain of these is so
}

// Share is what one player wins against n−1 of another.
type Share struct {
	One    string           `json:"one"`
	Others string           `json:"others"`
	Wins   measure.Estimate `json:"wins"`
}

// elo is one unit of the logarithm of strength on Elo's scale.
const elo = 173.71779276130073 // 400 / ln 10

// Rate rates the players that have results. prior is as PlackettLuce has it.
func (r *Results) Rate(anchor Anchor, prior float64) (*Table, error) {
	if len(r.Deals) == 0 {
		return nil, fmt.Errorf("rate %s: nothing was played yet", r.Game)
	}
	a, err := r.anchor(&anchor)
	if err != nil {
		return nil, err
	}
	n := len(r.Players)
	strengths, err := PlackettLuce(n, r.rankings(), prior)
	if err != nil {
		return nil, fmt.Errorf("rate %s: %w", r.Game, err)
	}
	meetings := r.meetings()
	behind := Deviation(meetings.share())
	t := &Table{Game: r.Game, Seats: r.Seats, Seed: engine.Long(r.Seed), Deals: len(r.Deals), Matches: r.Matches(), Anchor: anchor.Name, Prior: prior, Alone: r.shares()}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case strengths.Log[i] > strengths.Log[j]:
			return -1
		case strengths.Log[i] < strengths.Log[j]:
			return 1
		}
		return 0
	})
	deals := r.deals()
	for _, i := range order {
		rating := Rating{
			Player: r.Players[i].Name, Rating: anchor.Rating + float64(elo*(strengths.Log[i]-strengths.Log[a])),
			SE: float64(elo * difference(strengths.Cov, i, a)), SEByDeal: float64(elo * difference(strengths.ByLot, i, a)),
			Strength: strengths.Log[i], Behind: behind[i], Cost: r.Costs[r.Players[i].Name],
			Faults: r.Faults[r.Players[i].Name],
		}
		half := float64(measure.Normal975 * rating.SEByDeal * measure.Widen(min(deals[r.Players[i].Name], deals[r.Players[a].Name])))
		rating.Low, rating.High = rating.Rating-half, rating.Rating+half
		rating.Wins, rating.Matches = r.wins(r.Players[i].Name)
		rating.Worst = worst(t.Alone, rating.Player)
		t.Ratings = append(t.Ratings, rating)
	}
	t.Pairs = meetings.pairs(r, order)
	var names []string
	for i := range t.Ratings {
		names = append(names, t.Ratings[i].Player)
	}
	t.Cycles = cycles(names, t.Pairs)
	return t, nil
}

// anchor finds the anchor's number, and chooses one where none is named.
func (r *Results) anchor(a *Anchor) (int, error) {
	if a.Name != "" {
		i := r.index(a.Name)
		if i < 0 {
			return 0, fmt.Errorf("rate: the anchor %s has no results", a.Name)
		}
		return i, nil
	}
	for _, usual := range []Anchor{{"heuristic", 1000}, {"random", 0}, {r.Players[0].Name, 0}} {
		if i := r.index(usual.Name); i >= 0 {
			*a = usual
			return i, nil
		}
	}
	panic("rate: the first player has no number")
}

// deals is at how many mixed tables each player has sat, by name.
func (r *Results) deals() map[string]int {
	n := make(map[string]int, len(r.Players))
	for i := range r.Deals {
		at := r.Deals[i].Players
		for k, name := range at {
			if !slices.Contains(at[:k], name) {
				n[name]++
			}
		}
	}
	return n
}

// difference is the standard error of the difference of two estimates.
func difference(cov [][]float64, i, j int) float64 {
	return math.Sqrt(max(0, cov[i][i]+cov[j][j]-float64(2*cov[i][j])))
}

// rankings are the matches at mixed tables.
func (r *Results) rankings() []Ranking {
	var all []Ranking
	for k := range r.Deals {
		players := r.numbers(r.Deals[k].Players)
		for _, places := range r.Deals[k].Places {
			all = append(all, Ranking{players, places, k})
		}
	}
	return all
}

// wins is a player's wins at mixed tables per seat.
func (r *Results) wins(name string) (measure.Estimate, int) {
	var byDeal []float64
	matches := 0
	for k := range r.Deals {
		d := &r.Deals[k]
		won, seats := 0.0, 0
		for _, places := range d.Places {
			first := 0
			for _, p := range places {
				if p == 1 {
					first++
				}
			}
			for i, p := range places {
				if d.Players[i] != name {
					continue
				}
				seats++
				if p == 1 {
					won += 1 / float64(first)
				}
			}
		}
		if seats > 0 {
			matches += len(d.Places)
			byDeal = append(byDeal, won/float64(seats))
		}
	}
	return measure.Bootstrap(byDeal, 0, 1, r.Seed), matches
}

// shares is the pay-off matrix of one against n−1.
func (r *Results) shares() []Share {
	byPair := map[[2]string][]float64{}
	for i := range r.Alone {
		x := &r.Alone[i]
		sum := 0.0
		for _, w := range x.Wins {
			sum += w
		}
		key := [2]string{x.One, x.Others}
		byPair[key] = append(byPair[key], sum/float64(len(x.Wins)))
	}
	list := []Share{}
	for _, one := range r.Players {
		for _, others := range r.Players {
			if w := byPair[[2]string{one.Name, others.Name}]; w != nil {
				list = append(list, Share{one.Name, others.Name, measure.Bootstrap(w, 0, 1, r.Seed)})
			}
		}
	}
	return list
}

// worst is the share of the player that wins most alone against n−1 of another; nil if nobody has tried.
func worst(alone []Share, player string) *Share {
	var most *Share
	for i := range alone {
		if s := &alone[i]; s.Others == player && s.One != player && (most == nil || s.Wins.Mean > most.Wins.Mean) {
			most = s
		}
	}
	return most
}

// met counts the placings of each player before each other.
type met struct {
	byDeal  [][][]float64  // by pair: share of a deal's placings of a before b, ties half
	matches map[[2]int]int // by pair
}

func (r *Results) meetings() *met {
	n := len(r.Players)
	m := &met{byDeal: make([][][]float64, n), matches: map[[2]int]int{}}
	for i := range m.byDeal {
		m.byDeal[i] = make([][]float64, n)
	}
	for k := range r.Deals {
		d := &r.Deals[k]
		players := r.numbers(d.Players)
		won, of := square(n), square(n)
		for _, places := range d.Places {
			for i, a := range players {
				for j, b := range players {
					if a == b {
						continue
					}
					of[a][b]++
					switch {
					case places[i] < places[j]:
						won[a][b]++
					case places[i] == places[j]:
						won[a][b] += .5
					}
				}
			}
		}
		for a := range n {
			for b := range n {
				if of[a][b] > 0 {
					m.byDeal[a][b] = append(m.byDeal[a][b], won[a][b]/of[a][b])
					m.matches[[2]int{a, b}] += len(d.Places)
				}
			}
		}
	}
	return m
}

// share is how much of its placings each player has had before each other, half where they have not met.
func (m *met) share() [][]float64 {
	n := len(m.byDeal)
	share := square(n)
	for a := range n {
		for b := range n {
			if of := m.byDeal[a][b]; len(of) > 0 {
				for _, x := range of {
					share[a][b] += x / float64(len(of))
				}
			} else {
				share[a][b] = .5
			}
		}
	}
	return share
}

// pairs are those that have met, each once, the one who places before the other more often than not first.
func (m *met) pairs(r *Results, order []int) []Pair {
	list := []Pair{}
	for k, i := range order {
		for _, j := range order[k+1:] {
			a, b := i, j
			if len(m.byDeal[a][b]) == 0 {
				continue
			}
			ahead := measure.Bootstrap(m.byDeal[a][b], 0, 1, r.Seed)
			if ahead.Mean < .5 {
				a, b = b, a
				ahead = measure.Bootstrap(m.byDeal[a][b], 0, 1, r.Seed)
			}
			list = append(list, Pair{r.Players[a].Name, r.Players[b].Name, ahead, surely(m.byDeal[a][b]), m.matches[[2]int{a, b}]})
		}
	}
	return list
}

// surely is the chance, by the normal approximation, that samples have a mean above one half. Two samples are added, one
// at either end, so that few that are all the same are not certainty.
func surely(samples []float64) float64 {
	n, mean, square := float64(len(samples)+2), 1.0, 1.0
	for _, x := range samples {
		mean += x
		square += float64(x * x)
	}
	mean /= n
	variance := (square/n - float64(mean*mean)) / (n - 1)
	return normal((mean - .5) / math.Sqrt(variance))
}

// normal is the distribution function of the normal distribution, to 10⁻⁷ (Abramowitz and Stegun, "Handbook of
// mathematical functions", 26.2.17).
func normal(z float64) float64 {
	if z < 0 {
		return 1 - normal(-z)
	}
	t := 1 / (1 + float64(.2316419*z))
	sum := 0.0
	for _, c := range []float64{1.330274429, -1.821255978, 1.781477937, -.356563782, .319381530} {
		sum = float64(t * (sum + c))
	}
	return 1 - float64(portable.Exp(-float64(z*z)/2)/2.5066282746310002*sum)
}

// cycles are the cycles of three: if there is a larger one among players that have all met, there is one of three.
func cycles(names []string, pairs []Pair) []Cycle {
	next := map[[2]string]float64{}
	for _, p := range pairs {
		if p.Ahead.Mean > .5 {
			next[[2]string{p.A, p.B}] = p.Surely
		}
	}
	list := []Cycle{}
	for i, a := range names {
		for j := i + 1; j < len(names); j++ {
			for k := i + 1; k < len(names); k++ {
				b, c := names[j], names[k]
				ab, bc, ca := next[[2]string{a, b}], next[[2]string{b, c}], next[[2]string{c, a}]
				if j != k && ab > 0 && bc > 0 && ca > 0 {
					list = append(list, Cycle{[]string{a, b, c}, min(ab, bc, ca)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(x, y Cycle) int {
		switch {
		case x.Surely > y.Surely:
			return -1
		case x.Surely < y.Surely:
			return 1
		}
		return 0
	})
	return list
}
