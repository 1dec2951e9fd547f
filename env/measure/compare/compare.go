package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// Config says how two players are compared.
type Config struct {
	Game     string // game string
	Matches  int    // least matches of each kind of table; rounded up to whole deals
	Seed     uint64 // of deals and of the players' choices
	Workers  int    // goroutines; 0: one a core
	Control  bool   // take luck out of the results: see Luck
	Rollouts int    // of Control: rollouts by which positions are evaluated, where the game has an evaluation of its own; 0: as they stand
	Alone    bool   // play only one A against B in all other seats: what a lone player wins, and no verdict on who is stronger
}

// Comparison is how player A does against player B. In games of more than two seats a player alone among
// others does better than its strength, so neither direction alone says who is stronger.
type Comparison struct {
	Game       string      `json:"game"`
	A          string      `json:"a"`
	B          string      `json:"b"`
	Seats      int         `json:"seats"`
	Seed       engine.Long `json:"seed"`
	EqualShare float64     `json:"equal_share"` // 1/Seats: what one seat wins among equals

	One   Standing `json:"one"`            // one A against B in all other seats, as A sees it
	Other Standing `json:"other,omitzero"` // one B against A in all other seats, as B sees it
	Mixed Standing `json:"mixed,omitzero"` // evenly mixed tables, as A's side sees it: equal is 0.5

	// Directions is what one A wins among B less what one B wins among A: equal players have 0, however much
	// being alone is worth.
	Directions measure.Estimate `json:"directions,omitzero"`
	Verdict    Verdict          `json:"verdict,omitzero"`

	Control *Luck `json:"control,omitempty"` // what took luck out of the results

	CostA match.Cost `json:"cost_a"`
	CostB match.Cost `json:"cost_b"`

	FaultsA bots.Faults `json:"faults_a,omitzero"` // of players that are other programs
	FaultsB bots.Faults `json:"faults_b,omitzero"`
}

// Standing is how a side has done at one kind of table.
type Standing struct {
	Deals     int              `json:"deals"`
	Matches   int              `json:"matches"`
	Wins      measure.Estimate `json:"wins"`      // share of the side; a win shared by k seats counts 1/k for each, as does a truncated match for all
	Margin    measure.Estimate `json:"margin"`    // mean score of the side's seats less that of the others; returns in the game's own unit if it has no scores
	Return    measure.Estimate `json:"return"`    // mean return of the side's seats, in the game's own unit
	Truncated int              `json:"truncated"` // of Matches: a limit of the game string has ended them, and nobody has won

	// Duplicate is how many matches of independent deals say as much about wins as one of these; 1 if playing a deal
	// more than once takes no luck out, or if all deals come out the same.
	Duplicate float64 `json:"duplicate"`

	WinsControlled   *Controlled `json:"wins_controlled,omitempty"` // with luck taken out
	MarginControlled *Controlled `json:"margin_controlled,omitempty"`
}

// Verdict says which player is stronger.
type Verdict struct {
	Stronger string `json:"stronger"` // a player's name; "" if nobody is ahead or the tables contradict each other
	Sure     bool   `json:"sure"`     // the 95 % interval of the mixed tables says so, and the two directions do not say otherwise
	Text     string `json:"text"`     // in one line

	ByFaults bool `json:"by_faults,omitempty"` // the mixed tables of deals without faults do not say so: it is not sure then
}

// Compare plays A against B: one against the others in both directions, from every seat, and evenly mixed tables. All
// kinds of table play the same deals. With cfg.Alone it plays one direction only.
func Compare(ctx context.Context, a, b match.Player, cfg Config) (Comparison, error) {
	s, err := playShard(ctx, a, b, cfg, durable.Part{Shard: 1, Shards: 1})
	if err != nil {
		return Comparison{}, err
	}
	return merge([]*shard{s}), nil
}

// runner returns the runner that plays both, and its follower of luck, nil if there is none.
func (cfg *Config) runner(a, b match.Player) (*match.Runner, *Luck, error) {
	r, err := match.NewRunner(cfg.Game, cfg.Workers, a, b)
	switch {
	case err != nil:
		return nil, nil, err
	case r.Info().Seats < 2:
		return nil, nil, errors.New("a game of one seat has no opponents")
	case !cfg.Control:
		return r, nil, nil
	}
	l, err := NewLuck(r.Info().Config, cfg.Rollouts)
	if err != nil {
		return nil, nil, err
	}
	l.follow(r)
	return r, l, nil
}

// evenly says how a game of n seats is evenly mixed in each deal of a seed.
func evenly(n int, seed uint64) func(deal uint64) []sides {
	return func(deal uint64) []sides { return mixed(n, engine.NewRand(seed).At(deal).At(seats)) }
}

