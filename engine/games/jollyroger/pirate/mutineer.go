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
	b := &mutineer{player: player, pirate: p, name: s.Canonical()}
	if explains, ok := player.(bots.Explainer); ok {
		return &explainedMutineer{b, explains}, err
	}
	return b, err
}

func (b *mutineer) Name() string { return b.name }

func (b *mutineer) Act(m engine.Match, r *engine.Rand) engine.Action {
	if longMutiny(m) {
		return b.pirate.Act(m, r)
	}
	return b.player.Act(m, r)
}

// longMutiny reports whether m asks about a mutiny against a Captain of a long reign.
func longMutiny(m engine.Match) bool {
	s := engine.State[jollyroger.State](m)
	f := s.Top()
	mutiny := f.Kind == jollyroger.AskMutiny || f.Kind == jollyroger.AskFaction
	return mutiny && f.Seat != s.Captain && s.Reign() >= longReign && m.Info().Seats >= mutinySeats
}

// explainedMutineer gives its player's account of what that decides.
type explainedMutineer struct {
	*mutineer
	explains bots.Explainer
}

func (b *explainedMutineer) Explain(m engine.Match, r *engine.Rand) bots.Account {
	if longMutiny(m) {
		return bots.Explain(b.pirate, m, r)
	}
	return b.explains.Explain(m, r)
}
