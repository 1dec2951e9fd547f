package doubloons

import "math/bits"

// beginRound is phase 1, Round Start, up to the first card's reveal, and lays out the
// phases that follow.
// Clause RND-4.
func (r *Rules) beginRound(s *State) {
	s.Round++
	s.Phase, s.Slot, s.Revealed, s.Turn = PhaseRoundStart, -1, 0, -1
	s.Left = [MaxSeats]uint8{}
	r.note(HasBegunRound, 0, int(s.Round))
	r.seedIsland(s)
	r.layStart(s)
}

// layStart pushes the steps of Round Start above the rest of the round.
func (r *Rules) layStart(s *State) {
	r.layRound(s, 0)
	s.Push(frame(DoInOrder, 0, int(DoProgram)))
	s.Push(frame(DoInOrder, 0, int(DoDrawUp)))
	s.Push(frame(DoInOrder, 0, int(DoRoundTile)))
}

// layRound pushes the rest of a round from the reveal of card slot on.
// Clause RND-1.
func (r *Rules) layRound(s *State, slot int) {
	s.Push(frame(DoRoundEnd, 0))
	s.Push(frame(DoPillage, 0))
	for _, f := range r.afterCards {
		s.Push(f)
	}
	for k := NumSlots - 1; k >= slot; k-- {
		s.Push(frame(DoReveal, 0, k))
	}
}

// layTurn pushes the rest of a round beneath what is left of the turn that is under way.
func (r *Rules) layTurn(s *State) {
	r.layRound(s, int(s.Slot)+1)
	if s.Turn == Legendary {
		s.Pop() // its turn is under way
		return
	}
	s.Push(frame(DoInOrder, 0, int(DoTurn), r.TurnOf(s, int(s.Turn))+1, int(s.Slot)))
	s.Push(frame(DoTurnEnd, int(s.Turn)))
}

// inOrder does a step for each seat in turn, from the initiative token clockwise.
func (r *Rules) inOrder(s *State, f Frame) {
	i := int(f.Arg[1])
	if i == r.seats {
		return
	}
	s.Push(frame(DoInOrder, 0, int(f.Arg[0]), i+1, int(f.Arg[2])))
	s.Push(frame(Kind(uint8(f.Arg[0])), r.ordinal(s, i), int(f.Arg[2])))
}

// ordinal is the i-th seat in initiative order.
func (r *Rules) ordinal(s *State, i int) int { return (int(s.Initiative) + i) % r.seats }

// handSize is a seat's current hand size: 5, less one for the first and one for
// the third crew lost. The Shallows make it 5; Calico Jack's ability adds 1 to either.
// Clauses RND-5, CREW-2, CREW-4, CAPT-6, WAT-17.
func (r *Rules) handSize(s *State, seat int) int {
	sh := &s.Ships[seat]
	size := 5
	if !r.at(s, sh, TheShallows) {
		if sh.Crew <= 3 {
			size--
		}
		if sh.Crew <= 1 {
			size--
		}
	}
	if r.able(s, sh, CalicoJack) {
		size++
	}
	return size
}

// drawUp lets a seat draw until it holds its hand size. An empty deck is renewed
// from the discard; when both are empty drawing stops.
// Clauses RND-6, RND-7.
func (r *Rules) drawUp(s *State, seat int) {
	if bits.OnesCount64(s.Ships[seat].Hand) >= r.handSize(s, seat) {
		return
	}
	if s.Deck == 0 {
		if s.Discard == 0 {
			return
		}
		s.Deck, s.Discard, s.Old = s.Discard, 0, 0
		for i := range r.seats {
			s.Old |= s.Ships[i].Hand
		}
		r.note(HasReshuffled, 0)
	}
	s.Push(frame(DoDrawUp, seat))
	s.Push(frame(DrawCard, seat))
}

// program asks a seat for its three cards, one slot after the other. Nobody sees
// them before they are revealed.
// Clauses RND-8, RND-9, RND-10.
func (r *Rules) program(s *State, seat int) {
	n := min(NumSlots, bits.OnesCount64(s.Ships[seat].Hand))
	for slot := n - 1; slot >= 0; slot-- {
		s.Push(frame(AskProgram, seat, slot))
	}
}

