package jollyroger

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// The mutiny.

// revolt begins a mutiny: nobody else is asked whether to call one.
//
// Clauses MUT-1, MUT-3.
func (r *Rules) revolt(s *State, seat int) {
	s.Take(DoPoll)
	s.MutinyTried = true
	s.Mutineer = int8(seat)
	s.Side[s.Captain], s.Side[seat] = ForCaptain, ForMutineer
	r.note(HasMutinied, seat)
	s.Push(frame(DoMutinyEnd, 0, 0))
	s.Push(frame(DoFaction, r.after(seat, 1), 0))
}

// spokenAt is the set in a DoFaction frame of the seats that have said something in this mutiny.
const spokenAt = 1

// spoke adds a seat to that set of the mutiny, whose frame is at the top.
func (s *State) spoke(seat int) {
	f := s.Edit()
	set := setIn(*f, spokenAt) | bit(seat)
	f.Arg[spokenAt], f.Arg[spokenAt+1] = int8(set), int8(set>>8)
}

// A lap of the attack or the mutiny is the frame DoLap or DoFaction: whose turn comes next, and in Arg[0] how many
// seats have had theirs. It ends what it belongs to when all have passed.

// goesOn has the lap at the top ask a seat again: its turn is not over.
func (s *State) goesOn(seat int) {
	f := s.Edit()
	f.Seat = int8(seat)
	f.Arg[0]--
}

// anew begins the lap at the top anew: others may now do what they have passed on. A card, a gift or words are used
// up by it each time, so it ends.
//
// Clauses MUT-5, ATT-5, BRB-7.
func (s *State) anew() { s.Edit().Arg[0] = 0 }

// doFaction asks one after the other, first the seat on the First Mutineer's
// left, until nobody plays for a whole lap.
//
// Clauses MUT-4, MUT-5.
func (r *Rules) doFaction(s *State, f Frame) {
	for ; int(f.Arg[0]) < r.seats; f.Seat = int8(r.after(int(f.Seat), 1)) {
		seat := int(f.Seat)
		f.Arg[0]++
		spoken := setIn(f, spokenAt)&bit(seat) != 0
		if s.Size[seat] > 0 || r.MayPlayRole(s, seat) || r.mayBribe(s, seat, s.Offered[seat], spoken) {
			f.Seat = int8(r.after(seat, 1))
			s.Push(f)
			s.Push(frame(AskFaction, seat, int(engine.Bit(spoken))))
			return
		}
	}
}

// MayPlayRole reports whether a seat can play the Quartermaster card.
//
// Clauses MUT-9, VAR-7.
func (r *Rules) MayPlayRole(s *State, seat int) bool {
	return r.officers && seat == int(s.Quartermaster) && s.RoleSide == Neutral
}

// sides are the sides that a seat may play cards for.
//
// Clause MUT-6.
func (s *State) sides(seat int) (captain, mutineer bool) {
	return s.Side[seat] != ForMutineer, s.Side[seat] != ForCaptain
}

// legalCrewmen adds the cards of a seat as crewmen of a side.
func (s *State) legalCrewmen(seat int, side Side, m *engine.Mask) {
	base := ToSupport
	if side == ForMutineer {
		base = ToOppose
	}
	for c, n := range s.Hands[seat] {
		if n > 0 {
			m.Set(base + engine.Action(c))
		}
	}
}

func (r *Rules) legalFaction(s *State, f Frame, m *engine.Mask) {
	seat := int(f.Seat)
	captain, mutineer := s.sides(seat)
	if captain {
		s.legalCrewmen(seat, ForCaptain, m)
	}
	if mutineer {
		s.legalCrewmen(seat, ForMutineer, m)
	}
	if r.MayPlayRole(s, seat) {
		if captain {
			m.Set(ToSupport + engine.Action(QuartermasterCard))
		}
		if mutineer {
			m.Set(ToOppose + engine.Action(QuartermasterCard))
		}
	}
	s.legalCutthroat(seat, m)
	r.legalAnytime(s, seat, m)
	if r.bribes != noBribes {
		r.legalBribes(s, seat, s.Offered[seat], f.Arg[0] != 0, m)
	}
	m.Set(ToPass)
}

func (s *State) legalCutthroat(seat int, m *engine.Mask) {
	if s.holds(seat, Cutthroat) {
		m.Set(ToCutthroat)
		m.Set(ToCutthroat + 1)
	}
}

