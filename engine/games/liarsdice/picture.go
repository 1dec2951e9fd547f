package liarsdice

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// Picture draws the seats with their dice and bids, and the last bid below.
func (r *Rules) Picture(s *State, view int) string {
	var p svg.Picture
	acts, history := r.Seat(s), r.History(s, nil)
	for seat := range r.Seats {
		y := 16 + float64(float64(seat)*88)
		p.Begin("")
		class := "pv-row"
		if seat == acts {
			class = "pv-turn"
		}
		p.Box(8, y, svg.Width-16, 78, class)
		p.Badge(52, y+39, 24, seat, "")
		for i, face := range r.faces(s, view, seat) {
			if face == position.Hidden || face == "-" {
				face = ""
			}
			p.Card(96+float64(float64(i)*50), y+17, 44, 44, face)
		}
		var did []string
		for i := seat; i < len(history); i += r.Seats {
			did = append(did, said(history[i]))
		}
		if s.Called != 0 && len(history)%r.Seats == seat {
			did = append(did, "liar!")
		}
		left := 112 + float64(r.Dice*50)
		p.Fit(left, y+46, svg.Width-24-left, svg.Normal, "start", "pv-bold", strings.Join(did, ", "))
		p.End()
	}
	y := 40 + float64(float64(r.Seats)*88)
	below := fmt.Sprintf("%d is wild", r.Faces)
	if bid, seat := r.Last(s); bid >= 0 {
		below = fmt.Sprintf("%s bids %s; %s", engine.SeatName(seat), said(bid), below)
	}
	if s.Called != 0 {
		winner, _, count := r.result(s)
		below = fmt.Sprintf("%s; %d count: %s wins", below, count, engine.SeatName(winner))
	}
	p.Text(20, y, svg.Normal, "start", "pv-bold", below)
	return p.String("Liar's Dice, " + engine.ViewName(view))
}
