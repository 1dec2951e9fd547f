package doubloons

import (
	"encoding/json"
	"math/bits"

	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// Suppose exchanges cards that a player has not seen, to match what it is told: cards that others reveal next lie face down in their slots,
// cards that it finds on a ship that it takes are there, and cards that it draws next are in the deck. Old cards (State.Old) are exchanged
// only for old cards and fresh ones for fresh ones, so that the player could not tell. What the others have seen is as after Redeal.
//
// Clauses KNOW-3, STEAL-11.
func (r *Rules) Suppose(s *State, player int, told []json.RawMessage) error {
	seat := r.SeatOf(s, player)
	p := supposing{s: s, hidden: s.Deck}
	for i := range r.seats {
		if i != seat {
			p.hidden |= s.Hidden(i) &^ s.Seen[player]
		}
	}
	defer s.othersRemember(player)
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
				p.lay(i, next[i], e.Arg[0])
				next[i]++
			}
		case HasFound:
			if slot := int(e.Arg[1]); slot > 0 {
				p.lay(i, slot-1, e.Arg[0])
			} else {
				p.exchange(s.Ships[i].Hand, e.Arg[0])
			}
		case HasReshuffled, HasShuffled:
			reshuffled = true
		case HasDrawnCard:
			if i == seat && !reshuffled {
				p.exchange(s.Deck, e.Arg[0])
			}
		case HasEndedRound, HasUsedCompass:
			return nil // what comes later is a matter of other cards
		}
	}
	return nil
}

// supposing is where cards lie that a player has not seen.
type supposing struct {
	s      *State
	hidden uint64 // all of them
	placed uint64 // those that lie where they are told to
}

// lay has a card lie in a slot of a ship. Those of the slots before it do so already.
func (p *supposing) lay(ship, slot int, card int8) {
	sh := &p.s.Ships[ship]
	if sh.Table[slot] == noCard {
		return
	}
	p.exchange(p.s.Hidden(ship), card)
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

// exchange has a card be one of a set: it changes places with another of them, old as it is or fresh as it is.
func (p *supposing) exchange(with uint64, card int8) {
	s := p.s
	if p.hidden>>card&1 == 0 {
		return
	}
	was := p.placed
	p.placed |= 1 << card
	if with>>card&1 != 0 {
		return
	}
	if with &= p.hidden &^ was; s.Old>>card&1 != 0 {
		with &= s.Old
	} else {
		with &^= s.Old
	}
	if with == 0 {
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
