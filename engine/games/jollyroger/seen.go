package jollyroger

import "github.com/privateer-rl/privateer/engine"

// The view of a match while others are asked in secret. A player who is asked whether to play a
// Traitor thereby shows that it is in hand; so the others' views must not reveal the question. They
// show the match as it continues if all who are asked in secret pass: the same as if nobody
// were asked at all.

// secret reports whether a question would show what somebody holds. The Quartermaster has turns in an attack whatever
// the hand.
//
// Clause KNOW-2.
func (r *Rules) secret(s *State, f Frame) bool {
	switch f.Kind {
	case AskAttack:
		return f.Seat != s.Quartermaster
	case AskSell:
		return r.hidden
	}
	return f.Kind.asks() && r.forms.Form(f.Kind).Secret
}

// Veiled reports whether somebody is asked without a seat seeing it. All else that is on the decision stack can be seen: it is there
// whatever anybody holds.
func (r *Rules) Veiled(s *State, view int) bool {
	f := s.Top()
	return view != engine.Full && int(f.Seat) != view && r.secret(s, f)
}

// Seen is the match as it looks to a seat, or engine.Full: s itself, or while it is veiled
// what becomes of it, in room, if all who are asked in secret pass. That ends where somebody is asked openly, at a chance event
// and before the end of the match, and it never says that the seat itself is asked: it knows whether it is.
//
// Clause KNOW-6.
func (r *Rules) Seen(s *State, view int, room *State) *State {
	if !r.Veiled(s, view) {
		return s
	}
	*room = *s
	r.goOn(room, view)
	if f := room.Top(); f.Kind.asks() && int(f.Seat) == view {
		room.Pop()
	}
	return room
}

// goOn has all who are asked in secret pass, up to where a seat sees what comes next.
func (r *Rules) goOn(s *State, view int) {
	for r.passOn(s, view) {
		r.runFor(s, view)
	}
}

// passOn answers the question at the top with a pass if it is secret, or as it must be answered if all know that there is
// no choice and it is not asked then. It is false if neither is so.
func (r *Rules) passOn(s *State, view int) bool {
	f := s.Top()
	switch {
	case !f.Kind.asks():
		return false
	case r.secret(s, f):
		r.pass(s, s.Pop())
		return true
	case r.info.ShowForced || !r.openChoice(s, f.Kind):
		return false
	}
	var legal engine.Mask
	r.Legal(s, &legal)
	a := legal.First()
	if legal.Next(a) >= 0 || r.hidden && r.receiver(f, a) == view { // a prize that the view's seat has not seen
		return false
	}
	r.choose(s, s.Pop(), a)
	return true
}

// openChoice reports whether all see that there is no choice, if there is none.
func (r *Rules) openChoice(s *State, k Kind) bool {
	switch k {
	case AskSail, AskMate, AskClaim, AskVictim:
		return true
	case AskPick, AskShare, AskClaimPrize:
		return !r.hidden || sum(s.Spoils[:]) == 1
	}
	return false
}

// runFor performs steps that need nobody, but those that end the match, which shows what was hidden, or have a seat look at
// prizes that it does not see before. Whether the Quartermaster has a card to play first is not seen either: it is asked for one.
func (r *Rules) runFor(s *State, view int) {
	for s.Depth > 0 && s.Frames[s.Depth-1].Kind > lastChance {
		f := s.Top()
		switch f.Kind {
		case DoRound:
			if r.finished(s) {
				return
			}
		case DoFirst:
			if q := int(s.Quartermaster); q != view && s.Size[q] > 0 {
				s.Push(frame(AskFirst, q))
				return
			}
		case DoPick:
			if r.hidden && int(f.Seat) == view && sum(s.Spoils[:]) > 0 {
				return
			}
		case DoGive:
			if r.hidden && int(s.Quartermaster) == view {
				return
			}
		}
		r.do(s, s.Pop())
	}
}

// shown is a frame as a seat's view shows it: with hidden prizes nobody sees what another could sell.
func (r *Rules) shown(f Frame, view int) Frame {
	if r.masked(f, view) {
		f.Arg[0], f.Arg[1] = 0, 0
	}
	return f
}

// masked reports whether a seat's view shows a frame without its first two arguments.
func (r *Rules) masked(f Frame, view int) bool {
	return r.hidden && (f.Kind == AskExchange || f.Kind == DoSell) && view != engine.Full && int(f.Seat) != view
}
