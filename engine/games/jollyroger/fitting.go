package jollyroger

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// fitting puts the cards of a seat's sightings, crew cards or prizes, at places where they may be: at each at least and at
// most as many as the seat knows, of all and of those of the last mutiny. It finds a way if there is any; with a generator, each
// as often as it is likely.
type fitting struct {
	n    int
	of   [maxSightings]Sighting
	bag  [maxSightings]uint8
	at   [maxSightings]int8 // where the card of each sighting was put
	last [maxSightings]bool // it is counted among those of the last mutiny

	all, lasts tally
	slots      slotsOf // that each bag has at a place
	left       slotsOf // and of them those that are not taken

	real bool                               // cards are put only where they are:
	rest [places][NumCrew + NumPrizes]uint8 // how many of each kind are left
	rnd  *engine.Rand                       // if set, what it draws from

	tried [maxSightings]bool // in this search for a way: sightings that have been moved,
	full  [2]uint16          // places that have been asked for room, for one of the last mutiny and for another,
	short [places]uint64     // and kinds that are used up
}

// slotsOf are slots of each bag, and last of the pool, at each place.
type slotsOf [places][allBags + 1]int32

// tally is how many cards are put at each place.
type tally struct {
	least, most  counts
	total, limit counts // how many are there, and how many may be for now
}

// begin starts from what a seat, or the onlooker, knows, before any card is put.
func (f *fitting) begin(s *State, knower, class int) {
	m := &s.Memories[knower]
	f.n = 0
	for i := range int(s.Sighted[knower]) {
		if e := s.Sighting(knower, i); e.class() == class {
			f.add(e, m.Bag[i])
		}
	}
	f.all.begin(s, rowOf(class), class, knower)
	f.lasts = tally{}
	if class == 0 {
		f.lasts.begin(s, lastCrew, class, knower)
	}
}

func (f *fitting) add(e Sighting, bag uint8) {
	f.of[f.n], f.bag[f.n], f.at[f.n], f.last[f.n] = e, bag, noSeat, e.ofLast()
	f.n++
}

func (c *tally) begin(s *State, row, class, knower int) {
	*c = tally{least: s.Least[row][knower], most: s.Most[row][knower]}
	for p, n := range c.most[:places] {
		if n > 0 {
			c.most[p] = min(n, uint8(s.cards(class, p)))
		}
	}
}

// where has cards be put only where they are.
func (f *fitting) where(s *State) {
	f.real = true
	for p := range f.rest[:middle] {
		copy(f.rest[p][:], s.Hands[p][:])
		for k := range NumPrizes {
			f.rest[p][NumCrew+k] = s.Prizes[p][k] + s.Buried[p][k]
		}
	}
	copy(f.rest[middle][NumCrew:], s.Spoils[:])
}

// fitting is that of what a seat knows to where cards are, of what is counted in a row.
func (s *State) fitting(knower, row int) (f fitting) {
	f.where(s)
	f.begin(s, knower, row/prizeRow)
	if row == lastCrew {
		n := 0
		for k, is := range f.last[:f.n] {
			if is {
				f.of[n], f.at[n] = f.of[k], noSeat
				n++
			}
		}
		f.n, f.all = n, f.lasts
	}
	f.last, f.lasts = [maxSightings]bool{}, tally{}
	return f
}

// sample puts all cards somewhere at random, each where it may be as often as it is likely to be there, and all of them as
// the seat knows that they are: what does not agree with that is thrown away. If that is so again and again, it
// puts them as they can be, and changes places until where they are depends on it no more.
func (f *fitting) sample(s *State, view int) bool {
	for p := range f.slots[:] {
		for bag, n := range s.Slots[view][p] {
			f.slots[p][bag] = int32(n)
		}
	}
	var order [maxSightings]uint8
	for range samples {
		if f.shuffle(&order); f.draw(order[:f.n]) {
			return true
		}
		for k := range f.at[:f.n] {
			f.at[k] = noSeat
		}
		f.all.total, f.lasts.total = counts{}, counts{}
	}
	if !f.fit() {
		return false
	}
	f.left = f.slots
	for k, p := range f.at[:f.n] {
		f.left[p][f.bag[k]] -= slot
	}
	for range sweeps {
		f.shuffle(&order)
		for _, k := range order[:f.n] {
			f.again(int(k))
			f.exchange(int(k), f.rnd.Intn(f.n))
		}
	}
	return true
}

const (
	samples = 20 // how often cards are drawn before some way is looked for
	sweeps  = 12 // how often the place of each is drawn again then
)

// whole makes slots that are expected in parts of one whole ones, as often as they are to be expected.
func (f *fitting) whole() {
	used := 0
	for k := range f.n {
		used |= 1 << f.bag[k]
	}
	for bag := 1; bag <= allBags; bag++ {
		if used>>bag&1 == 0 {
			continue
		}
		some := int32(f.rnd.Intn(slot))
		for p := range f.slots {
			some += f.slots[p][bag]
			f.left[p][bag] = some / slot * slot
			some %= slot
		}
	}
}

