// Package observe says what a seat sees of Liar's Dice.
package observe

import (
	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/liarsdice"
)

const (
	seats = liarsdice.MaxSeats
	dice  = liarsdice.MaxDice
	faces = liarsdice.MaxFaces
)

// row is the observation of a seat. Seats are relative: 0 is the seat that observes.
type row struct {
	Present  [seats]uint8             `name:"seats.present" doc:"the seat k places after one's own is in the match"`
	Order    [seats]uint8             `name:"self.order" doc:"one-hot: seats that act before one's own at the start"`
	Dice     [dice]uint8              `name:"rules.dice" doc:"one-hot: dice of each seat, from 1"`
	Faces    [faces]uint8             `name:"rules.faces" doc:"one-hot: faces of a die, from 1; the highest is wild"`
	ByFace   uint8                    `name:"rules.reset_quantity" doc:"bids go up by the face first"`
	Own      [faces][dice]uint8       `name:"self.dice" doc:"for each face: at least 1, 2, … of one's dice show it"`
	Bids     [liarsdice.MaxBids]uint8 `name:"bids" doc:"bids that were made: 1x1, 1x2, … 30x6; who made them follows, as seats bid in turn and each bid is higher"`
	Quantity [seats]uint8             `name:"seats.bid.quantity" max:"30" doc:"quantity of the last bid of the seat k places after one's own; 0 if it made none"`
	Face     [seats][faces]uint8      `name:"seats.bid.face" doc:"one-hot: face of that bid"`
	ToAct    [seats]uint8             `name:"decision.seat" doc:"one-hot: who is to act, k places after oneself; zero when the match is over"`
}

// full adds what is hidden.
type full struct {
	row
	Others [seats - 1][faces][dice]uint8 `name:"hidden.dice" doc:"dice of the seat k+1 places after one's own, as self.dice has them"`
}

// actionRow is the row of one legal action.
type actionRow struct {
	Calls    uint8        `name:"action.calls" doc:"it calls the last bidder a liar; the rest is about the bid that is called, else about the bid that is made"`
	Quantity uint8        `name:"action.quantity" max:"30" doc:"its quantity"`
	Face     [faces]uint8 `name:"action.face" doc:"one-hot: its face"`
	Wild     uint8        `name:"action.wild" doc:"its face is the wild one"`
	Own      [dice]uint8  `name:"action.own" doc:"at least 1, 2, … of one's own dice count for it"`
	Needed   uint8        `name:"action.needed" max:"30" doc:"how many dice of others must count for it to hold"`
	Others   uint8        `name:"action.others" max:"25" doc:"dice of others"`
	Holds    uint8        `name:"action.holds" max:"255" doc:"the chance that it holds if others' dice show each face equally likely"`
	Higher   uint8        `name:"action.higher" max:"180" doc:"how many bids are higher"`
	Raised   uint8        `name:"action.raised" max:"180" doc:"how many ranks above the last bid it is; 0 of a call"`
	Next     uint8        `name:"action.next" doc:"it is the lowest bid that is legal"`
}

func init() {
	encode.Register("liars_dice", func(g engine.Game) (*encode.Encoder, error) {
		e := encode.New[row, full](g, 1, write, hidden)
		encode.DescribeActions(e, g, 1, describe)
		return e, nil
	})
}

func rulesOf(m engine.Match) *liarsdice.Rules {
	r, _ := engine.RulesOf[liarsdice.State, *liarsdice.Rules](m)
	return r
}

func write(m engine.Match, seat int, dst []uint8) {
	s, r, to := engine.State[liarsdice.State](m), rulesOf(m), encode.As[row](dst)
	to.Order[seat] = 1
	to.Dice[r.Dice-1], to.Faces[r.Faces-1] = 1, 1
	to.ByFace = engine.Bit(r.ByFace)
	for k := range r.Seats {
		to.Present[k] = 1
	}
	tally(&to.Own, s.Dice[seat][:r.Dice])
	var room [liarsdice.MaxBids]engine.Action
	history := r.History(s, room[:0])
	for _, bid := range history {
		to.Bids[bid] = 1
	}
	for k := range min(len(history), r.Seats) {
		i := len(history) - 1 - k
		quantity, face := liarsdice.Of(history[i])
		at := (i%r.Seats - seat + r.Seats) % r.Seats
		to.Quantity[at], to.Face[at][face-1] = uint8(quantity), 1
	}
	if t := m.Seat(); t >= 0 {
		to.ToAct[(t-seat+r.Seats)%r.Seats] = 1
	}
}

// tally writes how many dice show each face.
func tally(to *[faces][dice]uint8, of []uint8) {
	var count [faces + 1]int
	for _, face := range of {
		count[face]++
	}
	for face := range faces {
		for k := range count[face+1] {
			to[face][k] = 1
		}
	}
}

func hidden(m engine.Match, seat int, dst []uint8) {
	s, r, to := engine.State[liarsdice.State](m), rulesOf(m), encode.As[full](dst)
	for k := 1; k < r.Seats; k++ {
		tally(&to.Others[k-1], s.Dice[(seat+k)%r.Seats][:r.Dice])
	}
}

func describe(m engine.Match, rows []actionRow) {
	s, r, seat := engine.State[liarsdice.State](m), rulesOf(m), m.Seat()
	last, _ := r.Last(s)
	passed := 0
	if last >= 0 {
		passed = r.Rank(last) + 1
	}
	a := m.Legal().First()
	for i := range rows {
		to, bid := &rows[i], a
		if a == liarsdice.Liar {
			to.Calls, bid = 1, last
		} else {
			to.Raised = uint8(r.Rank(a) - passed + 1)
			to.Next = engine.Bit(to.Raised == 1)
		}
		quantity, face := liarsdice.Of(bid)
		own, others := r.Count(s, seat, face), (r.Seats-1)*r.Dice
		to.Quantity, to.Face[face-1], to.Wild = uint8(quantity), 1, engine.Bit(face == r.Faces)
		for k := range own {
			to.Own[k] = 1
		}
		to.Needed, to.Others = uint8(max(0, quantity-own)), uint8(others)
		to.Holds = uint8(float64(255*r.Holds(quantity-own, face)) + .5)
		to.Higher = uint8(r.Bids() - 1 - r.Rank(bid))
		a = m.Legal().Next(a)
	}
}
