package jollyroger

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Each seat's memory of crew cards that are hidden in hands (and, with hidden prizes, of
// prizes). A memory is the seat's own: it is a function of the seat's observations
// alone. All of its content is true together:
// there is a different card for each sighting. When a card goes and the seat cannot tell which of
// several sightings it was, its memory of them grows vaguer, never wrong.
//
// One memory more is that of an onlooker, who sees what all see: which cards of a mutiny are dealt again, how many
// go from where to where, and what is laid open. All seats know what it knows.

const (
	sightedPrize = uint8(NumCrew) // Sighting.Kind of the first prize

	middle   = MaxSeats     // of the table: the place of prizes that are being shared out, and of the cards of a mutiny that are being dealt again
	places   = MaxSeats + 1 // the seats and the table
	onTable  = uint16(1) << middle
	anywhere = onTable<<1 - 1 // all places

	toldBits   = places                // above: 1 + another seat that knows of the sighting
	lastMutiny = uint16(1) << (16 - 1) // the card is one of those that were dealt again after the last mutiny

	onlooker = MaxSeats     // whose memory comes after those of the seats
	knowers  = MaxSeats + 1 // the seats and the onlooker
)

func bit(place int) uint16 { return 1 << place }

// everyone is the set of all seats.
func (r *Rules) everyone() uint16 { return 1<<r.seats - 1 }

// Sighting is what a seat knows of a hidden card: that one card of a kind is at one of a set of
// places, besides any that its other sightings are of.
type Sighting struct {
	Kind  uint8  // a crew card, or FirstPrizeSighted + a prize
	where uint16 // a set of places, never the seat itself; above it what others know
}

// Sighting is the i-th of what a seat knows of hidden cards. There are as many as Sighted says; their order means nothing.
func (s *State) Sighting(seat, i int) Sighting {
	m := &s.Memories[seat]
	return Sighting{m.Kind[i], m.Where[i]}
}

// told is the bits of a sighting that another seat knows of, or nobody if it is noSeat.
func told(seat int) uint16 { return uint16(1+seat) << toldBits }

// Among is the set of places where the card may be: seats, and OnTable.
func (e Sighting) Among() uint16 { return e.where & anywhere }

// told is the seat that knows of this very sighting: noSeat if nobody does.
func (e Sighting) told() int { return int(e.where&^lastMutiny>>toldBits) - 1 }

// heard reports whether another seat knows of the i-th sighting of a seat, and still has the card, of which it has had some number of each kind
// before.
func (s *State) heard(knower, by, i int, had *[NumCrew + NumPrizes]int) bool {
	e := s.Sighting(knower, i)
	if e.told() != by || e.where&bit(by) == 0 || had[e.Kind] >= s.cardsOf(by, e.Kind) {
		return false
	}
	had[e.Kind]++
	return true
}

// ofLast reports whether the card has been dealt again after the last mutiny.
func (e Sighting) ofLast() bool { return e.where&lastMutiny != 0 }

// unsure is the sighting once nobody knows any more that it is this one.
func (e Sighting) unsure() uint16 { return e.where & (anywhere | lastMutiny) }

// sure reports whether the card can be at one place only.
func (e Sighting) sure() bool { return e.Among()&(e.Among()-1) == 0 }

// class is 0 for crew cards and 1 for prizes.
func (e Sighting) class() int { return classOf(e.Kind) }

// classOf is 0 for crew cards and 1 for prizes, by Sighting.Kind.
func classOf(kind uint8) int { return int(engine.Bit(kind >= sightedPrize)) }

// cards is how many crew cards, or prizes, are at a place.
func (s *State) cards(class, place int) int {
	switch {
	case class == 0 && place == middle:
		return 0 // those of a mutiny are known in hands only
	case class == 0:
		return int(s.Size[place])
	case place == middle:
		return sum(s.Spoils[:])
	}
	return sum(s.Prizes[place][:]) + sum(s.Buried[place][:])
}

// The counts of a seat's sightings at each place: it knows the least and the greatest possible number of each.
const (
	allCrew  = iota // crew cards
	lastCrew        // those of them that are of the last mutiny
	prizeRow        // prizes
	numRows
)

