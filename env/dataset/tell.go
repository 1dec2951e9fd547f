package dataset

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// teller is a bot that is asked why it chooses, whenever it does.
type teller struct {
	bots.Explainer
	account bots.Account // of the last decision
}

func (t *teller) Act(m engine.Match, r *engine.Rand) engine.Action {
	t.account = t.Explain(m, r)
	return t.account.Choice
}

func (t *teller) Until(over func() bool) { bots.Until(t.Explainer, over) }

func (t *teller) Close() error {
	bots.Close(t.Explainer)
	return nil
}

// telling is a player whose bots tell why they choose, if they can.
func telling(p match.Player) match.Player {
	quiet := p.Bot
	if quiet == nil {
		return p
	}
	p.Bot = func(g engine.Game) (bots.Bot, error) {
		b, err := quiet(g)
		if e, ok := b.(bots.Explainer); ok && err == nil {
			return &teller{Explainer: e}, nil
		}
		return b, err
	}
	return p
}
