package jollyroger

// What seats know must be true; see sightings.go.

// knowledge checks that what seats have seen is true.
func (c *checking) knowledge() {
	s := c.s
	var by [NumCrew + NumPrizes]uint16
	var several [NumCrew + NumPrizes + 1]uint16
	for knower := range s.Memories {
		for i := range int(s.Sighted[knower]) {
			e := s.Sighting(knower, i)
			if first, end := bagsOf(e.class()); !c.possible(knower, e) || s.Memories[knower].Bag[i] != noBag && (int(s.Memories[knower].Bag[i]) < first || int(s.Memories[knower].Bag[i]) >= end || knower == onlooker) {
				c.Wrong("sightings", "seat %d, entry %d: want a hidden card that a seat of the game knows to be with others", knower, i)
				return
			}
			several[e.Kind] |= by[e.Kind] & bit(knower)
			by[e.Kind] |= bit(knower)
		}
	}
	for seat := range s.Slots {
		for bag := range allBags {
			n := 0
			for p := range s.Slots[seat] {
				n += int(s.Slots[seat][p][bag])
			}
			if n > slot*maxCards || bag == noBag && n > 0 {
				c.Wrong("bags", "seat %d, bag %d: it has more cards than there are", seat, bag)
				return
			}
		}
	}
	if by != s.SightedBy || several != s.Several {
		c.Wrong("sightings", "it is miscounted who has some")
	}
	for knower := range s.Memories {
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
	for seat := range s.Got {
		for k, n := range s.Got[seat] {
			if n > 0 && (!dealing || n > s.Hands[seat][k]) {
				c.Wrong("players", "seat %d: of_mutiny: %d %s: those are cards of its hand that it has got of a mutiny that is being dealt now", seat, n, crewNames[k])
				return
			}
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
	r := c.r
	if int(e.Kind) >= len(sightedNames) || e.Kind >= sightedPrize && !r.hidden || knower >= r.seats && knower != onlooker || e.told() >= r.seats || e.told() == knower {
		return false
	}
	where := r.everyone()
	if knower != onlooker {
		where &^= bit(knower)
	}
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