// rowOf is where sightings of a class are counted.
func rowOf(class int) int { return class * prizeRow }

// counts are numbers of cards at each place.
type counts [countsWide]uint8

const countsWide = 12 // a word and a half, for places and a spare one

func (c *counts) words() (low uint64, high uint32) {
	return binary.LittleEndian.Uint64(c[:8]), binary.LittleEndian.Uint32(c[8:])
}

// less takes one off at each of some places that have any.
func (c *counts) less(among uint16) {
	const ones, below = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	some := func(w uint64) uint64 { return (w&below + below | w) >> 7 & ones }
	low, high := c.words()
	binary.LittleEndian.PutUint64(c[:8], low-some(low)&engine.Octet(uint8(among)))
	binary.LittleEndian.PutUint32(c[8:], high-uint32(some(uint64(high))&engine.Octet(uint8(among>>8))))
}

// more adds others.
func (c *counts) more(others *counts) {
	low, high := c.words()
	l, h := others.words()
	binary.LittleEndian.PutUint64(c[:8], low+l)
	binary.LittleEndian.PutUint32(c[8:], high+h)
}

// sight has a seat know that a card of a kind is at a place. Another seat may know that it knows: told(seat), or 0.
func (s *State) sight(knower, place int, kind uint8, told uint16) {
	s.remember(knower, kind, bit(place)|told)
	row := rowOf(classOf(kind))
	s.Least[row][knower][place]++
	s.Most[row][knower][place]++
}

// remember adds a sighting to a memory, which has room for one of each card of the box.
func (s *State) remember(knower int, kind uint8, where uint16) {
	n := &s.Sighted[knower]
	if *n == 0 {
		s.Knowing++
	}
	m := &s.Memories[knower]
	m.Kind[*n], m.Where[*n], m.Bag[*n] = kind, where, noBag
	*n++
	s.Several[kind] |= s.SightedBy[kind] & bit(knower)
	s.SightedBy[kind] |= bit(knower)
}

// order is a number by which sightings are put in order, of what they say alone: nothing can be told from when they came.
func (m *Memory) order(i int) uint64 {
	e := Sighting{m.Kind[i], m.Where[i]}
	return uint64(e.Kind)<<48 | uint64(e.Among())<<32 | uint64(e.where)<<8 | uint64(m.Bag[i])
}

// arrange has a seat remember in that order.
func (s *State) arrange(seat int) {
	m := &s.Memories[seat]
	for i := 1; i < int(s.Sighted[seat]); i++ {
		kind, where, bag, order := m.Kind[i], m.Where[i], m.Bag[i], m.order(i)
		j := i
		for ; j > 0 && order < m.order(j-1); j-- {
			m.Kind[j], m.Where[j], m.Bag[j] = m.Kind[j-1], m.Where[j-1], m.Bag[j-1]
		}
		m.Kind[j], m.Where[j], m.Bag[j] = kind, where, bag
	}
}

// dropped takes a sighting that is dropped off the cards counted: at a place, if it was there or one of the same kind was in
// its stead; else there may be one less at each place where it could be, but no fewer than are sure to be there. If all of n that
// it could have been can be at one other place only, and none was at the first, all of them are there.
func (s *State) dropped(knower, place int, e Sighting, there, itself bool, others uint16, n int) {
	row := rowOf(e.class())
	if there {
		s.uncount(row, place, knower)
	} else {
		s.fewer(row, knower, e.Among(), others, n)
	}
	if e.ofLast() {
		if there && itself {
			s.uncount(lastCrew, place, knower)
		} else {
			s.fewer(lastCrew, knower, e.Among(), 0, 0)
		}
	}
}

// uncount takes one off the cards known to be at a place.
func (s *State) uncount(row, place, knower int) {
	if n := &s.Least[row][knower][place]; *n > 0 {
		*n--
	}
	if n := &s.Most[row][knower][place]; *n > 0 {
		if *n--; *n == 0 {
			s.none(row, place, knower)
		}
	}
}

