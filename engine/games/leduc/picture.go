package leduc

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// Picture draws the public card, the seats with their cards, and the betting.
func (r rules) Picture(s *State, view int) string {
	var p svg.Picture
	p.Begin("the public card")
	p.Text(20, 50, svg.Large, "start", "pv-bold", fmt.Sprintf("pot %d", s.Paid[0]+s.Paid[1]))
	p.Text(20, 84, svg.Normal, "start", "pv-soft", fmt.Sprintf("round %d of %d", min(int(s.Round)+1, rounds), rounds))
	public := ""
	if s.Public != None {
		public = rankNames[s.Public]
	}
	p.Card(svg.Width/2-34, 12, 68, 92, public)
	p.End()
	acts := r.Seat(s)
	for seat := range seats {
		y := 120 + float64(float64(seat)*106)
		p.Begin("")
		frame := "pv-row"
		if seat == acts {
			frame = "pv-turn"
		}
		p.Box(8, y, svg.Width-16, 96, frame)
		p.Badge(52, y+48, 24, seat, "")
		card := ""
		if s.known(view, seat) {
			card = rankNames[s.Hands[seat]]
		}
		p.Card(110, y+10, 56, 76, card)
		p.Text(196, y+32, svg.Normal, "start", "pv-bold", fmt.Sprintf("paid %d", s.Paid[seat]))
		if int(s.Folded) == seat+1 {
			p.Text(196, y+64, svg.Normal, "start", "pv-soft", "folded")
		}
		p.End()
	}
	for round := range rounds {
		if names := actionList(&s.History[round]); len(names) > 0 {
			p.Text(20, 350+float64(float64(round)*28), svg.Normal, "start", "", fmt.Sprintf("round %d: %s", round+1, strings.Join(names, ", ")))
		}
	}
	return p.String("Leduc hold'em, " + engine.ViewName(view))
}
