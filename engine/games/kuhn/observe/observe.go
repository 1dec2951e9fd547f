// Package observe says what a seat sees of Kuhn poker.
package observe

import (
	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/kuhn"
)

const cards = kuhn.MaxSeats + 1

// row is the observation of a seat. Seats are relative: 0 is the seat that observes.
type row struct {
	Present [kuhn.MaxSeats]uint8          `name:"seats.present" doc:"the seat k places after one's own is in the match"`
	Order   [kuhn.MaxSeats]uint8          `name:"self.order" doc:"one-hot: seats that act before one's own in a round"`
	Card    [cards]uint8                  `name:"self.card" doc:"one-hot: one's card: J, Q, K, A"`
	History [2*kuhn.MaxSeats - 1][2]uint8 `name:"history" doc:"one-hot for each decision taken, first decision first: pass, bet"`
	Paid    [kuhn.MaxSeats]uint8          `name:"seats.paid" max:"2" doc:"chips in the pot from the seat k places after one's own"`
	ToAct   [kuhn.MaxSeats]uint8          `name:"decision.seat" doc:"one-hot: who is to act, k places after oneself; zero when the match is over"`
}

// full adds what is hidden.
type full struct {
	row
	Others [kuhn.MaxSeats - 1][cards]uint8 `name:"hidden.cards" doc:"one-hot for each: card of the seat k+1 places after one's own"`
}

// actionRow is the row of one legal action.
type actionRow struct {
	Paid  uint8 `name:"action.paid" doc:"a chip goes into the pot"`
	Bets  uint8 `name:"action.bets" doc:"it is the first bet"`
	Calls uint8 `name:"action.calls" doc:"it answers a bet and stays in"`
	Folds uint8 `name:"action.folds" doc:"it answers a bet and gives up"`
	Ends  uint8 `name:"action.ends" doc:"the match is over then"`
	Shows uint8 `name:"action.shows" doc:"the match is over then, and the cards are shown"`
}

func init() {
	encode.Register("kuhn", func(g engine.Game) (*encode.Encoder, error) {
		e := encode.New[row, full](g, 1, write, hidden)
		encode.DescribeActions(e, g, 1, describe)
		return e, nil
	})
}

func write(m engine.Match, seat int, dst []uint8) {
	s, to, seats := engine.State[kuhn.State](m), encode.As[row](dst), m.Info().Seats
	to.Order[seat] = 1
	if c := s.Hands[seat]; c != kuhn.None {
		to.Card[c-1] = 1
	}
	for k := range seats {
		to.Present[k] = 1
		to.Paid[k] = 1 // the ante
	}
	for i, a := range s.History {
		if a == 0 {
			break
		}
		to.History[i][a-1] = 1
		if engine.Action(a)-1 == kuhn.Bet {
			to.Paid[(i%seats-seat+seats)%seats] = 2
		}
	}
	if t := m.Seat(); t >= 0 {
		to.ToAct[(t-seat+seats)%seats] = 1
	}
}

func hidden(m engine.Match, seat int, dst []uint8) {
	s, to, seats := engine.State[kuhn.State](m), encode.As[full](dst), m.Info().Seats
	for k := 1; k < seats; k++ {
		if c := s.Hands[(seat+k)%seats]; c != kuhn.None {
			to.Others[k-1][c-1] = 1
		}
	}
}

func describe(m engine.Match, rows []actionRow) {
	s, seats := engine.State[kuhn.State](m), m.Info().Seats
	taken, bettor := 0, -1
	for i, a := range s.History {
		if a == 0 {
			break
		}
		taken++
		if bettor < 0 && engine.Action(a)-1 == kuhn.Bet {
			bettor = i
		}
	}
	answers := bettor >= 0
	called := false // by somebody, so that there are cards to compare
	for i := bettor + 1; answers && i < taken; i++ {
		called = called || engine.Action(s.History[i])-1 == kuhn.Bet
	}
	a := m.Legal().First()
	for i := range rows {
		to := &rows[i]
		bets := a == kuhn.Bet
		to.Paid = engine.Bit(bets)
		to.Bets = engine.Bit(bets && !answers)
		to.Calls = engine.Bit(bets && answers)
		to.Folds = engine.Bit(!bets && answers)
		ends := taken+1 == bettor+seats
		if !answers {
			ends = taken+1 == seats && !bets
		}
		to.Ends = engine.Bit(ends)
		to.Shows = engine.Bit(ends && (!answers || called || bets))
		a = m.Legal().Next(a)
	}
}
