package jollyroger

import (
	"fmt"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
)

// Checks of the decision stack against the state. The rows of the frames list the allowed successors:
// they refuse a frame that would undo the premise of another.

// most frames of a position's stack; a match needs no more, and has room for what
// a few of them can lead to.
const mostFrames = 28

// frames checks the stack: each frame stands where it can, and what it says can
// happen.
func (c *checking) frames() {
	s := c.s
	if s.Depth > mostFrames {
		c.Wrong("stack", "%d frames: no match has more than %d", s.Depth, mostFrames)
		return
	}
	if (s.Phase == PhaseOver) != (s.Depth == 0 || s.Frames[0].Kind == DoAppraise) {
		c.Wrong("stack", "its first frame does not agree with the phase %s", s.Phase)
		return
	}
	if s.Depth > 0 && !s.Next().asks() && !s.Next().chances() {
		c.Wrong("stack", "its last frame must be a decision or a chance event")
		return
	}
	under := Frame{}
	for i, f := range s.Frames[:s.Depth] {
		at := fmt.Sprintf("stack[%d]", i)
		if !c.r.forms.InRange(&c.Faults, at, f) || !c.r.forms.Stands(&c.Faults, at, f, under) {
			return
		}
		under = f
		if c.place(at, f, s.Frames[:i]); len(c.List) > 0 {
			return
		}
	}
	if !s.Next().asks() {
		return
	}
	var legal engine.Mask
	if c.r.Legal(s, &legal); legal.First() < 0 {
		c.Wrong("stack", "%s: nothing is legal there", c.r.forms.Node(s.Top()))
	}
}

// place checks what a frame says against the state and the frames below it.
func (c *checking) place(at string, f Frame, below []Frame) {
	r, s := c.r, c.s
	top := len(below)+1 == int(s.Depth)
	under := Frame{}
	if len(below) > 0 {
		under = below[len(below)-1]
	}
	wrong := func(bad bool, why string) {
		if bad {
			c.Wrong(at, "%s: %s", c.r.forms.Node(f), why)
		}
	}
	seat, other := int(f.Seat), int(f.Arg[0])
	if c, ok := f.Kind.card(); ok && !s.holds(seat, c) {
		wrong(true, "the seat holds no "+crewNames[c])
	}
	switch f.Kind {
	case AskAppoint, AskSail, AskPunish:
		wrong(f.Seat != s.Captain, "it is the Captain's to decide")
	case AskFirst, AskAssign, AskShare, AskVictim:
		wrong(f.Seat != s.Quartermaster, "it is the Quartermaster's to decide")
	case AskMutiny:
		wrong(f.Seat == s.Captain || s.MutinyTried, "a mutiny cannot be called")
	case AskFaction:
		wrong(s.Mutineer == noSeat, "there is no mutiny")
	case AskSeaDog:
		wrong(f.Arg[0] == Neutral, "it is played for a side")
		wrong(s.Side[seat] != Neutral && s.Side[seat] != f.Arg[0], "the seat is on the other side")
	case AskForced:
		wrong(f.Arg[0] == Neutral || s.Side[seat] != f.Arg[0], "its side is not the seat's")
	case AskMate:
		wrong(other == seat+1, "nobody steals from themselves")
	case AskDonate, AskClaimPrize:
		wrong(other == seat, "it is about another seat")
	case AskExchange, AskSell, DoSell:
		wrong(f.Arg[0] < 0 || f.Arg[0] > int8(s.Prizes[seat][Hostage]) || f.Arg[1] < 0 || f.Arg[1] > int8(s.Prizes[seat][Jewels]) ||
			int(f.Arg[0])+int(f.Arg[1])+int(f.Arg[drawnAt]) > sum(s.Prizes[seat][:]), "the seat does not have them")
		wrong(f.Kind == AskSell && (s.PrizesLeft == 0 || f.Arg[0]+f.Arg[1] == 0), "there is nothing to sell, or no prize to draw")
	case AskBribe, DoBribe:
		wrong(f.Seat != s.Guard, "it is the guard's to decide")
	case AskOffer, AskAccept:
		wrong(other == seat || (f.Arg[1] != 0) != (under.Kind == DoBribe), "an offer is between two seats, to guard the ship exactly on do_bribe")
	case AskBury:
		wrong(f.Seat == s.Guard || under.Seat != f.Seat, "the seat cannot bury now")
	case AskDiscard, DoLimit:
		wrong(f.Kind == AskDiscard && (s.Size[seat] <= r.limit || under.Seat != f.Seat), "the seat holds no more than the hand limit")
	case AskRest:
		wrong(f.Seat != s.Quartermaster, "it is the Quartermaster's to decide")
		rest := sum(s.Played[:]) % r.seats
		left := rest
		if f.Arg[1] != 0 {
			left = r.seats - rest
		}
		wrong(alreadyNamed(f)&^r.everyone() != 0 || f.Arg[0] < 1 || rest == 0 || int(f.Arg[0])+bits.OnesCount16(alreadyNamed(f)) != left, "the cards do not divide so")
	case DoPool:
		wrong(setIn(f, 0)&^r.everyone() != 0 || bits.OnesCount16(setIn(f, 0)) > sum(s.Played[:]), "there are no such last cards")
	case DealCrew:
		wrong(s.DeckSize == 0, "the deck is empty")
	case DealPool:
		wrong(sum(s.Played[:]) == 0, "no card is left to be dealt")
	case DealSpoils, DealPrize, Appraise:
		wrong(s.PrizesLeft == 0, "no prize is left")
	case StealCrew:
		wrong(other == seat || s.Size[other] == 0 || under.Kind == StealCrew && under.Arg[0] == f.Arg[0], "there is no card to steal")
	case LoseCrew:
		wrong(s.Size[seat] == 0, "there is no card to lose")
	case StealBuried:
		wrong(other == seat || sum(s.Buried[other][:]) == 0, "there is no buried prize to take")
	case StealPrize:
		wrong(other == seat || sum(s.Prizes[other][:]) == 0, "there is no hidden prize to take")
	case DoPoll:
		wrong(f.Arg[1] > f.Arg[2], "it asks seats that there are not")
		c.about(at, f)
		wrong(Kind(f.Arg[0]) == AskMutiny && (s.MutinyTried || f.Seat != s.Captain || f.Arg[1] < 1 || int(f.Arg[2]) > r.seats), "a mutiny cannot be called")
		wrong(top || f.Arg[1] < 1 && s.Frames[len(below)+1].Kind == Kind(f.Arg[0]), "it has asked nobody yet")
	case DoEffect:
		c.effect(at, f)
	case DoCommit:
		wrong(f.Arg[1] == Neutral || s.Side[seat] != f.Arg[1], "its side is not the seat's")
		card := f.Arg[0]
		wrong(f.Arg[2] != 0 && card != SeaDog && card != Cutthroat, "the card has no effect in a mutiny")
		wrong(f.Arg[2] != 0 && card == SeaDog && (int(f.Arg[3]) >= r.seats || f.Arg[3] == f.Seat || s.Side[min(int(f.Arg[3]), MaxSeats-1)] != Neutral), "nobody can be pressed there")
		wrong(f.Arg[2] != 0 && card == Cutthroat && f.Arg[3] != ForCaptain && f.Arg[3] != ForMutineer, "the Cutthroat kills for one of two sides")
	case DoFirst:
		wrong(under.Seat != noSeat || under.Arg[0] != 0, "the lap has begun already")
	case DoBury:
		wrong(under.Kind == DoBury && under.Seat == f.Seat, "the seat buries once")
	}
}

