package liarsdice

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// The events of a match.
const (
	rolled engine.EventKind = iota + 1
	bade
	called
	showed
	counted
	won
)

var events = func() *frames.Events {
	seat := frames.Worded(frames.Number(0, MaxSeats-1), func(x int8) string { return engine.SeatName(int(x)) })
	face := frames.Number(1, MaxFaces)
	return frames.New([]frames.Form[engine.EventKind]{
		{Kind: rolled, Name: "rolled", Seat: seat, Args: frames.Args("face", face), Says: "{seat} rolls a {face}", Hides: "face", Else: "{seat} rolls a die"},
		{Kind: bade, Name: "bid", Seat: seat, Args: frames.Args("quantity", frames.Number(1, MaxTotal), "face", face), Says: "{seat} bids {quantity} × {face}"},
		{Kind: called, Name: "called", Seat: seat, Says: "{seat} calls the last bidder a liar"},
		{Kind: showed, Name: "showed", Seat: seat, Args: frames.Args("face", face), Says: "{seat} shows a {face}"},
		{Kind: counted, Name: "counted", Args: frames.Args("count", frames.Number(0, MaxTotal)), Says: "{count} dice count"},
		{Kind: won, Name: "won", Seat: seat, Args: frames.Args("loser", seat), Says: "{seat} wins, {loser} loses"},
	}...)
}()

// noting are rules that say what happens.
type noting struct {
	*Rules
	log *engine.Log
}

func (r *Rules) Noting(log *engine.Log) engine.Rules[State] { return noting{r, log} }

func (n noting) Apply(s *State, a engine.Action) {
	seat := n.unrolled(s)
	if a <= Liar {
		seat = n.Seat(s)
	}
	n.Rules.Apply(s, a)
	switch {
	case a > Liar:
		n.log.Note(1<<seat, rolled, seat, int(a-Liar))
	case a < Liar:
		quantity, face := Of(a)
		n.log.Note(engine.Everybody, bade, seat, quantity, face)
	default:
		n.log.Note(engine.Everybody, called, seat)
		for seat := range n.Seats {
			for _, face := range s.Dice[seat][:n.Dice] {
				n.log.Note(engine.Everybody, showed, seat, int(face))
			}
		}
		winner, loser, count := n.result(s)
		n.log.Note(engine.Everybody, counted, 0, count)
		n.log.Note(engine.Everybody, won, winner, loser)
	}
}

// Tell says what happened.
func (r *Rules) Tell(_ *State, list []engine.Event, view int) []string {
	return frames.Tell(events, list, view, nil)
}

// EventForms describe the kinds of event.
func (r *Rules) EventForms() []engine.EventForm { return frames.EventForms(events) }

// Event returns an event in its form for JSON.
func (r *Rules) Event(e engine.Event, view int) any { return frames.WriteEvent(events, e, view) }
