package jollyroger

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Invariants of every reachable state: nothing is lost or made, nothing is out of
// range. SetPosition refuses a state that violates it, and names the fault in
// the words of a position file.

// Check returns what is wrong with a state, or nil.
func (r *Rules) Check(s *State) error {
	c := &checking{r: r, s: s}
	for _, part := range []func(){c.officers, c.frames, c.crew, c.prizes, c.voyage, c.mutiny, c.words, c.knowledge} {
		if part(); len(c.List) > 0 {
			break
		}
	}
	return c.Err()
}

type checking struct {
	position.Faults
	r *Rules
	s *State
}

// has reports whether the stack has a frame of one of the kinds.
func (s *State) has(kinds ...Kind) bool {
	for _, f := range s.Frames[:s.Depth] {
		if slices.Contains(kinds, f.Kind) {
			return true
		}
	}
	return false
}

func (c *checking) isSeat(path string, seat int8) bool {
	if seat < 0 || int(seat) >= c.r.seats {
		c.Wrong(path, "%d: want a seat, 0 to %d", seat, c.r.seats-1)
		return false
	}
	return true
}

// officers checks round, phase and roles.
func (c *checking) officers() {
	r, s := c.r, c.s
	setup := s.Phase == PhaseSetup
	if setup != (s.Round == 0) || s.Round > Rounds {
		c.Wrong("round", "%d in phase %s: want 0 in setup, else 1 to %d", s.Round, s.Phase, Rounds)
	}
	if s.Next() == ChooseCaptain {
		if s.Captain != noSeat || s.Quartermaster != noSeat {
			c.Wrong("captain", "nobody is Captain before the Captain card is dealt: leave captain and quartermaster out")
		}
		return
	}
	if !c.isSeat("captain", s.Captain) {
		return
	}
	choosing := s.Next() == AskAppoint
	switch early := setup || s.Phase == PhaseAppointment && s.Round == 1; {
	case !r.officers && s.Quartermaster != s.Captain:
		c.Wrong("quartermaster", "%d: with three players the Captain, seat %d, does that work", s.Quartermaster, s.Captain)
	case s.Quartermaster == noSeat && early && (choosing || setup || s.has(AskAppoint)):
	case r.officers && s.Quartermaster == s.Captain && !choosing:
		c.Wrong("quartermaster", "%d is the Captain: want another seat", s.Quartermaster)
	default:
		c.isSeat("quartermaster", s.Quartermaster)
	}
	if s.Guard != noSeat {
		if c.isSeat("guard", s.Guard); !s.has(DoMap) {
			c.Wrong("guard", "a guard belongs to Treasure Island, while prizes are being buried: leave it out")
		}
	}
}

// crew checks crew cards.
func (c *checking) crew() {
	r, s := c.r, c.s
	for seat := range s.Hands {
		if sum(s.Hands[seat][:]) != int(s.Size[seat]) {
			c.Wrong("players", "seat %d: its hand is miscounted", seat)
		}
	}
	c.Conserved(r.crewStock(s))
	if sum(s.Deck[:]) != int(s.DeckSize) {
		c.Wrong("deck", "it is miscounted")
	}
	falling := s.has(DoLimits, DoLimit, DoPool, DoDeal)
	for seat := range r.seats {
		if s.Size[seat] > r.limit && !falling {
			c.Wrong("players", "seat %d holds %d crew cards: the hand limit is %d", seat, s.Size[seat], r.limit)
		}
	}
	attack := s.has(DoReveal, DoAssign, DoOutcome, AskAssign)
	for k, n := range s.Played {
		if n > 0 && !s.has(DoRest, AskRest, DoPool) && (!attack || k >= NumNormal) {
			c.Wrong("played", "%s: crew cards with a skill are played in an attack only", crewNames[k])
		}
	}
	if giver, ok := s.giver(); ok {
		for k, n := range s.Offer {
			if n > s.Hands[giver][k] {
				c.Wrong("offer", "%d of %s: seat %d holds %d", n, crewNames[k], giver, s.Hands[giver][k])
			}
		}
		for k, n := range s.OfferPrizes {
			if n > s.Prizes[giver][k] {
				c.Wrong("offer", "%d of %s: seat %d has %d that are not buried", n, prizeNames[k], giver, s.Prizes[giver][k])
			}
		}
	} else if sum(s.Offer[:])+sum(s.OfferPrizes[:]) > 0 {
		c.Wrong("offer", "nobody is making an offer: leave it out")
	}
}

