package doubloons

import (
	"encoding/json"
	"errors"
	"math/bits"

	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// Suppose exchanges cards that a player has not seen, so that those that the others reveal next lie face down before them, in their slots, and
// those that it draws next lie in the deck. An old card (State.Old) changes places with another old one and a fresh one with a fresh one, so that
// the player could not tell.
//
// With Steal the Ship players look at cards of which no event tells, so that nobody can be tracked by events.
//
// Clause KNOW-3.
func (r *Rules) Suppose(s *State, player int, told []json.RawMessage) error {
	if r.Modules.Has(StealShip) {
		return errors.New("with the module steal_ship captains see cards of which no event tells: such a match cannot be tracked")
	}
	seat := r.SeatOf(s, player)
	var next [MaxSeats]int // slots of each ship that are revealed in what is told
	for i := range next {
		next[i] = int(s.Revealed)
	}
	reshuffled := false // then the deck will have other cards
	for _, data := range told {
		e, err := frames.ReadEvent(eventForms, data)
		if err != nil {
			return err
		}
		switch i := int(e.Seat); e.Kind {
		case HasRevealed:
			if i != seat && next[i] < NumSlots {
				s.lay(i, next[i], e.Arg[0], seat)
				next[i]++
			}
		case HasReshuffled, HasShuffled:
			reshuffled = true
		case HasDrawnCard:
			if i == seat && !reshuffled {
				s.exchange(s.Deck, e.Arg[0], seat)
			}
		case HasEndedRound, HasUsedCompass:
			return nil // what comes later is a matter of other cards
		}
	}
	return nil
}

// lay has a card lie in a slot of a ship, where seat from does not see it. The slots before it are as they should be.
func (s *State) lay(ship, slot int, card int8, from int) {
	sh := &s.Ships[ship]
	if sh.Table[slot] == noCard {
		return
	}
	own := s.Hidden(ship)
	for k := int(s.Revealed); k < slot; k++ {
		own &^= 1 << sh.Table[k]
	}
	if own>>card&1 == 0 {
		s.exchange(own, card, from)
	}
	was := sh.Table[slot]
	for k := slot; k < NumSlots; k++ {
		if sh.Table[k] == card {
			sh.Table[slot], sh.Table[k] = card, was
			return
		}
	}
	if sh.Hand>>card&1 != 0 {
		sh.Hand = sh.Hand&^(1<<card) | 1<<was
		sh.Table[slot] = card
	}
}

// exchange has a card change places with one of a set, old as it is or fresh as it is, where seat from sees neither.
func (s *State) exchange(with uint64, card int8, from int) {
	if s.Old>>card&1 != 0 {
		with &= s.Old
	} else {
		with &^= s.Old
	}
	if with == 0 || with>>card&1 != 0 {
		return
	}
	hidden := s.Deck
	for i := range s.Ships {
		if i != from {
			hidden |= s.Hidden(i)
		}
	}
	if hidden>>card&1 == 0 {
		return
	}
	other := int8(bits.TrailingZeros64(with))
	swap := func(set *uint64) {
		if *set>>card&1 != *set>>other&1 {
			*set ^= 1<<card | 1<<other
		}
	}
	swap(&s.Deck)
	for i := range s.Ships {
		sh := &s.Ships[i]
		swap(&sh.Hand)
		for k, c := range sh.Table {
			switch c {
			case card:
				sh.Table[k] = other
			case other:
				sh.Table[k] = card
			}
		}
	}
}
