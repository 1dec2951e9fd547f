package doubloons

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Redeal replaces what a player cannot know: the cards in other hands, those face
// down before other seats, the deck, and the match's generator. (Everything else on the table
// is open, and stacks are drawn from at the moment of drawing.)
//
// When the deck last ran out, every card that was not in the discard was in some
// hand: such a card (State.Old) is still in a hand unless it has been played since. So old cards are dealt
// among the places of old cards, the others among the rest and the deck. Cards of a seat that the player
// has left (State.Seen) stay there.
//
// The other players have seen what all know that they have: what the seats hide that they have left in this round. How much is left of what they saw
// before nobody else can tell: they have forgotten it.
// Clause KNOW-3.
func (r *Rules) Redeal(s *State, player int, rng *engine.Rand) {
	s.Rand = rng.Split()
	if player == engine.Full {
		return // what comes is all that is hidden
	}
	seat := r.SeatOf(s, player)
	var old, fresh uint64
	for i := range r.seats {
		if i != seat {
			hidden := s.Hidden(i) &^ s.Seen[player]
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
		known := s.Hidden(i) & s.Seen[player] // by the player
		hidden := s.Hidden(i) &^ known
		nOld := bits.OnesCount64(hidden & s.Old)
		hand := take(&old, nOld, rng) | take(&fresh, bits.OnesCount64(hidden)-nOld, rng)
		hand |= known
		if s.Left[player]>>i&1 != 0 {
			continue // the player knows what lies where
		}
		for k := range sh.Table {
			if k >= int(s.Revealed) && sh.Table[k] != noCard {
				card := take(&hand, 1, rng)
				sh.Table[k] = int8(bits.TrailingZeros64(card))
			}
		}
		sh.Hand = hand
	}
	s.Deck = fresh
	s.othersRemember(player)
}

// othersRemember has all but a player have seen what Redeal says.
func (s *State) othersRemember(player int) {
	for p := range s.Seen {
		if p != player {
			s.Seen[p] = s.hiddenAt(s.Left[p])
		}
	}
}

// Sight: cards are programmed face down and drawn into hands, everything else is open.
// Clauses KNOW-1, KNOW-2.
func (r *Rules) Sight(s *State, view int, _ engine.Action) engine.Sight {
	f := s.Top()
	if (f.Kind == AskProgram || f.Kind == DrawCard) && r.PlayerAt(s, int(f.Seat)) != view {
		return engine.FaceDown
	}
	return engine.Open
}

// Hidden is the set of a seat's cards that the others have not seen: in hand or
// face down.
func (s *State) Hidden(seat int) uint64 {
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
