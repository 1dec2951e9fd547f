package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Redeal replaces what a seat cannot know: the cards in other hands, those face
// down before other seats, the deck, and the match's generator. (Everything else on the table
// is open, and stacks are drawn from at the moment of drawing.)
//
// When the deck last ran out, every card that was not in the discard was in some
// hand: such a card (State.Old) is still in a hand unless it has been played since. So old cards are dealt
// among the places of old cards, the others among the rest and the deck.
func (r *Rules) Redeal(s *State, seat int, rng *engine.Rand) {
	s.Rand = rng.Split()
	var old, fresh uint64
	for i := range r.seats {
		if i != seat {
			hidden := s.hidden(i)
			old |= hidden & s.Old
			fresh |= hidden &^ s.Old
		}
	}
	fresh |= s.Deck
	for i := range r.seats {
		if i == seat {
			continue
		}
		sh := &s.Ships[i]
		hidden := s.hidden(i)
		nOld := bits.OnesCount64(hidden & s.Old)
		hand := take(&old, nOld, rng) | take(&fresh, bits.OnesCount64(hidden)-nOld, rng)
		for k := range sh.Table {
			if k >= int(s.Revealed) && sh.Table[k] != noCard {
				card := take(&hand, 1, rng)
				sh.Table[k] = int8(bits.TrailingZeros64(card))
			}
		}
		sh.Hand = hand
	}
	s.Deck = fresh
}

// hidden is the set of a seat's cards that the others have not seen: in hand or
// face down.
func (s *State) hidden(seat int) uint64 {
	sh := &s.Ships[seat]
	set := sh.Hand
	for k, c := range sh.Table {
		if k >= int(s.Revealed) && c != noCard {
			set |= 1 << c
		}
	}
	return set
}

// take moves n random members out of a set.
func take(from *uint64, n int, rng *engine.Rand) uint64 {
	var taken uint64
	for ; n > 0; n-- {
		card := uint64(1) << nthBit(*from, rng.Intn(bits.OnesCount64(*from)))
		*from &^= card
		taken |= card
	}
	return taken
}
