package jollyroger

// Crew cards that move between deck, hands and discard.

// holds reports whether a seat has a crew card of a kind.
func (s *State) holds(seat int, c Card) bool { return s.Hands[seat][c] > 0 }

// draw gives a seat a card of the deck.
func (s *State) draw(seat int, c Card) {
	s.Deck[c]--
	s.DeckSize--
	s.gain(seat, c)
	s.Free[seat]++
}

func (s *State) gain(seat int, c Card) {
	s.Hands[seat][c]++
	s.Size[seat]++
}

// leave takes a card out of a hand where everybody sees it.
func (s *State) leave(seat int, c Card) {
	s.Hands[seat][c]--
	s.Size[seat]--
	switch {
	case s.Old[c] == 0 && s.Free[seat] > 0:
		s.Free[seat]-- // all old ones are gone: it came since
	case s.Free[seat] == 0 && s.Old[c] > 0:
		s.Old[c]-- // nothing has come since: it is an old one
	}
	s.Free[seat] = min(s.Free[seat], s.Size[seat])
	s.left(seat, uint8(c))
}

// discard takes a card out of a hand and lays it on the discard, face up.
func (s *State) discard(seat int, c Card) {
	s.leave(seat, c)
	s.Discard[c]++
}

// move takes a card from one hand to another; only the two see which.
//
// Clause KNOW-3.
func (s *State) move(from, to int, c Card) {
	s.Hands[from][c]--
	s.Size[from]--
	s.Free[from] = min(s.Free[from], s.Size[from])
	s.gain(to, c)
	s.Free[to]++
	s.passed(from, to, from, uint8(c))
}

// reshuffle makes the discard the new deck, as soon as the deck is empty; if nothing is discarded by then, when a card
// is to be drawn. A player who has followed the game then knows what the hands hold together.
//
// Clauses HAND-3, KNOW-5.
func (r *Rules) reshuffle(s *State) {
	if s.DeckSize > 0 {
		return
	}
	n := sum(s.Discard[:])
	if n == 0 {
		return
	}
	s.Deck, s.Discard = s.Discard, s.Deck // which is empty
	s.DeckSize = uint8(n)
	r.note(HasReshuffled, 0)
	clear(s.Free[:])
	s.Old = [NumCrew]uint8{}
	for i := range s.Hands {
		if s.Size[i] == 0 {
			continue
		}
		for c, n := range s.Hands[i] {
			s.Old[c] += n
		}
	}
}

// doDraw has a seat draw a card, if there is any.
//
// Clause HAND-4.
func (r *Rules) doDraw(s *State, seat int) {
	if r.reshuffle(s); s.DeckSize > 0 {
		s.Push(frame(DealCrew, seat))
	}
}

// doDeal deals cards one at a time.
func (r *Rules) doDeal(s *State, f Frame) {
	if f.Arg[0] == 0 {
		return
	}
	s.Push(frame(DoDeal, r.after(int(f.Seat), 1), int(f.Arg[0])-1))
	r.doDraw(s, int(f.Seat))
}

// doLimit has a seat discard down to the hand limit.
//
// Clauses HAND-1, HAND-2.
func (r *Rules) doLimit(s *State, seat int) {
	if s.Size[seat] > r.limit {
		s.Push(frame(DoLimit, seat))
		s.Push(frame(AskDiscard, seat))
	}
}

// doLimits has everybody discard, clockwise from the Captain.
//
// Clause PORT-2.
func (r *Rules) doLimits(s *State) {
	for k := r.seats - 1; k >= 0; k-- {
		if seat := r.after(int(s.Captain), k); s.Size[seat] > r.limit {
			s.Push(frame(DoLimit, seat))
		}
	}
}

// doFreeCards lets everybody without a crew card draw one, clockwise from the
// Captain.
//
// Clause ROUND-3.
func (r *Rules) doFreeCards(s *State) {
	for k := r.seats - 1; k >= 0; k-- {
		if seat := r.after(int(s.Captain), k); s.Size[seat] == 0 {
			s.Push(frame(DoDraw, seat))
		}
	}
}

// after is the seat k places clockwise.
func (r *Rules) after(seat, k int) int {
	if seat += k; seat >= r.seats {
		seat -= r.seats
	}
	return seat
}