// shuffle puts the sightings in a random order.
func (f *fitting) shuffle(order *[maxSightings]uint8) {
	for k := range f.n {
		order[k] = uint8(k)
		if f.rnd != nil {
			j := f.rnd.Intn(k + 1)
			order[k], order[j] = order[j], order[k]
		}
	}
}

// draw draws a place for each card. It is false if they cannot be so.
func (f *fitting) draw(order []uint8) bool {
	f.whole()
	for _, k := range order {
		p := f.likely(int(k), f.of[k].Among(), 0)
		if p == noSeat || f.all.total[p] >= f.all.most[p] || f.last[k] && f.lasts.total[p] >= f.lasts.most[p] {
			return false
		}
		f.put(int(k), p)
		f.left[p][f.bag[k]] -= slot
	}
	return f.all.enough() && f.lasts.enough()
}

// enough reports whether there are as many cards at each place as there are at least.
func (c *tally) enough() bool {
	for p, n := range c.least {
		if c.total[p] < n {
			return false
		}
	}
	return true
}

// likely draws one of some places for a card, as the slots are that its bag has left there, or some few that it has at least. It
// is noSeat if there are none.
func (f *fitting) likely(k int, among uint16, least int32) int {
	if among&(among-1) == 0 {
		return bits.TrailingZeros16(among)
	}
	var can [places]int32
	all := int32(0)
	for set := among; set != 0; set &= set - 1 {
		p := bits.TrailingZeros16(set)
		can[p] = slot
		if f.bag[k] != noBag {
			can[p] = max(least, f.left[p][f.bag[k]])
		}
		all += can[p]
	}
	if all == 0 {
		return noSeat
	}
	n := int32(f.rnd.Intn(int(all)))
	for set := among; ; set &= set - 1 {
		p := bits.TrailingZeros16(set)
		if n -= can[p]; n < 0 {
			return p
		}
	}
}

// again draws a place for a card anew while all others stay.
func (f *fitting) again(k int) {
	from := int(f.at[k])
	if f.all.total[from] <= f.all.least[from] || f.last[k] && f.lasts.total[from] <= f.lasts.least[from] {
		return
	}
	among := f.of[k].Among()
	for set := among &^ bit(from); set != 0; set &= set - 1 {
		if p := bits.TrailingZeros16(set); f.all.total[p] >= f.all.most[p] || f.last[k] && f.lasts.total[p] >= f.lasts.most[p] {
			among &^= bit(p)
		}
	}
	f.left[from][f.bag[k]] += slot
	p := f.likely(k, among, 1)
	f.put(k, p)
	f.left[p][f.bag[k]] -= slot
}

// exchange has two cards change places, as often as that is as likely.
func (f *fitting) exchange(j, k int) {
	p, q := int(f.at[j]), int(f.at[k])
	if p == q || f.of[j].where&bit(q) == 0 || f.of[k].where&bit(p) == 0 || f.bag[j] == f.bag[k] && f.last[j] == f.last[k] && f.of[j].Kind == f.of[k].Kind {
		return
	}
	if f.last[j] != f.last[k] {
		gives, gets := p, q
		if f.last[k] {
			gives, gets = q, p
		}
		if f.lasts.total[gives] <= f.lasts.least[gives] || f.lasts.total[gets] >= f.lasts.most[gets] {
			return
		}
	}
	is, other := 1, 1 // of one bag each is as likely in each slot
	if f.bag[j] != f.bag[k] {
		is, other = f.weight(j, p, slot)*f.weight(k, q, slot), f.weight(j, q, 0)*f.weight(k, p, 0)
	}
	if other < is && f.rnd.Intn(is) >= other {
		return
	}
	f.left[p][f.bag[j]] += slot
	f.left[q][f.bag[k]] += slot
	f.put(j, q)
	f.put(k, p)
	f.left[q][f.bag[j]] -= slot
	f.left[p][f.bag[k]] -= slot
}

// weight is how many slots a card's bag has at a place, besides those that are taken; those that it takes itself are given.
func (f *fitting) weight(k, p int, own int32) int {
	if f.bag[k] == noBag {
		return slot
	}
	return int(max(1, f.left[p][f.bag[k]]+own))
}

// fit puts all cards somewhere: first those that places have at least, of the last mutiny and then of all.
func (f *fitting) fit() bool {
	var order [maxSightings]uint8
	f.shuffle(&order)
	first := f.all.least
	for p, n := range f.lasts.least {
		first[p] = max(first[p], n)
	}
	if f.lasts.least != (counts{}) {
		f.lasts.limit, f.all.limit = f.lasts.least, f.lasts.least
		if f.round(order[:f.n], true); f.lasts.total != f.lasts.least {
			return false
		}
	}
	f.lasts.limit, f.all.limit = f.lasts.most, first
	if f.round(order[:f.n], false); f.all.total != first {
		return false
	}
	f.all.limit = f.all.most
	f.round(order[:f.n], false)
	for _, at := range f.at[:f.n] {
		if at == noSeat {
			return false
		}
	}
	return true
}

