package encode

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/leduc"
)

const (
	leducSeats     = 2
	leducRanks     = 3
	leducRounds    = 2
	leducDecisions = 4 // of a round, at most
	leducActions   = 3
	leducMostPaid  = 13
)

// leducLayout has the offset of each group. Seats are relative: 0 is the seat
// that the observation is for.
type leducLayout struct {
	order, card, public, round, raises, paid, history, toAct int

	other int // full view
}

func newLeduc(g engine.Game) (*Encoder, error) {
	l := &leducLayout{}
	var b builder
	l.order = b.flags("self.order", "one-hot: seats that act before one's own in a round", leducSeats)
	l.card = b.flags("self.card", "one-hot: one's card: J, Q, K", leducRanks)
	l.public = b.flags("public", "one-hot: the public card; zero before it is turned up", leducRanks)
	l.round = b.flags("round", "one-hot: the betting round; zero after the last", leducRounds)
	l.raises = b.count("raises", "raises made in this round", 2)
	l.paid = b.count("seats.paid", "chips in the pot: one's own, the other's", leducMostPaid, leducSeats)
	l.history = b.flags("history", "one-hot for each decision taken, by round, first decision first: fold, call, raise", leducRounds, leducDecisions, leducActions)
	l.toAct = b.flags("decision.seat", "one-hot: who is to act, oneself or the other; zero when the match is over", leducSeats)
	seat := len(b.groups)
	l.other = b.flags("hidden.card", "one-hot: the other's card", leducRanks)

	e := &Encoder{write: l.write, hidden: l.hidden}
	e.seat, e.full = b.schemas("leduc", 1, seat, g.Info().Actions)
	return e, nil
}

func (l *leducLayout) write(m engine.Match, seat int, dst []uint8) {
	s := engine.State[leduc.State](m)
	dst[l.order+seat] = 1
	if c := s.Hands[seat]; c != leduc.None {
		dst[l.card+int(c)-1] = 1
	}
	if s.Public != leduc.None {
		dst[l.public+int(s.Public)-1] = 1
	}
	if int(s.Round) < leducRounds {
		dst[l.round+int(s.Round)] = 1
	}
	dst[l.raises] = s.Raises
	dst[l.paid] = s.Paid[seat]
	dst[l.paid+1] = s.Paid[1-seat]
	at := l.history
	for round := range s.History {
		for _, a := range s.History[round] {
			if a != 0 {
				dst[at+int(a)-1] = 1
			}
			at += leducActions
		}
	}
	if t := m.Seat(); t >= 0 {
		dst[l.toAct+(t^seat)] = 1
	}
}

func (l *leducLayout) hidden(m engine.Match, seat int, dst []uint8) {
	s := engine.State[leduc.State](m)
	if c := s.Hands[1-seat]; c != leduc.None {
		dst[l.other+int(c)-1] = 1
	}
}
