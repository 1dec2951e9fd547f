package jollyroger

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Redeal replaces the hands of the others and the deck (with hidden prizes, their
// prizes too) by a deal in which everything holds that the seat has seen: sizes,
// sightings, how many of the cards sighted are where, and what reached hands before
// and after the last reshuffle.
//
// Each such deal comes as often as it is likely, if what chance and others did that the seat did not see was as likely one thing as
// another: each card that the seat has not sighted is as likely any that it does not see, and a card that went from a hand
// unseen, stolen, given, dealt or won, any of that hand. What others chose to do tells nothing of what they hold but that they held what
// they showed; a card that they showed is taken for one that the seat had sighted there, if it can be, and else for any
// of the others of that hand. That holds exactly as long as cards that a seat has sighted have been passed on unseen once; if those that it knew together are passed on once more, or
// more than five hands at a time have been so divided, nearly.
//
// If another is being asked in secret, which the seat cannot know, the match first continues as the seat sees it. A special card that all know
// somebody to hold, and cards that the seat sees being offered, stay where they are. Of what the others have seen, what
// all have stays, and what the seat knows them to have seen of cards that it has or had, which may come back to it; the rest they do not remember.
func (r *Rules) Redeal(s *State, seat int, rnd *engine.Rand) {
	s.Rand = rnd.Split()
	if seat == engine.Full {
		return // what comes is all that is hidden
	}
	if r.Veiled(s, seat) {
		r.goOn(s, seat)
		defer r.run(s) // what the seat would see of it comes after the deal
	}
	s.arrange(seat) // in which order it has seen cards it is not told
	s.arrange(onlooker)
	d := dealing{r: r, s: s, view: seat, rnd: rnd}
	before := *s
	knows := &before
	if f := s.Top(); f.Kind == AskAccept && int(f.Seat) == seat { // it sees what is offered
		seen := before
		r.declined(&seen, int(f.Arg[0]), seat)
		knows = &seen
	}
	for try := range tries {
		d.lax = try == tries-1
		if d.crew(knows) && (d.plays() || try > tries/2) && (r.PrizesOpen(s) || d.prizes(knows)) && (d.remember(&before) || d.lax) {
			d.offer()
			return
		}
		*s = before
		s.Rand = rnd.Split()
	}
}

// tries bounds how often a redeal starts again. Nearly all succeed at once; the last one deals in any case, if need be against what came
// when, and never looks at what the seat does not know.
const tries = 200

// dealing is one try of a redeal.
type dealing struct {
	r    *Rules
	s    *State
	view int
	rnd  *engine.Rand
	lax  bool    // it must not fail
	fit  fitting // where the cards are put that the viewer has sighted

	with [NumCrew + NumPrizes]uint16 // the places with cards of each kind in the redeal
}

// plays reports whether a Quartermaster who is asked for the first card has one, as all can tell who have not seen all
// of its hand.
func (d *dealing) plays() bool {
	f := d.s.Top()
	return f.Kind != AskFirst || int(f.Seat) == d.view || d.s.hasSkill(int(f.Seat))
}

// crew deals the crew cards again, as a state has what the viewer knows. It is false at a dead end.
func (d *dealing) crew(knows *State) bool {
	s, f := d.s, &d.fit
	*f = fitting{rnd: d.rnd}
	f.begin(knows, d.view, 0)
	sighted := f.n
	unseen := s.Deck // and the others' hands, and what is left to be dealt of a mutiny
	left := int(s.DeckSize)
	var need, fresh [places]int // cards that each hand still wants, and how many of them may be new
	old := s.Old
	own := s.Hands[d.view]
	for range int(s.Size[d.view]) - int(s.Free[d.view]) { // the viewer's own old cards are not among the others'
		var can [NumCrew]uint8
		for c := range can {
			can[c] = min(own[c], old[c])
		}
		c := nth(can[:], d.rnd.Intn(sum(can[:])))
		own[c]--
		old[c]--
	}
	keep := d.kept()
	for i := range d.r.seats {
		if i == d.view {
			continue
		}
		for c, n := range s.Hands[i] {
			unseen[c] += n - keep[i][c]
			left += int(n - keep[i][c])
			need[i] += int(n - keep[i][c])
		}
		stale := int(s.Size[i]) - int(s.Free[i])
		for c, n := range keep[i] {
			taken := min(n, old[c], uint8(max(0, stale)))
			old[c] -= taken
			stale -= int(taken)
		}
		fresh[i] = need[i] - max(0, stale)
		if d.lax {
			fresh[i] = need[i]
		}
		s.Hands[i] = keep[i]
	}
	if s.PoolFaceDown() {
		need[middle] = d.gather(&unseen)
		fresh[middle] = need[middle]
		left += need[middle]
	}
	// put deals a card of a kind to a seat, as an old one if it must be and can.
	put := func(i, c int, isNew bool) bool {
		switch {
		case unseen[c] == 0 || need[i] == 0:
			return false
		case need[i] > fresh[i] && old[c] > 0 && !isNew:
			old[c]-- // one of the cards that it had before the reshuffle
		case fresh[i] > 0:
			fresh[i]--
		default:
			return false
		}
		need[i]--
		unseen[c]--
		left--
		if i == middle {
			s.Played[c]++
		} else {
			s.Hands[i][c]++
		}
		return true
	}
	for i := range keep {
		for c, n := range keep[i] {
			if n > 0 {
				var stays [places]uint8
				stays[i] = n
				d.pin(f, uint8(c), int(unseen[c]), stays)
			}
		}
	}
	if !f.sample(knows, d.view) && !d.lax {
		return false
	}
	for _, allOld := range [2]bool{true, false} { // first where there are only cards from before the reshuffle
		for k, e := range f.of[:f.n] {
			i, c := int(f.at[k]), int(e.Kind)
			switch {
			case i == noSeat || allOld && fresh[i] > 0:
				continue // it has been dealt, or will be
			case k >= sighted && i < middle:
				s.Got[i][c]++
			case k < sighted && keep[i][c] > 0:
				keep[i][c]-- // the card that stays may be it
				f.at[k] = noSeat
				continue
			}
			if !put(i, c, k >= sighted) && !d.lax {
				return false
			}
			f.at[k] = noSeat
		}
	}
	for i := range d.r.seats {
		for need[i] > fresh[i] { // cards from before the reshuffle
			var can [NumCrew]uint8
			for c := range can {
				can[c] = min(unseen[c], old[c])
			}
			n := sum(can[:])
			if n == 0 || !put(i, nth(can[:], d.rnd.Intn(n)), false) {
				return false
			}
		}
	}
	for i := range d.r.seats {
		for need[i] > 0 {
			if !put(i, nth(unseen[:], d.rnd.Intn(left)), false) {
				return false
			}
		}
	}
	s.Deck = unseen
	return true
}

// gather takes up the cards of a mutiny that are being dealt, except those that the viewer has got: all have seen them before
// they were shuffled. It is how many are left to be dealt.
func (d *dealing) gather(unseen *[NumCrew]uint8) (left int) {
	s, f := d.s, &d.fit
	pool, among := s.Played, onTable
	left = sum(s.Played[:])
	at := counts{middle: uint8(left)}
	for c, n := range s.Played {
		unseen[c] += n
	}
	for i := range d.r.seats {
		if n := sum(s.Got[i][:]); n > 0 && i != d.view {
			among |= bit(i)
			at[i] = uint8(n)
			for c, n := range s.Got[i] {
				pool[c] += n
			}
			s.Got[i] = [NumCrew]uint8{}
		}
	}
	s.Played = [NumCrew]uint8{}
	for c, n := range pool {
		for ; n > 0; n-- {
			f.add(Sighting{uint8(c), among | lastMutiny}, poolBag)
		}
	}
	for p, n := range at[:places] {
		f.slots[p][poolBag] = int32(n) * slot
	}
	f.all.least.more(&at)
	f.all.most.more(&at)
	f.lasts.least.more(&at)
	f.lasts.most.more(&at)
	return left
}

// pin has cards of a kind that stay where they are be sighted ones, as many as there are more sightings of the kind
// than cards of it that are free.
func (d *dealing) pin(f *fitting, kind uint8, free int, stays [places]uint8) {
	wanted := -free
	for _, e := range f.of[:f.n] {
		if e.Kind != kind {
			continue
		}
		wanted++
		if p := bits.TrailingZeros16(e.Among()); e.sure() && stays[p] > 0 {
			stays[p]--
			wanted--
		}
	}
	for p, n := range stays {
		for ; n > 0 && wanted > 0; n-- {
			var can [maxSightings]uint8
			for k, e := range f.of[:f.n] {
				can[k] = engine.Bit(e.Kind == kind && e.where&bit(p) != 0 && !e.sure())
			}
			if all := sum(can[:]); all > 0 {
				f.of[nth(can[:], d.rnd.Intn(all))].where = bit(p)
				wanted--
			}
		}
	}
}

// offer replaces an offer that the viewer does not see by any other that the giver could make.
func (d *dealing) offer() {
	s := d.s
	giver, open := s.giver()
	if !open || d.s.privy(d.view) {
		return
	}
	s.withdraw()
	var all [NumCrew + NumPrizes]uint8
	copy(all[:], s.Hands[giver][:])
	copy(all[NumCrew:], s.Prizes[giver][:])
	total, least := sum(all[:]), 0
	if f := s.Top(); f.Kind == AskAccept && f.Arg[1] == 0 {
		least = 1 // only to guard the ship can an offer be a promise
	}
	for n := least + d.rnd.Intn(total-least+1); n > 0; n-- {
		c := nth(all[:], d.rnd.Intn(sum(all[:])))
		all[c]--
		if c < NumCrew {
			s.Offer[c]++
		} else {
			s.OfferPrizes[c-NumCrew]++
		}
	}
}

// kept are the cards of others that stay in their hands: one that all know the seat that is asked to hold, as it is
// about to play it, and those that the viewer sees being offered.
func (d *dealing) kept() (keep [MaxSeats][NumCrew]uint8) {
	f := d.s.Top()
	c, about := f.Kind.card()
	switch {
	case f.Kind == AskAccept && d.s.privy(d.view):
		keep[f.Arg[0]] = d.s.Offer
	case about && int(f.Seat) != d.view:
		keep[f.Seat][c] = 1
	}
	return keep
}

// prizes deals the hidden prizes again: those of the others, buried or not, those being
// shared out unless the viewer sees them, and the deck.
func (d *dealing) prizes(knows *State) bool {
	s, r, f := d.s, d.r, &d.fit
	*f = fitting{rnd: d.rnd}
	f.begin(knows, d.view, 1)
	unseen := s.PrizeDeck
	type place struct {
		counts *[NumPrizes]uint8
		need   int
	}
	var open, buried [MaxSeats]place
	var keep [places][NumPrizes]uint8
	for i := range r.seats {
		if i == d.view {
			continue
		}
		open[i], buried[i] = place{counts: &s.Prizes[i]}, place{counts: &s.Buried[i]}
		for _, p := range []*place{&open[i], &buried[i]} {
			for k, n := range p.counts {
				stays := uint8(0)
				if p.counts == &s.Prizes[i] {
					stays = d.keptPrize(i, k)
					keep[i][k] = stays
				}
				unseen[k] += n - stays
				p.need += int(n - stays)
				p.counts[k] = stays
			}
		}
	}
	spoils := place{counts: &s.Spoils}
	if r.SeesSpoils(s, d.view) {
		keep[middle] = s.Spoils
	} else {
		for k, n := range s.Spoils {
			unseen[k] += n
			spoils.need += int(n)
		}
		s.Spoils = [NumPrizes]uint8{}
	}
	put := func(p *place, kind int) bool {
		if p.need == 0 || unseen[kind] == 0 {
			return false
		}
		p.need--
		unseen[kind]--
		p.counts[kind]++
		return true
	}
	for k := range NumPrizes {
		var stays [places]uint8
		for p := range keep {
			stays[p] = keep[p][k]
		}
		d.pin(f, sightedPrize+uint8(k), int(unseen[k]), stays)
	}
	if !f.sample(knows, d.view) && !d.lax {
		return false
	}
	for k, e := range f.of[:f.n] {
		i, kind := int(f.at[k]), int(e.Kind-sightedPrize)
		placed := true
		switch {
		case i == noSeat: // only the last try continues without it
		case keep[i][kind] > 0:
			keep[i][kind]-- // the prize that stays may be it
		case i == middle:
			placed = put(&spoils, kind)
		case d.rnd.Intn(max(1, open[i].need+buried[i].need)) < open[i].need:
			placed = put(&open[i], kind) || put(&buried[i], kind)
		default:
			placed = put(&buried[i], kind) || put(&open[i], kind)
		}
		if !placed && !d.lax {
			return false
		}
	}
	fill := func(p *place) {
		for p.need > 0 {
			put(p, nth(unseen[:], d.rnd.Intn(sum(unseen[:]))))
		}
	}
	for i := range r.seats {
		fill(&open[i])
		fill(&buried[i])
	}
	fill(&spoils)
	s.PrizeDeck = unseen
	for k := range s.Frames[:s.Depth] {
		if f := &s.Frames[k]; f.Seat != int8(d.view) && (f.Kind == AskExchange || f.Kind == DoSell) {
			f.Arg[0], f.Arg[1] = d.loot(*f)
		}
	}
	return true
}

// keptPrize is how many prizes of a kind stay with a seat: those that the viewer sees being offered.
func (d *dealing) keptPrize(seat, kind int) uint8 {
	if f := d.s.Top(); f.Kind == AskAccept && int(f.Arg[0]) == seat && d.s.privy(d.view) {
		return d.s.OfferPrizes[kind]
	}
	return 0
}

// loot is how many hostages and jewels a seat that trades may sell: of its prizes those that it has not drawn since it
// began to, which may be any but those that the viewer has sighted.
func (d *dealing) loot(f Frame) (hostages, jewels int8) {
	had := d.s.Prizes[f.Seat]
	may := had // have been drawn
	for k, e := range d.fit.of[:d.fit.n] {
		if p := e.Kind - sightedPrize; d.fit.at[k] == f.Seat && may[p] > 0 {
			may[p]--
		}
	}
	for range f.Arg[drawnAt] {
		from := &may
		if sum(may[:]) == 0 {
			from = &had // a sighted one is buried
		}
		p := nth(from[:], d.rnd.Intn(sum(from[:])))
		had[p]--
		may[p] -= min(may[p], 1)
	}
	return int8(had[Hostage]), int8(had[Jewels])
}

// remember has all know what they know in the redeal: the viewer and the onlooker what they knew, the others what the onlooker knows, of
// cards that they do not hold, and what the viewer knows that they have seen of the cards that it has or had. It is false if the deal does not
// agree with what the onlooker knows; the viewer's own memory of it may have grown vaguer.
func (d *dealing) remember(before *State) bool {
	s := d.s
	for row := range numRows {
		if s.Sighted[onlooker] == 0 {
			break
		}
		if d.fit = s.fitting(onlooker, row); !d.fit.fit() {
			if !d.lax {
				return false
			}
			s.Least[row][onlooker], s.Most[row][onlooker] = counts{}, unlimited
		}
	}
	d.others(before)
	return true
}

// others has all but the viewer and the onlooker know what remember says.
func (d *dealing) others(before *State) {
	s := d.s
	stay := bit(d.view) | bit(onlooker)
	for k := range s.SightedBy {
		s.SightedBy[k] &= stay
		s.Several[k] &= stay
	}
	s.Knowing = engine.Bit(s.Sighted[d.view] > 0) + engine.Bit(s.Sighted[onlooker] > 0)
	d.look()
	for seat := range d.r.seats {
		if seat == d.view {
			continue
		}
		s.Memories[seat], s.Sighted[seat] = Memory{}, 0
		s.Slots[seat], s.Open[seat] = [places]slotsAt{}, 0
		var own [NumCrew + NumPrizes]int // cards that the seat knows without the onlooker
		before.arrange(seat)
		for i := range int(before.Sighted[seat]) {
			e := before.Sighting(seat, i)
			if e.told() == d.view {
				own[e.Kind]++
				s.remember(seat, e.Kind, e.where)
			}
		}
		for c, n := range s.Hands[seat] {
			own[c] += int(n)
		}
		for i := range int(s.Sighted[onlooker]) {
			e := s.Sighting(onlooker, i)
			if own[e.Kind] > 0 && e.where&(bit(seat)|bit(d.view)) != 0 {
				own[e.Kind]--
			} else if e.Among() != bit(seat) {
				s.remember(seat, e.Kind, e.where&^bit(seat))
			}
		}
		s.arrange(seat)
		d.truthful(seat)
	}
}

// truthful has a seat forget what does not agree with the redeal: what it knew of cards that the viewer has lost sight of, and how
// many of them are where, except what follows from where each can be.
func (d *dealing) truthful(seat int) {
	s, f := d.s, &d.fit
	m, n := &s.Memories[seat], int(s.Sighted[seat])
	untrue := false
	for i := 0; i < n; {
		kind, first := m.Kind[i], i
		for i++; i < n && m.Kind[i] == kind; i++ {
		}
		f.n = 0 // each kind by itself
		for k := first; k < i; k++ {
			w := m.Where[k] & (d.with[kind] | ^anywhere)
			if f.add(Sighting{kind, w}, noBag); w&anywhere != 0 && i > first+1 {
				f.search(f.n - 1)
			}
			if w&anywhere == 0 || i > first+1 && f.at[f.n-1] == noSeat {
				f.n--
				m.Where[k], untrue = 0, true
			}
		}
		for k := range f.n {
			f.takeUp(k)
		}
	}
	if untrue {
		for i := n - 1; i >= 0; i-- {
			if m.Where[i] == 0 {
				s.forget(seat, i)
			}
		}
		s.arrange(seat)
	}
	s.setUsual(seat)
}

// look finds who has cards of each kind in the redeal.
func (d *dealing) look() {
	d.fit = fitting{all: tally{limit: unlimited}, lasts: tally{limit: unlimited}}
	d.fit.where(d.s)
	d.with = [NumCrew + NumPrizes]uint16{}
	for place := range d.fit.rest {
		for kind, n := range d.fit.rest[place] {
			d.with[kind] |= uint16(min(n, 1)) << place
		}
	}
}

// unlimited are no limits.
var unlimited = func() (c counts) {
	for p := range c {
		c[p] = 255
	}
	return c
}()
