package eval

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/env"
)

// Config says what to play.
type Config struct {
	Game    string         // game string
	Bot     string         // name of the opponent, as in policy.NewBot
	Read    *policy.Reader // of its policies; nil: one that has read nothing
	Matches int            // least matches of each seating; rounded up to whole deals, each of which takes as many matches as there are seats
	Seed    uint64         // of deals, of the bots' chance and of the policy's sampling
	Greedy  bool           // play the likeliest action instead of sampling
	Workers int            // goroutines for the bots and the rules; 0: one a core
}

// Result is a policy's record against one bot. All figures are those of the one
// seat that differs from the others.
type Result struct {
	Game       string  `json:"game"`
	Bot        string  `json:"bot"`
	Greedy     bool    `json:"greedy"`
	Seats      int     `json:"seats"`
	EqualShare float64 `json:"equal_share"` // 1/seats: what a player no better than the others wins

	One   Record `json:"one"`   // the policy in one seat against the bot in all others: high is good
	Other Record `json:"other"` // the bot in one seat against the policy in all others: low is good

	Sample *engine.Transcript `json:"-"` // of the first match: the policy in seat 0, the bot in all others
}

// Record is how one seat did against the others.
type Record struct {
	Deals   int       `json:"deals"`
	Matches int       `json:"matches"`
	WinRate Estimate  `json:"win_rate"` // a win shared by k seats counts 1/k for each, as does a truncated match for all
	Return  Estimate  `json:"return"`
	BySeat  []float64 `json:"by_seat"` // win rate in each seat
	Length  float64   `json:"length"`  // decisions a match, of all seats

	Truncated int `json:"truncated"` // of Matches: a limit of the game string has ended them, and nobody has won
}

func (r Result) String() string {
	return fmt.Sprintf("one policy against %d × %s: wins %v, return %v; one %s against %d × policy: wins %v, return %v; equal share %.3f",
		r.Seats-1, r.Bot, r.One.WinRate, r.One.Return, r.Bot, r.Seats-1, r.Other.WinRate, r.Other.Return, r.EqualShare)
}

// parallel is the most matches that are played side by side: enough for batches
// that keep a network busy.
const parallel = 1024

// Versus plays a policy against a bot. The result depends on nothing but the
// policy and the configuration, Workers aside.
func Versus(p env.Policy, cfg Config) (Result, error) {
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		return Result{}, fmt.Errorf("evaluate: %w", err)
	}
	if g.Info().Explicit {
		return Result{}, fmt.Errorf("evaluate: game %s: chance=explicit makes chance the caller's: leave it out", cfg.Game)
	}
	if cfg.Matches < 1 {
		return Result{}, fmt.Errorf("evaluate: %d matches: want at least 1", cfg.Matches)
	}
	t, err := newTable(g, p, cfg)
	if err != nil {
		return Result{}, fmt.Errorf("evaluate: %w", err)
	}
	seats := g.Info().Seats
	deals := (cfg.Matches + seats - 1) / seats
	result := Result{Game: g.Info().Config, Bot: cfg.Bot, Greedy: cfg.Greedy, Seats: seats, EqualShare: 1 / float64(seats)}
	result.Sample = &engine.Transcript{Game: g.Info().Config, Seed: engine.DealSeed(cfg.Seed, 0)}
	t.games[0].record = result.Sample
	if result.One, err = t.play(deals, false); err != nil {
		return Result{}, fmt.Errorf("evaluate against %s: %w", cfg.Bot, err)
	}
	if result.Other, err = t.play(deals, true); err != nil {
		return Result{}, fmt.Errorf("evaluate against %s: %w", cfg.Bot, err)
	}
	return result, nil
}

// table is where the matches of an evaluation are played.
type table struct {
	cfg     Config
	info    *engine.Info
	policy  env.Policy
	action  env.ActionPolicy // the same, if it asks what actions do
	encoder *encode.Encoder
	bots    []bots.Bot // one a worker
	games   []seated   // side by side

	d, a      int
	rows      []int // which games the rows below belong to
	obs, mask []uint8
	does      []uint8 // what the legal actions do, if the policy asks
	offsets   []int32
	probs     []float32
}

// seated is one match with who sits where.
type seated struct {
	match     engine.Match
	odd       int  // the seat that differs from the others
	botIsOdd  bool // the bot has that seat, the policy all others
	rand      engine.Rand
	decisions int
	record    *engine.Transcript // nil: none
	err       error
}

// apply takes a decision.
func (s *seated) apply(a engine.Action) error {
	if s.record != nil {
		s.record.Record(s.match, a)
	}
	s.decisions++
	return s.match.Apply(a)
}

// policys reports whether the policy has a seat.
func (s *seated) policys(seat int) bool { return (seat == s.odd) != s.botIsOdd }

func newTable(g engine.Game, p env.Policy, cfg Config) (*table, error) {
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	t := &table{cfg: cfg, info: g.Info(), policy: p, encoder: e, d: e.Schema().Size, a: len(g.Info().Actions)}
	if t.action, _ = p.(env.ActionPolicy); t.action != nil && e.ActionSize() == 0 {
		return nil, fmt.Errorf("the policy reads what actions do, which %s does not describe", g.Info().Config)
	}
	workers := cfg.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	read := cmp.Or(cfg.Read, new(policy.Reader))
	for range workers {
		b, err := read.NewBot(cfg.Bot, g)
		if err != nil {
			return nil, err
		}
		t.bots = append(t.bots, b)
	}
	seats := g.Info().Seats
	room := (cfg.Matches + seats - 1) / seats * seats
	room = min(room, (parallel+seats-1)/seats*seats)
	t.games = make([]seated, room)
	for i, m := range g.NewMatches(room) {
		t.games[i].match = m
	}
	t.obs, t.mask, t.probs = make([]uint8, room*t.d), make([]uint8, room*t.a), make([]float32, room*t.a)
	return t, nil
}

