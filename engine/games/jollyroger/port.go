package jollyroger

// The Pirate Port.

// doPort deals crew cards as the port's card says, one at a time clockwise from the
// Captain; then everybody trades in this order.
//
// Clauses PORT-1, PORT-2.
func (r *Rules) doPort(s *State) {
	n := int(r.Targets[s.Target].Crew)
	r.leaveDestination(s)
	captain := int(s.Captain)
	for k := r.seats - 1; k >= 0; k-- {
		s.Push(frame(DoStall, r.after(captain, k)))
	}
	s.Push(frame(DoLimits, 0))
	s.Push(frame(DoDeal, captain, n*r.seats))
	r.quick(s, InPort)
}

// doStall has a seat trade: a prize for a crew card, then hostages and jewels that it
// had when it began.
//
// Clauses PORT-3, PORT-6.
func (r *Rules) doStall(s *State, seat int) {
	own := &s.Prizes[seat]
	if sum(own[:]) > 0 {
		s.Push(frame(AskExchange, seat, int(own[Hostage]), int(own[Jewels])))
		r.quick(s, InPort)
	}
}

// exchange discards a prize for a crew card. With Captain's Gold, a prize of the
// Captain brings everybody one.
//
// Clauses PORT-3, VAR-5.
func (r *Rules) exchange(s *State, f Frame, p Prize) {
	seat := int(f.Seat)
	r.dropPrize(s, seat, p, forCard)
	switch p {
	case Hostage:
		f.Arg[0]--
	case Jewels:
		f.Arg[1]--
	}
	f.Kind = DoSell
	s.Push(f)
	if r.captainsGold && seat == int(s.Captain) {
		s.Push(frame(DoLimits, 0))
		s.Push(frame(DoDeal, seat, r.seats))
		return
	}
	s.Push(frame(DoLimit, seat))
	s.Push(frame(DoDraw, seat))
}

// doSell has a seat ransom hostages and sell jewels as long as there are prizes to
// draw for them.
//
// Clauses PORT-6, PORT-7.
func (r *Rules) doSell(s *State, f Frame) {
	if f.Arg[0]+f.Arg[1] > 0 && s.PrizesLeft > 0 {
		f.Kind = AskSell
		s.Push(f)
	}
}

// drawnAt is the argument of AskSell and DoSell that counts the prizes which the seat has drawn since it began to trade.
const drawnAt = 2

// trade discards a hostage or jewels and draws prizes for it.
//
// Clauses PORT-4, PORT-5.
func (r *Rules) trade(s *State, f Frame, p Prize) {
	seat, drawn := int(f.Seat), 2
	if p == Jewels {
		drawn = 1
		f.Arg[1]--
	} else {
		f.Arg[0]--
	}
	r.dropPrize(s, seat, p, forPrizes)
	f.Kind = DoSell
	s.Push(f)
	s.Push(frame(DoPrizes, seat, drawn))
}

// doPrizes has a seat draw prizes for itself.
//
// Clause PORT-7.
func (r *Rules) doPrizes(s *State, seat, n int) {
	if n > 0 && s.PrizesLeft > 0 {
		s.Push(frame(DoPrizes, seat, n-1))
		s.Push(frame(DealPrize, seat))
	}
}
