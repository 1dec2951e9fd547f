package jollyroger

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Redeal replaces the hands of the others and the deck (with hidden prizes, their
// prizes too) by a deal in which everything holds that the seat has seen: sizes,
// sightings, how many cards of the last mutiny each hand may have, and what came to hands before
// and after the last reshuffle. Every such deal
// can come; they are not weighed by how the others have played.
//
// A seat that is being asked keeps a card for which it can be asked, and cards that the seat sees
// being offered stay where they are.
func (r *Rules) Redeal(s *State, seat int, rnd *engine.Rand) {
	s.Rand = rnd.Split()
	d := dealing{r: r, s: s, view: seat, rnd: rnd}
	before := *s
	for range tries {
		if d.crew() && (r.PrizesOpen(s) || d.prizes()) && d.asksTheSame(&before) {
			d.keepSightings(&before)
			d.offer()
			return
		}
		*s = before
		s.Rand = rnd.Split()
	}
	// What is known leaves next to nothing open: the deal itself is the sample.
}

// tries bound how often a redeal is begun anew: nearly all succeed at once, and those at
// tables of ten where much is known within some hundred.
const tries = 1000

// dealing is one try of a redeal.
type dealing struct {
	r    *Rules
	s    *State
	view int
	rnd  *engine.Rand

	placed [maxSightings]int8 // where each sighting's card was put
	room   [MaxSeats]uint8    // how many more cards of the last mutiny each hand may have
}

// asksTheSame reports whether the viewer is told that the same is asked as before. While others are asked in
// secret, that may depend on a hand: whether the Quartermaster has a card to play first.
func (d *dealing) asksTheSame(before *State) bool {
	if !d.r.Veiled(before, d.view) {
		return true
	}
	var was, is State
	return d.r.Asked(d.r.Seen(before, d.view, &was), d.view) == d.r.Asked(d.r.Seen(d.s, d.view, &is), d.view)
}

// pot is a multiset of cards by kind, to draw from.
type pot struct {
	counts []uint8
	total  int
}

func (p *pot) take(kind int) {
	p.counts[kind]--
	p.total--
}

// crew deals the crew cards anew. It is false where it came to a dead end.
func (d *dealing) crew() bool {
	s := d.s
	for k := range d.placed {
		d.placed[k] = noSeat
	}
	d.room = s.Dealt
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
	all := pot{unseen[:], left}
	// put deals a card of a kind to a seat, as an old one where it must be.
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
		all.take(c)
		s.Hands[i][c]++
		return true
	}
	if !d.place(0, sightedPrize, func(i, kind int) bool {
		if i < MaxSeats && s.Hands[i][kind] > 0 && keep[i][kind] > 0 {
			keep[i][kind]-- // the card that stays may be it
			return true
		}
		return i < MaxSeats && put(i, kind)
	}) {
		return false
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
			if !put(i, nth(unseen[:], d.rnd.Intn(all.total))) {
				return false
			}
		}
	}
	s.Deck = unseen
	return true
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

// place puts the card of every sighting of the viewer from the first to before the last kind
// somewhere that it may be: the sure ones first, then those of the last mutiny, of which each hand
// has so many, then the others, the surest first.
func (d *dealing) place(first, last uint8, put func(i, kind int) bool) bool {
	s := d.s
	for turn := 1; turn <= 17; turn++ {
		for k := range s.Sightings[:s.Sighted] {
			e := &s.Sightings[k]
			among := e.Among &^ bit(d.view)
			if e.Knows&bit(d.view) == 0 || e.Kind < first || e.Kind >= last || e.turn(among) != turn {
				continue
			}
			for among != 0 { // in random order
				i := d.somewhere(e, among)
				if i == noSeat {
					return false
				}
				among &^= bit(i)
				if put(i, int(e.Kind-first)) {
					d.placed[k] = int8(i)
					if e.Dealt != 0 {
						d.room[i]--
					}
					break
				}
			}
			if d.placed[k] == noSeat {
				return false
			}
		}
	}
	return true
}

// turn is when the card of a sighting is put among some seats.
func (e *Sighting) turn(among uint16) int {
	switch n := bits.OnesCount16(among); {
	case n == 1:
		return 1
	case e.Dealt != 0:
		return 2
	default:
		return n + 1
	}
}

// somewhere is one of the seats that the card of a sighting may be among: of those that may have
// another card of the last mutiny, if it is of it, each as often as it may have more. It is noSeat
// where there is none.
func (d *dealing) somewhere(e *Sighting, among uint16) int {
	if e.Dealt == 0 {
		return nthSeat(among, d.rnd.Intn(bits.OnesCount16(among)))
	}
	var can [MaxSeats]uint8
	for rest := among; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros16(rest)
		can[i] = d.room[i]
	}
	if n := sum(can[:]); n > 0 {
		return nth(can[:], d.rnd.Intn(n))
	}
	return noSeat
}

// nthSeat is the k-th member of a set.
func nthSeat(set uint16, k int) int {
	for ; k > 0; k-- {
		set &= set - 1
	}
	return bits.TrailingZeros16(set)
}

