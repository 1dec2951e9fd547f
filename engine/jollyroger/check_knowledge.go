package jollyroger

// What seats know must be true; see sightings.go.

// knowledge checks that what seats have seen is true.
func (c *checking) knowledge() {
	s := c.s
	var by [NumCrew + NumPrizes]uint16
	var several [NumCrew + NumPrizes + 1]uint16
	for knower := range MaxSeats {
		for i := range int(s.Sighted[knower]) {
			e := s.Sighting(knower, i)
			if !c.possible(knower, e) {
				c.Wrong("sightings", "seat %d, entry %d: want a hidden card that a seat of the game knows to be with others", knower, i)
				return
			}
			several[e.Kind] |= by[e.Kind] & bit(knower)
			by[e.Kind] |= bit(knower)
		}
	}
	if by != s.SightedBy || several != s.Several {
		c.Wrong("sightings", "it is miscounted who has some")
	}
	for knower := range c.r.seats {
		if s.Sighted[knower] == 0 && s.counted(knower) {
			c.Wrong("players", "sighted: seat %d has no sightings: want 0", knower)
		}
		for row, what := range []string{"crew cards", "crew cards of the last mutiny", "prizes"} {
			if f := s.fitting(knower, row); !f.fit() {
				c.Wrong("sightings", "seat %d has seen more %s than there are where it says, or more or fewer than sighted says", knower, what)
			}
		}
	}
	dealing := s.PoolFaceDown()
	for seat, n := range s.Dealt {
		if n > 0 && (!dealing || n > s.Size[seat]) {
			c.Wrong("players", "seat %d: of_mutiny: %d: that is how many cards it has got of a mutiny that are being dealt now", seat, n)
			return
		}
	}
	for seat := range MaxSeats {
		n := s.Size[seat] - min(s.Size[seat], s.Free[seat])
		for k, have := range s.Hands[seat] {
			n -= min(n, have, s.Old[k])
		}
		if n > 0 || s.Free[seat] > s.Size[seat] {
			c.Wrong("players", "seat %d: new_cards: at most %d of its cards came since the reshuffle, so the others must be among old", seat, s.Free[seat])
		}
	}
}

// possible reports whether a seat can have a sighting.
func (c *checking) possible(knower int, e Sighting) bool {
	r, s := c.r, c.s
	if int(e.Kind) >= len(sightedNames) || e.Kind >= sightedPrize && !r.hidden || knower >= r.seats || e.told() >= r.seats || e.told() == knower {
		return false
	}
	if e.Dealing() {
		to := e.told()
		return e.where == onTable|dealt(to) && to >= 0 && s.PoolFaceDown() && s.Dealt[to] > 0 && s.Hands[to][e.Kind] > 0
	}
	where := r.everyone() &^ bit(knower)
	if e.Kind >= sightedPrize {
		where |= onTable
	}
	return e.Among() != 0 && e.Among()&^where == 0
}

// cardsOf is how many cards of a sighted kind are at a place.
func (s *State) cardsOf(place int, kind uint8) int {
	switch {
	case kind >= sightedPrize && place == middle:
		return int(s.Spoils[kind-sightedPrize])
	case place == middle:
		return 0
	case kind >= sightedPrize:
		return int(s.Prizes[place][kind-sightedPrize]) + int(s.Buried[place][kind-sightedPrize])
	}
	return int(s.Hands[place][kind])
}

// counted reports whether any cards are counted for a seat.
func (s *State) counted(knower int) bool {
	for row := range numRows {
		if s.Least[row][knower] != (counts{}) || s.Most[row][knower] != (counts{}) {
			return true
		}
	}
	return false
}
