package frontend

import (
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// prompt is the decision after actions, in words, with what its seat has seen of them.
func (g *game) prompt(q *question) (any, error) {
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	if err := g.acting(); err != nil {
		return nil, err
	}
	var log []engine.Moment
	if _, err := g.watch(q, g.now.Seat(), nil, func(now engine.Moment) {
		if !now.Blank() {
			log = append(log, now)
		}
	}); err != nil {
		return nil, err
	}
	p, err := prompt.New(g.Game, q.Rules)
	if err != nil {
		return nil, because(badQuestion, "rules", err)
	}
	return p.Write(g.now, log, q.Refused), nil
}

// rules are those of the game, in brief.
func (g *game) rules(q *question) (any, error) {
	p, err := prompt.New(g.Game, q.Rules)
	if err != nil {
		return nil, because(badQuestion, "rules", err)
	}
	return p.Rules(), nil
}

// answer is the action that a text chooses in the match of a question, or among its actions if it has no match.
func (g *game) answer(q *question) (any, error) {
	if q.State == nil && q.Position == nil {
		return g.among(q)
	}
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	if err := g.acting(); err != nil {
		return nil, err
	}
	a, err := prompt.Read(g.now, q.Text)
	return a, unclear(err)
}

func (g *game) among(q *question) (any, error) {
	var choices []prompt.Choice
	for i := range q.Actions {
		if err := g.find(&q.Actions[i]); err != nil {
			return nil, err
		}
		a := q.Actions[i].number
		if a < 0 || int(a) >= len(g.Info().Actions) {
			return nil, refuse(illegalAction, "actions", "action %d: want one from 0 to %d", a, len(g.Info().Actions)-1)
		}
		name := g.Info().ActionName(a)
		choices = append(choices, prompt.Choice{Action: a, Name: name, Words: name})
	}
	a, err := prompt.Among(g.Info(), choices, q.Text)
	return a, unclear(err)
}

func unclear(err error) error {
	if errors.Is(err, prompt.ErrIllegal) {
		return because(illegalAction, "text", err)
	}
	return because(unclearText, "text", err)
}

// recallAnswer is the observations of a seat.
type recallAnswer struct {
	Happened []string     `json:"happened"` // a line each: the choices that it saw, its own among them, and what came of them
	Position string       `json:"position"` // as it saw it last, in words
	Seen     *matchAnswer `json:"seen"`     // the match at that moment
}

// recall is a seat's observations of actions. A moment that is veiled from it leaves no trace before one is not.
func (g *game) recall(q *question) (any, error) {
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	seat, err := g.view(g.now, q)
	if err != nil {
		return nil, err
	}
	if seat == engine.Full {
		return nil, refuse(wrongSeat, "view", "view -1: want a seat")
	}
	happened := []string{}
	var chosen []string
	last, err := g.watch(q, seat, func(m engine.Match, a engine.Action) {
		switch deed := chooser(m.Seat(), seat) + g.Info().ActionName(a); {
		case m.Seat() == seat: // it knows at once
			happened = append(happened, deed)
		case m.Sight(seat, a) == engine.Open:
			chosen = append(chosen, deed)
		}
	}, func(now engine.Moment) {
		happened = append(append(happened, chosen...), now.Told...)
		chosen = nil
	})
	if err != nil {
		return nil, err
	}
	answer := recallAnswer{happened, prompt.Position(last, seat), nil}
	answer.Seen, err = g.describe(last, q, false)
	return answer, err
}

// chooser names the maker of a choice, to a seat.
func chooser(who, to int) string {
	switch who {
	case engine.Chance:
		return "Chance: "
	case to:
		return "You: "
	}
	return fmt.Sprintf("Player %d: ", who)
}