// seats is the child stream of a deal by which seats are drawn.
const seats = 3

// contest is one kind of table: player 0 has the seats of side A, player 1 the others. It sums up what was played.
type contest struct {
	of       bool // results are those of side A
	seatings func(deal uint64) []sides

	wins    []float64 // by deal: mean over the seatings
	margins []float64
	returns []float64
	single  []float64   // wins by match
	control *[2]control // of wins and margins; nil: luck is not followed
	widest  float64     // lead of either side in any match
	most    float64     // return of the side in any match, whatever its sign
	matches int
	cut     int       // matches that were truncated
	clean   []float64 // wins of the deals without faults
}

// meeting is a deal and its seating.
type meeting struct {
	deal uint64
	a    sides
}

// meetings are at least a number of matches of each kind of table, in whole deals, and by kind the number of its
// deals. Those that kinds share are there once.
func meetings(kinds []contest, matches int) (all []meeting, deals []uint64) {
	known := map[meeting]bool{}
	deals = make([]uint64, len(kinds))
	for i := range kinds {
		for count := 0; count < matches; deals[i]++ {
			for _, s := range kinds[i].seatings(deals[i]) {
				count++
				if m := (meeting{deals[i], s}); !known[m] {
					known[m] = true
					all = append(all, m)
				}
			}
		}
	}
	return all, deals
}

// sumUp takes in how at least a number of matches of each kind of table have ended, in the order of their meetings.
func sumUp(kinds []contest, matches int, played []match.Final) {
	all, deals := meetings(kinds, matches)
	finals := make(map[meeting]match.Final, len(all))
	for i, m := range all {
		finals[m] = played[i]
	}
	for i := range kinds {
		for deal := range deals[i] {
			ways := kinds[i].seatings(deal)
			ends := make([]match.Final, len(ways))
			for k, s := range ways {
				ends[k] = finals[meeting{deal, s}]
			}
			kinds[i].add(ways, ends)
		}
	}
}

// meet plays matches between two of a runner's players: a, who has the seats of side A, and b.
func meet(ctx context.Context, r *match.Runner, a, b int, seed uint64, all []meeting) ([]match.Final, error) {
	matches := make([]match.Match, len(all))
	for i, m := range all {
		who := make([]int, r.Info().Seats)
		for seat := range who {
			if who[seat] = b; m.a.has(seat) {
				who[seat] = a
			}
		}
		matches[i] = match.Deal(seed, m.deal, who)
	}
	return r.Play(ctx, matches)
}

// paid is the mean return of the seats of side A, or of the others.
func paid(f *match.Final, a sides, of bool) float64 {
	sum, n := 0.0, 0
	for seat, x := range f.Paid {
		if a.has(seat) == of {
			sum += x
			n++
		}
	}
	return sum / float64(n)
}

// shareOfWin is the part of the win that side A has, and its lead: the mean of its seats' points less that of the others.
func shareOfWin(f *match.Final, a sides) (wins, lead float64) {
	var count [2]int
	var points [2]float64
	for seat, p := range f.Points {
		side := 1
		if a.has(seat) {
			side = 0
			wins += f.Wins[seat]
		}
		count[side]++
		points[side] += p
	}
	return wins, points[0]/float64(count[0]) - points[1]/float64(count[1])
}

// add takes in the next deal, and returns the side's share of its wins, less luck where it is followed.
func (k *contest) add(ways []sides, ends []match.Final) float64 {
	wins, margin, returns, luck := 0.0, 0.0, 0.0, 0.0
	for i, a := range ways {
		won, lead := shareOfWin(&ends[i], a)
		if !k.of {
			won, lead = 1-won, -lead
		}
		wins += won
		margin += lead
		mean := paid(&ends[i], a, k.of)
		returns += mean
		k.most = max(k.most, math.Abs(mean))
		k.single = append(k.single, won)
		for seat, x := range ends[i].Luck {
			if a.has(seat) == k.of {
				luck += x
			}
			if k.control == nil {
				k.control = new([2]control)
			}
		}
		k.widest = max(k.widest, math.Abs(lead))
		if ends[i].Truncated {
			k.cut++
		}
	}
	k.matches += len(ways)
	n := float64(len(ways))
	k.wins, k.margins, k.returns = append(k.wins, wins/n), append(k.margins, margin/n), append(k.returns, returns/n)
	if !slices.ContainsFunc(ends, func(f match.Final) bool { return f.Faults != nil }) {
		k.clean = append(k.clean, wins/n)
	}
	if k.control == nil {
		return wins / n
	}
	k.control[1].add(margin/n, luck/n)
	return k.control[0].add(wins/n, luck/n)
}

