package jollyroger

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// What may stand on what in the decision stack. Frames that would undo what others rely on
// are refused by it; a position's stack is played as it stands.

// bottom stands for no frame.
const bottom = "-"

// beneath has, for each frame, those that it can stand on. A poll is told apart by what
// it asks, an effect by its card. The conformance suite checks random matches against it.
var beneath = map[string][]string{
	"appraise":              strings.Fields("do_appraise"),
	"ask_accept":            strings.Fields("ask_faction do_bribe poll:ask_gift"),
	"ask_anytime":           strings.Fields("poll:ask_anytime"),
	"ask_appoint":           strings.Fields("do_split do_window"),
	"ask_assign":            strings.Fields("do_punishment"),
	"ask_attack":            strings.Fields("do_lap"),
	"ask_boatswain":         strings.Fields("poll:ask_boatswain"),
	"ask_bribe":             strings.Fields("poll:ask_boatswain"),
	"ask_bury":              strings.Fields("do_bury"),
	"ask_carpenter":         strings.Fields("poll:ask_carpenter"),
	"ask_change":            strings.Fields("poll:ask_change"),
	"ask_claim":             strings.Fields("poll:ask_carpenter"),
	"ask_claim_prize":       strings.Fields("poll:ask_carpenter"),
	"ask_cook":              strings.Fields("poll:ask_cook"),
	"ask_discard":           strings.Fields("do_limit"),
	"ask_donate":            strings.Fields("poll:ask_donate"),
	"ask_exchange":          strings.Fields("do_punishment do_stall"),
	"ask_faction":           strings.Fields("do_faction"),
	"ask_first":             strings.Fields("do_first"),
	"ask_forced":            strings.Fields("do_faction"),
	"ask_gift":              strings.Fields("poll:ask_gift"),
	"ask_kid":               strings.Fields("poll:ask_kid"),
	"ask_lookout":           strings.Fields("poll:ask_lookout"),
	"ask_mate":              strings.Fields("do_faction do_first do_lap poll:ask_anytime"),
	"ask_mutiny":            strings.Fields("poll:ask_mutiny"),
	"ask_offer":             strings.Fields("ask_faction do_bribe poll:ask_gift"),
	"ask_pick":              strings.Fields("do_share poll:ask_anytime poll:ask_cook"),
	"ask_punish":            strings.Fields("poll:ask_anytime"),
	"ask_rest":              strings.Fields("do_limits"),
	"ask_sail":              strings.Fields("do_window"),
	"ask_sailor":            strings.Fields("poll:ask_sailor"),
	"ask_sea_dog":           strings.Fields("do_faction"),
	"ask_sell":              strings.Fields("do_punishment do_stall"),
	"ask_share":             strings.Fields("do_share"),
	"ask_traitor":           strings.Fields("poll:ask_traitor"),
	"ask_victim":            strings.Fields("poll:ask_anytime"),
	"choose_captain":        strings.Fields("do_round"),
	"deal_crew":             strings.Fields("do_deal do_draw do_limit effect:stowaways poll:ask_anytime"),
	"deal_pool":             strings.Fields("do_pool"),
	"deal_prize":            strings.Fields("do_prizes"),
	"deal_spoils":           strings.Fields("do_loot"),
	"deal_target":           strings.Fields("do_port poll:ask_anytime poll:ask_lookout"),
	"do_appraise":           strings.Fields("-"),
	"do_arrive":             strings.Fields("do_punishment"),
	"do_assign":             strings.Fields("do_punishment"),
	"do_bribe":              strings.Fields("poll:ask_boatswain"),
	"do_bury":               strings.Fields("do_bury do_map"),
	"do_cancel":             strings.Fields("do_cancel do_commit do_join effect:boatswain effect:carpenter effect:cook effect:first_mate effect:lookout effect:master_mariner effect:old_sailor effect:second_mate effect:sharpshooter effect:smart_kid effect:stowaways effect:surgeon"),
	"do_claim":              strings.Fields("poll:ask_carpenter"),
	"do_commit":             strings.Fields("do_faction"),
	"do_deal":               strings.Fields("do_limits do_round"),
	"do_draw":               strings.Fields("do_draw do_limit effect:stowaways poll:ask_anytime"),
	"do_faction":            strings.Fields("do_mutiny_end"),
	"do_first":              strings.Fields("do_lap"),
	"do_free_cards":         strings.Fields("poll:ask_anytime"),
	"do_give":               strings.Fields("do_share"),
	"do_island":             strings.Fields("do_punishment"),
	"do_join":               strings.Fields("do_lap"),
	"do_lap":                strings.Fields("do_reveal"),
	"do_limit":              strings.Fields("ask_faction do_arrive do_faction do_first do_free_cards do_lap do_limit do_punish do_sell do_stall poll:ask_anytime poll:ask_boatswain poll:ask_gift"),
	"do_limits":             strings.Fields("do_arrive do_free_cards do_punish do_sell do_stall"),
	"do_loot":               strings.Fields("do_split"),
	"do_map":                strings.Fields("poll:ask_anytime"),
	"do_mutiny_end":         strings.Fields("do_arrive do_free_cards do_punish"),
	"do_pick":               strings.Fields("do_share"),
	"do_pool":               strings.Fields("do_limits"),
	"do_port":               strings.Fields("do_punishment"),
	"do_prizes":             strings.Fields("do_sell"),
	"do_punish":             strings.Fields("poll:ask_anytime"),
	"do_punishment":         strings.Fields("poll:ask_anytime"),
	"do_rest":               strings.Fields("do_arrive do_free_cards do_punish"),
	"do_reveal":             strings.Fields("do_punishment"),
	"do_round":              strings.Fields("-"),
	"do_sell":               strings.Fields("do_punishment do_stall"),
	"do_share":              strings.Fields("poll:ask_carpenter"),
	"do_split":              strings.Fields("do_punishment do_rest"),
	"do_stall":              strings.Fields("do_punishment do_stall"),
	"do_victim":             strings.Fields("poll:ask_anytime"),
	"do_voyage":             strings.Fields("do_punishment"),
	"do_window":             strings.Fields("do_arrive do_free_cards"),
	"effect:boatswain":      strings.Fields("poll:ask_boatswain"),
	"effect:carpenter":      strings.Fields("poll:ask_carpenter"),
	"effect:cook":           strings.Fields("poll:ask_cook"),
	"effect:first_mate":     strings.Fields("poll:ask_change"),
	"effect:lookout":        strings.Fields("poll:ask_lookout"),
	"effect:master_mariner": strings.Fields("poll:ask_change"),
	"effect:old_sailor":     strings.Fields("poll:ask_sailor"),
	"effect:second_mate":    strings.Fields("do_faction do_first do_lap poll:ask_anytime"),
	"effect:sharpshooter":   strings.Fields("poll:ask_change"),
	"effect:smart_kid":      strings.Fields("poll:ask_kid"),
	"effect:stowaways":      strings.Fields("do_faction do_first do_lap do_limit poll:ask_anytime"),
	"effect:surgeon":        strings.Fields("do_faction do_lap poll:ask_anytime"),
	"lose_crew":             strings.Fields("poll:ask_anytime"),
	"poll:ask_anytime":      strings.Fields("ask_appoint ask_exchange ask_punish deal_target do_bribe do_deal do_free_cards do_give do_rest do_round do_victim do_voyage poll:ask_boatswain poll:ask_carpenter poll:ask_change poll:ask_cook poll:ask_gift poll:ask_kid poll:ask_lookout poll:ask_sailor"),
	"poll:ask_boatswain":    strings.Fields("do_bury"),
	"poll:ask_carpenter":    strings.Fields("do_punishment do_rest"),
	"poll:ask_change":       strings.Fields("do_assign"),
	"poll:ask_cook":         strings.Fields("do_pick"),
	"poll:ask_donate":       strings.Fields("do_claim"),
	"poll:ask_gift":         strings.Fields("ask_punish ask_sail poll:ask_cook poll:ask_mutiny"),
	"poll:ask_kid":          strings.Fields("do_punishment"),
	"poll:ask_lookout":      strings.Fields("do_first"),
	"poll:ask_mutiny":       strings.Fields("do_arrive do_free_cards do_punish"),
	"poll:ask_sailor":       strings.Fields("do_island"),
	"poll:ask_traitor":      strings.Fields("do_cancel do_commit do_join effect:boatswain effect:carpenter effect:cook effect:first_mate effect:lookout effect:master_mariner effect:old_sailor effect:second_mate effect:sharpshooter effect:smart_kid effect:stowaways effect:surgeon"),
	"steal_buried":          strings.Fields("poll:ask_kid"),
	"steal_crew":            strings.Fields("do_limit steal_crew"),
	"steal_prize":           strings.Fields("poll:ask_carpenter"),
}