// none has a seat know that none of the cards that are counted in a row is at a place.
func (s *State) none(row, place, knower int) {
	m, of := &s.Memories[knower], bit(place)
	if row == lastCrew {
		of |= lastMutiny
	}
	for i, w := range m.Where[:s.Sighted[knower]] {
		if w&of == of && classOf(m.Kind[i]) == row/prizeRow {
			w &^= bit(place)
			if m.Where[i] = w; w&anywhere&(w&anywhere-1) == 0 {
				s.settled(knower, i)
			}
		}
	}
}

// fewer allows for one card less that is known at each of some places. There are no fewer than are sure to be there; and n cards
// that are not where one of them was looked for are all at the only other place, if there is but one.
func (s *State) fewer(row, knower int, among, others uint16, n int) {
	was := s.Least[row][knower]
	least := &s.Least[row][knower]
	least.less(among)
	if *least == was {
		return
	}
	var sure counts
	if knower != onlooker && bytes.IndexByte(s.Memories[knower].Bag[:s.Sighted[knower]], noBag) >= 0 {
		sure = s.surely(row, knower)
	}
	if q := bits.TrailingZeros16(others); n > 1 && others&(others-1) == 0 && others != 0 {
		sure[q] += uint8(n - 1)
	}
	for p := range least {
		least[p] = max(least[p], min(was[p], sure[p]))
	}
}

// surely counts the cards that can be at one place only.
func (s *State) surely(row, knower int) (sure counts) {
	m := &s.Memories[knower]
	for i, w := range m.Where[:s.Sighted[knower]] {
		if among := w & anywhere; among&(among-1) == 0 && classOf(m.Kind[i]) == row/prizeRow && (row != lastCrew || w&lastMutiny != 0) {
			sure[bits.TrailingZeros16(among)]++
		}
	}
	return sure
}

// forget takes a sighting out of a memory.
func (s *State) forget(knower, i int) {
	m := &s.Memories[knower]
	kind := m.Kind[i]
	s.erase(knower, i)
	s.recount(knower, kind, bytes.Count(m.Kind[:s.Sighted[knower]], kinds[kind:kind+1]))
}

// kinds are all of them.
var kinds = func() (all [NumCrew + NumPrizes]byte) {
	for k := range all {
		all[k] = byte(k)
	}
	return all
}()

// recount notes how many sightings of a kind a seat has.
func (s *State) recount(knower int, kind uint8, n int) {
	if n < 2 {
		s.Several[kind] &^= bit(knower)
	}
	if n < 1 {
		s.SightedBy[kind] &^= bit(knower)
	}
}

// erase does so without that.
func (s *State) erase(knower, i int) {
	m, n := &s.Memories[knower], &s.Sighted[knower]
	s.leaves(knower, i)
	*n--
	last := *n
	m.Kind[i], m.Where[i], m.Bag[i] = m.Kind[last], m.Where[last], m.Bag[last]
	m.Kind[last], m.Where[last], m.Bag[last] = 0, 0, noBag
	if last == 0 {
		s.Knowing--
		s.uncounted(knower)
	}
}

// uncounted has no cards be counted for a seat.
func (s *State) uncounted(knower int) {
	for row := range numRows {
		s.Least[row][knower], s.Most[row][knower] = counts{}, counts{}
	}
}

