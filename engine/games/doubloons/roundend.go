package doubloons

// roundEnd checks for the buried treasure, then for redemption, then cleans up.
// Clauses CLEAN-1, DIG-1.
func (r *Rules) roundEnd(s *State) {
	s.Phase, s.Slot, s.Turn = PhaseRoundEnd, -1, -1
	dig := !s.Dug && r.reached(s)
	r.note(HasEndedRound, 0)
	if dig {
		r.note(HasDugUp, 0)
	}
	r.layRoundEnd(s, dig)
	if s.Next() == DoDigEnd && r.Edition.JewelsLikePillage {
		r.shareJewels(s)
	}
}

// layRoundEnd pushes the steps of Round End, with those of the dig if the treasure is dug up.
func (r *Rules) layRoundEnd(s *State, dig bool) {
	s.Push(frame(DoCleanup, 0))
	s.Push(frame(DoRedemption, 0))
	if dig {
		s.Push(frame(DoDigEnd, 0))
	}
	if dig && !r.Edition.JewelsLikePillage {
		s.Push(frame(DoInOrder, 0, int(DoAward)))
	}
}

// reached reports whether a captain is where the treasure lies: at the mount, or in the crater.
func (r *Rules) reached(s *State) bool {
	for i := range r.seats {
		if n := s.Ships[i].Node; n == NodeM || n == NodeX {
			return true
		}
	}
	return false
}

// award grants the jewels of the dig: three at the mount, two and one for
// captains one and two spaces away.
// Clause DIG-4.
func (r *Rules) award(s *State, seat int) {
	if n := r.jewelsWon(s, seat); n > 0 {
		s.Push(frame(DoJewels, seat, n))
	}
}

// jewelsWon is how many jewels a seat's captain is worth at the dig.
func (r *Rules) jewelsWon(s *State, seat int) int { return r.share(r, s.Ships[seat].Node) }

// mountJewels is that for a location of the standard island: three at the mount, two and one for those one and two
// spaces away.
// Clauses DIG-2, DIG-3.
func (r *Rules) mountJewels(node int8) int { return max(0, 3-int(r.Distance[node])) }

// digEnd follows the awards: all cards are shuffled together with the captain
// cards, the island is cleared unless its captains stay.
// Clauses DIG-5, CRATER-4, CRATER-5, CRATER-6.
func (r *Rules) digEnd(s *State) {
	s.Dug = true
	r.note(HasShuffled, 0)
	s.Deck, s.Discard, s.Old = r.normal|r.captains, 0, 0
	for i := range r.seats {
		s.Ships[i].Hand, s.Ships[i].Table = 0, [NumSlots]int8{noCard, noCard, noCard}
	}
	s.forget(r.cardsInPlay(true))
	s.Revealed = 0
	if !r.stays {
		r.clearIsland(s)
	}
}

// clearIsland puts the landmarks back into their stacks; captains return to their ships, each with a crew member.
// Clauses DIG-6, DIG-7.
func (r *Rules) clearIsland(s *State) {
	for n, t := range s.Tiles {
		if t != noTile {
			s.StackTop[r.LandmarkColour[t]] |= 1 << t
			s.Tiles[n] = noTile
		}
	}
	for c := range s.StackBottom {
		for i := range s.StackLow[c] {
			s.StackTop[c] |= 1 << s.StackBottom[c][i]
			s.StackBottom[c][i] = noTile
		}
		s.StackLow[c] = 0
	}
	r.note(HasClearedIsland, 0)
	for i := range r.seats {
		sh := &s.Ships[i]
		sh.Node, sh.Track = NodeBeach, 0
		r.gainCrew(s, i, 1)
	}
}

// ashore reports whether captains walk the island: till the treasure is dug up, or always.
func (r *Rules) ashore(s *State) bool { return !s.Dug || r.stays }

// moveOnTrack moves a captain one space along the end-game track. A captain who
// reaches FIN makes this round the last.
// Clauses CAP-1, CAP-2, CRATER-11.
func (r *Rules) moveOnTrack(s *State, seat int) {
	sh, fin := &s.Ships[seat], uint8(r.EndTrack-1)
	if sh.Track < fin {
		sh.Track++
		r.note(HasMovedOn, seat, int(sh.Track))
	}
	if sh.Track == fin && !s.Ending {
		s.Ending = true
		r.note(HasLastRound, 0)
	}
}

// cleanup discards the round's cards and tokens and passes the initiative token
// to the left, or ends the match after its last round.
// Clauses CLEAN-2, CLEAN-3, CLEAN-4, CAP-3.
func (r *Rules) cleanup(s *State) {
	for _, i := range r.fleet {
		sh := &s.Ships[i]
		for k, c := range sh.Table {
			if c != noCard {
				s.Discard |= 1 << c
				sh.Table[k] = noCard
			}
		}
		s.Pillage += sh.Pillage
		sh.Pillage = 0
	}
	s.Old &^= s.Discard
	s.Revealed = 0
	r.note(HasCleanedUp, 0)
	if s.Ending {
		s.Phase = PhaseOver
		r.noteEnd(s)
		return
	}
	s.Initiative = int8(r.ordinal(s, 1))
	r.note(HasInitiative, int(s.Initiative))
	s.Push(frame(DoRound, 0))
}
