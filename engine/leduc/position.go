package leduc

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
// Round, raises and what is paid follow from the rounds.
type position struct {
	Hands  []string     `json:"hands"`
	Public string       `json:"public"`
	Rounds [][]string   `json:"rounds"`
	Rand   *engine.Rand `json:"generator,omitempty"`
}

func schema() string {
	const (
		hands  = `The card of seat 0 and that of seat 1; "-" if none is dealt. There are two of each. In a seat's view "?" is a card that it may not know.`
		public = `The card turned up after round 1; "-" if none is.`
		lists  = "The decisions so far, a list for each betting round, in turn from seat 0."
		whole  = "Anything left out has its value at the start of a match. Cards that are not dealt are dealt by chance before anything else happens. What has been paid follows from the rounds."
	)
	return shape.ObjectOf(
		shape.Named{Name: "hands", Shape: shape.ListOf(shape.OneOf(append(rankNames[:], hiddenCard)...), seats).AtLeast(seats).Of(hands)},
		shape.Named{Name: "public", Shape: shape.OneOf(rankNames[:]...).Of(public)},
		shape.Named{Name: "rounds", Shape: shape.ListOf(shape.ListOf(shape.OneOf(actionNames...), maxRound), rounds).Of(lists)},
		shape.Named{Name: "generator", Shape: shape.GeneratorShape()},
	).Of(whole).Schema("Position of Leduc hold'em")
}

func (rules) Position(s *State, view int) any {
	p := position{Public: rankNames[s.Public]}
	for seat, card := range s.Hands {
		name := hiddenCard
		if s.known(view, seat) {
			name = rankNames[card]
		}
		p.Hands = append(p.Hands, name)
	}
	for round := range rounds {
		p.Rounds = append(p.Rounds, actionList(&s.History[round]))
	}
	if view == engine.Full {
		p.Rand = &s.Rand
	}
	return p
}

func (r rules) SetPosition(s *State, data []byte) error {
	p := position{Public: rankNames[None]}
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
	if err := s.setRounds(p.Rounds); err != nil {
		return err
	}
	return s.setCards(p.Hands, p.Public)
}

// setRounds plays the decisions of a position from the start.
func (s *State) setRounds(lists [][]string) error {
	if len(lists) > rounds {
		return fmt.Errorf("rounds: %d lists: there are %d rounds", len(lists), rounds)
	}
	for round, list := range lists {
		for i, name := range list {
			at := fmt.Sprintf("rounds[%d][%d]", round, i)
			a := engine.Action(slices.Index(actionNames, name))
			if a < 0 {
				return fmt.Errorf("%s: unknown action %q: want one of %s", at, name, strings.Join(actionNames, ", "))
			}
			switch {
			case s.ended():
				return fmt.Errorf("%s: the betting is over before it", at)
			case int(s.Round) < round:
				return fmt.Errorf("%s: round 1 is not over: it ends with a call that is not its first action", at)
			case int(s.Round) > round:
				return fmt.Errorf("%s: the action before it ended round %d", at, round+1)
			}
			var legal engine.Mask
			if (rules{}).Legal(s, &legal); !legal.Has(a) {
				return fmt.Errorf("%s: %s is illegal there: %s", at, name, s.why(a))
			}
			s.decide(a)
		}
	}
	return nil
}

// why says what makes an action illegal.
func (s *State) why(a engine.Action) string {
	if a == Fold {
		return "there is nothing to pay"
	}
	return fmt.Sprintf("the round has had its %d raises", maxRaises)
}

// setCards places the cards of a position whose betting is set.
func (s *State) setCards(hands []string, public string) error {
	if hands != nil && len(hands) != seats {
		return fmt.Errorf("hands: %d cards for %d seats: give each seat one, \"-\" where none is dealt", len(hands), seats)
	}
	place := func(at, name string, to *uint8) error {
		rank := slices.Index(rankNames[:], name)
		switch {
		case name == hiddenCard:
			return fmt.Errorf("%s: \"?\" is in a seat's view only: give the card", at)
		case rank < 0:
			return fmt.Errorf("%s: no card %q: want one of %s", at, name, strings.Join(rankNames[:], " "))
		}
		if count, _ := s.left(); rank != None && count[rank] == 0 {
			return fmt.Errorf("%s: a third %s: there are %d of each", at, name, suits)
		}
		*to = uint8(rank)
		return nil
	}
	for seat, name := range hands {
		if err := place(fmt.Sprintf("hands[%d]", seat), name, &s.Hands[seat]); err != nil {
			return err
		}
	}
	if err := place("public", public, &s.Public); err != nil {
		return err
	}
	if s.Public != None && s.Round == 0 {
		return errors.New("public: the card is turned up after round 1 only, which is not over")
	}
	return nil
}
