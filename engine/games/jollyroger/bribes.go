package jollyroger

import "github.com/privateer-rl/privateer/engine"

// Bribes: gifts of crew cards and unburied prizes, and talk.

// Actions besides the game's own decisions.
const (
	noBribes = iota
	gifts    // a player may offer cards to another, who accepts or refuses
	talk     // and say one of a few phrases to another, for all to hear
)

var bribeNames = []string{"off", "gifts", "talk"}

// Moments at which gifts are offered and words said.
const (
	BeforeDestination = iota
	BeforeMutiny
	BeforeShare
	BeforePunish
	BeforeAppointment
	NumMoments
)

var momentNames = []string{"destination", "mutiny", "prizes", "punishment", "appointment"}

// gifts gives everybody an opportunity to bribe, clockwise from the Captain.
//
// Clause BRB-1.
func (r *Rules) gifts(s *State, moment int) {
	if r.bribes != noBribes {
		r.poll(s, AskGift, int(s.Captain), 0, r.seats, moment, 0)
	}
}

// hasGift reports whether a seat has anything to give.
func (r *Rules) hasGift(s *State, seat int) bool {
	return s.Size[seat] > 0 || sum(s.Prizes[seat][:]) > 0
}

func (r *Rules) legalGift(s *State, f Frame, m *engine.Mask) {
	r.legalBribes(s, int(f.Seat), 0, f.Arg[1] != 0, m)
	m.Set(ToPass)
}

// mayBribe reports whether a seat may make an offer to a seat that has none from it, or say something if it has not
// spoken.
func (r *Rules) mayBribe(s *State, seat int, offered uint16, spoken bool) bool {
	return r.bribes != noBribes && offered|bit(seat) != r.everyone() && r.hasGift(s, seat) || r.bribes == talk && !spoken
}

// legalBribes adds to whom a seat may begin an offer, those aside to whom it has made one, and what it may say, if it
// has not yet.
//
// Clauses BRB-5, BRB-7.
func (r *Rules) legalBribes(s *State, seat int, offered uint16, spoken bool, m *engine.Mask) {
	offers := r.hasGift(s, seat)
	for k := 1; k < r.seats; k++ {
		if offers && offered&bit(r.after(seat, k)) == 0 {
			m.Set(ToSeat + engine.Action(k))
		}
		if r.bribes == talk && !spoken {
			for p := range NumPhrases {
				m.Set(ToSay + engine.Action(p*(MaxSeats-1)+k-1))
			}
		}
	}
}

// gift is what a seat does with its opportunity: begin an offer, or say one thing and be
// asked again.
func (r *Rules) gift(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	switch {
	case a >= ToSay:
		r.say(s, seat, a)
		if r.hasGift(s, seat) {
			s.Push(frame(AskGift, seat, int(f.Arg[0]), 1))
		}
	case a != ToPass:
		r.note(HasTurnedTo, seat, r.named(seat, a), 0)
		s.Push(frame(AskOffer, seat, r.named(seat, a), 0))
	}
}

// say has a seat say a phrase to another.
//
// Clause BRB-5.
func (r *Rules) say(s *State, seat int, a engine.Action) {
	phrase, k := int(a-ToSay)/(MaxSeats-1), int(a-ToSay)%(MaxSeats-1)+1
	s.Said[seat] = uint8(1 + phrase*MaxSeats + r.after(seat, k))
	r.note(HasSaid, seat, phrase, r.after(seat, k))
}

// legalOffer: cards that are not offered yet. An offer to guard the ship instead may be
// a mere promise.
//
// Clause BRB-2.
func (r *Rules) legalOffer(s *State, f Frame, m *engine.Mask) {
	seat := int(f.Seat)
	for c, n := range s.Hands[seat] {
		if n > s.Offer[c] {
			m.Set(ToOffer + engine.Action(c))
		}
	}
	for p, n := range s.Prizes[seat] {
		if n > s.OfferPrizes[p] {
			m.Set(ToOffer + engine.Action(NumCrew+p))
		}
	}
	if f.Arg[1] != 0 || sum(s.Offer[:])+sum(s.OfferPrizes[:]) > 0 {
		m.Set(ToPropose)
	}
	m.Set(ToPass)
}

// offer adds a card to an offer, makes it, or takes it back.
func (r *Rules) offer(s *State, f Frame, a engine.Action) {
	switch {
	case a == ToPass:
		s.withdraw()
		r.note(HasWithdrawn, int(f.Seat), int(f.Arg[0]))
	case a == ToPropose:
		r.noteOffer(s, int(f.Seat), int(f.Arg[0]), int(f.Arg[1]))
		s.Push(frame(AskAccept, int(f.Arg[0]), int(f.Seat), int(f.Arg[1])))
	default:
		if x := int(a - ToOffer); x < NumCrew {
			s.Offer[x]++
		} else {
			s.OfferPrizes[x-NumCrew]++
		}
		s.Push(f)
	}
}

// noteOffer says that an offer is made, and what of to those who see it.
//
// Clause BRB-6.
func (r *Rules) noteOffer(s *State, from, to, guard int) {
	r.note(HasOffered, from, to, guard)
	for c, n := range s.Offer {
		for range n {
			r.noteTo(1<<from|1<<to, HasOfferedCard, from, c, to)
		}
	}
	for p, n := range s.OfferPrizes {
		for range n {
			r.noteTo(1<<from|1<<to, HasOfferedPrize, from, p, to)
		}
	}
}

func (s *State) withdraw() {
	s.Offer, s.OfferPrizes = [NumCrew]uint8{}, [NumPrizes]uint8{}
}

// declined notes what a seat has seen of an offer that it refused. Both know that it has.
//
// Clauses BRB-3, KNOW-3.
func (r *Rules) declined(s *State, from, to int) {
	s.secretly(to, from, 0, from)
	for c, n := range s.Offer {
		s.shown(from, to, uint8(c), n, told(from))
	}
	if !r.hidden {
		return
	}
	s.secretly(to, from, 1, from)
	for p, n := range s.OfferPrizes {
		s.shown(from, to, sightedPrize+uint8(p), n, told(from))
	}
}

// answer accepts or refuses an offer. A seat that agrees to guard the ship guards it:
// nobody else is asked. In a mutiny an accepted gift begins the lap anew.
//
// Clauses BRB-3, BRB-4, BRB-7.
func (r *Rules) answer(s *State, f Frame, accepted bool) {
	from, to := int(f.Arg[0]), int(f.Seat)
	if !accepted {
		r.note(HasRefused, to, from)
		r.declined(s, from, to)
		s.withdraw()
		return
	}
	r.note(HasAccepted, to, from)
	crew, prizes := s.Offer, s.OfferPrizes
	s.withdraw()
	for c, n := range crew {
		for range n {
			s.move(from, to, Card(c))
			r.noteTo(1<<from|1<<to, HasGotCard, to, c, from, asGift)
		}
	}
	for p, n := range prizes {
		for range n {
			r.givePrize(s, from, to, Prize(p), asGift)
		}
	}
	switch {
	case f.Arg[1] != 0:
		s.Take(DoBribe)
		s.Guard = int8(to)
		r.note(HasGuard, to)
	case s.Next() == DoFaction:
		s.anew()
	}
	s.Push(frame(DoLimit, to))
}
