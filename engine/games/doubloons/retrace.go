package doubloons

import "github.com/privateer-rl/privateer/engine"

// Retrace goes back to the programming of the other seats' cards that lie face down, in the order of the seats' turns and of
// their slots: nobody else has seen them. Before the first reveal that is where they were programmed. Later nobody
// remembers how the match stood then: it is taken as it stands now, as if the round began with the slots that are
// left. With Steal the Ship players have seen cards of others, which must stay where they are: nothing is gone back to.
func (r *Rules) Retrace(s *State, seat, step int, past *State) (took engine.Action, secret, ok bool) {
	at, slot, ok := r.programmed(s, seat, step)
	if !ok {
		return -1, false, false
	}
	*past = *s
	r.rewind(past, at, slot)
	return ToCard + engine.Action(s.Ships[at].Table[slot]), true, true
}

// Retake lays another card face down in the slot of a step: one of the seat's hand, or of a later slot, which gets the one
// that lay here.
func (r *Rules) Retake(s *State, seat, step int, a engine.Action) {
	at, slot, ok := r.programmed(s, seat, step)
	if !ok {
		return
	}
	sh, card := &s.Ships[at], int8(a-ToCard)
	was := sh.Table[slot]
	for k := slot; k < NumSlots; k++ {
		if sh.Table[k] == card {
			sh.Table[slot], sh.Table[k] = card, was
			return
		}
	}
	sh.Hand = sh.Hand&^(1<<card) | 1<<was
	sh.Table[slot] = card
}

// programmed is the seat and the slot of a step of Retrace.
func (r *Rules) programmed(s *State, seat, step int) (at, slot int, ok bool) {
	if s.Phase != PhaseRoundStart && s.Phase != PhaseAction || r.Modules.Has(StealShip) {
		return 0, 0, false
	}
	for i := range r.seats {
		if at = r.ordinal(s, i); at == seat {
			continue
		}
		for slot = int(s.Revealed); slot < NumSlots && s.Ships[at].Table[slot] != noCard; slot++ {
			if step--; step < 0 {
				return at, slot, true
			}
		}
	}
	return 0, 0, false
}

// rewind sets a match back to where a seat is asked for the card of a slot: cards face up are out of the way, and those who
// program later hold theirs in their hands.
func (r *Rules) rewind(s *State, seat, slot int) {
	from, cards := int(s.Revealed), NumSlots
	for cards > 0 && s.Ships[seat].Table[cards-1] == noCard {
		cards--
	}
	for i := range r.seats {
		sh := &s.Ships[i]
		row := sh.Table
		sh.Table = [NumSlots]int8{noCard, noCard, noCard}
		for k, card := range row {
			switch {
			case card == noCard:
			case k < from:
				s.Discard |= 1 << card
			case r.TurnOf(s, i) > r.TurnOf(s, seat), i == seat && k >= slot:
				sh.Hand |= 1 << card
			default:
				sh.Table[k-from] = card
			}
		}
	}
	s.Phase, s.Slot, s.Revealed, s.Turn = PhaseRoundStart, -1, 0, -1
	s.Stack = engine.Stack[Kind, [maxFrames]Frame]{}
	r.layRound(s, 0)
	s.Push(frame(DoInOrder, 0, int(DoProgram), r.TurnOf(s, seat)+1))
	for k := cards - 1; k >= slot; k-- {
		s.Push(frame(AskProgram, seat, k-from))
	}
}
