package kuhn

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// Picture draws the seats with their cards, what they paid and what they did.
func (r rules) Picture(s *State, view int) string {
	var p svg.Picture
	pot, acts := 0, r.Seat(s)
	for seat := range r.seats {
		y := 16 + float64(float64(seat)*106)
		p.Begin("")
		if seat == acts {
			p.Box(8, y, svg.Width-16, 96, "pv-turn")
		} else {
			p.Box(8, y, svg.Width-16, 96, "pv-row")
		}
		p.Badge(52, y+48, 24, seat, "")
		card := ""
		if r.known(s, view, seat) {
			card = cardNames[s.Hands[seat]]
		}
		p.Card(110, y+10, 56, 76, card)
		p.Text(196, y+32, svg.Normal, "start", "pv-bold", fmt.Sprintf("paid %d", r.paid(s, seat)))
		var did []string
		for i := seat; i < s.decisions(); i += r.seats {
			did = append(did, actionNames[s.History[i]-1])
		}
		p.Text(196, y+64, svg.Normal, "start", "pv-soft", strings.Join(did, ", "))
		p.End()
		pot += r.paid(s, seat)
	}
	y := 34 + float64(float64(r.seats)*106)
	p.Text(20, y, svg.Large, "start", "pv-bold", fmt.Sprintf("pot %d", pot))
	return p.String("Kuhn poker, " + engine.ViewName(view))
}