// kept are the cards of others that stay in their hands: one for which the seat that is
// asked can be asked, and those that the viewer sees being offered.
func (d *dealing) kept() (keep [MaxSeats][NumCrew]uint8) {
	f := d.s.Top()
	seat := int(f.Seat)
	if f.Kind == AskAccept {
		if d.s.privy(d.view) {
			keep[f.Arg[0]] = d.s.Offer
		}
		return keep
	}
	if !f.Kind.asks() || seat == d.view {
		return keep
	}
	var can [NumCrew]uint8
	hand := &d.s.Hands[seat]
	switch f.Kind {
	case AskFirst:
		copy(can[:NumNormal], hand[:NumNormal])
	case AskAttack:
		if seat == int(d.s.Quartermaster) {
			return keep
		}
		copy(can[:NumNormal], hand[:NumNormal])
		d.anytime(seat, &can)
	case AskChange:
		for k := range NumSkills {
			can[officerOf(k)] = hand[officerOf(k)]
		}
	case AskAnytime:
		d.anytime(seat, &can)
	default:
		if c, ok := f.Kind.card(); ok {
			can[c] = hand[c]
		}
	}
	if n := sum(can[:]); n > 0 {
		keep[seat][nth(can[:], d.rnd.Intn(n))] = 1
	}
	return keep
}

// anytime adds the cards for which a seat can be asked at any time.
func (d *dealing) anytime(seat int, can *[NumCrew]uint8) {
	for _, c := range anytimeCards {
		if d.r.timely(d.s, seat, c) {
			can[c] = d.s.Hands[seat][c]
		}
	}
}

// prizes deals the hidden prizes anew: those of the others, buried or not, those being
// shared out unless the viewer sees them, and the deck.
func (d *dealing) prizes() bool {
	s, r := d.s, d.r
	unseen := s.PrizeDeck
	type place struct {
		counts *[NumPrizes]uint8
		need   int
	}
	var open, buried [MaxSeats]place
	var keep [MaxSeats][NumPrizes]uint8
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
	spoils, shown := place{counts: &s.Spoils}, s.Spoils
	if !r.SeesSpoils(s, d.view) {
		for k, n := range s.Spoils {
			unseen[k] += n
			spoils.need += int(n)
		}
		s.Spoils, shown = [NumPrizes]uint8{}, [NumPrizes]uint8{}
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
	if !d.place(sightedPrize, sightedPrize+uint8(NumPrizes), func(i, kind int) bool {
		if i == spoilsSeat {
			if shown[kind] > 0 {
				shown[kind]-- // he sees it there
				return true
			}
			return put(&spoils, kind)
		}
		if keep[i][kind] > 0 {
			keep[i][kind]-- // the prize that stays may be it
			return true
		}
		if d.rnd.Intn(open[i].need+buried[i].need+1) < open[i].need {
			return put(&open[i], kind) || put(&buried[i], kind)
		}
		return put(&buried[i], kind) || put(&open[i], kind)
	}) {
		return false
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
		if f := &s.Frames[k]; f.Kind == AskExchange && int(f.Seat) != d.view {
			f.Arg[0], f.Arg[1] = int8(s.Prizes[f.Seat][Hostage]), int8(s.Prizes[f.Seat][Jewels])
		}
	}
	return true
}

// keptPrize is how many prizes of a kind stay with a seat: those offered, and what it is
// asked about.
func (d *dealing) keptPrize(seat, kind int) uint8 {
	switch f := d.s.Top(); {
	case f.Kind == AskAccept && int(f.Arg[0]) == seat && d.s.privy(d.view):
		return d.s.OfferPrizes[kind]
	case f.Kind == AskSell && int(f.Seat) == seat && (Prize(kind) == Hostage || Prize(kind) == Jewels):
		return d.s.Prizes[seat][kind]
	}
	return d.pending(seat, kind)
}

// pending is how many hostages or jewels a seat is known to have from frames that
// wait below.
func (d *dealing) pending(seat, kind int) uint8 {
	for _, f := range d.s.Frames[:d.s.Depth] {
		if f.Kind == DoSell && int(f.Seat) == seat {
			switch Prize(kind) {
			case Hostage:
				return min(uint8(f.Arg[0]), d.s.Prizes[seat][kind])
			case Jewels:
				return min(uint8(f.Arg[1]), d.s.Prizes[seat][kind])
			}
		}
	}
	return 0
}

// keepSightings keeps what the viewer has seen; the others' knowledge is of cards that
// are elsewhere now. Who holds a sighted card now does not know of it from afar.
func (d *dealing) keepSightings(before *State) {
	s := d.s
	n := 0
	for k, e := range before.Sightings[:before.Sighted] {
		if e.Knows&bit(d.view) == 0 {
			continue
		}
		if at := d.placed[k]; at >= 0 && at < MaxSeats {
			e.Knows &^= bit(int(at))
		}
		s.Sightings[n] = e
		n++
	}
	clear(s.Sightings[n:])
	s.Sighted = uint8(n)
}
