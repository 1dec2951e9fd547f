package pirate

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

const (
	itself      = "itself"
	longReign   = 5 // rounds, from which on a Captain is to fall
	mutinySeats = 4 // fewest seats at which it pays to stay Captain
)

// mutineer plays as another player, but decides as the heuristic pirate in mutinies against a Captain of a long reign. A mutiny costs the player
// that calls it and serves all, so players that learn for themselves call none, and lose to one that stays Captain.
type mutineer struct {
	player bots.Bot
	pirate bots.Bot
	name   string
}

func makePirate(g engine.Game, s bots.Settings) (bots.Bot, error) {
	p, err := newPirate(g)
	if err != nil || s.Get("player") == itself {
		return p, err
	}
	player, err := s.Bot("player", g)
	return &mutineer{player: player, pirate: p, name: s.Canonical()}, err
}

func (b *mutineer) Name() string { return b.name }

func (b *mutineer) Act(m engine.Match, r *engine.Rand) engine.Action {
	s := engine.State[jollyroger.State](m)
	f := s.Top()
	mutiny := f.Kind == jollyroger.AskMutiny || f.Kind == jollyroger.AskFaction
	if mutiny && f.Seat != s.Captain && s.Reign() >= longReign && m.Info().Seats >= mutinySeats {
		return b.pirate.Act(m, r)
	}
	return b.player.Act(m, r)
}
