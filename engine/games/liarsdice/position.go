package liarsdice

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// readable is a State as people read it; schema describes it.
type readable struct {
	Dice   [][]string   `json:"dice"`
	Bids   []string     `json:"bids"`
	Called bool         `json:"called"`
	Rand   *engine.Rand `json:"generator,omitempty"`
}

func schema() string {
	var bids []string
	for a := range Liar {
		bids = append(bids, written(a))
	}
	return position.ObjectOf(
		position.Named{Name: "dice", Shape: position.ListOf(position.ListOf(position.OneOf(append(faceNames[:], position.Hidden)...), MaxDice).AtLeast(1), MaxSeats).AtLeast(2).
			Of(`The dice of each seat, from seat 0, in any order; "-" is one that is not rolled. In a seat's view "?" is a die that it may not know.`)},
		position.Named{Name: "bids", Shape: position.ListOf(position.OneOf(bids...), MaxBids).Of(`The bids so far, in turn from seat 0, each higher than the one before: "3x5" is three dice that show 5.`)},
		position.Named{Name: "called", Shape: position.Truth().Of("The last bidder was called a liar, which ends the match.")},
		position.Named{Name: "generator", Shape: position.GeneratorShape()},
	).Of("Anything left out has its value at the start of a match. Dice that are not rolled are rolled before anything else happens.").
		Schema("Position of Liar's Dice")
}

// written is a bid in a position.
func written(bid engine.Action) string {
	quantity, face := Of(bid)
	return fmt.Sprintf("%dx%d", quantity, face)
}

func (r *Rules) Position(s *State, view int) any {
	p := readable{Bids: []string{}, Called: s.Called != 0}
	for seat := range r.Seats {
		p.Dice = append(p.Dice, r.faces(s, view, seat))
	}
	for _, bid := range r.History(s, nil) {
		p.Bids = append(p.Bids, written(bid))
	}
	if view == engine.Full {
		p.Rand = &s.Rand
	}
	return p
}

func (r *Rules) SetPosition(s *State, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	var f position.Faults
	f.IsObject(root, "dice", "bids", "called", "generator")
	r.Reset(s, 0)
	s.Rand = f.Generator(root)
	r.setDice(s, &f, root.Get("dice"))
	r.setBids(s, &f, root.Get("bids"))
	if called := root.Get("called"); f.Truth(called, false) {
		s.Called = 1
		switch {
		case s.passed() == 0:
			f.Wrong(called.Path, "there is no bid that could be called")
		case r.unrolled(s) >= 0:
			f.Wrong(called.Path, "seat %d has not rolled its dice", r.unrolled(s))
		}
	}
	if s.passed() > 0 && r.unrolled(s) >= 0 && f.Err() == nil {
		f.Wrong("bids", "seat %d has not rolled its dice: nobody bids before", r.unrolled(s))
	}
	return f.Err()
}

// setDice reads the dice of each seat.
func (r *Rules) setDice(s *State, f *position.Faults, list *position.Value) {
	seats := f.IsList(list, MaxSeats)
	if list != nil && list.Kind == '[' && len(seats) != r.Seats {
		f.Wrong(list.Path, "dice of %d seats: want those of %d", len(seats), r.Seats)
		return
	}
	before := true // all of the seats before have rolled
	for seat, v := range seats {
		dice := f.IsList(v, MaxDice)
		if v.Kind == '[' && len(dice) != r.Dice {
			f.Wrong(v.Path, "%d dice: want %d, \"-\" for one that is not rolled", len(dice), r.Dice)
			return
		}
		for _, die := range dice {
			face := f.Name(die, faceNames[:r.Faces+1], 0)
			if face > 0 && !before {
				f.Wrong(die.Path, "seat %d rolls before seat %d has rolled all of its dice", seat, seat-1)
				return
			}
			if face > 0 {
				s.roll(seat, uint8(face))
			}
		}
		before = before && s.Dice[seat][r.Dice-1] != 0
	}
}

// setBids reads the bids of a position, up to the first that cannot be.
func (r *Rules) setBids(s *State, f *position.Faults, list *position.Value) {
	names := make([]string, len(r.bids))
	for rank, bid := range r.bids {
		names[rank] = written(bid)
	}
	for _, v := range f.IsList(list, MaxBids) {
		rank := f.Name(v, names, -1)
		if rank < 0 {
			return
		}
		if rank < s.passed() {
			f.Wrong(v.Path, "%s is not higher than %s, the bid before it", v.Text, names[s.passed()-1])
			return
		}
		r.Apply(s, r.bids[rank])
	}
}
