package doubloons

// pillagePhase pays out the island by pillage tokens, most first. A tie that the
// island cannot pay in full takes equal shares, as much as possible, and ends the phase. A
// player who alone has tokens takes double.
// Clauses PHASE-1, PHASE-2, PHASE-3, PHASE-4, LEG-11, OLD-21.
func (r *Rules) pillagePhase(s *State) {
	s.Phase, s.Slot, s.Turn, s.Unresolved = PhasePillage, -1, -1, 0
	r.note(HasBegunPillage, 0)
	holders, most := 0, uint8(0)
	for _, i := range r.fleet {
		if n := s.Ships[i].Pillage; n > 0 {
			holders++
			most = max(most, n)
		}
	}
	factor := uint8(1)
	if holders == 1 && r.Edition.SoleHolderDoubles {
		factor = 2
	}
	for tokens := most; tokens > 0; tokens-- {
		tied := uint8(0)
		for _, i := range r.fleet {
			if s.Ships[i].Pillage == tokens {
				tied++
			}
		}
		if tied == 0 {
			continue
		}
		share := tokens * factor
		short := s.Island < share*tied
		if short {
			share = s.Island / tied
		}
		for _, i := range r.fleet {
			if s.Ships[i].Pillage == tokens {
				r.gainDoubloons(s, i, int(share))
			}
		}
		if short {
			return
		}
	}
}
