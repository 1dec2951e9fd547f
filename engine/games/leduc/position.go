package leduc

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// readable is a State as people read it; schema describes it.
// Round, raises and what is paid follow from the rounds.
type readable struct {
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
	return position.ObjectOf(
		position.Named{Name: "hands", Shape: position.ListOf(position.OneOf(append(rankNames[:], position.Hidden)...), seats).AtLeast(seats).Of(hands)},
		position.Named{Name: "public", Shape: position.OneOf(rankNames[:]...).Of(public)},
		position.Named{Name: "rounds", Shape: position.ListOf(position.ListOf(position.OneOf(actionNames...), maxRound), rounds).Of(lists)},
		position.Named{Name: "generator", Shape: position.GeneratorShape()},
	).Of(whole).Schema("Position of Leduc hold'em")
}

func (rules) Position(s *State, view int) any {
	p := readable{Public: rankNames[s.Public]}
	for seat, card := range s.Hands {
		name := position.Hidden
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
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	var f position.Faults
	f.IsObject(root, "hands", "public", "rounds", "generator")
	r.Reset(s, 0)
	s.Rand = f.Generator(root)
	for round, list := range f.IsList(root.Get("rounds"), rounds) {
		s.setRound(&f, round, list)
	}
	if err := f.Err(); err != nil {
		return err
	}
	s.setCards(&f, root)
	return f.Err()
}

// setRound plays the decisions of a betting round, up to the first that cannot be.
func (s *State) setRound(f *position.Faults, round int, list *position.Value) {
	for _, v := range f.IsList(list, maxRound) {
		a := engine.Action(f.Name(v, actionNames, -1))
		var legal engine.Mask
		switch {
		case a < 0:
			return
		case s.ended():
			f.Wrong(v.Path, "the betting is over before it")
			return
		case int(s.Round) < round:
			f.Wrong(v.Path, "round 1 is not over: it ends with a call that is not its first action")
			return
		case int(s.Round) > round:
			f.Wrong(v.Path, "the action before it ended round %d", round+1)
			return
		}
		if (rules{}).Legal(s, &legal); !legal.Has(a) {
			f.Wrong(v.Path, "%s is illegal there: %s", v.Text, s.why(a))
			return
		}
		s.decide(a)
	}
}

// why says what makes an action illegal.
func (s *State) why(a engine.Action) string {
	if a == Fold {
		return "there is nothing to pay"
	}
	return fmt.Sprintf("the round has had its %d raises", MaxRaises)
}

// setCards places the cards of a position whose betting is set.
func (s *State) setCards(f *position.Faults, root *position.Value) {
	list := root.Get("hands")
	hands := f.IsList(list, seats)
	if list != nil && list.Kind == '[' && len(hands) != seats {
		f.Wrong(list.Path, "%d cards for %d seats: give each seat one, \"-\" if none is dealt", len(hands), seats)
	}
	for seat, v := range hands {
		s.place(f, v, &s.Hands[seat])
	}
	public := root.Get("public")
	s.place(f, public, &s.Public)
	if s.Public != None && s.Round == 0 {
		f.Wrong(public.Path, "the card is turned up after round 1 only, which is not over")
	}
}

// place puts a card where a position says that it is.
func (s *State) place(f *position.Faults, v *position.Value, to *uint8) {
	rank := f.Name(v, rankNames[:], None)
	if count, _ := s.left(); rank != None && count[rank] == 0 {
		f.Wrong(v.Path, "a third %s: there are %d of each", v.Text, suits)
		return
	}
	*to = uint8(rank)
}