// reveal turns every seat's next card face up, and lets the seats execute it in
// initiative order.
// Clauses RND-11, ACT-1, ACT-5.
func (r *Rules) reveal(s *State, slot int) {
	s.Phase, s.Slot, s.Revealed = PhaseAction, int8(slot), int8(slot+1)
	r.note(HasBegunSlot, 0, slot)
	for i := range r.seats {
		if seat := r.ordinal(s, i); r.log != nil && s.Ships[seat].Table[slot] != noCard {
			r.note(HasRevealed, seat, int(s.Ships[seat].Table[slot]))
		}
	}
	if r.Modules.Has(StealShip) {
		for i := range r.seats {
			s.forget(s.Ships[i].faceUp(slot))
		}
	}
	s.Push(frame(DoInOrder, 0, int(DoTurn), 0, slot))
}

// turn executes a seat's card: its movement, then one of its two actions.
// Clauses RND-10, GHOST-11.
func (r *Rules) turn(s *State, seat, slot int) {
	sh := &s.Ships[seat]
	if sh.Table[slot] == noCard {
		return
	}
	s.Turn = int8(seat)
	r.note(HasBegunTurn, seat)
	s.Push(frame(DoTurnEnd, seat))
	if r.mayCompass(s, seat, slot) {
		s.Push(frame(AskCompass, seat, slot))
		return
	}
	r.execute(s, seat, slot)
}

// execute has a seat move by the card in a slot and then choose its action.
// Clauses MOV-1, ACT-2.
func (r *Rules) execute(s *State, seat, slot int) {
	s.Push(frame(AskAction, seat, slot))
	s.Push(movement(seat, &r.Cards[s.Ships[seat].Table[slot]]))
}

// act performs one of the actions of a seat's card. A captain card moves the
// captain on the end-game track.
// Clauses ACT-3, ACT-6, ACT-7, BRD-1, BOA-3, STEAL-8, ISL-13, CRATER-10.
func (r *Rules) act(s *State, seat, slot int, icon Icon) {
	sh := &s.Ships[seat]
	r.note(HasActed, seat, int(icon), int(sh.Table[slot]))
	card := &r.Cards[sh.Table[slot]]
	a := card.Actions[0]
	if a.Icon != icon {
		a = card.Actions[1]
	}
	if card.Kind == KindCaptain && !r.ashore(s) {
		r.moveOnTrack(s, seat)
	}
	plus := int(a.Plus)
	depth, said := int(s.Depth), r.log.Count()
	switch icon {
	case IconPillage:
		r.gainPillage(s, seat, 1+plus, ofBox)
		r.pillageShell(s, seat)
	case IconForward:
		r.forward(s, seat, plus)
	case IconBroadsides:
		r.attack(s, seat, int(sh.Region), BroadsidesDamage+plus)
	case IconHunt:
		if a.FreeCrew {
			r.gainCrew(s, seat, 1)
		}
		r.hunt(s, seat)
	case IconRepair:
		r.repair(s, seat, plus)
	case IconBoard:
		if r.Boardable(s, seat, slot) != 0 {
			s.Push(frame(AskBoard, seat, slot))
		}
	}
	r.vainly(s, seat, depth, said)
}

// resumeRound lays the decision stack for a position that says no more than
// where in the round it is: phase, and in the action phase slot and turn. programmed: the
// cards of the round are chosen already.
func (r *Rules) resumeRound(s *State, programmed, moved bool) {
	switch s.Phase {
	case PhaseRoundStart:
		r.layRound(s, 0)
		if !programmed {
			s.Push(frame(DoInOrder, 0, int(DoProgram)))
		}
	case PhaseAction:
		slot := int(s.Slot)
		r.layRound(s, slot+1)
		if s.Turn == Legendary {
			break // its turn is next
		}
		if s.Turn < 0 {
			s.Push(frame(DoInOrder, 0, int(DoTurn), 0, slot))
			break
		}
		seat := int(s.Turn)
		after := (seat-int(s.Initiative)+r.seats)%r.seats + 1
		s.Push(frame(DoInOrder, 0, int(DoTurn), after, slot))
		if moved {
			s.Push(frame(DoTurnEnd, seat))
			s.Push(frame(AskAction, seat, slot))
		} else {
			s.Push(frame(DoTurn, seat, slot))
		}
	case PhasePillage:
		s.Push(frame(DoRoundEnd, 0))
		s.Push(frame(DoPillage, 0))
	case PhaseRoundEnd:
		s.Push(frame(DoRoundEnd, 0))
	}
	r.run(s)
}
