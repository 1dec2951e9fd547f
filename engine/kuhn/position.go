package kuhn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	shape "github.com/privateer-rl/privateer/engine/position"
)

// hiddenCard stands in a seat's view for a card that it may not know.
const hiddenCard = "?"

// position is the readable form of a State; schema describes it.
type position struct {
	Hands   []string     `json:"hands"`
	History []string     `json:"history"`
	Rand    *engine.Rand `json:"generator,omitempty"`
}

func schema() string {
	return shape.ObjectOf(
		shape.Named{Name: "hands", Shape: shape.ListOf(shape.OneOf(append(cardNames[:], hiddenCard)...), MaxSeats).AtLeast(2).
			Of(`The card of each seat, from seat 0; "-" if none is dealt. A is in the deck with 3 seats only. In a seat's view "?" is a card that it may not know.`)},
		shape.Named{Name: "history", Shape: shape.ListOf(shape.OneOf(actionNames...), 2*MaxSeats-1).
			Of("The decisions so far, in turn from seat 0. After a bet, pass folds and bet calls.")},
		shape.Named{Name: "generator", Shape: shape.GeneratorShape()},
	).Of("Anything left out has its value at the start of a match. Cards that are not dealt are dealt by chance before anything else happens.").
		Schema("Position of Kuhn poker")
}

func (r rules) Position(s *State, view int) any {
	p := position{Hands: make([]string, r.seats), History: []string{}}
	for seat := range p.Hands {
		p.Hands[seat] = hiddenCard
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
	var p position
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return fmt.Errorf("not the JSON of a position: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the position's closing brace")
	}

	r.Reset(s, 0)
	if p.Rand != nil {
		s.Rand = *p.Rand
	}
	if p.Hands != nil && len(p.Hands) != r.seats {
		return fmt.Errorf("hands: %d cards for %d seats: give each seat one, \"-\" where none is dealt", len(p.Hands), r.seats)
	}
	deck := cardNames[:r.seats+2]
	for seat, name := range p.Hands {
		card := slices.Index(deck, name)
		switch {
		case name == hiddenCard:
			return fmt.Errorf("hands[%d]: \"?\" is in a seat's view only: give the card", seat)
		case card < 0:
			return fmt.Errorf("hands[%d]: no card %q with %d seats: want one of %s", seat, name, r.seats, strings.Join(deck, " "))
		case card != None && slices.Contains(p.Hands[:seat], name):
			return fmt.Errorf("hands[%d]: %s is in another hand already: there is one of each", seat, name)
		}
		s.Hands[seat] = uint8(card)
	}
	for i, name := range p.History {
		a := slices.Index(actionNames, name)
		if a < 0 {
			return fmt.Errorf("history[%d]: unknown action %q: want one of %s", i, name, strings.Join(actionNames, ", "))
		}
		if r.ended(s) {
			return fmt.Errorf("history[%d]: the betting is over after %d decisions", i, i)
		}
		r.Apply(s, engine.Action(a))
	}
	return nil
}
