package jollyroger

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// What each seat has seen of crew cards that are hidden in hands (and, with hidden prizes, of
// prizes). A memory is the seat's own: it changes with what the seat sees and with nothing
// else, so that what is in it is a function of that alone. What is in it is true, and all of it together:
// there is a different card for each sighting. When a card goes and the seat cannot tell which of
// several sightings it was, its memory of them grows vaguer, never wrong.

const (
	sightedPrize = uint8(NumCrew) // Sighting.Kind of the first prize

	middle   = MaxSeats     // of the table: the place of prizes that are being shared out, and of the cards of a mutiny that are being dealt again
	places   = MaxSeats + 1 // the seats and the table
	onTable  = uint16(1) << middle
	anywhere = onTable<<1 - 1 // all places
	toldBits = places         // above are what others know of a sighting
)

// What others know of a sighting: of most at most one seat that it exists; of the cards of a mutiny that are dealt
// again all know that all know of them who do not get them, and who has got one knows it of this one.
const (
	alone   uint16 = 0
	last    uint16 = 1 + MaxSeats    // of the last mutiny
	earlier uint16 = last + MaxSeats // of another: from earlier+1 on
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

// told is the bits of a sighting that a seat knows of, or nobody if it is noSeat.
func told(seat int) uint16 { return (alone + uint16(1+seat)) << toldBits }

// dealt is that of the card of the last mutiny that a seat has got; noSeat if it is not known any more who has.
func dealt(seat int) uint16 { return (last + uint16(1+seat)) << toldBits }

// Among is the set of places at one of which the card is: seats, and OnTable.
func (e Sighting) Among() uint16 { return e.where & anywhere }

// told is the seat that knows of this very sighting: noSeat if nobody does.
func (e Sighting) told() int {
	switch t := int(e.where >> toldBits); {
	case t > int(earlier):
		return t - int(earlier) - 1
	case t >= int(last):
		return t - int(last) - 1
	default:
		return t - 1
	}
}

// ofMutiny reports whether all who do not hold the card know of it, as it has been dealt again after a mutiny.
func (e Sighting) ofMutiny() bool { return e.where>>toldBits >= last }

// ofLast reports whether it was the last mutiny.
func (e Sighting) ofLast() bool { return e.ofMutiny() && e.where>>toldBits <= earlier }

// known is the bits of a sighting that a seat knows of, of the last mutiny or an earlier one if they are.
func known(seat int, ofLast, ofMutiny bool) uint16 {
	switch {
	case ofLast:
		return dealt(seat)
	case ofMutiny && seat != noSeat:
		return (earlier + uint16(1+seat)) << toldBits
	}
	return told(seat)
}

// unsure is the sighting once nobody knows any more that it is this one.
func (e Sighting) unsure() uint16 { return e.Among() | known(noSeat, e.ofLast(), e.ofMutiny()) }

// sure reports whether the card can be at one place only.
func (e Sighting) sure() bool { return e.Among()&(e.Among()-1) == 0 }

// class is 0 for crew cards and 1 for prizes.
func (e Sighting) class() int { return classOf(e.Kind) }

// Dealing reports whether it is of a card of a mutiny that has just been dealt to somebody, while
// others still are: nobody knows yet which ones have been.
func (e Sighting) Dealing() bool { return e.Kind < sightedPrize && e.where&onTable != 0 }

// classOf is 0 for crew cards and 1 for prizes, by Sighting.Kind.
func classOf(kind uint8) int { return int(engine.Bit(kind >= sightedPrize)) }

// classes is how many of them are hidden.
func (r *Rules) classes() int { return 1 + int(engine.Bit(r.hidden)) }

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

// What is counted of the sightings of a seat at each place: it knows how many there are at least and at most.
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

// remember adds a sighting to a memory. A full one forgets another.
//
// Clause KNOW-7.
func (s *State) remember(knower int, kind uint8, where uint16) {
	n := &s.Sighted[knower]
	if *n == maxSightings && !s.forgetFor(knower, Sighting{kind, where}) {
		return
	}
	if *n == 0 {
		s.Knowing++
	}
	m := &s.Memories[knower]
	m.Kind[*n], m.Where[*n] = kind, where
	*n++
	s.Several[kind] |= s.SightedBy[kind] & bit(knower)
	s.SightedBy[kind] |= bit(knower)
}

// forgetFor makes room for a sighting: it forgets one that says least, as its card can be in most places, of these the last
// by kind. Of cards of a mutiny that are being dealt, the order is hidden, and nothing is forgotten for another one that comes
// later by kind: it is false then.
func (s *State) forgetFor(knower int, e Sighting) bool {
	last := 0
	for i := range maxSightings {
		if s.Sighting(knower, i).vaguer(s.Sighting(knower, last)) {
			last = i
		}
	}
	old := s.Sighting(knower, last)
	if e.Dealing() && old.Dealing() && e.Kind >= old.Kind {
		return false
	}
	s.forget(knower, last)
	if !old.Dealing() {
		s.dropped(knower, bits.TrailingZeros16(old.Among()), old, old.sure(), old.sure())
	}
	return true
}

// vaguer orders sightings by which is forgotten first.
func (e Sighting) vaguer(than Sighting) bool {
	if e.Dealing() != than.Dealing() {
		return than.Dealing()
	}
	return cmp.Or(
		cmp.Compare(bits.OnesCount16(e.Among()), bits.OnesCount16(than.Among())),
		cmp.Compare(e.Kind, than.Kind), cmp.Compare(e.Among(), than.Among())) > 0
}

// order is a number by which sightings are put in order, of what they say alone: nothing can be told from when they came.
func (e Sighting) order() uint64 {
	return uint64(e.Kind)<<48 | uint64(e.Among())<<32 | uint64(e.unsure())<<16 | uint64(e.where)
}

// arrange has a seat remember in that order.
func (s *State) arrange(seat int) {
	m := &s.Memories[seat]
	for i := 1; i < int(s.Sighted[seat]); i++ {
		e := s.Sighting(seat, i)
		j := i
		for ; j > 0 && e.order() < s.Sighting(seat, j-1).order(); j-- {
			m.Kind[j], m.Where[j] = m.Kind[j-1], m.Where[j-1]
		}
		m.Kind[j], m.Where[j] = e.Kind, e.where
	}
}

// dropped takes a sighting that is dropped off the cards counted: at a place, if it was there or one of the same kind was in
// its stead; else there may be one less at each place where it could be.
func (s *State) dropped(knower, place int, e Sighting, there, itself bool) {
	row := rowOf(e.class())
	if there {
		s.uncount(row, place, knower)
	} else {
		s.fewer(row, knower, e.Among())
	}
	if e.ofLast() {
		if itself {
			s.uncount(lastCrew, place, knower)
		} else {
			s.fewer(lastCrew, knower, e.Among())
		}
	}
}

// uncount takes one off the cards known to be at a place.
func (s *State) uncount(row, place, knower int) {
	if n := &s.Least[row][knower][place]; *n > 0 {
		*n--
	}
	if n := &s.Most[row][knower][place]; *n > 0 {
		*n--
	}
}

// fewer allows for one card less that is known at each of some places.
func (s *State) fewer(row, knower int, among uint16) {
	s.Least[row][knower].less(among)
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
	*n--
	last := *n
	m.Kind[i], m.Where[i] = m.Kind[last], m.Where[last]
	m.Kind[last], m.Where[last] = 0, 0
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
// others among those that it can have been are: one of them may be what the dropped one was.
func (s *State) lost(knower, from int, kind uint8, hidden int) {
	m, n := &s.Memories[knower], int(s.Sighted[knower])
	best, few, same, can := -1, 0, 0, 0
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
		if c := bits.OnesCount16(among); best < 0 || c < few || c == few && among < m.Where[best]&anywhere {
			best, few = i, c
		}
	}
	if best < 0 {
		return
	}
	e := s.Sighting(knower, best)
	was := same == hidden // there are no others of the kind
	s.dropped(knower, from, e, few == 1 || was, few == 1 || was && can == 1)
	s.erase(knower, best)
	s.recount(knower, kind, same-1)
	if can > 1 {
		s.confuse(knower, from, e)
	}
}

// lostOnly is lost for a seat that has one sighting of the kind.
func (s *State) lostOnly(knower, from int, kind uint8, hidden int) {
	m := &s.Memories[knower]
	i := bytes.IndexByte(m.Kind[:s.Sighted[knower]], kind)
	e := Sighting{kind, m.Where[i]}
	if e.where&bit(from) == 0 {
		return
	}
	there := hidden == 1 || e.sure()
	s.dropped(knower, from, e, there, there)
	s.erase(knower, i)
	s.SightedBy[kind] &^= bit(knower)
}

// confuse has a seat think that others of a kind at a place may be the card of a sighting that it has dropped.
func (s *State) confuse(knower, from int, gone Sighting) {
	for i := range int(s.Sighted[knower]) {
		e := s.Sighting(knower, i)
		if e.Kind != gone.Kind || e.where&bit(from) == 0 {
			continue
		}
		seat := e.told()
		if !gone.sure() || gone.told() != seat {
			seat = noSeat // nobody knows which one was dropped
		}
		ofLast := e.ofLast() && gone.ofLast()
		if e.ofLast() && !ofLast {
			s.fewer(lastCrew, knower, e.Among())
		}
		s.Memories[knower].Where[i] = e.Among() | gone.Among() | known(seat, ofLast, e.ofMutiny() && gone.ofMutiny())
	}
}

// hiddenFrom is how many crew cards of a kind a seat does not see; noSeat sees none. Of prizes it is fewer
// than any: it is not known that there are no others.
func (s *State) hiddenFrom(seat int, kind uint8) int {
	if kind >= sightedPrize {
		return -maxSightings
	}
	n := int(s.Deck[kind])
	for i := range s.Hands {
		n += int(s.Hands[i][kind])
	}
	if seat != noSeat {
		n -= s.own(seat, kind)
	}
	return n
}

// own is how many crew cards of a kind a seat holds.
func (s *State) own(seat int, kind uint8) int {
	if kind >= sightedPrize {
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
	m := &s.Memories[knower]
	for i, w := range m.Where[:s.Sighted[knower]] {
		if w&bit(place) != 0 && classOf(m.Kind[i]) == class {
			m.Where[i] = w &^ bit(place)
		}
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
	if who := s.SightedBy[kind] &^ bit(from); who != 0 {
		hidden := s.hiddenFrom(noSeat, kind) + 1
		for ; who != 0; who &= who - 1 {
			knower := bits.TrailingZeros16(who)
			if s.Several[kind]&bit(knower) != 0 {
				s.lost(knower, from, kind, hidden-s.own(knower, kind))
			} else {
				s.lostOnly(knower, from, kind, hidden-s.own(knower, kind))
			}
		}
	}
	class := classOf(kind)
	n := s.cards(class, from)
	if most := &s.Most[rowOf(class)]; n > 0 {
		for knower := range most {
			if int(most[knower][from]) > n {
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
			case s.Sighted[knower] == 0 || knower == from:
				continue
			case knower == to:
				s.secretly(knower, from, class, seer)
				s.lost(knower, from, kind, s.hiddenFrom(knower, kind)+1)
			case knower == seer:
				s.secretly(knower, from, class, to)
				s.lost(knower, from, kind, s.hiddenFrom(knower, kind)+1)
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

// unseen notes that a card has gone from one place to another and that a seat did not see which. If all
// that were there were known, one of them is at the other place now; else at most one is.
func (s *State) unseen(class, from, to, knower int) {
	var some [2]bool
	s.each(knower, class, from, func(e Sighting) uint16 {
		some[0] = true
		some[1] = some[1] || e.ofLast()
		return e.where | bit(to)
	})
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

// shown notes that a seat has seen n cards of a kind at a place, of which it may have known before. Another
// may know that it has: told(seat), or 0.
func (s *State) shown(place, knower int, kind, n uint8, told uint16) {
	hidden := s.hiddenFrom(knower, kind)
	for i := range n {
		s.lost(knower, place, kind, hidden-int(i))
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
}

// dealAgain begins to deal the cards of a mutiny. How many of those of an earlier one are where is known no longer, only how
// many of all that a seat knows of.
func (s *State) dealAgain() {
	s.Least[lastCrew], s.Most[lastCrew] = [MaxSeats]counts{}, [MaxSeats]counts{}
	for knower := range s.Memories {
		for i := range int(s.Sighted[knower]) {
			if e := s.Sighting(knower, i); e.ofLast() {
				s.Memories[knower].Where[i] = e.Among() | known(e.told(), false, true)
			}
		}
	}
}

// settle has all know the cards of a mutiny, once all of them have been dealt: what they were, and
// how many went to whom. Each knows that those it did not get are with the others.
func (s *State) settle() {
	got, among := counts{}, uint16(0)
	for seat, n := range s.Dealt {
		if got[seat] = n; n > 0 {
			among |= bit(seat)
		}
	}
	for knower := range s.Memories {
		s.settleFor(knower, got, among)
	}
	s.Dealt = [MaxSeats]uint8{}
}

func (s *State) settleFor(knower int, got counts, among uint16) {
	m, n := &s.Memories[knower], int(s.Sighted[knower])
	if n == 0 {
		return
	}
	got[knower] = 0
	forgotten := sum(got[:])
	for i, w := range m.Where[:n] {
		if w&onTable != 0 && m.Kind[i] < sightedPrize {
			m.Where[i] = w&^onTable | among&^bit(knower)
			forgotten--
		}
	}
	for row := range prizeRow {
		s.Most[row][knower].more(&got)
	}
	if forgotten > 0 {
		for seat := range got {
			got[seat] -= min(got[seat], uint8(forgotten))
		}
	}
	for row := range prizeRow {
		s.Least[row][knower].more(&got)
	}
}