// giver is the seat whose offer is open.
func (s *State) giver() (int8, bool) {
	switch f := s.Top(); f.Kind {
	case AskOffer:
		return f.Seat, true
	case AskAccept:
		return f.Arg[0], true
	}
	return noSeat, false
}

// prizes checks prize cards.
func (c *checking) prizes() {
	s := c.s
	c.Conserved(c.r.prizeStock(s))
	if sum(s.PrizeDeck[:]) != int(s.PrizesLeft) {
		c.Wrong("prize_deck", "it is miscounted")
	}
	if sum(s.Spoils[:]) > 0 && !s.has(DoSplit, DoShare) {
		c.Wrong("spoils", "nothing is being shared out at this point: leave them out")
	}
	for seat, n := range s.Split {
		if n > 0 && !s.has(DoShare) || int(n) > sum(s.Prizes[seat][:])+sum(s.Buried[seat][:]) {
			c.Wrong("players", "seat %d: split: %d prizes of this sharing-out, which it does not have", seat, n)
		}
	}
}

// voyage checks destination cards.
func (c *checking) voyage() {
	r, s := c.r, c.s
	used := 0
	for d, set := range s.Stacks {
		if extra := set &^ r.stacks[d]; extra != 0 {
			c.Wrong("stacks."+destinationNames[d], "%s is not in a game of %d players", targetNames[d*StackSize+bits.TrailingZeros8(extra)], r.seats)
		}
		used += bits.OnesCount8(r.stacks[d] &^ set)
	}
	want := int(s.Round)
	if want > 0 && (s.has(DoVoyage, DoArrive, AskSail, DealTarget, DoIsland) || s.has(DoReveal) && s.Target == noTarget) {
		want-- // this round's voyage has turned up no card yet
	}
	if used != want {
		c.Wrong("stacks", "%d cards have been used: each voyage uses one, so want %d at this point of round %d", used, want, s.Round)
	}
	sailing := s.has(DoArrive, DoReveal, DoAssign, AskAssign, DoPort, DoIsland, DoMap)
	if (s.Destination == nowhere) == sailing && !s.has(AskSail) {
		if sailing {
			c.Wrong("destination", "it is missing: want one of %s", strings.Join(destinationNames, ", "))
		} else {
			c.Wrong("destination", "the ship is not on a voyage at this point: leave it out")
		}
		return
	}
	if s.Target != noTarget {
		d := int(s.Target) / StackSize
		place := uint8(1) << (int(s.Target) % StackSize)
		switch {
		case Destination(d) != s.Destination:
			c.Wrong("target", "%s is no card of the destination", targetNames[s.Target])
		case r.stacks[d]&place == 0 || s.Stacks[d]&place != 0:
			c.Wrong("target", "%s is not among the cards used: take it out of stacks", targetNames[s.Target])
		}
	}
	for k, n := range s.Needs {
		if n > 0 && s.Target == noTarget || n > 12 {
			c.Wrong("needs", "%s %d: want what the target needs, changed by officers", skillNames[k], n)
		}
	}
	if s.Map != s.has(DoMap) {
		c.Wrong("map", "%v: an Old Sailor lies on the table exactly while prizes are being buried", s.Map)
	}
	type need struct {
		kinds []Kind
		ok    bool
		what  string
	}
	onTarget := s.Destination != nowhere && isTarget(s.Destination)
	for _, n := range []need{
		{[]Kind{DoReveal, DoAssign, AskAssign}, onTarget, "an attack needs a fort, merchant_ship or settlement"},
		{[]Kind{DoAssign, AskAssign}, s.Target != noTarget || s.Next() == DealTarget, "the target is revealed by now: give it"},
		{[]Kind{DoPort}, s.Destination == PiratePort && (s.Target != noTarget || s.has(DealTarget)), "the port's card is revealed by now: give it"},
		{[]Kind{DoIsland, DoMap}, s.Destination == TreasureIsland, "it is not Treasure Island"},
		{[]Kind{DealTarget}, s.Destination != nowhere && s.Target == noTarget && s.Stacks[min(s.Destination, TreasureIsland)] != 0, "there is no card to reveal"},
		{[]Kind{DoIsland}, s.Stacks[TreasureIsland] != 0, "there is no Treasure Island left"},
	} {
		if s.has(n.kinds...) && !n.ok {
			c.Wrong("destination", "%s", n.what)
		}
	}
	if s.Next() == AskAssign && (r.lacking(s) == 0 || r.lacking(s) > int(s.Played[AnyCard])) {
		c.Wrong("played", "the cards of any skill make no difference: there is nothing to decide")
	}
}

