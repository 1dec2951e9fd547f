package frontend

import (
	"errors"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// thinkAnswer is a player's account of a decision.
type thinkAnswer struct {
	Action        engine.Action   `json:"action"`
	Name          string          `json:"name"`
	Legal         []engine.Action `json:"legal"`
	Probabilities []float64       `json:"probabilities"`   // of Legal: those by which it chooses
	Value         []*float64      `json:"value,omitempty"` // to each seat
	Unit          string          `json:"unit,omitempty"`  // of Value
	Account       *bots.Thought   `json:"account,omitempty"`
}

// mostPlayers is how many players of a game are kept. With one more all are forgotten, and made again when they are asked.
const mostPlayers = 16

// player is the one of a name. A policy that comes with the program is known by its own name too.
func (g *game) player(name string) (bots.Bot, error) {
	if b := g.players[name]; b != nil {
		return b, nil
	}
	if name == "" {
		return nil, refuse(unknownPlayer, "player", "player: want a name, such as random: the answer about the game lists them")
	}
	b, err := g.reader.NewBot(name, g)
	if errors.Is(err, bots.ErrUnknown) && slices.Contains(policy.Zoo(g), policy.Prefix+name) {
		b, err = g.reader.NewBot(policy.Prefix+name, g)
	}
	if err != nil {
		return nil, because(unknownPlayer, "player", err)
	}
	if s, ok := b.(interface{ SetWorkers(n int) error }); ok {
		if err := s.SetWorkers(0); err != nil {
			return nil, because(unknownPlayer, "player", err)
		}
	}
	if len(g.players) == mostPlayers {
		clear(g.players)
	}
	g.players[name] = b
	return b, nil
}

// think asks a player about the decision of a match. All its chance comes from the question's seed.
func (g *game) think(q *question) (any, error) {
	wanted, err := q.wants("account")
	if err != nil {
		return nil, err
	}
	b, err := g.player(q.Player)
	if err != nil {
		return nil, err
	}
	if q.State == nil && q.Position == nil {
		return nil, refuse(badQuestion, "state", "nothing to think about: want a state or a position")
	}
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	if err := g.acting(); err != nil {
		return nil, err
	}
	r := engine.NewRand(uint64(q.Seed)).At(1) // as `privateer position think` draws
	account := bots.Explain(b, g.now, &r)
	answer := thinkAnswer{Action: account.Choice, Name: g.Info().ActionName(account.Choice), Value: bots.Known(account.Value), Unit: account.Unit}
	for a := g.now.Legal().First(); a >= 0; a = g.now.Legal().Next(a) {
		answer.Legal = append(answer.Legal, a)
	}
	answer.Probabilities = account.Probabilities(b, g.now)
	if wanted["account"] {
		answer.Account = bots.ThoughtOf(b, g.now, &account)
	}
	return answer, nil
}
