package jollyroger

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Marks of pictures.
func seatMark(seat int) string  { return fmt.Sprintf("seat-%d", seat) }
func cardMark(card Card) string { return "card-" + crewNames[card] }

// Point says what the actions of the decision at hand are about: seats, and the cards of one's hand.
func (r *Rules) Point(s *State, a engine.Action) (mark, label string) {
	from := int(s.Frames[s.Depth-1].Seat)
	card := func(does string, c engine.Action) (string, string) {
		if int(c) >= NumCrew {
			return seatMark(from), does + " with the office of Quartermaster"
		}
		one := make([]uint8, c+1)
		one[c] = 1
		return cardMark(Card(c)), fmt.Sprintf("%s: %s", does, r.crewText(one))
	}
	seat := func(does string, places int) (string, string) {
		to := r.after(from, places)
		if to == from {
			return seatMark(to), does + "yourself"
		}
		return seatMark(to), fmt.Sprintf("%sseat %d", does, to)
	}
	switch {
	case a < 0:
		return "", ""
	case a < ToSupport:
		return card("play", a-ToPlay)
	case a < ToOppose:
		return card("for the Captain", a-ToSupport)
	case a < ToCutthroat:
		return card("against the Captain", a-ToOppose)
	case a >= ToSeat && a < ToSail:
		return seat("", int(a-ToSeat))
	case a >= ToGive && a < ToExchange:
		k := int(a - ToGive)
		return seat(strings.ReplaceAll(fmt.Sprintf("give %s to ", prizeNames[k/MaxSeats]), "_", " "), k%MaxSeats)
	case a >= ToDiscard && a < ToPunish:
		return card("discard", a-ToDiscard)
	case a >= ToSuggest && a < ToOffer:
		return seat("punish, and suggest ", int(a-ToSuggest)+1)
	case a >= ToOffer && a < ToOffer+engine.Action(NumCrew):
		return card("offer", a-ToOffer)
	case a >= ToSay && a < NumActions:
		k := int(a - ToSay)
		return seat(fmt.Sprintf("say “%s” to ", phraseWords[k/(MaxSeats-1)]), k%(MaxSeats-1)+1)
	}
	return "", ""
}
