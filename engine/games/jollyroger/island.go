package jollyroger

// Treasure Island.

// doIsland: without a map the ship does not get there, and the Captain chooses
// another destination. With one, everybody may bury.
//
// Clauses ISL-1, ISL-2, SPC-16.
func (r *Rules) doIsland(s *State) {
	if !s.Map {
		s.Barred = true
		r.note(HasMissedIsland, 0)
		r.chooseAgain(s)
		return
	}
	s.Stacks[TreasureIsland] &= s.Stacks[TreasureIsland] - 1 // the cards are all alike
	r.note(HasLanded, 0)
	captain := int(s.Captain)
	r.poll(s, AskKid, captain, 0, r.seats)
	r.quick(s, OnIsland)
	s.Push(frame(DoMap, 0))
	for k := r.seats - 1; k >= 0; k-- {
		s.Push(frame(DoBury, r.after(captain, k)))
	}
	r.poll(s, AskBoatswain, captain, 0, r.seats)
	r.quick(s, OnIsland)
}

// doBribe lets the player who is to guard the ship look for another one.
//
// Clause SPC-3.
func (r *Rules) doBribe(s *State, f Frame) {
	asked := askedAlready(f)
	for seat := range r.seats {
		if seat != int(f.Seat) && asked&bit(seat) == 0 {
			f.Kind = AskBribe
			s.Push(f)
			return
		}
	}
}

// askedAlready is the set of seats that an AskBribe or DoBribe frame says were asked.
func askedAlready(f Frame) uint16 { return setIn(f, 0) }

// bribe asks a seat to guard the ship in f.Seat's place; each is asked once.
//
// Clause SPC-3.
func (r *Rules) bribe(s *State, f Frame, to int) {
	asked := askedAlready(f) | bit(to)
	f.Kind = DoBribe
	f.Arg[0], f.Arg[1] = int8(asked), int8(asked>>8)
	s.Push(f)
	r.note(HasTurnedTo, int(f.Seat), to, 0)
	s.Push(frame(AskOffer, int(f.Seat), to, 1))
}

// doBury has a seat bury.
//
// Clause ISL-4.
func (r *Rules) doBury(s *State, seat int) {
	if seat != int(s.Guard) && sum(s.Prizes[seat][:]) > 0 {
		s.Push(frame(DoBury, seat))
		s.Push(frame(AskBury, seat))
	}
}

// bury buries a prize.
func (r *Rules) bury(s *State, seat int, p Prize) {
	s.Prizes[seat][p]--
	s.Buried[seat][p]++
	r.notePrize(1<<seat, HasBuried, seat, int(p))
}

// buryAll buries all prizes of a seat.
func (r *Rules) buryAll(s *State, seat int) {
	for p := range Prize(NumPrizes) {
		for s.Prizes[seat][p] > 0 {
			r.bury(s, seat, p)
		}
	}
}

// doMap discards the map, once everybody has buried.
//
// Clause ISL-6.
func (r *Rules) doMap(s *State) {
	s.Map = false
	s.Discard[OldSailor]++
	s.Guard = noSeat
	r.note(HasPutMapAway, 0)
	r.leaveDestination(s)
}

// steal takes a buried prize, seen by the two; it lies face up again unless
// prizes are hidden.
//
// Clause SPC-16.
func (r *Rules) steal(s *State, thief, victim int, p Prize) {
	s.Buried[victim][p]--
	s.Prizes[thief][p]++
	r.notePrize(1<<thief|1<<victim, HasUnearthed, thief, int(p), victim)
	if r.hidden {
		s.passed(victim, thief, victim, sightedPrize+uint8(p))
	}
}
