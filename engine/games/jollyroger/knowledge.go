package jollyroger

import "github.com/privateer-rl/privateer/engine"

// A seat's knowledge, for encoders and bots. They read the rest, which is public, in the
// state itself: everything but hands, the deck, with hidden prizes the
// prizes of others, the spoils and the prize deck, and the frames of the decision stack.

// Seats is the number of players.
func (r *Rules) Seats() int { return r.seats }

// HiddenPrizes reports whether prizes lie face down.
func (r *Rules) HiddenPrizes() bool { return r.hidden }

// CaptainsGold reports whether a prize that the Captain exchanges brings everybody a card.
func (r *Rules) CaptainsGold() bool { return r.captainsGold }

// Bribes is 0 without bribes, 1 with gifts, 2 with gifts and talk.
func (r *Rules) Bribes() int { return r.bribes }

// Limit is the most crew cards that a hand may hold.
func (r *Rules) Limit() uint8 { return r.limit }

// Asked is the decision that waits in a match as a seat has Seen it: a frame that is empty if none does.
func (r *Rules) Asked(s *State, view int) Frame {
	if f := s.Top(); f.Kind.asks() {
		return r.shown(f, view)
	}
	return Frame{}
}

// Sight: a reaction that is not made goes unseen, for it shows that the seat could make one;
// so does what goes into an offer. Crew cards come into hands face down, and with hidden prizes
// prizes do, except to those who give or get them; all see who gets one.
//
// Clauses KNOW-1, KNOW-2.
func (r *Rules) Sight(s *State, view int, a engine.Action) engine.Sight {
	f := s.Top()
	own := int(f.Seat) == view
	switch f.Kind {
	case AskOffer:
		if a != ToPropose && a != ToPass {
			return engine.Unseen
		}
	case DealCrew, DealPool, StealCrew:
		if !own && (f.Kind != StealCrew || int(f.Arg[0]) != view) {
			return engine.FaceDown
		}
	case DealPrize, StealBuried, StealPrize:
		if r.hidden && !own && (f.Kind == DealPrize || int(f.Arg[0]) != view) {
			return engine.FaceDown
		}
	case DealSpoils:
		if r.hidden {
			return engine.FaceDown
		}
	case AskPick, AskShare, AskDonate, AskBury:
		if to := r.receiver(f, a); r.hidden && !own && a != ToPass && a != ToBuryAll && to != view {
			return engine.FaceDown + engine.Sight(to)
		}
	default:
		if r.secret(s, f) && a == ToPass {
			return engine.Unseen
		}
	}
	return engine.Open
}

// receiver is the seat that gets the prize that it chooses or is given.
func (r *Rules) receiver(f Frame, a engine.Action) int {
	switch f.Kind {
	case AskShare:
		return r.after(int(f.Seat), int(a-ToGive)%MaxSeats)
	case AskDonate:
		return int(f.Arg[0])
	}
	return int(f.Seat)
}

// InFlight is the card that a Traitor may cancel, as the frame of what it is about to do: an
// empty one unless AskTraitor is asked. Only who is asked may know that it is.
func (s *State) InFlight() Frame {
	if s.Next() != AskTraitor || s.Depth < 3 { // below it are the poll and the card
		return Frame{}
	}
	switch f := s.Frames[s.Depth-3]; f.Kind {
	case DoEffect, DoJoin, DoCommit, DoCancel:
		return f
	}
	return Frame{}
}

// Betrayed is the card that the Traitor InFlight would cancel, an empty frame if another card is in flight.
func (s *State) Betrayed() Frame {
	if s.InFlight().Kind != DoCancel || s.Depth < 4 {
		return Frame{}
	}
	return s.Frames[s.Depth-4]
}

// Passes is how many seats in a row have passed in a mutiny, the one that is asked now
// counted; 0 while nobody is asked to play for a side.
func (s *State) Passes() uint8 {
	if s.Next() != AskFaction || s.Depth < 2 || s.Frames[s.Depth-2].Kind != DoFaction {
		return 0
	}
	return uint8(s.Frames[s.Depth-2].Arg[0])
}

// PoolFaceDown reports whether the played cards are those of a mutiny that are being
// dealt again: nobody sees which of them are left.
func (s *State) PoolFaceDown() bool { return s.Next() == DealPool }

// PrizesOpen reports whether all see the prizes of all, buried or not.
//
// Clauses VAR-1, VAR-4.
func (r *Rules) PrizesOpen(s *State) bool { return !r.hidden || s.Phase == PhaseOver }

// SeesSpoils reports whether a seat sees the prizes that are being shared out.
// With hidden prizes only the one who chooses or gives does.
//
// Clause VAR-1.
func (r *Rules) SeesSpoils(s *State, view int) bool {
	k := s.Next()
	return view == engine.Full || !r.hidden || (k == AskPick || k == AskShare) && int(s.Top().Seat) == view
}

// SeesOffer reports whether there is an offer that a seat sees.
func (r *Rules) SeesOffer(s *State, view int) bool {
	_, open := s.giver()
	return open && (view == engine.Full || s.privy(view)) && sum(s.Offer[:])+sum(s.OfferPrizes[:]) > 0
}

// privy reports whether a seat would see an offer: its giver does, and once it is made the one
// who is to accept it.
//
// Clause BRB-6.
func (s *State) privy(view int) bool {
	f := s.Top()
	return int(f.Seat) == view || f.Kind == AskAccept && int(f.Arg[0]) == view
}

// FirstPrizeSighted is Sighting.Kind of the first kind of prize; below it are crew cards.
const FirstPrizeSighted = sightedPrize

// OnTable is the member of Sighting.Among that stands for the prizes being shared out.
const OnTable = onTable
