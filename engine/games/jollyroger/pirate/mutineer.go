package pirate

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

const (
	itself      = "itself"
	longReign   = 3 // rounds, from which on a Captain that is ahead is to fall
	mutinySeats = 4 // fewest seats at which that pays
)

// mutineer plays as another player, but decides as the heuristic pirate in mutinies against a Captain that stays and is ahead. A mutiny costs the
// player that calls it and serves all, so players that learn for themselves call none, and lose to one that stays Captain. Against one that is not
// ahead it would serve those most that call none.
type mutineer struct {
	player bots.Bot
	pirate *pirate
	name   string
}

func makePirate(g engine.Game, s bots.Settings) (bots.Bot, error) {
	p, err := newPirate(g)
	switch {
	case err != nil:
		return nil, err
	case s.Get("player") == itself:
		return p, nil
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
	if b.rises(m) {
		return b.pirate.Act(m, r)
	}
	return b.player.Act(m, r)
}

// rises reports whether m asks about a mutiny that the heuristic pirate decides.
func (b *mutineer) rises(m engine.Match) bool {
	s := engine.State[jollyroger.State](m)
	f := s.Top()
	asked := f.Kind == jollyroger.AskMutiny || f.Kind == jollyroger.AskFaction
	if !asked || f.Seat == s.Captain || s.Reign() < longReign || b.pirate.seats < mutinySeats {
		return false
	}
	b.pirate.look(s, m.Legal())
	return b.pirate.leads(int(s.Captain))
}

// leads reports whether a seat has more gold than each other.
func (p *pirate) leads(seat int) bool {
	for i, gold := range p.stand[:p.seats] {
		if i != seat && gold >= p.stand[seat] {
			return false
		}
	}
	return true
}

// explainedMutineer gives its player's account of what that decides.
type explainedMutineer struct {
	*mutineer
	explains bots.Explainer
}

func (b *explainedMutineer) Explain(m engine.Match, r *engine.Rand) bots.Account {
	if b.rises(m) {
		return bots.Explain(b.pirate, m, r)
	}
	return b.explains.Explain(m, r)
}
