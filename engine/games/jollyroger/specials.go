package jollyroger

import "github.com/privateer-rl/privateer/engine"

// Special cards: those that may be played at any time, and the Traitor.

// Windows in which cards may be played "at any time", besides a player's own turns
// in the attack and the mutiny.
const (
	RoundStart = iota
	Appointed
	ChoosingAgain // the Captain must choose another destination, or may
	Chosen        // a destination stands
	Revealed      // the destination is face up
	Changed       // an officer has changed what it needs
	InPort        // the port's card is face up, or somebody is about to trade
	OnIsland      // the island is reached, the ship has a guard, or all have buried
	BeforeSplit
	Sharing // a prize has been chosen or given away
	BeforePunishment
	Ordered    // the punishment stands, and has no victim yet
	BeforeDeal // the cards of a mutiny are about to be dealt
	RoundEnd
	BeforeCall // a mutiny may be called next
	NumWindows
)

var windowNames = []string{"round_start", "appointed", "choosing_again", "chosen", "revealed", "changed", "in_port", "on_island",
	"before_split", "sharing", "before_punishment", "ordered", "before_deal", "round_end", "before_call"}

// poll asks a decision of those who can say yes to it, clockwise, from the first
// to before the end-th seat counted from base.
func (r *Rules) poll(s *State, k Kind, base, first, end int, args ...int) {
	f := frame(DoPoll, base, int(k), first, end)
	for i, a := range args {
		f.Arg[3+i] = int8(a)
	}
	s.Push(f)
}

func (r *Rules) doPoll(s *State, f Frame) {
	k := Kind(f.Arg[0])
	if f.Arg[1] == 0 {
		switch k {
		case AskChange:
			f.Seat = s.Quartermaster // a Surgeon may have made another one since the reveal
		case AskAnytime:
			f.Seat = s.Captain // a mutiny may have made another one since the round began
		}
	}
	c, special := k.card()
	for i := int(f.Arg[1]); i < int(f.Arg[2]); i++ {
		if seat := r.after(int(f.Seat), i); (!special || s.holds(seat, c)) && r.wants(s, k, seat, f.Arg[3]) {
			f.Arg[1] = int8(i + 1)
			s.Push(f)
			s.Push(Frame{Kind: k, Seat: int8(seat), Arg: [6]int8{f.Arg[3], f.Arg[4]}})
			return
		}
	}
}

// card is the special card that a question is about, which only its holder is asked.
func (k Kind) card() (c Card, ok bool) {
	switch k {
	case AskSeaDog:
		return SeaDog, true
	case AskLookout:
		return Lookout, true
	case AskTraitor:
		return Traitor, true
	case AskCook:
		return Cook, true
	case AskCarpenter:
		return Carpenter, true
	case AskSailor:
		return OldSailor, true
	case AskBoatswain:
		return Boatswain, true
	case AskKid:
		return SmartKid, true
	case AskMate:
		return SecondMate, true
	}
	return 0, false
}

// wants reports whether a seat has anything to say to a poll, if it holds the card that the poll may be about.
func (r *Rules) wants(s *State, k Kind, seat int, arg int8) bool {
	switch k {
	case AskAnytime:
		return r.anytime(s, seat)
	case AskMutiny:
		return s.Size[seat] > 0
	case AskChange:
		return s.holds(seat, FirstMate) || s.holds(seat, MasterMariner) || s.holds(seat, Sharpshooter)
	case AskCook:
		return sum(s.Spoils[:]) > 0
	case AskCarpenter:
		return r.elsewhere(&s.Prizes, seat)
	case AskDonate:
		return seat != int(arg) && sum(s.Prizes[seat][:]) > 0
	case AskKid:
		return r.elsewhere(&s.Buried, seat)
	case AskGift:
		return r.bribes == talk || r.hasGift(s, seat)
	}
	return true
}

// afresh has the poll at the top ask everybody once more: somebody has answered with a
// card, and a player who has passed may now decide otherwise. Each time it takes a card, so it ends.
//
// Clauses SPC-10, SPC-20, SPC-25.
func (r *Rules) afresh(s *State) {
	f := s.Edit()
	f.Arg[1] = f.Arg[2] - int8(r.seats)
}

// quick opens a window for cards that may be played at any time, when its turn comes: whether anybody holds one is not to be
// seen from what lies on the decision stack.
//
// Clause SPC-20.
func (r *Rules) quick(s *State, window int) {
	r.poll(s, AskAnytime, int(s.Captain), 0, r.seats, window)
}

// anytimeCards may be played at any time, if they are timely.
var anytimeCards = [...]Card{Stowaways, SecondMate, Surgeon}

// timely reports whether such a card would do anything for a seat that holds it.
func (r *Rules) timely(s *State, seat int, c Card) bool {
	switch c {
	case SecondMate:
		return r.victims(s, seat) > 0
	case Surgeon:
		return r.mayOperate(s, seat)
	}
	return true
}

// anytime reports whether a seat has a card that it may play now.
func (r *Rules) anytime(s *State, seat int) bool {
	for _, c := range anytimeCards {
		if s.holds(seat, c) && r.timely(s, seat, c) {
			return true
		}
	}
	return false
}

// mayOperate reports whether a seat may become Quartermaster by the Surgeon.
//
// Clauses SPC-18, VAR-7.
func (r *Rules) mayOperate(s *State, seat int) bool {
	return r.officers && !s.IsOfficer(seat)
}

