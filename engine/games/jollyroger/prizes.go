package jollyroger

import "github.com/privateer-rl/privateer/engine"

// Prizes shared out after an attack or a mutiny, and the Carpenter.

// doLoot draws prizes to be shared out.
func (r *Rules) doLoot(s *State, n int) {
	if n > 0 && s.PrizesLeft > 0 {
		s.Push(frame(DoLoot, 0, n-1))
		s.Push(frame(DealSpoils, 0))
	}
}

// doSplit shares the spoils out: the Cook, if it is played, and the Captain choose one each,
// the Quartermaster gives away the rest.
//
// Clauses PRZ-1, SPC-6, SPC-7.
func (r *Rules) doSplit(s *State) {
	if sum(s.Spoils[:]) == 0 {
		return
	}
	captain := int(s.Captain)
	r.poll(s, AskCarpenter, captain, 0, r.seats)
	s.Push(frame(DoShare, 0))
	s.Push(frame(DoPick, captain, 0))
	r.poll(s, AskCook, captain, 1, r.seats) // the Captain chooses first without a Cook
	r.gifts(s, BeforeShare)
	r.quick(s, BeforeSplit)
}

func (r *Rules) doPick(s *State, f Frame) {
	if sum(s.Spoils[:]) > 0 {
		s.Push(frame(AskPick, int(f.Seat), int(f.Arg[0])))
		r.look(s, int(f.Seat))
	}
}

// look has a seat that chooses or gives see the spoils. It is told those that it did not know to be there.
//
// Clause VAR-1.
func (r *Rules) look(s *State, seat int) {
	if !r.hidden {
		return
	}
	unknown := s.Spoils
	for i := range int(s.Sighted[seat]) {
		if e := s.Sighting(seat, i); e.Kind >= sightedPrize && e.Among() == onTable {
			n := &unknown[e.Kind-sightedPrize]
			*n -= min(*n, 1)
		}
	}
	for p, n := range unknown {
		for range n {
			r.noteTo(1<<seat, HasSighted, seat, p)
		}
	}
	s.look(seat)
}

// receive gives a seat one of the spoils, which another has chosen for it or the seat itself. With
// hidden prizes only these two see which.
//
// Clauses PRZ-1, PRZ-2, VAR-1.
func (r *Rules) receive(s *State, chooser, seat int, p Prize) {
	s.Spoils[p]--
	s.Prizes[seat][p]++
	s.Split[seat]++
	r.notePrize(1<<seat|1<<chooser, HasShare, seat, int(p), chooser)
	if r.hidden {
		s.passed(middle, seat, chooser, sightedPrize+uint8(p))
	}
}

// doShare has the Quartermaster give away what is left, one prize at a time.
//
// Clause PRZ-2.
func (r *Rules) doShare(s *State) {
	if sum(s.Spoils[:]) > 0 {
		s.Push(frame(DoShare, 0))
		s.Push(frame(DoGive, 0))
		r.quick(s, Sharing)
		return
	}
	s.Split = [MaxSeats]uint8{}
	r.note(HasSharedOut, 0)
	r.quick(s, Sharing)
}

// doGive has the Quartermaster give a prize away.
func (r *Rules) doGive(s *State) {
	s.Push(frame(AskShare, int(s.Quartermaster)))
	r.look(s, int(s.Quartermaster))
}

// legalShares: nobody gets another prize before everyone has as many.
//
// Clauses PRZ-2, PRZ-3.
func (r *Rules) legalShares(s *State, seat int, m *engine.Mask) {
	fewest := s.Split[0]
	for _, n := range s.Split[:r.seats] {
		fewest = min(fewest, n)
	}
	for to, n := range s.Split[:r.seats] {
		if n != fewest {
			continue
		}
		for p, n := range s.Spoils {
			if n > 0 {
				m.Set(ToGive + engine.Action(p*MaxSeats+r.places(seat, to)))
			}
		}
	}
}

// givePrize moves an unburied prize from one player to another, in sight of all
// but with hidden prizes.
//
// Clauses PRZ-4, PRZ-5.
func (r *Rules) givePrize(s *State, from, to int, p Prize, as int) {
	s.Prizes[from][p]--
	s.Prizes[to][p]++
	r.notePrize(1<<from|1<<to, HasGotPrize, to, int(p), from, as)
	if r.hidden {
		s.passed(from, to, from, sightedPrize+uint8(p))
	}
}

// dropPrize discards a prize, face up.
//
// Clauses VAR-2, VAR-9.
func (r *Rules) dropPrize(s *State, seat int, p Prize, what int) {
	s.Prizes[seat][p]--
	s.PrizeOut[p]++
	r.note(HasTraded, seat, int(p), what)
	if r.hidden {
		s.left(seat, sightedPrize+uint8(p))
	}
}

// elsewhere reports whether anyone but a seat has some of these prizes.
func (r *Rules) elsewhere(prizes *[MaxSeats][NumPrizes]uint8, seat int) bool {
	for i := range r.seats {
		if i != seat && sum(prizes[i][:]) > 0 {
			return true
		}
	}
	return false
}

// donate gives the carpenter a prize: nobody else is asked, and the carpenter claims none.
//
// Clause SPC-4.
func (r *Rules) donate(s *State, from, carpenter int, p Prize) {
	s.Take(DoPoll)
	s.Take(DoClaim)
	r.givePrize(s, from, carpenter, p, asGift)
}

// claimable reports whether the carpenter may claim a prize of a seat.
//
// Clause SPC-5.
func (r *Rules) claimable(s *State, carpenter, seat int) bool {
	return s.IsOfficer(seat) && seat != carpenter && sum(s.Prizes[seat][:]) > 0
}

// doClaim has the carpenter choose whose prize to claim.
func (r *Rules) doClaim(s *State, carpenter int) {
	for seat := range r.seats {
		if r.claimable(s, carpenter, seat) {
			s.Push(frame(AskClaim, carpenter))
			return
		}
	}
}

// claim takes a prize of an officer: the carpenter chooses it if they lie open.
//
// Clauses SPC-5, VAR-3.
func (r *Rules) claim(s *State, carpenter, victim int) {
	if r.hidden {
		s.Push(frame(StealPrize, carpenter, victim))
	} else {
		s.Push(frame(AskClaimPrize, carpenter, victim))
	}
}
