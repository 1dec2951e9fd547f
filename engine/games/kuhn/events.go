package kuhn

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// The events of a match.
const (
	dealt engine.EventKind = iota + 1
	passed
	bet
	folded
	called
	showed
	won
)

var events = func() *frames.Events {
	seat := frames.Worded(frames.Number(0, MaxSeats-1), func(x int8) string { return engine.SeatName(int(x)) })
	card := frames.Args("card", frames.Name(cardNames[:]...))
	return frames.New([]frames.Form[engine.EventKind]{
		{Kind: dealt, Name: "dealt", Seat: seat, Args: card, Says: "{seat} is dealt {card}", Hides: "card", Else: "{seat} is dealt a card"},
		{Kind: passed, Name: "passed", Seat: seat, Says: "{seat} passes"},
		{Kind: bet, Name: "bet", Seat: seat, Says: "{seat} bets"},
		{Kind: folded, Name: "folded", Seat: seat, Says: "{seat} folds"},
		{Kind: called, Name: "called", Seat: seat, Says: "{seat} calls"},
		{Kind: showed, Name: "showed", Seat: seat, Args: card, Says: "{seat} shows {card}"},
		{Kind: won, Name: "won", Seat: seat, Args: frames.Args("chips", frames.Number(0, 2*MaxSeats)), Says: "{seat} wins the pot of {chips}"},
	}...)
}()

// noting are rules that say what happens.
type noting struct {
	rules
	log *engine.Log
}

func (r rules) Noting(log *engine.Log) engine.Rules[State] { return noting{r, log} }

func (n noting) Apply(s *State, a engine.Action) {
	facing := s.bettor() >= 0
	seat := n.undealt(s)
	if a < numActions {
		seat = n.Seat(s)
	}
	n.rules.Apply(s, a)
	switch {
	case a >= numActions:
		n.log.Note(1<<seat, dealt, seat, int(s.Hands[seat]))
	case facing:
		n.log.Note(engine.Everybody, folded+engine.EventKind(a), seat)
	default:
		n.log.Note(engine.Everybody, passed+engine.EventKind(a), seat)
	}
	if n.Seat(s) != engine.Over {
		return
	}
	for seat := range n.seats {
		if n.shown(s, seat) {
			n.log.Note(engine.Everybody, showed, seat, int(s.Hands[seat]))
		}
	}
	winner, pot := n.winner(s)
	n.log.Note(engine.Everybody, won, winner, pot)
}

// Tell says what happened.
func (rules) Tell(_ *State, list []engine.Event, view int) []string {
	return frames.Tell(events, list, view, nil)
}

// EventForms describe the kinds of event.
func (rules) EventForms() []engine.EventForm { return frames.EventForms(events) }

// Event returns an event in its form for JSON.
func (rules) Event(e engine.Event, view int) any { return frames.WriteEvent(events, e, view) }
