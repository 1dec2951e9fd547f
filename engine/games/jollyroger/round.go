package jollyroger

import "github.com/privateer-rl/privateer/engine"

// Rounds is how many voyages the game has at most.
const Rounds = 10

// finished reports whether no round follows.
//
// Clauses ROUND-6, ROUND-7.
func (r *Rules) finished(s *State) bool { return s.Round == Rounds || s.PrizesLeft == 0 }

// doRound begins a round, or ends the match after the last one. It lays out the
// round's three phases.
//
// Clauses ROUND-1, ROUND-2.
func (r *Rules) doRound(s *State) {
	if r.finished(s) {
		r.enter(s, PhaseOver)
		s.Push(frame(DoAppraise, int(s.Captain), 0))
		return
	}
	s.Round++
	r.note(HasBegunRound, 0, int(s.Round))
	r.enter(s, PhaseAppointment)
	s.MutinyTried, s.Barred = false, false
	s.Said = [MaxSeats]uint8{}
	s.Push(frame(DoRound, 0))
	r.quick(s, RoundEnd)
	s.Push(frame(DoPunishment, 0))
	s.Push(frame(DoVoyage, 0))
	r.quick(s, Appointed)
	s.Push(frame(DoFreeCards, 0))
	if r.officers {
		s.Push(frame(DoWindow, 0))
		s.Push(frame(AskAppoint, int(s.Captain), 0))
		r.gifts(s, BeforeAppointment)
	}
	r.quick(s, RoundStart)
}

// appoint makes a player Quartermaster.
//
// Clauses ROUND-2, SPC-18.
func (r *Rules) appoint(s *State, seat int) {
	s.Quartermaster = int8(seat)
	r.note(HasQuartermaster, seat)
}

// becomeCaptain gives a player the Captain card. With three players the Captain does the
// Quartermaster's work too.
//
// Clauses MUT-11, VAR-6.
func (r *Rules) becomeCaptain(s *State, seat int) {
	s.Captain, s.Since = int8(seat), s.Round
	if !r.officers {
		s.Quartermaster = s.Captain
	}
	r.note(HasCaptain, seat)
}

// Reign is how many rounds have begun since the Captain took office.
func (s *State) Reign() int { return int(s.Round - s.Since) }

// enter begins a phase.
func (r *Rules) enter(s *State, p Phase) {
	s.Phase = p
	r.note(HasBegunPhase, 0, int(p))
}

// doWindow lets a mutiny be called, if the round has had none: clockwise from the
// Captain's left.
//
// Clauses ROUND-5, ROUND-8, MUT-2, MUT-3, SPC-20, BRB-1.
func (r *Rules) doWindow(s *State) {
	if s.MutinyTried {
		return
	}
	r.poll(s, AskMutiny, int(s.Captain), 1, r.seats)
	r.gifts(s, BeforeMutiny)
	r.quick(s, BeforeCall)
}

// doVoyage asks the Captain for a destination.
//
// Clause ROUND-4.
func (r *Rules) doVoyage(s *State) {
	s.Interrupted = false
	s.Destination = nowhere
	r.enter(s, PhaseVoyage)
	s.Push(frame(DoArrive, 0))
	s.Push(frame(DoWindow, 0))
	s.Push(frame(AskSail, int(s.Captain)))
	r.gifts(s, BeforeDestination)
}

// chooseAgain has the Captain choose another destination, or the same one.
//
// Clauses MUT-17, ISL-2, ISL-3.
func (r *Rules) chooseAgain(s *State) {
	s.Destination = nowhere
	r.enter(s, PhaseVoyage)
	s.Push(frame(DoVoyage, 0))
	r.quick(s, ChoosingAgain)
}

// maySail reports whether a destination can be chosen.
//
// Clauses ROUND-4, ISL-2.
func (r *Rules) maySail(s *State, d Destination) bool {
	return s.Stacks[d] != 0 && !(d == TreasureIsland && s.Barred)
}

// doArrive goes to the destination, unless a mutiny came in between: then the
// Captain chooses again.
//
// Clauses ROUND-5, MUT-17, ISL-1, SPC-11.
func (r *Rules) doArrive(s *State) {
	if s.Interrupted {
		r.chooseAgain(s)
		return
	}
	switch {
	case isTarget(s.Destination):
		r.enter(s, PhaseAttack)
		s.Push(frame(DoReveal, 0))
		s.Push(frame(DoLap, noSeat, 0))
		s.Push(frame(DoFirst, 0))
		r.poll(s, AskLookout, int(s.Captain), 0, r.seats)
	case s.Destination == PiratePort:
		r.enter(s, PhasePort)
		s.Push(frame(DoPort, 0))
		s.Push(frame(DealTarget, 0))
	default:
		r.enter(s, PhaseIsland)
		s.Push(frame(DoIsland, 0))
		r.poll(s, AskSailor, int(s.Captain), 1, r.seats+1)
	}
	r.quick(s, Chosen)
}

// leaveDestination lays the destination card on its discard: the voyage is done.
func (r *Rules) leaveDestination(s *State) {
	s.Destination, s.Target = nowhere, noTarget
	s.Needs = [NumSkills]uint8{}
	r.note(HasLeft, 0)
}

// doPunishment is the Captain's decision on a punishment.
//
// Clause PUN-1.
func (r *Rules) doPunishment(s *State) {
	r.enter(s, PhasePunishment)
	s.Interrupted = false
	s.Push(frame(AskPunish, int(s.Captain)))
	r.gifts(s, BeforePunish)
	r.quick(s, BeforePunishment)
}

// punish is what the Captain has decided: 1 + the seat suggested, or 0.
//
// Clauses PUN-1, PUN-2.
func (r *Rules) punish(s *State, ordered bool, suggested int) {
	r.note(HasOrdered, int(s.Captain), int(engine.Bit(ordered)), suggested)
	s.Push(frame(DoPunish, 0, suggested, int(engine.Bit(ordered))))
	s.Push(frame(DoWindow, 0))
}

// doPunish executes what the Captain has decided, unless a mutiny came in between.
//
// Clause MUT-18.
func (r *Rules) doPunish(s *State, f Frame) {
	if s.Interrupted || f.Arg[1] == 0 {
		return
	}
	s.Push(frame(DoVictim, 0, int(f.Arg[0])))
	r.quick(s, Ordered)
}

// doVictim has the Quartermaster choose a victim, if there is anybody to punish.
//
// Clauses PUN-3, PUN-5.
func (r *Rules) doVictim(s *State, f Frame) {
	for seat := range r.seats {
		if r.punishable(s, seat) {
			s.Push(frame(AskVictim, int(s.Quartermaster), int(f.Arg[0])))
			return
		}
	}
}

// IsOfficer reports whether a seat is Captain or Quartermaster.
func (s *State) IsOfficer(seat int) bool {
	return seat == int(s.Captain) || seat == int(s.Quartermaster)
}

// punishable reports whether the Quartermaster may punish a player.
//
// Clauses PUN-3, VAR-8.
func (r *Rules) punishable(s *State, seat int) bool {
	return !s.IsOfficer(seat) && s.Size[seat] > 0
}
