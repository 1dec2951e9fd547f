package jollyroger

import (
	"bytes"
	"math/bits"
)

// How likely a card that a seat has sighted is at each of the places where it can be. A bag is a number of cards, of which
// a seat knows some, that lie at several places, it does not know which of them where: the hand from which a card was
// stolen, or the cards of a mutiny. Of a bag all is known once it is known how many of its cards there are at each place,
// its slots there: each of its cards is as likely in each slot. A card that goes from a hand unseen is as likely any of
// its cards; so it takes of each bag that has slots there its share along, and of a bag that has been so divided once more the
// slots are expected ones, in parts of one.

const (
	noBag     = 0 // that of a card whose place is certain, or for which there was no bag left
	crewBags  = 5 // bags from 1 on are of crew cards,
	prizeBags = 2 // those after them of prizes
	allBags   = 1 + crewBags + prizeBags
	poolBag   = allBags // in a redeal, the cards of a mutiny that are being dealt

	slot     = 840                          // one slot: hands of up to eight divide it
	maxCards = normalCopies + specialCopies // in a bag, at most
)

// slotsAt are the slots that each bag has at a place.
type slotsAt [allBags]uint16

// bagsOf are the bags that a class of cards may have.
func bagsOf(class int) (first, end int) {
	if class == 0 {
		return 1, 1 + crewBags
	}
	return 1 + crewBags, allBags
}

// add adds slots of a bag.
func (b *slotsAt) add(bag uint8, n uint32) {
	if bag != noBag {
		b[bag] += uint16(n)
	}
}

// less takes slots of a bag away, as far as it has any.
func (b *slotsAt) less(bag uint8, n uint32) {
	if bag != noBag {
		b[bag] -= min(b[bag], uint16(n))
	}
}

// empty has no bags of a class have slots.
func (b *slotsAt) empty(class int) {
	first, end := bagsOf(class)
	clear(b[first:end])
}

// thin takes from the bags of a seat what one of n cards at a place is of them, now that the seat knows that card: none that it had
// sighted. So it is as likely of a bag as there are others in the bag, which only open ones have, and as of the cards there that are of none.
func (s *State) thin(knower, place, class, n int) {
	m, at, sighted := &s.Memories[knower], &s.Slots[knower][place], [allBags]int{}
	rest := slot * n
	for i, bag := range m.Bag[:s.Sighted[knower]] {
		if sighted[bag] += slot; m.Where[i]&anywhere == bit(place) && classOf(m.Kind[i]) == class {
			rest -= slot
		}
	}
	var likely [allBags]int
	all, open := 0, s.Open[knower]
	first, end := bagsOf(class)
	for k := first; k < end; k++ {
		if rest -= int(at[k]); at[k] == 0 || open>>k&1 == 0 {
			continue
		}
		whole := 0
		for p := range s.Slots[knower] {
			whole += int(s.Slots[knower][p][k])
		}
		likely[k] = int(at[k]) * max(0, whole-sighted[k]) / whole
		all += likely[k]
	}
	all = max(1, all+max(0, rest))
	for k := first; k < end; k++ {
		at[k] -= min(at[k], uint16((slot*likely[k]+all/2)/all))
	}
}

// newBag is a bag that no sighting of a seat is of, an open one, or noBag if there is none.
func (s *State) newBag(knower, class int) uint8 {
	used := uint8(0)
	for _, bag := range s.Memories[knower].Bag[:s.Sighted[knower]] {
		used |= 1 << bag
	}
	first, end := bagsOf(class)
	for bag := first; bag < end; bag++ {
		if used>>bag&1 == 0 {
			s.Open[knower] |= 1 << bag
			return uint8(bag)
		}
	}
	return noBag
}

// leaves has a sighting leave its bag, which is gone if it was the last.
func (s *State) leaves(knower, i int) {
	m := &s.Memories[knower]
	bag := m.Bag[i]
	if m.Bag[i] = noBag; bag == noBag || bytes.IndexByte(m.Bag[:s.Sighted[knower]], bag) >= 0 {
		return
	}
	for place := range s.Slots[knower] {
		s.Slots[knower][place][bag] = 0
	}
	s.Open[knower] &^= 1 << bag
}

// settled has a card leave its bag if it can be at one place only.
func (s *State) settled(knower, i int) {
	if m := &s.Memories[knower]; m.Bag[i] != noBag {
		if among := m.Where[i] & anywhere; among&(among-1) == 0 {
			s.Slots[knower][bits.TrailingZeros16(among)].less(m.Bag[i], slot)
			s.leaves(knower, i)
		}
	}
}

// drift divides bags after a card has gone from one place to another, a seat did not see which. All that it was sure to know at
// the first place are of one bag now.
func (s *State) drift(knower, class, from, to int) {
	n := s.cards(class, from) + 1
	m, fresh := &s.Memories[knower], uint8(noBag)
	for i, w := range m.Where[:s.Sighted[knower]] {
		if w&anywhere != bit(from) || classOf(m.Kind[i]) != class {
			continue
		}
		if fresh == noBag {
			if fresh = s.newBag(knower, class); fresh == noBag {
				break
			}
			s.Slots[knower][from].add(fresh, slot*uint32(n))
		}
		m.Bag[i] = fresh
	}
	first, end := bagsOf(class)
	a, b := &s.Slots[knower][from], &s.Slots[knower][to]
	for k := first; k < end; k++ {
		gone := uint16((int(a[k]) + n/2) / n)
		a[k] -= gone
		b[k] += gone
	}
}

// shares are how likely a sighted card is at each place, in parts that are together one slot, or about.
func (s *State) shares(knower, i int) (shares [places]uint32) {
	m := &s.Memories[knower]
	among, bag, all := m.Where[i]&anywhere, m.Bag[i], uint32(0)
	for set := among; set != 0; set &= set - 1 {
		p := bits.TrailingZeros16(set)
		if shares[p] = 1; bag != noBag {
			shares[p] = uint32(s.Slots[knower][p][bag])
		}
		all += shares[p]
	}
	for p := range shares {
		shares[p] = (shares[p]*slot + all/2) / max(1, all)
	}
	return shares
}

// take takes a sighted card, which was at a place, out of its bag.
func (s *State) take(knower, i, place int) {
	if bag := s.Memories[knower].Bag[i]; bag != noBag {
		s.Slots[knower][place].less(bag, slot)
	}
}

// mix has a card be where it was or where another was, of which one, a seat does not know which, has gone from a place.
func (s *State) mix(knower, i, from int, other [places]uint32) {
	m, own := &s.Memories[knower], s.shares(knower, i)
	if own == other {
		return
	}
	for p, n := range own {
		s.Slots[knower][p].less(m.Bag[i], n)
	}
	s.leaves(knower, i)
	m.Bag[i] = s.newBag(knower, classOf(m.Kind[i]))
	all := max(1, own[from]+other[from])
	for p := range own {
		s.Slots[knower][p].add(m.Bag[i], (other[from]*own[p]+own[from]*other[p]+all/2)/all)
	}
}
