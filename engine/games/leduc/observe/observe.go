// Package observe says what a seat sees of Leduc hold'em.
package observe

import (
	"encoding/binary"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/leduc"
)

const (
	seats     = 2
	ranks     = 3
	rounds    = 2
	decisions = 4 // of a round, at most
	actions   = 3
)

// row is the observation of a seat. Seats are relative: 0 is the seat that observes.
type row struct {
	Order   [seats]uint8                      `name:"self.order" doc:"one-hot: seats that act before one's own in a round"`
	Card    [ranks]uint8                      `name:"self.card" doc:"one-hot: one's card: J, Q, K"`
	Public  [ranks]uint8                      `name:"public" doc:"one-hot: the public card; zero before it is turned up"`
	Round   [rounds]uint8                     `name:"round" doc:"one-hot: the betting round; zero after the last"`
	Raises  uint8                             `name:"raises" max:"2" doc:"raises made in this round"`
	Paid    [seats]uint8                      `name:"seats.paid" max:"13" doc:"chips in the pot: one's own, the other's"`
	History [rounds][decisions][actions]uint8 `name:"history" doc:"one-hot for each decision taken, by round, first decision first: fold, call, raise"`
	ToAct   [seats]uint8                      `name:"decision.seat" doc:"one-hot: who is to act, oneself or the other; zero when the match is over"`
}

// full adds what is hidden.
type full struct {
	row
	Other [ranks]uint8 `name:"hidden.card" doc:"one-hot: the other's card"`
}

// actionRow is the row of one legal action.
type actionRow struct {
	Folds uint8    `name:"action.folds" doc:"it gives up"`
	Calls uint8    `name:"action.calls" doc:"it pays what there is to pay, or checks if there is nothing"`
	Rises uint8    `name:"action.raises" doc:"it raises"`
	Cost  uint8    `name:"action.cost" max:"12" doc:"chips that it puts into the pot"`
	Lost  uint8    `name:"action.lost" max:"13" doc:"chips of one's own in the pot that are lost by it"`
	Pot   uint8    `name:"action.pot" max:"26" doc:"chips in the pot after it"`
	More  uint8    `name:"action.raises_left" max:"2" doc:"raises that this round still allows after it"`
	Round uint8    `name:"action.ends_round" doc:"the betting round is over then"`
	Ends  uint8    `name:"action.ends" doc:"the match is over then"`
	Card  [3]uint8 `name:"action.card" doc:"one-hot: one's card against the public card when the action is taken: lower, equal, higher; zero before there is one"`
}

func init() {
	encode.Register("leduc", func(g engine.Game) (*encode.Encoder, error) {
		e := encode.New[row, full](g, 1, write, hidden)
		encode.DescribeActions(e, g, 1, describe)
		return e, nil
	})
}

// oneHot has the one of a card or of an action; none for 0, which is neither.
var oneHot = [...][3]uint8{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

// lists has the decisions of a round in that form, by the two bits of each, the first in the lowest: looking each one up,
// or asking which it is, takes most of the time of an observation.
var lists = func() (all [1 << (2 * decisions)][decisions][actions]uint8) {
	for list := range all {
		for i := range decisions {
			all[list][i] = oneHot[list>>(2*i)&3]
		}
	}
	return all
}()

func write(m engine.Match, seat int, dst []uint8) {
	s, to := engine.State[leduc.State](m), encode.As[row](dst)
	to.Order[seat] = 1
	to.Card = oneHot[s.Hands[seat]]
	to.Public = oneHot[s.Public]
	if int(s.Round) < rounds {
		to.Round[s.Round] = 1
	}
	to.Raises = s.Raises
	to.Paid = [seats]uint8{s.Paid[seat], s.Paid[1-seat]}
	for round := range s.History {
		list := binary.LittleEndian.Uint32(s.History[round][:])
		to.History[round] = lists[uint8(list|list>>6|list>>12|list>>18)]
	}
	if t := m.Seat(); t >= 0 {
		to.ToAct[t^seat] = 1
	}
}

func hidden(m engine.Match, seat int, dst []uint8) {
	s, to := engine.State[leduc.State](m), encode.As[full](dst)
	if c := s.Hands[1-seat]; c != leduc.None {
		to.Other[c-1] = 1
	}
}

func describe(m engine.Match, rows []actionRow) {
	s, seat := engine.State[leduc.State](m), m.Seat()
	own, other := s.Paid[seat], s.Paid[1-seat]
	opens := s.History[s.Round][0] == 0
	a := m.Legal().First()
	for i := range rows {
		to := &rows[i]
		to.Pot = own + other
		to.More = leduc.MaxRaises - s.Raises
		switch a {
		case leduc.Fold:
			to.Folds, to.Lost = 1, own
			to.Round, to.Ends = 1, 1
		case leduc.Call:
			to.Calls, to.Cost = 1, other-own
			to.Round = engine.Bit(!opens)
			to.Ends = to.Round & engine.Bit(s.Round == rounds-1)
		case leduc.Raise:
			to.Rises, to.Cost = 1, other-own+leduc.RaiseBy[s.Round]
			to.More--
		}
		to.Pot += to.Cost
		if s.Public != leduc.None {
			switch card := s.Hands[seat]; {
			case card < s.Public:
				to.Card[0] = 1
			case card == s.Public:
				to.Card[1] = 1
			default:
				to.Card[2] = 1
			}
		}
		a = m.Legal().Next(a)
	}
}
