package compare

import (
	"cmp"
	"context"
	"fmt"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// Evaluation says what a policy plays.
type Evaluation struct {
	Game    string         // game string
	Bot     string         // name of the opponent, as in policy.NewBot
	Read    *policy.Reader // of its policies; nil: one that has read nothing
	Matches int            // least matches of each seating; rounded up to whole deals, each of which takes as many matches as there are seats
	Seed    uint64         // of deals, of the bots' chance and of the policy's sampling
	Greedy  bool           // play the likeliest action instead of sampling
	Workers int            // goroutines for the bots and the rules; 0: one a core

	// Programs lets Bot be exec:COMMAND (match.NewBot). It is for names that the user has typed: those in files must run nothing.
	Programs bool
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

	Faults bots.Faults `json:"faults,omitzero"` // of the bot, if it is another program

	Sample *engine.Transcript `json:"-"` // of the first match: the policy in seat 0, the bot in all others
}

// Record is how one seat did against the others.
type Record struct {
	Deals   int              `json:"deals"`
	Matches int              `json:"matches"`
	WinRate measure.Estimate `json:"win_rate"` // a win shared by k seats counts 1/k for each, as does a truncated match for all
	Return  measure.Estimate `json:"return"`
	BySeat  []float64        `json:"by_seat"` // win rate in each seat
	Length  float64          `json:"length"`  // decisions a match, of all seats

	Truncated int `json:"truncated"` // of Matches: a limit of the game string has ended them, and nobody has won
}

func (r Result) String() string {
	return fmt.Sprintf("one policy against %d × %s: wins %v, return %v; one %s against %d × policy: wins %v, return %v; equal share %.3f",
		r.Seats-1, r.Bot, r.One.WinRate, r.One.Return, r.Bot, r.Seats-1, r.Other.WinRate, r.Other.Return, r.EqualShare)
}

// Evaluate plays a policy against a bot, unless the context ends first. The result depends on nothing but the
// policy and the configuration, Workers aside.
func Evaluate(ctx context.Context, p match.Policy, cfg Evaluation) (Result, error) {
	tested := match.Batched("the policy", p)
	tested.Greedy = cfg.Greedy
	read := cmp.Or(cfg.Read, new(policy.Reader))
	opponent := match.NamedBy(read, cfg.Bot)
	if !cfg.Programs {
		opponent.Bot = func(g engine.Game) (bots.Bot, error) { return read.NewBot(cfg.Bot, g) }
	}
	runner, err := match.NewRunner(cfg.Game, cfg.Workers, tested, opponent)
	if err != nil {
		return Result{}, fmt.Errorf("evaluate against %s: %w", cfg.Bot, err)
	}
	defer runner.Close()
	if cfg.Matches < 1 {
		return Result{}, fmt.Errorf("evaluate: %d matches: want at least 1", cfg.Matches)
	}
	info := runner.Info()
	seats := info.Seats
	result := Result{Game: info.Config, Bot: cfg.Bot, Greedy: cfg.Greedy, Seats: seats, EqualShare: 1 / float64(seats), Sample: new(engine.Transcript)}
	deals := (cfg.Matches + seats - 1) / seats
	var matches []match.Match
	for _, policyAlone := range []bool{true, false} {
		for i := range deals * seats {
			deal, odd := uint64(i/seats), i%seats
			m := match.Match{Seed: engine.DealSeed(cfg.Seed, deal), Seats: make([]int, seats),
				Choices: engine.NewRand(cfg.Seed).At(deal).At(uint64(odd)).At(1)} // apart from that of the match's chance
			for seat := range m.Seats {
				m.Seats[seat] = int(engine.Bit((seat == odd) != policyAlone))
			}
			matches = append(matches, m)
		}
	}
	matches[0].Record = result.Sample
	finals, err := runner.Play(ctx, matches)
	if err != nil {
		return Result{}, fmt.Errorf("evaluate against %s: %w", cfg.Bot, err)
	}
	for i := range finals {
		for _, f := range finals[i].Faults {
			result.Faults = result.Faults.Plus(f)
		}
	}
	result.One, result.Other = recordOf(finals[:deals*seats], seats, cfg.Seed), recordOf(finals[deals*seats:], seats, cfg.Seed)
	return result, nil
}

// recordOf sums up matches of whole deals, in each of which one seat after the other differs from the others.
func recordOf(finals []match.Final, seats int, seed uint64) Record {
	deals := len(finals) / seats
	wins, returns := make([]float64, deals), make([]float64, deals)
	rec := Record{Deals: deals, Matches: len(finals), BySeat: make([]float64, seats)}
	for i := range finals {
		f, deal, odd := &finals[i], i/seats, i%seats
		wins[deal] += f.Wins[odd] / float64(seats)
		returns[deal] += float64(f.Returns[odd]) / float64(seats)
		rec.BySeat[odd] += f.Wins[odd] / float64(deals)
		rec.Length += float64(f.Decisions) / float64(rec.Matches)
		rec.Truncated += int(engine.Bit(f.Truncated))
	}
	rec.WinRate = measure.Bootstrap(wins, 0, 1, seed)
	rec.Return = measure.Bootstrap(returns, -1, 1, seed)
	return rec
}