// nodeOf is what beneath calls a frame.
func nodeOf(f Frame) string {
	switch f.Kind {
	case DoPoll:
		return "poll:" + kindNames[uint8(f.Arg[0])]
	case DoEffect:
		return "effect:" + crewNames[f.Arg[0]]
	}
	return f.Kind.String()
}

// most frames of a position's stack; a match needs no more, and has room for what
// a few of them can lead to.
const mostFrames = 28

// frames checks the stack: each frame stands where it can, and what it says can
// come to pass.
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
	under := bottom
	for i, f := range s.Frames[:s.Depth] {
		at := fmt.Sprintf("stack[%d]", i)
		if kindForms[f.Kind].name == "" {
			c.Wrong(at, "there is no frame of kind %d", f.Kind)
			return
		}
		if !c.arguments(at, f) {
			return
		}
		node := nodeOf(f)
		if !slices.Contains(beneath[node], under) {
			c.Wrong(at, "%s cannot stand on %s: it stands on one of %s", node, under, strings.Join(beneath[node], ", "))
			return
		}
		under = node
		if c.place(at, f, s.Frames[:i]); len(c.List) > 0 {
			return
		}
	}
	if !s.Next().asks() {
		return
	}
	var legal engine.Mask
	if c.r.Legal(s, &legal); legal.First() < 0 {
		c.Wrong("stack", "%s: nothing is legal there", nodeOf(s.Top()))
	}
}