// leastSpread is the variance below which results of deals are all the same up to rounding, as those of equal players are.
const leastSpread = 1e-12

func (k *contest) standing(seed uint64) Standing {
	s := Standing{
		Deals: len(k.wins), Matches: k.matches, Truncated: k.cut, Duplicate: 1,
		Wins: measure.Bootstrap(k.wins, 0, 1, seed), Margin: measure.Bootstrap(k.margins, -k.widest, k.widest, seed),
		Return: measure.Bootstrap(k.returns, -k.most, k.most, seed),
	}
	if byDeal := measure.Variance(k.wins); byDeal > leastSpread {
		s.Duplicate = measure.Variance(k.single) / byDeal * float64(s.Deals) / float64(s.Matches)
	}
	if k.control != nil {
		s.WinsControlled = k.control[0].estimate(0, 1, seed)
		s.MarginControlled = k.control[1].estimate(-k.widest, k.widest, seed)
	}
	return s
}

// less estimates what one kind wins beyond another, by the deals that both have played.
func (k *contest) less(o *contest, seed uint64) measure.Estimate {
	differences := make([]float64, min(len(k.wins), len(o.wins)))
	for d := range differences {
		differences[d] = k.wins[d] - o.wins[d]
	}
	return measure.Bootstrap(differences, -1, 1, seed)
}

// byFaults says whether a verdict rests on matches in which a program has failed: without their deals it would not be the same.
func (c *Comparison) byFaults(v Verdict, mixed *contest) Verdict {
	deals, clean := len(mixed.wins), len(mixed.clean)
	if !v.Sure || clean == deals {
		return v
	}
	w := measure.Estimate{Low: 0, High: 1} // of no deals
	if clean > 0 {
		w = measure.Bootstrap(mixed.clean, 0, 1, uint64(c.Seed))
	}
	if v.Stronger == c.A && w.Low > .5 || v.Stronger == c.B && w.High < .5 {
		return v
	}
	v.ByFaults, v.Sure = true, false
	v.Text = fmt.Sprintf("faults decide, not strength: %s is ahead, but of %s of mixed tables %d had none", v.Stronger, engine.Count(deals, "deal", ""), clean)
	if clean > 0 {
		v.Text += fmt.Sprintf(", and of those A's side wins %v, equal is 0.5", w)
	}
	return v
}

// addFaults sums up those of a match by side.
func addFaults(a, b *bots.Faults, f *match.Final, of sides) {
	for seat, one := range f.Faults {
		if of.has(seat) {
			*a = a.Plus(one)
		} else {
			*b = b.Plus(one)
		}
	}
}

// verdict names the stronger player. deviation is that of the deals of mixed tables.
func (c *Comparison) verdict(deviation float64) Verdict {
	m, d := c.Mixed.Wins, c.Directions
	if c.Mixed.WinsControlled != nil {
		m = c.Mixed.WinsControlled.Estimate
	}
	stronger, weaker, contradicted := c.A, c.B, d.High < 0
	if m.Mean < .5 {
		stronger, weaker, contradicted = c.B, c.A, d.Low > 0
	}
	evidence := fmt.Sprintf("of mixed tables A's side wins %v, equal is 0.5", m)
	if c.Seats > 2 {
		evidence += fmt.Sprintf("; alone, A wins %.3f and B %.3f, equal is %.3f", c.One.Wins.Mean, c.Other.Wins.Mean, c.EqualShare)
	}
	clear := m.Low > .5 || m.High < .5
	switch {
	case clear && contradicted:
		return Verdict{Text: fmt.Sprintf("no verdict: mixed tables are %s's, but a lone player does better against %s: %s", stronger, stronger, evidence)}
	case clear:
		return Verdict{Stronger: stronger, Sure: true, Text: fmt.Sprintf("%s is stronger than %s, that is sure: %s", stronger, weaker, evidence)}
	case m.Mean == .5:
		return Verdict{Text: fmt.Sprintf("neither is ahead: %s", evidence)}
	}
	text := fmt.Sprintf("%s may be stronger than %s, that is not sure: %s", stronger, weaker, evidence)
	if deviation > 0 { // what a 95 % interval of ±0.02 takes
		deals := float64(1.96 * deviation / .02)
		need := math.Ceil(float64(deals*deals)) * float64(c.Mixed.Matches) / float64(c.Mixed.Deals)
		text += fmt.Sprintf("; about %.0f matches would show a difference of two points", need)
	}
	return Verdict{Stronger: stronger, Text: text}
}
