package doubloons

// damage lowers a ship's hull. A ship without hull becomes a ghost ship, and
// raises the reputation of the seat whose Attack sank it. Ghost ships are immune.
// Clauses BRD-2, GHOST-1, GHOST-2, GHOST-3, GHOST-8.
func (r *Rules) damage(s *State, seat, amount, by int) {
	sh := &s.Ships[seat]
	if sh.Ghost {
		return
	}
	if int(sh.Hull) > amount {
		sh.Hull -= uint8(amount)
		r.note(HasDamaged, seat, amount, by)
		return
	}
	r.note(HasDamaged, seat, int(sh.Hull), by)
	sh.Hull, sh.Ghost = 0, true
	r.note(HasSunk, seat)
	if by != nobody {
		r.gainLevel(s, by)
	}
}

// Clauses REP-3, GHOST-7.
func (r *Rules) gainHull(s *State, seat, n int) {
	sh := &s.Ships[seat]
	if n = min(n, MaxHull-int(sh.Hull)); n > 0 && !sh.Ghost {
		sh.Hull += uint8(n)
		r.note(HasGained, seat, GoodHull, n, ofBox)
	}
}

func (r *Rules) gainLevel(s *State, seat int) {
	if sh := &s.Ships[seat]; sh.Reputation < MaxLevel {
		sh.Reputation++
		r.note(HasGained, seat, GoodReputation, 1, ofBox)
	}
}

// gainCrew adds crew as far as there is room; loseCrew removes it as far as
// there is any and says how much that was.
// Clauses CREW-1, GHOST-10.
func (r *Rules) gainCrew(s *State, seat, n int) {
	sh := &s.Ships[seat]
	if n = min(n, MaxCrew-int(sh.Crew)); n > 0 {
		sh.Crew += uint8(n)
		r.note(HasGained, seat, GoodCrew, n, ofBox)
	}
}

// Clause CREW-7.
func (r *Rules) loseCrew(s *State, seat, n int) int {
	sh := &s.Ships[seat]
	if n = min(n, int(sh.Crew)); n > 0 {
		sh.Crew -= uint8(n)
		r.note(HasLost, seat, GoodCrew, n)
	}
	return n
}

// redemption turns every ghost ship with 5 doubloons back: they go to the
// island, and the ship recovers with 7 hull and 2 more crew.
// Clauses GHOST-12, GHOST-13.
func (r *Rules) redemption(s *State) {
	const price, newHull, newCrew = 5, 7, 2
	for i := range r.seats {
		sh := &s.Ships[i]
		if sh.Ghost && sh.Doubloons >= price {
			sh.Ghost, sh.Hull = false, newHull
			r.note(HasRedeemed, i, newHull)
			r.loseDoubloons(s, i, price)
			r.gainCrew(s, i, newCrew)
		}
	}
}
