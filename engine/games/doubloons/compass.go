package doubloons

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// The module Compass: a ship that has lost all crew but one may take over an
// action card that lies face up before another player.

// Clause COMP-1.
func furnishCompass(r *Rules) {
	r.landmarkSet |= 1 << OldMystic
	r.below[Compass] = (*Rules).compassesDrawn
}

// compassesDrawn is a line on the compasses, below the ships.
func (r *Rules) compassesDrawn(s *State) string {
	var of [MaxSeats]uint8
	for seat := range r.seats {
		of[s.Helm[seat]] = s.Ships[seat].Compasses
	}
	line := "compasses by seat:"
	for _, n := range of[:r.seats] {
		line += fmt.Sprintf(" %d", n)
	}
	return line + "\n"
}

func emptyCompass(r *Rules) { r.CompassesPerPlayer = 0 }

// compassFields are the compasses, and the captain cards that they have made unresolvable.
func compassFields(r *Rules, to *layout, own func(why string, list ...field) fields) {
	to.ship = to.ship.Before("captain_at", own("compasses are of the module compass, which is not played: leave it out",
		position.Number("compasses", 0, int(r.CompassTokens), "Compasses, of the module compass. Left out: 2.", func(v *subject) *uint8 { return &v.ship.Compasses }))...)
	to.match = to.match.Before("ships", field{Name: "unresolved", Shape: position.SetOf(position.OneOf(cardNames[FirstCaptainCard:][:NumCaptainCards]...)).
		Of("Captain cards that a compass has laid before a ship whose turn of that slot was over, so that nobody has resolved them this round. Left out: none."),
		Show: func(v *subject) any { return cardList(uint64(v.s.Unresolved) << FirstCaptainCard) },
		Read: func(v *subject, f *position.Faults, said *position.Value) {
			for _, item := range f.IsList(said, NumCaptainCards) {
				c := f.Name(item, cardNames[:], noCard)
				if c != noCard && captainCard(int8(c)) == 0 {
					f.Wrong(item.Path, "%s is no captain card: compasses take others whether they are resolved or not, so leave it out", cardNames[c])
				} else if c != noCard {
					v.s.Unresolved |= captainCard(int8(c))
				}
			}
		}}.If(func(v *subject) bool { return v.s.Unresolved != 0 }))
}

const compassCrew = 1 // the most crew with which a compass works

// compassCards calls each with every card that seat may take at the start of its turn with
// the card in slot: normal cards that lie face up, and captain cards that have been resolved in
// an earlier turn.
// Clause COMP-4.
func (r *Rules) compassCards(s *State, seat, slot int, each func(k, from int)) {
	for k := 1; k < r.seats; k++ {
		other := (seat + k) % r.seats
		for from := 0; from <= slot; from++ {
			card := s.Ships[other].Table[from]
			if card == noCard {
				continue
			}
			if r.Cards[card].Kind != KindCaptain || r.turnPassed(s, other, from) && s.Unresolved&captainCard(card) == 0 {
				each(k, from)
			}
		}
	}
}

// turnPassed reports whether the turn in which a seat executes its card of a slot is over.
func (r *Rules) turnPassed(s *State, seat, slot int) bool {
	return slot < int(s.Slot) || slot == int(s.Slot) && (s.Turn == Legendary || r.TurnOf(s, seat) < r.TurnOf(s, int(s.Turn)))
}

// captainCard is a captain card as a set, as State.Unresolved counts them; empty for others.
func captainCard(card int8) uint16 {
	return uint16(uint64(1) << card & allCaptains >> FirstCaptainCard)
}

// TurnOf is a seat's place in initiative order.
func (r *Rules) TurnOf(s *State, seat int) int { return (seat - int(s.Initiative) + r.seats) % r.seats }

// mayCompass reports whether a seat may use a compass at the start of its turn.
// Clause COMP-2.
func (r *Rules) mayCompass(s *State, seat, slot int) bool {
	sh := &s.Ships[seat]
	cards := 0
	if sh.Compasses > 0 && sh.Crew <= compassCrew {
		r.compassCards(s, seat, slot, func(int, int) { cards++ })
	}
	return cards > 0
}

func (r *Rules) legalCompass(s *State, f Frame, m *engine.Mask) {
	r.compassCards(s, int(f.Seat), int(f.Arg[0]), func(k, from int) {
		m.Set(ToCompass + engine.Action(NumSlots*(k-1)+from))
	})
	m.Set(ToDecline)
}

// compass discards a compass and exchanges cards with another seat, or does
// nothing; either way the turn continues with the card that lies in the slot then.
// Clauses COMP-3, COMP-5, COMP-6.
func (r *Rules) compass(s *State, f Frame, a engine.Action) {
	seat, slot := int(f.Seat), int(f.Arg[0])
	if a == ToDecline {
		r.note(HasDeclined, seat, int(AskCompass))
	} else {
		k, from := int(a-ToCompass)/NumSlots+1, int(a-ToCompass)%NumSlots
		own, other := &s.Ships[seat], &s.Ships[(seat+k)%r.seats]
		own.Compasses--
		if r.turnPassed(s, (seat+k)%r.seats, from) {
			s.Unresolved |= captainCard(own.Table[slot])
		}
		own.Table[slot], other.Table[from] = other.Table[from], own.Table[slot]
		r.note(HasUsedCompass, seat, slot, (seat+k)%r.seats, from, int(other.Table[from]), int(own.Table[slot]))
	}
	r.execute(s, seat, slot)
}

// mystics is the set of the ships from which one that resolves Old Mystic can
// steal a compass.
func (r *Rules) mystics(s *State, resolver int) int {
	set := 0
	for i := range r.seats {
		if i != resolver && s.Ships[i].Compasses > 0 {
			set |= 1 << i
		}
	}
	return set
}

// Clause COMP-7.
func (r *Rules) oldMystic(s *State, resolver, active int) {
	if r.mystics(s, resolver) != 0 {
		s.Push(frame(AskMystic, active, resolver))
	}
}

func (r *Rules) stealCompass(s *State, f Frame, a engine.Action) {
	r.hand(s, HasStolen, r.seatOf(int(f.Seat), a), int(f.Arg[0]), GoodCompasses)
}

// unresolved checks the captain cards that nobody can have resolved: each lies where a turn
// is over, and came there by a compass.
func (c *checking) unresolved() {
	r, s := c.r, c.s
	var may uint16
	if s.Phase == PhaseAction && r.Modules.Has(Compass) {
		for seat := range r.seats {
			for slot, card := range s.Ships[seat].Table {
				if card != noCard && r.turnPassed(s, seat, slot) {
					may |= captainCard(card)
				}
			}
		}
	}
	if stray := s.Unresolved &^ may; stray != 0 {
		c.Wrong("unresolved", "%s: a captain card is unresolved in the action phase, where a compass has laid it before a ship whose turn of that slot is over",
			strings.Join(cardList(uint64(stray)<<FirstCaptainCard), ", "))
	}
}