// about checks what a poll hands on to its questions.
func (c *checking) about(at string, f Frame) {
	most, mostOf := 0, 0
	switch Kind(f.Arg[0]) {
	case AskTraitor:
		most, mostOf = NumCrew-1, c.r.seats-1
	case AskDonate:
		most = c.r.seats - 1
	case AskAnytime:
		most = NumWindows - 1
	case AskGift:
		most = NumMoments - 1
	}
	if f.Arg[3] < 0 || int(f.Arg[3]) > most || f.Arg[4] < 0 || int(f.Arg[4]) > mostOf {
		c.Wrong(at, "%s: about %d of %d: want at most %d of %d", c.r.forms.Node(f), f.Arg[3], f.Arg[4], most, mostOf)
	}
}

// effect checks the arguments of a special card that is taking effect.
func (c *checking) effect(at string, f Frame) {
	r, s := c.r, c.s
	a, b := f.Arg[1], f.Arg[2]
	seat := func(x int8) bool { return x >= 0 && int(x) < r.seats && x != f.Seat }
	ok := a == 0 && b == 0
	switch Card(f.Arg[0]) {
	case Stowaways:
		ok = (a == 0 || a == 1) && b == 0 // whether the cards are being drawn
	case SecondMate:
		ok = seat(a) && (b == noSeat || seat(b) && a != b)
	case Boatswain:
		ok = seat(a) && b == 0
	case SmartKid:
		ok = seat(a) && b == 0 && sum(s.Buried[a][:]) > 0
	case FirstMate, MasterMariner, Sharpshooter:
		ok = (a == 1 || a == -1) && b == 0
	case Surgeon:
		ok = ok && f.Seat != s.Captain
	}
	if !ok {
		c.Wrong(at, "%s: it cannot take effect so", c.r.forms.Node(f))
	}
}