// inMutiny performs an action that plays a card in a mutiny.
//
// Clauses SPC-8, SPC-9.
func (r *Rules) inMutiny(s *State, seat int, a engine.Action) {
	switch {
	case a >= ToCutthroat:
		killed := ForCaptain + Side(a-ToCutthroat)
		side := s.Side[seat]
		if side == Neutral {
			side = ForCaptain + ForMutineer - killed
		}
		r.commit(s, seat, Cutthroat, side, true, int(killed))
	case a >= ToOppose:
		r.crewman(s, seat, Card(a-ToOppose), ForMutineer)
	default:
		r.crewman(s, seat, Card(a-ToSupport), ForCaptain)
	}
}

// crewman plays a card for a side. The Sea Dog may press somebody into it.
//
// Clauses SPC-13, SPC-14.
func (r *Rules) crewman(s *State, seat int, c Card, side Side) {
	switch {
	case c == QuartermasterCard:
		s.Side[seat], s.RoleSide = side, side
		r.note(HasSided, seat, int(side))
	case c == SeaDog && r.pressable(s, seat):
		s.Push(frame(AskSeaDog, seat, int(side)))
	default:
		r.commit(s, seat, c, side, false, 0)
	}
}

// mayPress reports whether the Sea Dog may press a seat: it is neutral and has a
// card to play.
//
// Clause SPC-13.
func (r *Rules) mayPress(s *State, by, seat int) bool {
	return seat != by && s.Side[seat] == Neutral && s.Size[seat] > 0
}

// pressable reports whether there is anybody to press.
func (r *Rules) pressable(s *State, by int) bool {
	for seat := range r.seats {
		if r.mayPress(s, by, seat) {
			return true
		}
	}
	return false
}

// commit plays a card for a side, as a crewman or for its effect on a target. Its
// owner is of this side from now on, even if it is cancelled.
//
// Clauses MUT-6, SPC-23.
func (r *Rules) commit(s *State, seat int, c Card, side Side, effect bool, target int) {
	s.Side[seat] = side
	s.leave(seat, c)
	r.noteSide(seat, c, side, effect, target)
	r.announce(s, frame(DoCommit, seat, int(c), int(side), int(engine.Bit(effect)), target))
}

// doCommit has a card join its side and take effect, or be discarded if it was
// cancelled.
//
// Clauses SPC-8, SPC-13, SPC-23.
func (r *Rules) doCommit(s *State, f Frame) {
	c, side := Card(f.Arg[0]), Side(f.Arg[1])
	if f.Arg[cancelled] != 0 {
		r.cancelled(s, f)
		return
	}
	s.Sides[side-1][c]++
	r.note(HasJoined, int(f.Seat), int(c), intoSide+int(side))
	if f.Arg[2] == 0 {
		return
	}
	target := int(f.Arg[3])
	if c == SeaDog {
		s.Side[target] = side
		r.note(HasPressed, target, int(side))
		if s.Size[target] > 0 { // a Traitor may have been the last card
			s.Push(frame(AskForced, target, int(side)))
		}
		return
	}
	r.note(HasKilled, int(f.Seat), target)
	s.Take(DoFaction) // nobody else plays
	end := s.Take(DoMutinyEnd)
	end.Arg[0] = int8(ForCaptain + ForMutineer - Side(target))
	s.Push(end) // the Cutthroat ends it
}

// Crewmen counts a side of the mutiny: its cards, the Quartermaster's if it has been played,
// and the Captain's.
//
// Clauses MUT-7, MUT-8, MUT-9, MUT-20, SPC-12.
func (r *Rules) Crewmen(s *State, side Side) (n int) {
	for c, k := range s.Sides[side-1] {
		n += int(k) * int(r.Crew[c].Crewmen)
	}
	if s.RoleSide == side {
		n++
	}
	if side == ForCaptain {
		n++
	}
	return n
}

