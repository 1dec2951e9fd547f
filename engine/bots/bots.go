// Package bots has the players that need no network, by name: the random one, and what games
// register.
package bots

import (
	"fmt"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/engine"
)

// Bot chooses actions. A bot belongs to one goroutine at a time, may play any
// number of seats and matches of its game, and must look at no more of a match than the
// seat to act may know.
type Bot interface {
	Name() string
	// Act returns a legal action for the seat that m asks, m.Seat() ≥ 0. It does
	// not change m. All its chance comes from r.
	Act(m engine.Match, r *engine.Rand) engine.Action
}

// Kind is a bot that can be asked for by name.
type Kind struct {
	Name string
	Game string // the one game that it plays, or "" for all
	New  func(engine.Game) (Bot, error)
}

var (
	kindsLock sync.RWMutex
	kinds     = []Kind{{"random", "", newRandom}}
)

// Register adds a bot, from an init function. It panics on a name that the game has already. A
// game's bots are registered from the weakest to the strongest.
func Register(k Kind) {
	kindsLock.Lock()
	defer kindsLock.Unlock()
	for _, other := range kinds {
		if other.Name == k.Name && (other.Game == "" || k.Game == "" || other.Game == k.Game) {
			panic(fmt.Sprintf("bots: %s of game %q is registered twice", k.Name, k.Game))
		}
	}
	kinds = append(kinds, k)
}

// of lists the bots that can play a game.
func of(g engine.Game) []Kind {
	kindsLock.RLock()
	defer kindsLock.RUnlock()
	var list []Kind
	for _, k := range kinds {
		if k.Game == "" || k.Game == g.Info().Game {
			list = append(list, k)
		}
	}
	return list
}

// New makes the named bot for a game. The error lists the bots that there are
// for it.
func New(name string, g engine.Game) (Bot, error) {
	for _, k := range of(g) {
		if k.Name != name {
			continue
		}
		b, err := k.New(g)
		if err != nil {
			return nil, fmt.Errorf("bot %s for %s: %w", name, g.Info().Config, err)
		}
		return b, nil
	}
	return nil, fmt.Errorf("unknown bot %q for %s: known are %s", name, g.Info().Game, strings.Join(Names(g), ", "))
}

// Names lists the bots that can play a game, from the weakest to the strongest.
func Names(g engine.Game) []string {
	var names []string
	for _, k := range of(g) {
		names = append(names, k.Name)
	}
	return names
}

// Play plays a match to its end, seat i by seats[i]. With chance=explicit, the
// chance events are drawn from r too.
func Play(m engine.Match, seats []Bot, r *engine.Rand) error {
	if len(seats) != m.Info().Seats {
		return fmt.Errorf("play %s: %d bots for %d seats", m.Info().Config, len(seats), m.Info().Seats)
	}
	var room [64]engine.Outcome
	for {
		var a engine.Action
		switch seat := m.Seat(); seat {
		case engine.Over:
			return nil
		case engine.Chance:
			a = engine.PickOutcome(m.Outcomes(room[:0]), r)
		default:
			a = seats[seat].Act(m, r)
		}
		if err := m.Apply(a); err != nil {
			return fmt.Errorf("play %s: %w", m.Info().Config, err)
		}
	}
}
