package jollyroger

import "math/bits"

// What seats have seen of crew cards that are hidden in hands (and, with hidden
// prizes, of prizes). Every sighting is true for each seat that has it, and all
// sightings of one seat are true together: there is a different card for each. Where a
// card leaves and nobody can tell which of several sightings it was, they grow
// vaguer, never wrong.

const (
	sightedPrize = uint8(NumCrew) // Sighting.Kind of the first prize
	inSpoils     = uint16(1) << 15
)

func bit(seat int) uint16 { return 1 << seat }

// everyone is the set of all seats.
func (r *Rules) everyone() uint16 { return 1<<r.seats - 1 }

// sight notes that knows have seen a card go to one of among. With no room left, the oldest
// sighting is forgotten.
func (s *State) sight(knows, among uint16, kind uint8) {
	if knows == 0 {
		return
	}
	if int(s.Sighted) == len(s.Sightings) {
		copy(s.Sightings[:], s.Sightings[1:])
		s.Sighted--
	}
	s.Sightings[s.Sighted] = Sighting{Knows: knows, Among: among, Kind: kind}
	s.Sighted++
}

// lost notes that all of who saw a card leave from's hand: each of them drops the
// sighting that it can have been with the fewest places, and is no longer sure where
// the others among those that it can have been are: one of them may be what the dropped one was.
func (s *State) lost(who uint16, from int, kind uint8) {
	who &^= bit(from)
	for {
		best := -1
		for i := range s.Sightings[:s.Sighted] {
			e := &s.Sightings[i]
			if e.Kind == kind && e.Among&bit(from) != 0 && e.Knows&who != 0 &&
				(best < 0 || bits.OnesCount16(e.Among) < bits.OnesCount16(s.Sightings[best].Among)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		dropped, among, dealt := s.Sightings[best].Knows&who, s.Sightings[best].Among, s.Sightings[best].Dealt
		s.Sightings[best].Knows &^= dropped
		who &^= dropped
		for i := range s.Sightings[:s.Sighted] {
			if e := &s.Sightings[i]; e.Kind == kind && e.Among&bit(from) != 0 && e.Knows&dropped != 0 {
				e.Among |= among
				e.Dealt &= dealt
			}
		}
	}
	s.forget()
}

// forget drops the sightings that nobody has.
func (s *State) forget() {
	n := 0
	for _, e := range s.Sightings[:s.Sighted] {
		if e.Knows != 0 {
			s.Sightings[n] = e
			n++
		}
	}
	clear(s.Sightings[n:s.Sighted])
	s.Sighted = uint8(n)
}

// passed notes that a card went from one seat to another where only those two saw
// which.
func (s *State) passed(from, to int, kind uint8) {
	if s.Sighted > 0 {
		s.lost(bit(to), from, kind)
		for i := range s.Sightings[:s.Sighted] {
			e := &s.Sightings[i]
			if e.Among&bit(from) != 0 && (e.Kind >= sightedPrize) == (kind >= sightedPrize) {
				e.Among |= bit(to)
			}
		}
	}
	s.sight(bit(from), bit(to), kind)
}

// shown notes that a seat has shown some of its cards of a kind to another, which may have
// known of them before.
func (s *State) shown(from, to int, kind, n uint8) {
	for range n {
		s.lost(bit(to), from, kind)
	}
	for range n {
		s.sight(bit(to), bit(from), kind)
	}
}

// vanished notes that prizes of a seat went where few saw: what was known of its
// prizes is known no longer.
func (s *State) vanished(from int) {
	for i := range s.Sightings[:s.Sighted] {
		if e := &s.Sightings[i]; e.Kind >= sightedPrize && e.Among&bit(from) != 0 {
			e.Knows = 0
		}
	}
	s.forget()
}

// unsight drops what a seat has seen of the spoils, which it looks at now.
func (s *State) unsight(seat int) {
	for i := range s.Sightings[:s.Sighted] {
		if e := &s.Sightings[i]; e.Among&inSpoils != 0 {
			e.Knows &^= bit(seat)
		}
	}
	s.forget()
}