// doMutinyEnd ends the mutiny. The losers' prizes that are not buried are shared
// out, then the cards of both sides dealt.
//
// Clauses MUT-10, MUT-11, MUT-12, MUT-13, MUT-16, SPC-9.
func (r *Rules) doMutinyEnd(s *State, f Frame) {
	winner := Side(f.Arg[0])
	if winner == Neutral {
		if winner = ForCaptain; r.Crewmen(s, ForMutineer) > r.Crewmen(s, ForCaptain) {
			winner = ForMutineer
		}
	}
	if r.log != nil {
		r.note(HasEndedMutiny, 0, int(winner), r.Crewmen(s, ForCaptain), r.Crewmen(s, ForMutineer), int(f.Arg[0]))
	}
	for seat := range r.seats {
		if s.Side[seat] != Neutral && s.Side[seat] != winner {
			r.confiscate(s, seat)
		}
	}
	if winner == ForMutineer {
		r.becomeCaptain(s, int(s.Mutineer))
	}
	s.Mutineer, s.RoleSide, s.Interrupted = noSeat, Neutral, true
	s.Barred = false // the island may be tried again, with other cards
	s.Side = [MaxSeats]Side{}
	clear(s.Offered[:])
	for i := range s.Sides {
		for c, n := range s.Sides[i] {
			if c := Card(c); c == PowderMonkey || c == Cutthroat || c == SeaDog {
				s.Discard[c] += n
			} else {
				s.Played[c] += n
			}
		}
	}
	s.Sides = [2][NumCrew]uint8{}
	s.Push(frame(DoRest, 0))
	s.Push(frame(DoSplit, 0))
	if r.officers {
		s.Push(frame(AskAppoint, int(s.Captain), 1))
	}
}

// confiscate takes a loser's prizes that are not buried. With hidden prizes the
// loser has seen what goes.
//
// Clauses ISL-5, MUT-13, MUT-14.
func (r *Rules) confiscate(s *State, seat int) {
	for p, n := range s.Prizes[seat] {
		for range n {
			s.Prizes[seat][p]--
			s.Spoils[p]++
			r.notePrize(1<<seat, HasLostPrize, seat, p)
			if r.hidden {
				s.passed(seat, middle, seat, sightedPrize+uint8(p))
			}
		}
	}
}

// doRest asks the Quartermaster, if the cards of the mutiny do not divide evenly, who gets one of the last, or who
// gets none: whichever is quicker to say.
//
// Clause MUT-19.
func (r *Rules) doRest(s *State, f Frame) {
	n := sum(s.Played[:])
	switch {
	case n == 0:
		return
	case f.Arg[0] == 0:
		s.Push(frame(DoRest, 0, 1))
		r.quick(s, BeforeDeal)
		return
	}
	s.dealAgain()
	s.Push(frame(DoLimits, 0))
	rest := n % r.seats
	switch without := r.seats - rest; {
	case rest == 0:
		r.dealPool(s, 0)
	case without < rest:
		s.Push(frame(AskRest, int(s.Quartermaster), without, 1))
	default:
		s.Push(frame(AskRest, int(s.Quartermaster), rest, 0))
	}
}

// alreadyNamed is the set of seats that an AskRest frame says were named.
func alreadyNamed(f Frame) uint16 { return setIn(f, 2) }

// setIn is the set of seats in two arguments of a frame.
func setIn(f Frame, at int) uint16 { return uint16(uint8(f.Arg[at])) | uint16(uint8(f.Arg[at+1]))<<8 }

// nameOne names a seat, and begins to deal with the last of them.
func (r *Rules) nameOne(s *State, f Frame, to int) {
	set := alreadyNamed(f) | bit(to)
	r.note(HasNamed, int(f.Seat), to, int(f.Arg[1]))
	f.Arg[0]--
	f.Arg[2], f.Arg[3] = int8(set), int8(set>>8)
	switch {
	case f.Arg[0] > 0:
		s.Push(f)
	case f.Arg[1] != 0:
		r.dealPool(s, r.everyone()&^set)
	default:
		r.dealPool(s, set)
	}
}

// dealPool begins to deal; a set of seats get one of the last cards.
func (r *Rules) dealPool(s *State, last uint16) {
	s.Push(frame(DoPool, r.after(int(s.Quartermaster), 1), int(last&255), int(last>>8)))
}

// doPool deals the cards of the mutiny again, shuffled, clockwise from the Quartermaster's left. All have
// seen what is dealt, so each player knows about the cards dealt to others.
//
// Clauses MUT-15, KNOW-4.
func (r *Rules) doPool(s *State, f Frame) {
	n := sum(s.Played[:])
	if n == 0 {
		s.settle(r.seats)
		return
	}
	seat, last := int(f.Seat), setIn(f, 0)
	if n == bits.OnesCount16(last) {
		for last&bit(seat) == 0 {
			seat = r.after(seat, 1)
		}
		last &^= bit(seat)
	}
	s.Push(frame(DoPool, r.after(seat, 1), int(last&255), int(last>>8)))
	s.Push(frame(DealPool, seat))
}

// dealt gives a seat a card of the mutiny.
func (r *Rules) dealt(s *State, seat int, c Card) {
	s.Played[c]--
	s.gain(seat, c)
	r.noteTo(1<<seat, HasBeenDealt, seat, int(c))
	s.Free[seat]++
	s.Got[seat][c]++
}