// arguments checks the ranges of a frame's arguments.
func (c *checking) arguments(at string, f Frame) bool {
	form := &kindForms[f.Kind]
	if form.seated && !(f.Seat == noSeat && f.Kind == DoLap) && !c.isSeat(at+".seat", f.Seat) {
		return false
	}
	used := 0
	for _, a := range form.args {
		x := f.Arg[a.at]
		least, most := 0, a.most
		switch a.means {
		case aSeat:
			most = c.r.seats - 1
		case seatOrNot:
			most = c.r.seats
		case anArgument:
			least, most = -1, MaxSeats-1
		case aCard:
			most = NumCrew - 1
		case aSide:
			most = int(ForMutineer)
		case aKind:
			least, most = 1, NumAsks-1
		case aWindow:
			most = NumWindows - 1
		case aMoment:
			most = NumMoments - 1
		case anAmount:
			if most > 127 {
				used |= 1 << a.at
				continue
			}
		}
		used |= 1 << a.at
		if int(x) < least || int(x) > most {
			c.Wrong(at+"."+a.name, "%d: want %d to %d", x, least, most)
			return false
		}
	}
	for i, x := range f.Arg {
		if used>>i&1 == 0 && x != 0 {
			c.Wrong(at, "argument %d belongs to no frame of this kind", i)
			return false
		}
	}
	return true
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
			c.Wrong(at, "%s: %s", nodeOf(f), why)
		}
	}
	seat, other := int(f.Seat), int(f.Arg[0])
	if c, ok := f.Kind.card(); ok && !s.holds(seat, c) {
		wrong(true, "the seat holds no "+crewNames[c])
	}
	switch f.Kind {
	case AskAppoint:
		wrong(!r.officers, "three players have no Quartermaster")
		wrong(f.Seat != s.Captain, "its seat is the Captain's to decide")
	case AskSail, AskPunish:
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
		wrong(other == seat+1, "nobody steals from himself")
	case AskDonate, AskClaimPrize:
		wrong(other == seat, "it is about another seat")
	case AskExchange, AskSell, DoSell:
		wrong(f.Arg[0] < 0 || f.Arg[0] > int8(s.Prizes[seat][Hostage]) || f.Arg[1] < 0 || f.Arg[1] > int8(s.Prizes[seat][Jewels]), "the seat does not have them")
		wrong(f.Kind == AskSell && (s.PrizesLeft == 0 || f.Arg[0]+f.Arg[1] == 0), "there is nothing to sell, or no prize to draw")
	case AskBribe, DoBribe:
		wrong(f.Seat != s.Guard, "it is the guard's to decide")
	case AskOffer:
		wrong(other == seat || (f.Arg[1] != 0) != (under.Kind == DoBribe), "an offer is made to another seat, to guard the ship exactly on do_bribe")
	case AskAccept:
		wrong(other == seat || (f.Arg[1] != 0) != (under.Kind == DoBribe), "an offer is made by another seat, to guard the ship exactly on do_bribe")
	case AskBury:
		wrong(f.Seat == s.Guard || under.Seat != f.Seat, "the seat cannot bury now")
	case AskDiscard, DoLimit:
		wrong(f.Kind == AskDiscard && (s.Size[seat] <= r.limit || under.Seat != f.Seat), "the seat holds no more than the hand limit")
	case AskGift:
		wrong(r.bribes == noBribes, "bribes are off")
	case AskRest:
		wrong(f.Seat != s.Quartermaster, "it is the Quartermaster's to decide")
		rest := sum(s.Played[:]) % r.seats
		left := rest
		if f.Arg[1] != 0 {
			left = r.seats - rest
		}
		wrong(Named(f)&^r.everyone() != 0 || f.Arg[0] < 1 || rest == 0 || int(f.Arg[0])+bits.OnesCount16(Named(f)) != left, "the cards do not divide so")
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
		wrong(!r.hidden || other == seat || sum(s.Prizes[other][:]) == 0, "there is no hidden prize to take")
	case DoPoll:
		wrong(f.Arg[2] > int8(r.seats)+1 || f.Arg[1] > f.Arg[2], "it asks seats that there are not")
		c.about(at, f)
		wrong(Kind(f.Arg[0]) == AskMutiny && (s.MutinyTried || f.Seat != s.Captain || f.Arg[1] < 1 || int(f.Arg[2]) > r.seats), "a mutiny cannot be called")
		wrong(Kind(f.Arg[0]) == AskGift && r.bribes == noBribes, "bribes are off")
		wrong(top || f.Arg[1] < 1 && s.Frames[len(below)+1].Kind == Kind(f.Arg[0]), "it has asked nobody yet")
	case DoMutinyEnd:
		wrong(under.Kind != DoArrive && under.Kind != DoFreeCards && under.Kind != DoPunish, "no mutiny begins there")
	case DoEffect:
		c.effect(at, f)
	case DoCommit:
		wrong(f.Arg[1] == Neutral || s.Side[seat] != f.Arg[1], "its side is not the seat's")
		card := f.Arg[0]
		wrong(f.Arg[2] != 0 && card != SeaDog && card != Cutthroat, "the card has no effect in a mutiny")
		wrong(f.Arg[2] != 0 && card == SeaDog && (int(f.Arg[3]) >= r.seats || f.Arg[3] == f.Seat || s.Side[min(int(f.Arg[3]), MaxSeats-1)] != Neutral), "nobody can be pressed there")
		wrong(f.Arg[2] != 0 && card == Cutthroat && f.Arg[3] != ForCaptain && f.Arg[3] != ForMutineer, "the Cutthroat kills for one of two sides")
	case DoJoin:
		wrong(int(f.Arg[0]) >= NumNormal, "a card without a skill cannot join an attack")
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
		c.Wrong(at, "%s: about %d of %d: want at most %d of %d", nodeOf(f), f.Arg[3], f.Arg[4], most, mostOf)
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
		ok = ok && r.officers && f.Seat != s.Captain
	}
	if !ok {
		c.Wrong(at, "%s: it cannot take effect so", nodeOf(f))
	}
}
