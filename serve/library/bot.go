package main

import (
	"errors"
	"math"
	"sync"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	_ "github.com/privateer-rl/privateer/engine/players/search" // registers bots
)

// bot is a player of one game. One call at a time has it; its match is free while it thinks.
type bot struct {
	*game
	mu     sync.Mutex
	bot    bots.Bot
	m      engine.Match // the one that it thinks about
	chance []float64    // of the legal actions
}

func (*bot) kind() string { return "bot" }

// bot opens a player by its name: a bot with or without settings, policy:FILE, or a policy that comes with the library, which is known by its
// own name too.
func (l *library) bot(handle int64, name string) (_ int64, err error) {
	defer guarded(&err)
	g, err := at[*game](l, handle)
	if err != nil {
		return 0, err
	}
	b, err := policy.NewBot(name, g)
	if _, unknown := zoo.Find(name); errors.Is(err, bots.ErrUnknown) && !errors.Is(unknown, zoo.ErrUnknown) {
		b, err = policy.NewBot(policy.Prefix+name, g)
	}
	if errors.Is(err, bundle.ErrMisfit) {
		err = failure{codeMisfit, err}
	}
	if err != nil {
		return 0, err
	}
	if s, ok := b.(interface{ SetWorkers(n int) error }); ok {
		if err := s.SetWorkers(0); err != nil {
			return 0, err
		}
	}
	return l.add(&bot{game: g, bot: b, m: g.NewMatch(), chance: make([]float64, len(g.Info().Actions))}), nil
}

// asked calls f with a bot that is its alone until f returns, and has a copy of the match, in which a seat is to act.
func (l *library) asked(handle, about int64, f func(b *bot) error) (err error) {
	defer guarded(&err)
	b, err := at[*bot](l, handle)
	if err != nil {
		return err
	}
	m, err := at[*match](l, about)
	if err != nil {
		return err
	}
	if of, to := b.Info().Config, m.Info().Config; of != to {
		return refuse(codeMisfit, "the bot plays %s, and the match is of %s: open a bot for the match's game", of, to)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m.mu.Lock()
	b.m.CopyFrom(m.m)
	m.mu.Unlock()
	if b.m.Seat() < 0 {
		return refuse(codeIllegal, "no seat is to act: %s", b.m.Decision())
	}
	return f(b)
}

// think asks a bot for the action of the seat to act. All its chance comes from the seed. probabilities, [actions], and values, [seats], are
// nil if they are not wanted; n is how many elements they need.
func (l *library) think(handle, about int64, seed uint64, probabilities, values []float64) (action int64, n [2]int, err error) {
	err = l.asked(handle, about, func(b *bot) error {
		n = [2]int{len(b.Info().Actions), b.Info().Seats}
		for i, buffer := range [2][]float64{probabilities, values} {
			if buffer != nil && len(buffer) < n[i] {
				return shortage{n[i]}
			}
		}
		r := engine.NewRand(seed).At(1) // as `privateer position think` draws
		mixed, _ := b.bot.(bots.Mixed)
		var account bots.Account
		if values == nil && (probabilities == nil || mixed != nil) {
			account.Choice = b.bot.Act(b.m, &r)
		} else {
			account = bots.Explain(b.bot, b.m, &r)
		}
		action = int64(account.Choice)
		if probabilities != nil {
			b.probabilities(&account, mixed, probabilities[:n[0]])
		}
		if values != nil {
			for seat := range n[1] {
				values[seat] = math.NaN()
			}
			copy(values[:n[1]], account.Value)
		}
		return nil
	})
	return action, n, err
}

// probabilities writes those by which the bot draws, or else those of its account; if it says neither, that of its choice is 1.
func (b *bot) probabilities(account *bots.Account, mixed bots.Mixed, dst []float64) {
	clear(dst)
	if mixed != nil {
		b.chances(mixed, dst)
		return
	}
	if len(account.Actions) == 0 {
		dst[account.Choice] = 1
	}
	for _, c := range account.Actions {
		dst[c.Action] = c.Prob
	}
}

// chances writes the probabilities by which a bot draws.
func (b *bot) chances(mixed bots.Mixed, dst []float64) {
	legal := b.m.Legal()
	mixed.Chances(b.m, b.chance[:legal.Count()])
	i := 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		dst[a] = b.chance[i]
		i++
	}
}