// lost notes that a seat saw a card of a kind leave a place, of hidden ones that there were of it: it
// drops the sighting that it can have been with the fewest places, and is no longer sure where the
// others among those that it can have been are: one of them may be what the dropped one was. It is false if
// the card is none that the seat knew of.
func (s *State) lost(knower, from int, kind uint8, hidden int) bool {
	m, n := &s.Memories[knower], int(s.Sighted[knower])
	best, few, same, can, lasts, alike := -1, 0, 0, 0, 0, true
	others, most := uint16(0), &s.Most[allCrew]
	if kind >= sightedPrize {
		most = &s.Most[prizeRow]
	}
	for i := 0; i < n; i++ {
		k := bytes.IndexByte(m.Kind[i:n], kind)
		if k < 0 {
			break
		}
		i += k
		same++
		among := m.Where[i] & anywhere
		if among&bit(from) == 0 {
			continue
		}
		can++
		others |= among &^ bit(from)
		alike = alike && (best < 0 || m.Bag[i] == m.Bag[best] && among == m.Where[best]&anywhere)
		if m.Where[i]&lastMutiny != 0 {
			lasts++
		}
		if c := bits.OnesCount16(among); best < 0 || c < few || c == few && m.order(i) < m.order(best) {
			best, few = i, c
		}
	}
	if best < 0 {
		return false
	}
	e := s.Sighting(knower, best)
	there := few == 1 || same == hidden // there are no others of the kind
	if can > 1 && !there {
		room := 0
		for set := others; set != 0; set &= set - 1 {
			p := bits.TrailingZeros16(set)
			n := most[knower][p]
			if lasts == can {
				n = min(n, s.Most[lastCrew][knower][p])
			}
			room += int(n)
		}
		there = can > room // they cannot all be elsewhere
	}
	var shares [places]uint32
	if !alike && knower != onlooker {
		shares = s.shares(knower, best)
	}
	s.take(knower, best, from)
	s.erase(knower, best)
	s.recount(knower, kind, same-1)
	if can > 1 {
		s.confuse(knower, from, e, shares)
	}
	s.dropped(knower, from, e, there, lasts == 0 || lasts == can, others, can)
	return true
}

// lostOnly is lost for a seat that has one sighting of the kind.
func (s *State) lostOnly(knower, from int, kind uint8, hidden int) bool {
	m := &s.Memories[knower]
	i := bytes.IndexByte(m.Kind[:s.Sighted[knower]], kind)
	e := Sighting{kind, m.Where[i]}
	if e.where&bit(from) == 0 {
		return false
	}
	s.take(knower, i, from)
	s.erase(knower, i)
	s.SightedBy[kind] &^= bit(knower)
	s.dropped(knower, from, e, hidden == 1 || e.sure(), true, 0, 0)
	return true
}

// confuse has a seat think that others of a kind at a place may be the card of a sighting that it has dropped.
func (s *State) confuse(knower, from int, gone Sighting, shares [places]uint32) {
	for i := range int(s.Sighted[knower]) {
		e := s.Sighting(knower, i)
		if e.Kind != gone.Kind || e.where&bit(from) == 0 {
			continue
		}
		seat := e.told()
		if !gone.sure() || gone.told() != seat {
			seat = noSeat // nobody knows which one was dropped
		}
		last := e.where & gone.where & lastMutiny
		if shares[from] > 0 {
			s.mix(knower, i, from, shares)
		}
		s.Memories[knower].Where[i] = e.Among() | gone.Among() | last | told(seat)
		if e.ofLast() && last == 0 {
			s.fewer(lastCrew, knower, e.Among(), 0, 0)
		}
	}
}

// hiddenFrom is how many crew cards of a kind a seat, or the onlooker, does not see. Of prizes it is fewer
// than any: it is not known that there are no others.
func (s *State) hiddenFrom(seat int, kind uint8) int {
	if kind >= sightedPrize {
		return -maxSightings
	}
	n := int(s.Deck[kind])
	for i := range s.Hands {
		n += int(s.Hands[i][kind])
	}
	return n - s.own(seat, kind)
}

// own is how many crew cards of a kind a seat holds; the onlooker has none.
func (s *State) own(seat int, kind uint8) int {
	if kind >= sightedPrize || seat == onlooker {
		return 0
	}
	return int(s.Hands[seat][kind])
}

// fits has a seat know that no more of the cards that it knows of are at a place than there are at all.
func (s *State) fits(class, place, knower, n int) {
	for row := rowOf(class); row <= class+1; row++ { // crew cards in all, and of the last mutiny; prizes
		if most, least := &s.Most[row][knower][place], &s.Least[row][knower][place]; int(*most) > n {
			*most, *least = uint8(n), min(*least, uint8(n))
		}
	}
	if n > 0 {
		return
	}
	s.none(rowOf(class), place, knower)
	if knower != onlooker {
		s.Slots[knower][place].empty(class)
	}
}

// each changes all sightings of a seat whose cards can be at a place.
func (s *State) each(knower, class, place int, change func(e Sighting) uint16) {
	m := &s.Memories[knower]
	for i, w := range m.Where[:s.Sighted[knower]] {
		if w&bit(place) != 0 && classOf(m.Kind[i]) == class {
			m.Where[i] = change(Sighting{m.Kind[i], w})
		}
	}
}

