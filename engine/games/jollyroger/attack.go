package jollyroger

import "github.com/privateer-rl/privateer/engine"

// An attack on a Fort, a Merchant Ship or a Settlement.

// hasSkill reports whether a seat has a card for an attack.
func (s *State) hasSkill(seat int) bool {
	for _, n := range s.Hands[seat][:NumNormal] {
		if n > 0 {
			return true
		}
	}
	return false
}

// legalSkills adds the cards that fight: those with a skill.
//
// Clause ATT-3.
func (s *State) legalSkills(seat int, m *engine.Mask) {
	for c, n := range s.Hands[seat][:NumNormal] {
		if n > 0 {
			m.Set(ToPlay + engine.Action(c))
		}
	}
}

// doFirst has the Quartermaster play the first card, if able.
//
// Clauses ATT-1, SPC-19.
func (r *Rules) doFirst(s *State) {
	if q := int(s.Quartermaster); s.hasSkill(q) {
		s.Push(frame(DoFirst, 0))
		s.Push(frame(AskFirst, q))
	}
}

// join plays a card in the attack.
func (r *Rules) join(s *State, seat int, c Card) {
	s.leave(seat, c)
	r.note(HasPlayed, seat, int(c), toFight)
	r.announce(s, frame(DoJoin, seat, int(c)))
}

// doJoin has a card join the attack, or be discarded if it was cancelled.
func (r *Rules) doJoin(s *State, f Frame) {
	if f.Arg[cancelled] != 0 {
		r.cancelled(s, f)
	} else {
		s.Played[f.Arg[0]]++
		r.note(HasJoined, int(f.Seat), int(f.Arg[0]), intoAttack)
	}
}

// doLap asks one after the other, first the seat on the Quartermaster's left,
// until nobody plays for a whole lap. A seat that can do nothing is skipped.
//
// Clauses ATT-2, ATT-5.
func (r *Rules) doLap(s *State, f Frame) {
	if f.Seat == noSeat {
		f.Seat = int8(r.after(int(s.Quartermaster), 1))
	}
	for ; int(f.Arg[0]) < r.seats; f.Seat = int8(r.after(int(f.Seat), 1)) {
		seat := int(f.Seat)
		f.Arg[0]++
		if seat == int(s.Quartermaster) || s.hasSkill(seat) || r.anytime(s, seat) {
			f.Seat = int8(r.after(seat, 1))
			s.Push(f)
			s.Push(frame(AskAttack, seat))
			return
		}
	}
}

// doReveal turns the destination card face up; then officers may change it.
//
// Clauses ATT-4, SPC-10.
func (r *Rules) doReveal(s *State) {
	s.Push(frame(DoAssign, 0))
	r.poll(s, AskChange, int(s.Quartermaster), 0, r.seats)
	r.quick(s, Revealed)
	if s.Target == noTarget {
		s.Push(frame(DealTarget, 0))
	}
}

// revealed turns up a destination card.
//
// Clauses HAND-5, ROUND-9, ATT-6.
func (r *Rules) revealed(s *State, card int) {
	s.Target = int8(card)
	s.Stacks[card/StackSize] &^= 1 << (card % StackSize)
	s.Needs = r.Targets[card].Needs
	r.note(HasRevealed, 0, card)
}

// officerOf is the card that changes a skill.
func officerOf(k Skill) Card { return [NumSkills]Card{MasterMariner, Sharpshooter, FirstMate}[k] }

// change adds to what the destination needs of a skill.
//
// Clause SPC-10.
func (r *Rules) change(s *State, k Skill, by int8) {
	s.Needs[k] = uint8(max(0, int8(s.Needs[k])+by))
	r.note(HasChanged, 0, int(k), int(s.Needs[k]), int(s.Destination))
	r.quick(s, Changed)
}

// legalChanges adds what the officers of a seat may change.
//
// Clause SPC-10.
func (r *Rules) legalChanges(s *State, seat int, m *engine.Mask) {
	for k := range NumSkills {
		if s.holds(seat, officerOf(k)) {
			m.Set(ToChange + engine.Action(2*k))
			if s.Needs[k] > 0 {
				m.Set(ToChange + engine.Action(2*k+1))
			}
		}
	}
}

// strength is the sum of each skill of the cards in the attack, those of any skill
// aside.
//
// Clause ATT-7.
func (r *Rules) strength(s *State) (sum [NumSkills]int) {
	for c, n := range s.Played[:AnyCard] {
		sum[r.Crew[c].Skill] += int(n) * int(r.Crew[c].Value)
	}
	return sum
}

// lacking is how many cards of any skill the attack needs to succeed.
//
// Clauses ATT-7, ATT-8, ATT-9.
func (r *Rules) lacking(s *State) (cards int) {
	each := int(r.Crew[AnyCard].Value)
	for k, have := range r.strength(s) {
		if d := int(s.Needs[k]) - have; d > 0 {
			cards += (d + each - 1) / each
		}
	}
	return cards
}

// doAssign lets the Quartermaster decide for the cards of any skill if it
// matters: there are enough of them to win, and they may be put where they do not help.
//
// Clauses ATT-9, ATT-10.
func (r *Rules) doAssign(s *State) {
	switch lacking := r.lacking(s); {
	case lacking == 0:
		s.Push(frame(DoOutcome, 0, 1))
	case lacking > int(s.Played[AnyCard]):
		s.Push(frame(DoOutcome, 0, 0))
	default:
		s.Push(frame(AskAssign, int(s.Quartermaster)))
	}
}

// doOutcome ends the attack: the cards are discarded, and the prizes drawn if it has
// succeeded.
//
// Clauses ATT-11, ATT-12, ATT-13.
func (r *Rules) doOutcome(s *State, success bool) {
	if r.log != nil {
		have := r.strength(s)
		r.note(HasFought, 0, int(engine.Bit(success)), have[Navigation], have[Guns], have[Melee], int(s.Played[AnyCard]), int(s.Target))
	}
	for c, n := range s.Played {
		s.Discard[c] += n
	}
	s.Played = [NumCrew]uint8{}
	prizes := 0
	if success {
		prizes = min(int(r.Targets[s.Target].Prizes), int(s.PrizesLeft))
	}
	r.leaveDestination(s)
	if prizes > 0 {
		r.enter(s, PhasePrizes)
		s.Push(frame(DoSplit, 0))
		s.Push(frame(DoLoot, 0, prizes))
	}
}
