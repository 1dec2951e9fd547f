package jollyroger

import (
	"bytes"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Redeal replaces the hands of the others and the deck (with hidden prizes, their
// prizes too) by a deal in which everything holds that the seat has seen: sizes,
// sightings, how many of the cards sighted are where, and what came to hands before
// and after the last reshuffle. Every such deal
// can come; they are not weighed by how the others have played.
//
// If another is being asked in secret, which the seat cannot know, the match first goes on as the seat sees it. A special card that all know
// somebody to hold, and cards that the seat sees being offered, stay where they are. Of what the others have seen, what
// the seat knows of stays; the rest was of cards that are elsewhere now.
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
	d := dealing{r: r, s: s, view: seat, rnd: rnd}
	before := *s
	for k := range tries {
		if d.crew() && (d.plays() || k > tries/2) && (r.PrizesOpen(s) || d.prizes()) {
			d.remember(&before)
			d.offer()
			return
		}
		*s = before
		s.Rand = rnd.Split()
	}
	// What is known leaves next to nothing open: the deal itself is the sample.
}

// tries bounds how often a redeal starts again: nearly all succeed at once, and those at
// tables of ten where much is known within some hundred.
const tries = 1000

// dealing is one try of a redeal.
type dealing struct {
	r    *Rules
	s    *State
	view int
	rnd  *engine.Rand

	sighted [2]fitting               // where the cards were put that the viewer has sighted
	pool    [MaxSeats][NumCrew]uint8 // of a mutiny whose cards are being dealt: what each has got
}

// plays reports whether a Quartermaster who is asked for the first card has one, as all can tell who have not seen all
// of its hand.
func (d *dealing) plays() bool {
	f := d.s.Top()
	return f.Kind != AskFirst || int(f.Seat) == d.view || d.s.hasSkill(int(f.Seat))
}

// crew deals the crew cards again. It is false if it came to a dead end.
func (d *dealing) crew() bool {
	s := d.s
	f := &d.sighted[0]
	f.rnd = d.rnd
	f.begin(s, d.view, 0)
	unseen := s.Deck // and the others' hands
	left := int(s.DeckSize)
	var need, fresh [MaxSeats]int // cards that each hand still wants, and how many of them may be new
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
		s.Hands[i] = keep[i]
	}
	if s.PoolFaceDown() {
		left -= d.dealPool(&unseen, &need, &fresh)
	}
	// put deals a card of a kind to a seat, as an old one if it must be.
	put := func(i, c int) bool {
		if unseen[c] == 0 || need[i] == 0 {
			return false
		}
		if need[i] > fresh[i] && old[c] > 0 {
			old[c]-- // one of the cards that it had before the reshuffle
		} else if fresh[i] > 0 {
			fresh[i]--
		} else {
			return false
		}
		need[i]--
		unseen[c]--
		left--
		s.Hands[i][c]++
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
	if !f.fit() {
		return false
	}
	for k, e := range f.of[:f.n] {
		i, c := int(f.at[k]), int(e.Kind)
		if keep[i][c] > 0 {
			keep[i][c]-- // the card that stays may be it
		} else if !put(i, c) {
			return false
		}
	}
	for i := range d.r.seats {
		for need[i] > fresh[i] { // cards from before the reshuffle
			var can [NumCrew]uint8
			for c := range can {
				can[c] = min(unseen[c], old[c])
			}
			n := sum(can[:])
			if n == 0 || !put(i, nth(can[:], d.rnd.Intn(n))) {
				return false
			}
		}
	}
	for i := range d.r.seats {
		for need[i] > 0 {
			if !put(i, nth(unseen[:], d.rnd.Intn(left))) {
				return false
			}
		}
	}
	s.Deck = unseen
	return true
}

// dealPool deals again what has been dealt so far of the cards of a mutiny, which all have seen before they were
// shuffled. It is how many cards of the others and of those that are left it has taken.
func (d *dealing) dealPool(unseen *[NumCrew]uint8, need, fresh *[MaxSeats]int) (taken int) {
	s := d.s
	pool := s.Played // and what the others have got
	for i := range int(s.Sighted[d.view]) {
		if e := s.Sighting(d.view, i); e.Dealing() {
			pool[e.Kind]++
		}
	}
	last := sum(s.Played[:])
	for c := range pool {
		unseen[c] += s.Played[c]
		unseen[c] -= pool[c]
	}
	taken = sum(pool[:]) - last
	s.Played = [NumCrew]uint8{}
	for range last {
		c := nth(pool[:], d.rnd.Intn(sum(pool[:])))
		pool[c]--
		s.Played[c]++
	}
	d.pool = [MaxSeats][NumCrew]uint8{}
	open := s.Dealt
	open[d.view] = 0
	for n := sum(pool[:]); n > 0; n-- {
		c, i := nth(pool[:], d.rnd.Intn(n)), nth(open[:], d.rnd.Intn(sum(open[:])))
		pool[c]--
		open[i]--
		d.pool[i][c]++
		s.Hands[i][c]++
		need[i]--
		fresh[i]--
	}
	return taken
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
func (d *dealing) prizes() bool {
	s, r := d.s, d.r
	f := &d.sighted[1]
	f.rnd = d.rnd
	f.begin(s, d.view, 1)
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
	if !f.fit() {
		return false
	}
	for k, e := range f.of[:f.n] {
		i, kind := int(f.at[k]), int(e.Kind-sightedPrize)
		placed := true
		switch {
		case keep[i][kind] > 0:
			keep[i][kind]-- // the prize that stays may be it
		case i == middle:
			placed = put(&spoils, kind)
		case d.rnd.Intn(open[i].need+buried[i].need+1) < open[i].need:
			placed = put(&open[i], kind) || put(&buried[i], kind)
		default:
			placed = put(&buried[i], kind) || put(&open[i], kind)
		}
		if !placed {
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
	for k, e := range d.sighted[1].of[:d.sighted[1].n] {
		if p := e.Kind - sightedPrize; d.sighted[1].at[k] == f.Seat && may[p] > 0 {
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

// remember has all know what they know in the redeal: the viewer what it knew, the others what it knows that they do. That
// is what they have seen of its own cards, and of those of a mutiny all that they did not get.
func (d *dealing) remember(before *State) {
	s := d.s
	s.Memories, s.Sighted, s.Knowing = [MaxSeats]Memory{}, [MaxSeats]uint8{}, 0
	s.SightedBy, s.Several = [NumCrew + NumPrizes]uint16{}, [NumCrew + NumPrizes + 1]uint16{}
	var kept [MaxSeats]int // how many sightings of each the viewer knows of
	for seat := range d.r.seats {
		for i := range int(before.Sighted[seat]) {
			if e := before.Sighting(seat, i); !e.Dealing() && (seat == d.view || e.told() == d.view) {
				s.remember(seat, e.Kind, e.where)
				kept[seat]++
			}
		}
		s.arrange(seat)
	}
	next := [2]int{}
	for i := range int(s.Sighted[d.view]) {
		e := s.Sighting(d.view, i)
		class := e.class()
		at := int(d.sighted[class].at[next[class]])
		if next[class]++; e.ofMutiny() {
			s.Memories[d.view].Where[i] = e.Among() | known(at, e.ofLast(), true)
			d.known(e, at)
		}
	}
	for seat, n := range kept[:d.r.seats] {
		if seat != d.view {
			d.truthful(seat, n)
			s.setUsual(seat)
		}
	}
	if s.PoolFaceDown() {
		d.tellPool(before)
	}
}

// known has the others know of a card of a mutiny that the viewer knows of, but for the one who holds it. They
// may think that the viewer has it.
func (d *dealing) known(e Sighting, at int) {
	for seat := range d.r.seats {
		if seat != d.view && seat != at && d.s.Sighted[seat] < maxSightings {
			d.s.remember(seat, e.Kind, (e.Among()|bit(d.view))&^bit(seat)|known(at, e.ofLast(), true))
		}
	}
}

// truthful checks that what a seat has seen agrees with the redeal. The first sightings are those that the viewer
// knows of: their cards it has, or has had. Of cards that have gone on since, it may have lost sight; then the
// seat forgets them.
func (d *dealing) truthful(seat, kept int) {
	s := d.s
	m := &s.Memories[seat]
	var gone [maxSightings]bool
	some := false
	for i := range kept {
		kind := m.Kind[i]
		same := bytes.Count(m.Kind[:kept], m.Kind[i:i+1])
		gone[i] = m.Where[i]&bit(d.view) == 0 || same > s.cardsOf(d.view, kind)
		some = some || gone[i]
	}
	if !some {
		return
	}
	for class := range d.r.classes() {
		f := s.fitting(seat, rowOf(class))
		least, most := s.usual(seat)
		f.all.least, f.all.most = least[rowOf(class)], most[rowOf(class)]
		if f.fit() {
			continue
		}
		for i := kept - 1; i >= 0; i-- {
			if gone[i] && classOf(m.Kind[i]) == class {
				last := s.Sighted[seat] - 1 // which comes to its place
				s.forget(seat, i)
				gone[i], gone[last] = gone[last], false
			}
		}
	}
}

// tellPool has all know what others than they have got of a mutiny whose cards are being dealt.
func (d *dealing) tellPool(before *State) {
	s := d.s
	for seat := range d.r.seats {
		for i := range int(before.Sighted[seat]) {
			if e := before.Sighting(seat, i); e.Dealing() && e.told() == d.view {
				s.remember(seat, e.Kind, e.where)
			}
		}
		for i := range d.r.seats {
			for c, n := range d.pool[i] {
				for ; n > 0 && i != seat; n-- {
					s.remember(seat, uint8(c), onTable|dealt(i))
				}
			}
		}
	}
}