// left notes that a card has left a seat where all see it.
func (s *State) left(from int, kind uint8) {
	if s.Knowing == 0 {
		return
	}
	class := classOf(kind)
	n := s.cards(class, from)
	knew := uint16(0)
	if who := s.SightedBy[kind] &^ bit(from); who != 0 {
		hidden := s.hiddenFrom(onlooker, kind) + 1
		for ; who != 0; who &= who - 1 {
			knower := bits.TrailingZeros16(who)
			var it bool
			if s.Several[kind]&bit(knower) != 0 {
				it = s.lost(knower, from, kind, hidden-s.own(knower, kind))
			} else {
				it = s.lostOnly(knower, from, kind, hidden-s.own(knower, kind))
			}
			if it {
				knew |= bit(knower)
			}
		}
	}
	for knower, open := range s.Open[:MaxSeats] {
		if open != 0 && knew&bit(knower) == 0 {
			s.thin(knower, from, class, n+1)
		}
	}
	if n > 0 {
		for knower, most := range &s.Most[rowOf(class)] {
			if int(most[from]) > n {
				s.fits(class, from, knower, n)
			}
		}
		return
	}
	for knower := range s.Memories {
		if s.Sighted[knower] > 0 {
			s.fits(class, from, knower, 0)
		}
	}
}

// passed notes that a card has gone from one place to another where only two saw which: who got it, if
// it was not laid on the table, and a seer, mostly who had it.
//
// Clauses KNOW-3, KNOW-7.
func (s *State) passed(from, to, seer int, kind uint8) {
	class := classOf(kind)
	if s.Knowing > 0 {
		n := s.cards(class, from)
		for knower := range s.Memories {
			switch {
			case s.Sighted[knower] == 0:
				continue
			case knower == onlooker:
				s.unseen(class, from, to, knower)
			case knower == from:
				continue
			case knower == to:
				s.secretly(knower, from, class, seer)
				s.looksAt(knower, from, kind, n+1, s.hiddenFrom(knower, kind)+1)
			case knower == seer:
				s.secretly(knower, from, class, to)
				s.looksAt(knower, from, kind, n+1, s.hiddenFrom(knower, kind)+1)
			default:
				s.unseen(class, from, to, knower)
			}
			s.fits(class, from, knower, n)
		}
	}
	switch {
	case to == middle:
		s.sight(seer, to, kind, 0)
	case to != seer:
		s.sight(seer, to, kind, told(to))
	}
}

// looksAt has a seat see a card of a kind at a place with n cards, and drops its sighting of that card, if it has one.
func (s *State) looksAt(knower, place int, kind uint8, n, hidden int) {
	if !s.lost(knower, place, kind, hidden) {
		s.thin(knower, place, classOf(kind), n)
	}
}

// unseen notes that a card has gone from one place to another and that a seat did not see which. If all
// that were there were known, one of them is at the other place now; else at most one is.
func (s *State) unseen(class, from, to, knower int) {
	var some [2]bool
	for i, w := range s.Memories[knower].Where[:s.Sighted[knower]] {
		if w&bit(from) != 0 && classOf(s.Memories[knower].Kind[i]) == class {
			some[0] = true
			some[1] = some[1] || w&lastMutiny != 0
		}
	}
	if some[0] && knower != onlooker {
		s.drift(knower, class, from, to)
	}
	s.each(knower, class, from, func(e Sighting) uint16 { return e.where | bit(to) })
	left, got := s.cards(class, from), s.cards(class, to)
	for i, row := range [2]int{rowOf(class), lastCrew} {
		least, most := &s.Least[row][knower], &s.Most[row][knower]
		if !some[i] || most[from] == 0 {
			continue
		}
		if int(most[to]) < got {
			most[to]++
		}
		if int(least[from]) > left {
			least[to]++
			most[from]--
		}
		if least[from] > 0 {
			least[from]--
		}
	}
}

