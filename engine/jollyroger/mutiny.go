package jollyroger

import "github.com/privateer-rl/privateer/engine"

// The mutiny.

// revolt begins a mutiny: nobody else is asked whether to call one.
func (r *Rules) revolt(s *State, seat int) {
	s.Pop() // the poll
	s.MutinyTried = true
	s.Mutineer = int8(seat)
	s.Side[s.Captain], s.Side[seat] = ForCaptain, ForMutineer
	s.Push(frame(DoMutinyEnd, 0, 0))
	s.Push(frame(DoFaction, r.after(seat, 1), 0))
}

// doFaction asks one after the other, first the seat on the First Mutineer's
// left, until nobody plays for a whole lap.
func (r *Rules) doFaction(s *State, f Frame) {
	for ; int(f.Arg[0]) < r.seats; f.Seat = int8(r.after(int(f.Seat), 1)) {
		seat := int(f.Seat)
		f.Arg[0]++
		if s.Size[seat] > 0 || r.hasRole(s, seat) {
			f.Seat = int8(r.after(seat, 1))
			s.Push(f)
			s.Push(frame(AskFaction, seat))
			return
		}
	}
}

// hasRole reports whether a seat can play the Quartermaster card.
func (r *Rules) hasRole(s *State, seat int) bool {
	return r.officers && seat == int(s.Quartermaster) && s.RoleSide == Neutral
}

// sides are the sides that a seat may play cards for.
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

func (r *Rules) legalFaction(s *State, seat int, m *engine.Mask) {
	captain, mutineer := s.sides(seat)
	if captain {
		s.legalCrewmen(seat, ForCaptain, m)
	}
	if mutineer {
		s.legalCrewmen(seat, ForMutineer, m)
	}
	if r.hasRole(s, seat) {
		if captain {
			m.Set(ToSupport + engine.Action(QuartermasterCard))
		}
		if mutineer {
			m.Set(ToOppose + engine.Action(QuartermasterCard))
		}
	}
	s.legalCutthroat(seat, m)
	r.legalAnytime(s, seat, m)
	m.Set(ToPass)
}

func (s *State) legalCutthroat(seat int, m *engine.Mask) {
	if s.holds(seat, Cutthroat) {
		m.Set(ToCutthroat)
		m.Set(ToCutthroat + 1)
	}
}

// inMutiny performs an action that plays a card in a mutiny.
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
func (r *Rules) crewman(s *State, seat int, c Card, side Side) {
	switch {
	case c == QuartermasterCard:
		s.Side[seat], s.RoleSide = side, side
	case c == SeaDog && r.pressable(s, seat):
		s.Push(frame(AskSeaDog, seat, int(side)))
	default:
		r.commit(s, seat, c, side, false, 0)
	}
}

// mayPress reports whether the Sea Dog may press a seat: it is neutral and has a
// card to play.
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
func (r *Rules) commit(s *State, seat int, c Card, side Side, effect bool, target int) {
	s.Side[seat] = side
	s.leave(seat, c)
	r.announce(s, frame(DoCommit, seat, int(c), int(side), asInt(effect), target))
}

// doCommit has a card join its side and take effect, or be discarded if it was
// cancelled.
func (r *Rules) doCommit(s *State, f Frame) {
	c, side := Card(f.Arg[0]), Side(f.Arg[1])
	if f.Arg[cancelled] != 0 {
		s.Discard[c]++
		return
	}
	s.Sides[side-1][c]++
	if f.Arg[2] == 0 {
		return
	}
	target := int(f.Arg[3])
	if c == SeaDog {
		s.Side[target] = side
		if s.Size[target] > 0 { // a Traitor may have been his last card
			s.Push(frame(AskForced, target, int(side)))
		}
		return
	}
	s.Pop()                                                         // nobody else plays
	s.Edit().Arg[0] = int8(ForCaptain + ForMutineer - Side(target)) // the Cutthroat ends it
}

// Crewmen counts a side of the mutiny: its cards, the Quartermaster's where he has played it,
// and the Captain's.
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
func (r *Rules) doMutinyEnd(s *State, f Frame) {
	winner := Side(f.Arg[0])
	if winner == Neutral {
		if winner = ForCaptain; r.Crewmen(s, ForMutineer) > r.Crewmen(s, ForCaptain) {
			winner = ForMutineer
		}
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
	s.Push(frame(DoPool, noSeat, 0))
	s.Push(frame(DoSplit, 0))
	if r.officers {
		s.Push(frame(AskAppoint, int(s.Captain), 1))
	}
}

// confiscate takes a loser's prizes that are not buried. With hidden prizes he
// has seen what goes.
func (r *Rules) confiscate(s *State, seat int) {
	if r.hidden {
		s.vanished(seat)
	}
	for p, n := range s.Prizes[seat] {
		s.Spoils[p] += n
		if r.hidden {
			for range n {
				s.sight(bit(seat), r.everyone()|inSpoils, sightedPrize+uint8(p))
			}
		}
	}
	s.Prizes[seat] = [NumPrizes]uint8{}
}

// doPool deals the cards of the mutiny again, shuffled, clockwise from the Quartermaster's
// left; its argument is the number of cards dealt so far. All have seen what is dealt, so
// each knows of those that he does not get.
func (r *Rules) doPool(s *State, f Frame) {
	if f.Seat == noSeat {
		f.Seat = int8(r.after(int(s.Quartermaster), 1))
		if sum(s.Played[:]) == 0 {
			return
		}
		s.dealAgain()
		s.Push(frame(DoLimits, 0))
	}
	if sum(s.Played[:]) == 0 {
		return
	}
	s.Push(frame(DoPool, r.after(int(f.Seat), 1), min(int(f.Arg[0])+1, r.seats)))
	s.Push(frame(DealPool, int(f.Seat)))
}

// dealt gives a seat a card of the mutiny.
func (r *Rules) dealt(s *State, seat int, c Card) {
	n := sum(s.Played[:]) + int(s.Top().Arg[0]) - 1 // cards of the mutiny, or the number of seats
	s.Played[c]--
	s.gain(seat, c)
	s.Free[seat]++
	s.Dealt[seat]++
	s.sight(r.everyone()&^bit(seat), r.receivers(int(s.Quartermaster), n), uint8(c))
	s.Sightings[s.Sighted-1].Dealt = 1
}

// dealAgain begins to deal the cards of a mutiny: which ones of an earlier one went how many to
// whom is known no longer.
func (s *State) dealAgain() {
	s.Dealt = [MaxSeats]uint8{}
	for i := range s.Sightings[:s.Sighted] {
		s.Sightings[i].Dealt = 0
	}
}

// receivers are the seats that get at least one of n cards dealt clockwise from
// a seat's left.
func (r *Rules) receivers(from, n int) (set uint16) {
	for k := 1; k <= min(n, r.seats); k++ {
		set |= bit(r.after(from, k))
	}
	return set
}
