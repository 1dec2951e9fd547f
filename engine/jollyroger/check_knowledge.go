package jollyroger

// What seats know must be true; see sightings.go.

// knowledge checks that what seats have seen is true.
func (c *checking) knowledge() {
	r, s := c.r, c.s
	places := r.everyone()
	if r.hidden {
		places |= inSpoils
	}
	var seen [NumCrew + NumPrizes]bool
	for i, e := range s.Sightings[:s.Sighted] {
		prize := e.Kind >= sightedPrize
		if e.Knows == 0 || e.Knows&^r.everyone() != 0 || e.Among == 0 || e.Among&^places != 0 || e.Among&inSpoils != 0 && !prize ||
			int(e.Kind) >= len(sightedNames) || prize && !r.hidden || e.Dealt > 1 || e.Dealt == 1 && prize {
			c.Wrong("sightings", "entry %d: want a hidden card that seats of the game know to be among seats", i)
			return
		}
		if e.Among&inSpoils != 0 && e.Among != places {
			c.Wrong("sightings", "entry %d: one of the spoils can come to any seat: want all of them in among", i)
			return
		}
		seen[e.Kind] = true
	}
	for view := range r.seats {
		for kind := range seen {
			if seen[kind] && !s.truthful(view, uint8(kind)) {
				c.Wrong("sightings", "seat %d has seen more of %s than there are where it says", view, sightedNames[kind])
			}
		}
		if !s.dealtSo(view) {
			c.Wrong("sightings", "seat %d has seen more cards of a mutiny than of_mutiny of the players leaves room for", view)
		}
	}
	for seat := range MaxSeats {
		if s.Dealt[seat] > s.Size[seat] {
			c.Wrong("players", "seat %d: of_mutiny: %d: it holds %d cards", seat, s.Dealt[seat], s.Size[seat])
			return
		}
		n := s.Size[seat] - min(s.Size[seat], s.Free[seat])
		for k, have := range s.Hands[seat] {
			n -= min(n, have, s.Old[k])
		}
		if n > 0 || s.Free[seat] > s.Size[seat] {
			c.Wrong("players", "seat %d: new_cards: at most %d of its cards came since the reshuffle, so the others must be among old", seat, s.Free[seat])
		}
	}
}

// truthful reports whether there is a different card for each sighting that a seat
// has of a kind.
func (s *State) truthful(view int, kind uint8) bool {
	var claims []uint16
	for _, e := range s.Sightings[:s.Sighted] {
		if e.Kind == kind && e.Knows&bit(view) != 0 {
			claims = append(claims, e.Among&^bit(view))
		}
	}
	if len(claims) == 0 {
		return true
	}
	var cards []int // their places
	for place := range spoilsSeat + 1 {
		for range s.cardsAt(place, kind) {
			cards = append(cards, place)
		}
	}
	owner := make([]int, len(cards)) // 1 + the claim that a card is matched with
	var match func(claim int, tried []bool) bool
	match = func(claim int, tried []bool) bool {
		for i, place := range cards {
			if claims[claim]&bit(place) == 0 || tried[i] {
				continue
			}
			tried[i] = true
			if owner[i] == 0 || match(owner[i]-1, tried) {
				owner[i] = claim + 1
				return true
			}
		}
		return false
	}
	for claim := range claims {
		if !match(claim, make([]bool, len(cards))) {
			return false
		}
	}
	return true
}

// cardsAt is how many cards of a sighted kind are at a place.
func (s *State) cardsAt(place int, kind uint8) uint8 {
	switch {
	case kind >= sightedPrize && place == spoilsSeat:
		return s.Spoils[kind-sightedPrize]
	case place >= MaxSeats:
		return 0
	case kind >= sightedPrize:
		return s.Prizes[place][kind-sightedPrize] + s.Buried[place][kind-sightedPrize]
	}
	return s.Hands[place][kind]
}

// dealtSo reports whether there is a different card for each sighting that a seat has of
// cards of the last mutiny, and in no hand more of them than it may have.
func (s *State) dealtSo(view int) bool {
	p := puzzle{s: s, view: view}
	for k := range p.at {
		p.at[k] = noSeat
	}
	for k, e := range s.Sightings[:s.Sighted] {
		if e.Dealt == 0 || e.Knows&bit(view) == 0 {
			continue
		}
		p.full, p.short = [MaxSeats]bool{}, [MaxSeats][NumCrew]bool{}
		if !p.put(k) {
			return false
		}
	}
	return true
}

// puzzle puts the cards of sightings into hands, one after the other; those that lie there
// already make room where they can.
type puzzle struct {
	s    *State
	view int

	at    [maxSightings]int8 // where the card of each sighting lies
	cards [MaxSeats][NumCrew]uint8
	total [MaxSeats]uint8

	full   [MaxSeats]bool          // hands that have been asked to make room
	short  [MaxSeats][NumCrew]bool // and kinds of which they have no more
	moving [maxSightings]bool
}

// put finds a hand for the card of a sighting, another one where it lies in one.
func (p *puzzle) put(k int) bool {
	e, from := &p.s.Sightings[k], p.at[k]
	for seat := range MaxSeats {
		if seat == p.view || seat == int(from) || e.Among&bit(seat) == 0 {
			continue
		}
		if p.cards[seat][e.Kind] == p.s.Hands[seat][e.Kind] {
			known := p.short[seat][e.Kind]
			if p.short[seat][e.Kind] = true; known || !p.clear(seat, func(kind uint8) bool { return kind == e.Kind }) {
				continue
			}
		}
		if p.total[seat] == p.s.Dealt[seat] {
			known := p.full[seat]
			if p.full[seat] = true; known || !p.clear(seat, func(uint8) bool { return true }) {
				continue
			}
		}
		if from != noSeat {
			p.cards[from][e.Kind]--
			p.total[from]--
		}
		p.cards[seat][e.Kind]++
		p.total[seat]++
		p.at[k] = int8(seat)
		return true
	}
	return false
}

// clear moves one card of the kinds that fit out of a hand.
func (p *puzzle) clear(seat int, fits func(kind uint8) bool) bool {
	for k, e := range p.s.Sightings[:p.s.Sighted] {
		if p.at[k] != int8(seat) || p.moving[k] || !fits(e.Kind) {
			continue
		}
		p.moving[k] = true
		moved := p.put(k)
		if p.moving[k] = false; moved {
			return true
		}
	}
	return false
}
