package doubloons

// damage lowers a ship's hull. A ship without hull becomes a ghost ship, and
// raises the reputation of the seat whose Attack sank it. Ghost ships are immune.
// Clauses BRD-2, GHOST-1, GHOST-2, GHOST-3, GHOST-8.
func (s *State) damage(seat, amount, by int) {
	sh := &s.Ships[seat]
	if sh.Ghost {
		return
	}
	if int(sh.Hull) > amount {
		sh.Hull -= uint8(amount)
		return
	}
	sh.Hull, sh.Ghost = 0, true
	if by != nobody {
		s.Ships[by].gainLevel()
	}
}

// Clauses REP-3, GHOST-7.
func (sh *Ship) gainHull(n int) {
	if !sh.Ghost {
		sh.Hull = uint8(min(MaxHull, int(sh.Hull)+n))
	}
}

func (sh *Ship) gainLevel() { sh.Reputation = min(MaxLevel, sh.Reputation+1) }

// gainCrew adds crew as far as there is room; loseCrew removes it as far as
// there is any and says how much that was.
// Clauses CREW-1, GHOST-10.
func (sh *Ship) gainCrew(n int) { sh.Crew = uint8(min(MaxCrew, int(sh.Crew)+n)) }

// Clause CREW-7.
func (sh *Ship) loseCrew(n int) int {
	n = min(n, int(sh.Crew))
	sh.Crew -= uint8(n)
	return n
}

// redemption turns every ghost ship with 5 doubloons back: they go to the
// island, and the ship recovers with 7 hull and 2 more crew.
// Clauses GHOST-12, GHOST-13.
func (r *Rules) redemption(s *State) {
	const price, hull, crew = 5, 7, 2
	for i := range r.seats {
		sh := &s.Ships[i]
		if sh.Ghost && sh.Doubloons >= price {
			s.Island += sh.payOut(price)
			sh.Ghost, sh.Hull = false, hull
			sh.gainCrew(crew)
		}
	}
}