// round puts as many of the cards as the limits let it.
func (f *fitting) round(order []uint8, lastsOnly bool) {
	room := sum(f.all.limit[:]) - sum(f.all.total[:])
	for _, k := range order {
		if room == 0 {
			return
		}
		if f.at[k] == noSeat && (f.last[k] || !lastsOnly) {
			if f.search(int(k)); f.at[k] != noSeat {
				room--
			}
		}
	}
}

// search finds a place for a card, if necessary by moving others.
func (f *fitting) search(k int) {
	var can counts
	left := 0
	for among := f.of[k].Among(); among != 0; among &= among - 1 {
		p := bits.TrailingZeros16(among)
		if f.all.total[p] < f.all.limit[p] && (!f.last[k] || f.lasts.total[p] < f.lasts.limit[p]) && !f.none(p, f.of[k].Kind) {
			can[p] = f.all.limit[p] - f.all.total[p]
			left += int(can[p])
		}
	}
	switch {
	case left == 0:
		f.full, f.short, f.tried = [2]uint16{}, [places]uint64{}, [maxSightings]bool{}
		f.move(k)
	case f.rnd != nil:
		f.put(k, nth(can[:], f.rnd.Intn(left)))
	default:
		f.put(k, nth(can[:], 0))
	}
}

func (f *fitting) put(k, p int) {
	f.takeUp(k)
	f.at[k] = int8(p)
	f.rest[p][f.of[k].Kind]--
	f.all.total[p]++
	if f.last[k] {
		f.lasts.total[p]++
	}
}

// takeUp takes a card from where it was put.
func (f *fitting) takeUp(k int) {
	if from := f.at[k]; from != noSeat {
		f.at[k] = noSeat
		f.rest[from][f.of[k].Kind]++
		f.all.total[from]--
		if f.last[k] {
			f.lasts.total[from]--
		}
	}
}

// none reports whether there is no further card of a kind at a place.
func (f *fitting) none(p int, kind uint8) bool { return f.real && f.rest[p][kind] == 0 }

// move finds another place for a card, if others make room.
func (f *fitting) move(k int) bool {
	f.tried[k] = true
	kind, of := f.of[k].Kind, int(engine.Bit(f.last[k]))
	first := 0
	if f.rnd != nil {
		first = f.rnd.Intn(places)
	}
	for i := range places {
		p := first + i
		if p >= places {
			p -= places
		}
		if f.of[k].where&bit(p) == 0 || int(f.at[k]) == p {
			continue
		}
		none := f.none(p, kind)
		switch {
		case none && f.short[p]>>kind&1 != 0, !none && f.full[of]&bit(p) != 0:
			continue
		case none:
			f.short[p] |= 1 << kind
		case f.all.total[p] >= f.all.limit[p] || f.last[k] && f.lasts.total[p] >= f.lasts.limit[p]:
			f.full[of] |= bit(p)
		default:
			f.put(k, p)
			return true
		}
		if f.clear(k, p, none) {
			f.put(k, p)
			return true
		}
	}
	return false
}

// clear moves a card away from a place so that another fits there: one of its kind, if there are no more of it. Of those of the
// last mutiny as many stay as must.
func (f *fitting) clear(k, p int, sameKind bool) bool {
	for j := range f.n {
		if int(f.at[j]) != p || f.tried[j] || sameKind && f.of[j].Kind != f.of[k].Kind {
			continue
		}
		if f.last[k] && !f.last[j] && f.lasts.total[p] >= f.lasts.limit[p] || !f.last[k] && f.last[j] && f.lasts.total[p] <= f.lasts.least[p] {
			continue
		}
		if f.move(j) {
			return true
		}
	}
	return false
}

// usual are the numbers of a seat's sightings at each place where it knows no more than where each
// can be: those that are sure to be there, and those that can.
func (s *State) usual(knower int) (least, most [numRows]counts) {
	same, e := uint8(0), Sighting{} // sightings one after the other, of cards among the same
	count := func() {
		row := rowOf(e.class())
		if e.sure() && same > 0 {
			least[row][bits.TrailingZeros16(e.Among())] += same
		}
		for among := e.Among(); among != 0; among &= among - 1 {
			most[row][bits.TrailingZeros16(among)] += same
		}
	}
	for i := range int(s.Sighted[knower]) {
		o := s.Sighting(knower, i)
		if o.Among() != e.Among() || o.class() != e.class() {
			count()
			same = 0
		}
		same, e = same+1, o
		if o.ofLast() {
			for among := o.Among(); among != 0; among &= among - 1 {
				most[lastCrew][bits.TrailingZeros16(among)]++
			}
			if o.sure() {
				least[lastCrew][bits.TrailingZeros16(o.Among())]++
			}
		}
	}
	count()
	for row := range most {
		for p, n := range most[row] {
			if n > 0 {
				most[row][p] = min(n, uint8(s.cards(row/prizeRow, p)))
			}
		}
	}
	return least, most
}

// setUsual has a seat know no more than that.
func (s *State) setUsual(knower int) {
	if s.Sighted[knower] == 0 {
		s.uncounted(knower)
		return
	}
	least, most := s.usual(knower)
	for row := range numRows {
		s.Least[row][knower], s.Most[row][knower] = least[row], most[row]
	}
}
