package encode

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kuhn"
)

const (
	kuhnCards     = kuhn.MaxSeats + 1
	kuhnDecisions = 2*kuhn.MaxSeats - 1
)

// kuhnLayout has the offset of each group. Seats are relative: 0 is the seat
// that the observation is for.
type kuhnLayout struct {
	seats int

	present, order, card, history, paid, toAct int

	others int // full view
}

func newKuhn(g engine.Game) (*Encoder, error) {
	l := &kuhnLayout{seats: g.Info().Seats}
	var b builder
	l.present = b.flags("seats.present", "the seat k places after one's own is in the match", kuhn.MaxSeats)
	l.order = b.flags("self.order", "one-hot: seats that act before one's own in a round", kuhn.MaxSeats)
	l.card = b.flags("self.card", "one-hot: one's card: J, Q, K, A", kuhnCards)
	l.history = b.flags("history", "one-hot for each decision taken, first decision first: pass, bet", kuhnDecisions, 2)
	l.paid = b.count("seats.paid", "chips in the pot from the seat k places after one's own", 2, kuhn.MaxSeats)
	l.toAct = b.flags("decision.seat", "one-hot: who is to act, k places after oneself; zero when the match is over", kuhn.MaxSeats)
	seat := len(b.groups)
	l.others = b.flags("hidden.cards", "one-hot for each: card of the seat k+1 places after one's own", kuhn.MaxSeats-1, kuhnCards)

	e := &Encoder{write: l.write, hidden: l.hidden}
	e.seat, e.full = b.schemas("kuhn", 1, seat, g.Info().Actions)
	return e, nil
}

func (l *kuhnLayout) write(m engine.Match, seat int, dst []uint8) {
	s := engine.State[kuhn.State](m)
	dst[l.order+seat] = 1
	if c := s.Hands[seat]; c != kuhn.None {
		dst[l.card+int(c)-1] = 1
	}
	for k := range l.seats {
		dst[l.present+k] = 1
		dst[l.paid+k] = 1 // the ante
	}
	for i, a := range s.History {
		if a == 0 {
			break
		}
		dst[l.history+2*i+int(a)-1] = 1
		if engine.Action(a)-1 == kuhn.Bet {
			dst[l.paid+(i%l.seats-seat+l.seats)%l.seats] = 2
		}
	}
	if t := m.Seat(); t >= 0 {
		dst[l.toAct+(t-seat+l.seats)%l.seats] = 1
	}
}

func (l *kuhnLayout) hidden(m engine.Match, seat int, dst []uint8) {
	s := engine.State[kuhn.State](m)
	for k := 1; k < l.seats; k++ {
		if c := s.Hands[(seat+k)%l.seats]; c != kuhn.None {
			dst[l.others+(k-1)*kuhnCards+int(c)-1] = 1
		}
	}
}