// secretly notes that a seat has seen what left a place, or lies there, and only one other seat saw it too: the rest no
// longer know what it knows of that place.
func (s *State) secretly(knower, place, class, other int) {
	s.each(knower, class, place, func(e Sighting) uint16 {
		if e.told() != other {
			return e.unsure()
		}
		return e.where
	})
}

// shown notes that a seat has seen n cards of a kind at a place; it may have known of them before. Another
// may know that it has: told(seat), or 0.
func (s *State) shown(place, knower int, kind, n uint8, told uint16) {
	hidden, all := s.hiddenFrom(knower, kind), s.cards(classOf(kind), place)
	for i := range n {
		s.looksAt(knower, place, kind, all, hidden-int(i))
	}
	for range n {
		s.sight(knower, place, kind, told)
	}
}

// look has a seat see the prizes that are being shared out.
func (s *State) look(seat int) {
	const class = 1
	s.secretly(seat, middle, class, noSeat)
	for p, n := range s.Spoils {
		s.shown(middle, seat, sightedPrize+uint8(p), n, 0)
	}
	s.each(seat, class, middle, func(e Sighting) uint16 {
		if e.sure() {
			return e.where
		}
		return e.where &^ onTable // it would have seen it
	})
	for i := range int(s.Sighted[seat]) {
		s.settled(seat, i)
	}
	s.Slots[seat][middle].empty(class)
}

// dealAgain begins to deal the cards of a mutiny. How many of those of an earlier one are where is known no longer, only how
// many of all that a seat knows of.
func (s *State) dealAgain() {
	s.Least[lastCrew], s.Most[lastCrew] = [knowers]counts{}, [knowers]counts{}
	for knower := range s.Memories {
		m := &s.Memories[knower]
		for i := range m.Where[:s.Sighted[knower]] {
			m.Where[i] &^= lastMutiny
		}
	}
}

// settle has all know the cards of a mutiny, once all of them have been dealt: what they were, and
// how many went to whom. Each knows that those it did not get are with the others.
//
// Clause KNOW-4.
func (s *State) settle(seats int) {
	var pool [NumCrew]uint8
	var got counts
	among := uint16(0)
	for seat := range seats {
		for c, n := range s.Got[seat] {
			pool[c] += n
			got[seat] += n
		}
		if got[seat] > 0 {
			among |= bit(seat)
		}
	}
	var list [NumCrew]uint8
	kinds := list[:0]
	for c, n := range pool {
		if n > 0 {
			kinds = append(kinds, uint8(c))
		}
	}
	var none [NumCrew]uint8
	for seat := range seats {
		s.settleFor(seat, kinds, &pool, &s.Got[seat], got, among)
	}
	s.settleFor(onlooker, kinds, &pool, &none, got, among)
	s.Got = [MaxSeats][NumCrew]uint8{}
}

func (s *State) settleFor(knower int, kinds []uint8, pool, own *[NumCrew]uint8, got counts, among uint16) {
	bag := uint8(noBag)
	if knower != onlooker {
		got[knower], among = 0, among&^bit(knower)
		if bag = s.newBag(knower, 0); bag != noBag {
			s.Open[knower] &^= 1 << bag
			for place, n := range got[:MaxSeats] {
				s.Slots[knower][place][bag] = slot * uint16(n)
			}
		}
	}
	m, n := &s.Memories[knower], s.Sighted[knower]
	if n == 0 {
		s.Knowing++
	}
	for _, c := range kinds {
		more := pool[c] - own[c]
		if more == 0 {
			continue
		}
		if more > 1 || s.SightedBy[c]&bit(knower) != 0 {
			s.Several[c] |= bit(knower)
		}
		s.SightedBy[c] |= bit(knower)
		for ; more > 0; more-- {
			m.Kind[n], m.Where[n], m.Bag[n] = c, among|lastMutiny, bag
			n++
		}
	}
	if s.Sighted[knower] = n; n == 0 {
		s.Knowing--
	}
	for row := range prizeRow {
		s.Least[row][knower].more(&got)
		s.Most[row][knower].more(&got)
	}
	for i := 0; among&(among-1) == 0 && i < int(n); i++ {
		s.settled(knower, i)
	}
}