// victims is how many players a seat can steal crew cards from.
func (r *Rules) victims(s *State, seat int) (n int) {
	for i := range r.seats {
		if i != seat && s.Size[i] > 0 {
			n++
		}
	}
	return n
}

func (r *Rules) legalAnytime(s *State, seat int, m *engine.Mask) {
	for _, c := range anytimeCards {
		if s.holds(seat, c) && r.timely(s, seat, c) {
			m.Set(ToUseOf(c))
		}
	}
}

// useAnytime plays such a card.
func (r *Rules) useAnytime(s *State, seat int, a engine.Action) {
	switch a {
	case ToUseOf(SecondMate):
		s.Push(frame(AskMate, seat))
	case ToUseOf(Stowaways):
		r.use(s, seat, Stowaways)
	case ToUseOf(Surgeon):
		r.use(s, seat, Surgeon)
	}
}

// mate names a victim of the Second Mate; two different ones if there are two.
//
// Clause SPC-15.
func (r *Rules) mate(s *State, f Frame, victim int) {
	seat := int(f.Seat)
	switch {
	case f.Arg[0] != 0:
		r.use(s, seat, SecondMate, int(f.Arg[0])-1, victim)
	case r.victims(s, seat) > 1:
		s.Push(frame(AskMate, seat, victim+1))
	default:
		r.use(s, seat, SecondMate, victim, noSeat)
	}
}

// use plays a special card for its effect, which a Traitor may cancel.
func (r *Rules) use(s *State, seat int, c Card, args ...int) {
	s.leave(seat, c)
	f := frame(DoEffect, seat, int(c))
	for i, a := range args {
		f.Arg[1+i] = int8(a)
	}
	r.noteUse(f)
	r.announce(s, f)
}

// announce lays a card on the table whose effect is f, unless somebody cancels it: all are asked, whether anybody can or not.
//
// Clauses SPC-21, SPC-24.
func (r *Rules) announce(s *State, f Frame) {
	s.Push(f)
	r.poll(s, AskTraitor, int(f.Seat), 1, r.seats+1, int(f.Arg[0]), int(f.Seat))
}

// betray plays a Traitor on the card that the poll at the top is about.
//
// Clause SPC-22.
func (r *Rules) betray(s *State, seat int) {
	poll := s.Take(DoPoll)
	s.discard(seat, Traitor)
	r.note(HasPlayed, seat, int(Traitor), toBetray, int(poll.Arg[4]), int(poll.Arg[3]))
	r.announce(s, frame(DoCancel, seat, int(Traitor)))
}

// doEffect has a special card take effect. It is discarded at once, except the Old
// Sailor, who lies on the table until all have buried, and for the Stowaways, who
// cannot be among the cards that they bring.
//
// Clauses SPC-1, SPC-2, SPC-17, SPC-18, SPC-25.
func (r *Rules) doEffect(s *State, f Frame) {
	c, seat := Card(f.Arg[0]), int(f.Seat)
	off := f.Arg[cancelled] != 0
	if c == OldSailor && !off {
		s.Take(DoPoll) // no other map is asked for
		s.Map = true
		r.note(HasJoined, seat, int(c), ontoTable)
		return
	}
	if c == Stowaways && !off && f.Arg[1] == 0 {
		f.Arg[1] = 1
		s.Push(frame(DoLimit, seat))
		s.Push(f)
		s.Push(frame(DoDraw, seat))
		s.Push(frame(DoDraw, seat))
		return
	}
	if off {
		r.cancelled(s, f)
		if c == OldSailor { // somebody may look for another one
			r.quick(s, Chosen)
		}
		return
	}
	s.Discard[c]++
	r.note(HasJoined, seat, int(c), ontoDiscard)
	switch c {
	case SecondMate:
		s.Push(frame(DoLimit, seat))
		for _, victim := range []int8{f.Arg[2], f.Arg[1]} {
			if victim != noSeat && s.Size[victim] > 0 { // a Traitor may have been the last card
				s.Push(frame(StealCrew, seat, int(victim)))
			}
		}
	case Surgeon:
		r.appoint(s, seat)
	case Lookout:
		r.quick(s, Revealed)
		s.Push(frame(DealTarget, 0))
	case FirstMate:
		r.change(s, Melee, f.Arg[1])
	case MasterMariner:
		r.change(s, Navigation, f.Arg[1])
	case Sharpshooter:
		r.change(s, Guns, f.Arg[1])
	case Cook:
		r.quick(s, Sharing)
		s.Push(frame(DoPick, seat, 1))
	case Carpenter:
		s.Push(frame(DoClaim, seat))
		r.poll(s, AskDonate, seat, 1, r.seats, seat)
	case Boatswain:
		s.Guard = f.Arg[1]
		r.note(HasGuard, int(s.Guard))
		s.Push(frame(DoBribe, int(s.Guard)))
		r.quick(s, OnIsland)
	case SmartKid:
		s.Push(frame(StealBuried, seat, int(f.Arg[1])))
	}
}

// cancelled discards a card that a Traitor has cancelled.
func (r *Rules) cancelled(s *State, f Frame) {
	s.Discard[f.Arg[0]]++
	r.note(HasCancelled, int(f.Seat), int(f.Arg[0]))
}

// doCancel has a Traitor cancel the frame below.
//
// Clauses SPC-21, SPC-22.
func (r *Rules) doCancel(s *State, f Frame) {
	if f.Arg[cancelled] == 0 {
		s.Edit().Arg[cancelled] = 1
	}
}
