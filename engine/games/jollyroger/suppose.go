package jollyroger

import (
	"encoding/json"
	"errors"

	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// Suppose exchanges cards that a seat does not see, so that the others hold those that the seat is told they show, and those that it draws next
// are in the deck. What the seat knows of where cards are is its own memory, which stays; what the others know
// is as after Redeal.
func (r *Rules) Suppose(s *State, view int, told []json.RawMessage) error {
	switch {
	case r.hidden:
		return errors.New("with the variant hidden_prizes seats see prizes of which no event tells: such a match cannot be tracked")
	case r.bribes != noBribes:
		return errors.New("with bribes seats know what others know of gifts, of which no event tells: such a match cannot be tracked")
	}
	const deck = MaxSeats
	needs := s.bound(view) // cards that stay where they are; and those that each seat shows, and that the view draws
	var shows [MaxSeats + 1][NumCrew]int
	before := *s
	defer func() {
		if *s != before {
			d := dealing{r: r, s: s, view: view}
			d.others(&before)
		}
	}()
	for _, data := range told {
		e, err := frames.ReadEvent(eventForms, data)
		if err != nil {
			return err
		}
		from, card := int(e.Seat), int(e.Arg[0])
		switch e.Kind {
		case HasPlayed, HasDiscarded, HasOfferedCard:
		case HasGotCard:
			if from = int(e.Arg[1]); int(e.Seat) != view {
				continue
			}
		case HasDrawn:
			if from != view {
				continue
			}
			from = deck
		case HasReshuffled, HasEndedMutiny:
			return nil // what comes later is a matter of other cards
		default:
			continue
		}
		if from != view {
			shows[from][card]++
			needs[from][card] = max(needs[from][card], shows[from][card])
			s.supply(view, from, card, &needs)
		}
	}
	return nil
}

// bound are the crew cards of each seat that cannot be others: it has offered them, has got them from a mutiny that is being dealt, or all know that
// it has them.
func (s *State) bound(view int) (needs [MaxSeats + 1][NumCrew]int) {
	d := dealing{s: s, view: view}
	keep := d.kept()
	giver, open := s.giver()
	for i := range keep {
		for c, n := range keep[i] {
			if open && i == int(giver) {
				n = max(n, s.Offer[c])
			}
			needs[i][c] = int(max(n, s.Got[i][c]))
		}
	}
	return needs
}

// held is how many crew cards of a kind lie at a place: a seat's hand, or the deck.
func (s *State) held(place, card int) *uint8 {
	if place == MaxSeats {
		return &s.Deck[card]
	}
	return &s.Hands[place][card]
}

// supply has a place have as many cards of a kind as it needs, for others that it does not need, if the view does not see where they come from.
func (s *State) supply(view, place, card int, needs *[MaxSeats + 1][NumCrew]int) {
	for int(*s.held(place, card)) < needs[place][card] {
		from, other := -1, -1
		for p := range needs {
			if p != view && p != place && int(*s.held(p, card)) > needs[p][card] {
				from = p
			}
		}
		for c := range NumCrew {
			if c != card && int(*s.held(place, c)) > needs[place][c] {
				other = c
			}
		}
		if from < 0 || other < 0 {
			return
		}
		*s.held(from, card)--
		*s.held(place, card)++
		*s.held(place, other)--
		*s.held(from, other)++
	}
}
