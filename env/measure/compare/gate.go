package compare

import (
	"context"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// GateConfig says what a gate asks.
type GateConfig struct {
	Config              // Matches: the most that are played; 0 for DefaultGateMatches
	Points      float64 // by how many points of a hundred A must be better
	Alpha, Beta float64 // chances of a wrong answer; 0 for DefaultGateError
}

// Defaults of a gate.
const (
	DefaultGateMatches = 20000
	DefaultGateError   = .05
)

// Gated is the result of a gate: whether A is better than B in evenly mixed tables, by the share of
// the wins that A's side has, where 0.5 is equal.
type Gated struct {
	Game   string      `json:"game"`
	A      string      `json:"a"`
	B      string      `json:"b"`
	Seats  int         `json:"seats"`
	Seed   engine.Long `json:"seed"`
	Points float64     `json:"points"`
	Alpha  float64     `json:"alpha"` // chance of "better" if A is no better
	Beta   float64     `json:"beta"`  // chance of "not better" where A is better by Points or more

	Decision Decision   `json:"decision"`
	LLR      float64    `json:"llr"`
	Bounds   [2]float64 `json:"bounds"` // of LLR: for "not better" and for "better"
	Mixed    Standing   `json:"mixed"`  // up to the decision; since play stops there, the mean is biased towards it
	Text     string     `json:"text"`   // in one line

	Control *Luck `json:"control,omitempty"` // what took luck out of the results

	CostA match.Cost `json:"cost_a"`
	CostB match.Cost `json:"cost_b"`

	FaultsA  bots.Faults `json:"faults_a,omitzero"` // of players that are other programs
	FaultsB  bots.Faults `json:"faults_b,omitzero"`
	ByFaults bool        `json:"by_faults,omitempty"` // the mean of the deals without faults is on the other side of the decision, or there are none
}

// dealsAtOnce is how many deals are played before the test looks at them, one after the other. What was played beyond
// the decision does not count, so that the number does not change the result.
const dealsAtOnce = 32

// Gate plays evenly mixed tables, deal by deal, until it is known whether A is better than B: H0 says that A's side wins
// no more than half, H1 that it wins half and Points, and SPRT tells them apart.
func Gate(ctx context.Context, a, b match.Player, cfg GateConfig) (Gated, error) {
	fail := func(err error) (Gated, error) { return Gated{}, fmt.Errorf("%s against %s: %w", a.Name, b.Name, err) }
	if cfg.Matches == 0 {
		cfg.Matches = DefaultGateMatches
	}
	if cfg.Alpha == 0 {
		cfg.Alpha = DefaultGateError
	}
	if cfg.Beta == 0 {
		cfg.Beta = DefaultGateError
	}
	if !(cfg.Points > 0 && cfg.Points < 50) {
		return fail(fmt.Errorf("a gate of %v points: want more than 0 and less than 50, the most that a side can win beyond half", cfg.Points))
	}
	test, err := NewSPRT(.5, cfg.Points/100, cfg.Alpha, cfg.Beta)
	if err != nil {
		return fail(err)
	}
	r, control, err := cfg.runner(a, b)
	if err != nil {
		return fail(err)
	}
	defer r.Close()
	seatings := evenly(r.Info().Seats, cfg.Seed)
	if n := len(seatings(0)); cfg.Matches < n {
		return fail(fmt.Errorf("%d matches: a deal takes %d", cfg.Matches, n))
	}
	g := Gated{Game: r.Info().Config, A: a.Name, B: b.Name, Seats: r.Info().Seats, Seed: engine.Long(cfg.Seed), Points: cfg.Points, Alpha: cfg.Alpha, Beta: cfg.Beta, Decision: Undecided, Control: control}
	mixed := contest{of: true, seatings: seatings}
	for left := cfg.Matches; g.Decision == Undecided; {
		from := uint64(len(mixed.wins))
		var ways [][]sides // by deal, from the next one on
		var all []meeting
		for deal := from; deal < from+dealsAtOnce; deal++ {
			w := seatings(deal)
			if left < len(w) {
				break
			}
			left -= len(w)
			ways = append(ways, w)
			for _, s := range w {
				all = append(all, meeting{deal, s})
			}
		}
		if len(ways) == 0 {
			break
		}
		ends, err := meet(ctx, r, 0, 1, cfg.Seed, all)
		if err != nil {
			return fail(err)
		}
		for _, w := range ways {
			if g.Decision == Undecided {
				for k := range w {
					addFaults(&g.FaultsA, &g.FaultsB, &ends[k], w[k])
				}
				g.Decision = test.Add(mixed.add(w, ends[:len(w)]))
				ends = ends[len(w):]
			}
		}
	}
	g.LLR = test.LLR()
	g.Bounds[0], g.Bounds[1] = test.Bounds()
	g.Mixed = mixed.standing(cfg.Seed)
	g.CostA, g.CostB = r.Cost(0), r.Cost(1)
	g.ByFaults = g.byFaults(mixed.wins, mixed.clean)
	g.Text = g.text()
	return g, nil
}

// byFaults says whether a decision rests on the deals in which a program has failed.
func (g *Gated) byFaults(wins, clean []float64) bool {
	if g.Decision == Undecided || len(clean) == len(wins) {
		return false
	}
	if len(clean) == 0 {
		return true
	}
	sum := 0.0
	for _, w := range clean {
		sum += w
	}
	middle := .5 + g.Points/200 // of what the test tells apart
	return (sum/float64(len(clean)) > middle) != (g.Decision == Better)
}

func (g *Gated) text() string {
	what := fmt.Sprintf("whether %s is better than %s by %v points is not known", g.A, g.B, g.Points)
	switch g.Decision {
	case Better:
		what = fmt.Sprintf("%s is better than %s (the gate is %v points)", g.A, g.B, g.Points)
	case NotBetter:
		what = fmt.Sprintf("%s is not better than %s by %v points", g.A, g.B, g.Points)
	}
	if g.ByFaults {
		what = "faults decide, not strength: " + what
	}
	wins := g.Mixed.Wins
	if g.Mixed.WinsControlled != nil {
		wins = g.Mixed.WinsControlled.Estimate
	}
	return fmt.Sprintf("%s: after %s of %s A's side wins %v of mixed tables, equal is 0.5; log likelihood ratio %.2f, bounds %.2f and %.2f",
		what, engine.Count(g.Mixed.Matches, "match", "matches"), engine.Count(g.Mixed.Deals, "deal", ""), wins, g.LLR, g.Bounds[0], g.Bounds[1])
}
