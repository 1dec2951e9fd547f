package kuhn

import (
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// readable is a State as people read it; schema describes it.
type readable struct {
	Hands   []string     `json:"hands"`
	History []string     `json:"history"`
	Rand    *engine.Rand `json:"generator,omitempty"`
}

func schema() string {
	return position.ObjectOf(
		position.Named{Name: "hands", Shape: position.ListOf(position.OneOf(append(cardNames[:], position.Hidden)...), MaxSeats).AtLeast(2).
			Of(`The card of each seat, from seat 0; "-" if none is dealt. A is in the deck with 3 seats only. In a seat's view "?" is a card that it may not know.`)},
		position.Named{Name: "history", Shape: position.ListOf(position.OneOf(actionNames...), 2*MaxSeats-1).
			Of("The decisions so far, in turn from seat 0. After a bet, pass folds and bet calls.")},
		position.Named{Name: "generator", Shape: position.GeneratorShape()},
	).Of("Anything left out has its value at the start of a match. Cards that are not dealt are dealt by chance before anything else happens.").
		Schema("Position of Kuhn poker")
}

func (r rules) Position(s *State, view int) any {
	p := readable{Hands: make([]string, r.seats), History: []string{}}
	for seat := range p.Hands {
		p.Hands[seat] = position.Hidden
		if r.known(s, view, seat) {
			p.Hands[seat] = cardNames[s.Hands[seat]]
		}
	}
	for _, a := range s.History[:s.decisions()] {
		p.History = append(p.History, actionNames[a-1])
	}
	if view == engine.Full {
		p.Rand = &s.Rand
	}
	return p
}

func (r rules) SetPosition(s *State, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	var f position.Faults
	f.IsObject(root, "hands", "history", "generator")
	r.Reset(s, 0)
	s.Rand = f.Generator(root)
	r.setHands(s, &f, root.Get("hands"))
	if err := f.Err(); err != nil {
		return err
	}
	r.setHistory(s, &f, root.Get("history"))
	return f.Err()
}

// setHands reads the card of each seat.
func (r rules) setHands(s *State, f *position.Faults, list *position.Value) {
	hands := f.IsList(list, MaxSeats)
	if list != nil && list.Kind == '[' && len(hands) != r.seats {
		f.Wrong(list.Path, "%d cards for %d seats: give each seat one, \"-\" if none is dealt", len(hands), r.seats)
		return
	}
	for seat, v := range hands {
		card := uint8(f.Name(v, cardNames[:r.seats+2], None))
		if card != None && slices.Contains(s.Hands[:seat], card) {
			f.Wrong(v.Path, "%s is in another hand already: there is one of each", v.Text)
		}
		s.Hands[seat] = card
	}
}

// setHistory plays the decisions of a position from the start, up to the first that cannot be.
func (r rules) setHistory(s *State, f *position.Faults, list *position.Value) {
	for i, v := range f.IsList(list, 2*MaxSeats-1) {
		a := f.Name(v, actionNames, -1)
		if a < 0 {
			return
		}
		if r.ended(s) {
			f.Wrong(v.Path, "the betting is over after %d decisions", i)
			return
		}
		r.Apply(s, engine.Action(a))
	}
}