// play plays deals from every seat and sums up how the odd seat did.
func (t *table) play(deals int, botIsOdd bool) (Record, error) {
	seats := t.info.Seats
	root := engine.NewRand(t.cfg.Seed)
	wins, returns := make([]float64, deals), make([]float64, deals)
	rec := Record{Deals: deals, Matches: deals * seats, BySeat: make([]float64, seats)}
	final := make([]float32, seats)
	for first := 0; first < deals; first += len(t.games) / seats {
		games := t.games[:min(len(t.games), (deals-first)*seats)]
		for i := range games {
			s := &games[i]
			deal := first + i/seats
			s.odd, s.botIsOdd, s.decisions, s.err = i%seats, botIsOdd, 0, nil
			s.match.Reset(engine.DealSeed(t.cfg.Seed, uint64(deal)))
			// A stream for all choices of the match, apart from that of its chance.
			s.rand = root.At(uint64(deal)).At(uint64(s.odd)).At(1)
		}
		if err := t.finish(games); err != nil {
			return rec, err
		}
		for i := range games {
			s := &games[i]
			s.match.Returns(final)
			if s.record != nil {
				s.record.Returns, s.record = slices.Clone(final), nil
			}
			win := engine.Won(s.match, final, s.odd)
			if limit, _ := s.match.Truncated(); limit != "" {
				rec.Truncated++
			}
			deal := first + i/seats
			wins[deal] += win / float64(seats)
			returns[deal] += float64(final[s.odd]) / float64(seats)
			rec.BySeat[s.odd] += win / float64(deals)
			rec.Length += float64(s.decisions) / float64(rec.Matches)
		}
	}
	rec.WinRate = Bootstrap(wins, 0, 1, t.cfg.Seed)
	rec.Return = Bootstrap(returns, -1, 1, t.cfg.Seed)
	return rec, nil
}

// finish plays all games to their end. In each round the bots and the rules run
// on to the policy's next decision, and the policy then decides for all games at once.
func (t *table) finish(games []seated) error {
	for {
		t.advance(games)
		t.rows, t.does, t.offsets = t.rows[:0], t.does[:0], append(t.offsets[:0], 0)
		for i := range games {
			s := &games[i]
			if s.err != nil {
				return s.err
			}
			seat := s.match.Seat()
			if seat == engine.Over {
				continue
			}
			k := len(t.rows)
			t.rows = append(t.rows, i)
			t.encoder.Encode(s.match, seat, t.obs[k*t.d:(k+1)*t.d])
			s.match.Legal().Expand(t.mask[k*t.a : (k+1)*t.a])
			if t.action != nil {
				t.does, t.offsets = describe(t.encoder, s.match, t.does, t.offsets)
			}
		}
		n := len(t.rows)
		if n == 0 {
			return nil
		}
		if err := t.ask(n); err != nil {
			return err
		}
		for k, i := range t.rows {
			s := &games[i]
			a := t.choose(s, t.probs[k*t.a:(k+1)*t.a])
			if a < 0 {
				return fmt.Errorf("the policy's probabilities are not finite at: %s", s.match.Decision())
			}
			if err := s.apply(a); err != nil {
				return err
			}
		}
	}
}

// ask asks the policy about the rows.
func (t *table) ask(n int) error {
	obs, mask, probs := t.obs[:n*t.d], t.mask[:n*t.a], t.probs[:n*t.a]
	if t.action != nil {
		return t.action.ActionProbs(n, obs, mask, t.does, t.offsets, probs)
	}
	return t.policy.Probs(n, obs, mask, probs)
}

// describe adds to rows and offsets what the legal actions of a match do.
func describe(e *encode.Encoder, m engine.Match, rows []uint8, offsets []int32) ([]uint8, []int32) {
	n, at := m.Legal().Count(), len(rows)
	rows = slices.Grow(rows, n*e.ActionSize())[:at+n*e.ActionSize()]
	e.EncodeActions(m, rows[at:])
	return rows, append(offsets, offsets[len(offsets)-1]+int32(n))
}

// advance lets the bots act until it is the policy's turn everywhere.
func (t *table) advance(games []seated) {
	var wg sync.WaitGroup
	for w, bot := range t.bots {
		part := games[len(games)*w/len(t.bots) : len(games)*(w+1)/len(t.bots)]
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range part {
				s := &part[i]
				for s.err == nil && s.match.Seat() >= 0 && !s.policys(s.match.Seat()) {
					s.err = s.apply(bot.Act(s.match, &s.rand))
				}
			}
		}()
	}
	wg.Wait()
}

// choose draws an action, or takes the likeliest; −1 means that the probabilities are none.
func (t *table) choose(s *seated, probs []float32) engine.Action {
	if t.cfg.Greedy {
		return likeliest(s.match.Legal(), probs)
	}
	return s.match.Legal().PickProbable(probs, &s.rand)
}

// likeliest is the first of the legal actions with the highest probability, −1 if none has any.
func likeliest(legal *engine.Mask, probs []float32) engine.Action {
	best := engine.Action(-1)
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if probs[a] > 0 && (best < 0 || probs[a] > probs[best]) {
			best = a
		}
	}
	return best
}
