package leduc

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// The events of a match.
const (
	dealt engine.EventKind = iota + 1
	folded
	checked
	called
	raised
	turnedUp
	showed
	won
	shared
)

var events = func() *frames.Events {
	seat := frames.Worded(frames.Number(0, seats-1), func(x int8) string { return engine.SeatName(int(x)) })
	card, pot := frames.Args("card", frames.Name(rankNames[:]...)), frames.Args("chips", frames.Number(0, 2*mostPaid))
	chips := frames.Args("chips", frames.Number(0, mostPaid))
	return frames.New([]frames.Form[engine.EventKind]{
		{Kind: dealt, Name: "dealt", Seat: seat, Args: card, Says: "{seat} is dealt {card}", Hides: "card", Else: "{seat} is dealt a card"},
		{Kind: folded, Name: "folded", Seat: seat, Says: "{seat} folds"},
		{Kind: checked, Name: "checked", Seat: seat, Says: "{seat} checks"},
		{Kind: called, Name: "called", Seat: seat, Args: chips, Says: "{seat} calls and pays {chips}"},
		{Kind: raised, Name: "raised", Seat: seat, Args: chips, Says: "{seat} raises and pays {chips}"},
		{Kind: turnedUp, Name: "turned_up", Args: card, Says: "the public card is {card}"},
		{Kind: showed, Name: "showed", Seat: seat, Args: card, Says: "{seat} shows {card}"},
		{Kind: won, Name: "won", Seat: seat, Args: pot, Says: "{seat} wins the pot of {chips}"},
		{Kind: shared, Name: "shared", Args: pot, Says: "the pot of {chips} is shared"},
	}...)
}()

// noting are rules that say what happens.
type noting struct {
	rules
	log *engine.Log
}

func (r rules) Noting(log *engine.Log) engine.Rules[State] { return noting{r, log} }

func (n noting) Apply(s *State, a engine.Action) {
	was := *s
	n.rules.Apply(s, a)
	all := func(k engine.EventKind, seat int, args ...int) { n.log.Note(engine.Everybody, k, seat, args...) }
	switch {
	case a >= numActions+ranks:
		all(turnedUp, 0, int(s.Public))
	case a >= numActions:
		seat := was.undealt()
		n.log.Note(1<<seat, dealt, seat, int(s.Hands[seat]))
	default:
		seat := was.turn()
		switch paid := int(s.Paid[seat] - was.Paid[seat]); {
		case a == Fold:
			all(folded, seat)
		case paid == 0:
			all(checked, seat)
		case a == Call:
			all(called, seat, paid)
		default:
			all(raised, seat, paid)
		}
	}
	if n.Seat(s) != engine.Over {
		return
	}
	if s.Folded == 0 {
		for seat := range seats {
			all(showed, seat, int(s.Hands[seat]))
		}
	}
	pot := int(s.Paid[0] + s.Paid[1])
	if winner := s.winner(); winner >= 0 {
		all(won, winner, pot)
	} else {
		all(shared, 0, pot)
	}
}

// Tell says what happened.
func (rules) Tell(_ *State, list []engine.Event, view int) []string {
	return frames.Tell(events, list, view, nil)
}

// EventForms describe the kinds of event.
func (rules) EventForms() []engine.EventForm { return frames.EventForms(events) }

// Event returns an event in its form for JSON.
func (rules) Event(e engine.Event, view int) any { return frames.WriteEvent(events, e, view) }