// mutiny checks the sides.
func (c *checking) mutiny() {
	r, s := c.r, c.s
	on := s.Mutineer != noSeat
	switch {
	case on != s.has(DoMutinyEnd):
		c.Wrong("mutiny", "it does not agree with the stack, where do_mutiny_end stands exactly during one")
		return
	case on && (!c.isSeat("mutiny.mutineer", s.Mutineer) || s.Mutineer == s.Captain):
		c.Wrong("mutiny.mutineer", "the Captain cannot mutiny")
		return
	case on && !s.MutinyTried:
		c.Wrong("mutiny_tried", "false during a mutiny")
	case s.RoleSide != Neutral && (!on || !r.officers):
		c.Wrong("mutiny.quartermaster_card", "it is played in a mutiny only, with four players or more")
	}
	for seat, side := range s.Side {
		switch {
		case seat >= r.seats || !on:
			if side != Neutral {
				c.Wrong("players", "seat %d: nobody takes sides outside a mutiny", seat)
			}
		case seat == int(s.Captain) && side != ForCaptain, seat == int(s.Mutineer) && side != ForMutineer:
			c.Wrong("players", "seat %d: the Captain and the First Mutineer are on their own sides", seat)
		}
	}
	for seat, set := range s.Offered {
		if set != 0 && (!on || r.bribes == noBribes || seat >= r.seats || set&^r.everyone()|set&bit(seat) != 0) {
			c.Wrong("players", "seat %d: offered_to: want other seats, in a mutiny with bribes", seat)
		}
	}
	if !on && sum(s.Sides[0][:])+sum(s.Sides[1][:]) > 0 {
		c.Wrong("mutiny", "there are cards but no First Mutineer")
	}
}

// words checks what was said and what was appraised.
func (c *checking) words() {
	r, s := c.r, c.s
	for seat := range s.Said {
		if s.Said[seat] == 0 {
			continue
		}
		phrase, to := (int(s.Said[seat])-1)/MaxSeats, (int(s.Said[seat])-1)%MaxSeats
		if r.bribes != talk || seat >= r.seats || to >= r.seats || to == seat || phrase >= NumPhrases {
			c.Wrong("players", "seat %d: said: want a phrase to another seat, with bribes=talk", seat)
		}
	}
	for seat, n := range s.Appraised {
		if n > 0 && (s.Phase != PhaseOver || seat >= r.seats || n > 40) {
			c.Wrong("players", "seat %d: appraised: jewels are appraised at the end", seat)
		}
	}
	for seat := r.seats; seat < MaxSeats; seat++ {
		if s.Size[seat] > 0 || sum(s.Prizes[seat][:])+sum(s.Buried[seat][:]) > 0 {
			c.Wrong("players", "seat %d is not in the game", seat)
		}
	}
}
