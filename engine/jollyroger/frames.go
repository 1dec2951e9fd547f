package jollyroger

import "github.com/privateer-rl/privateer/engine/position"

// What a position calls the frames of the decision stack and their arguments.

// meaning is what an argument of a frame stands for, and so how it is written.
type meaning uint8

const (
	anAmount   meaning = iota // a number, from 0 to most
	aSeat                     // a seat
	seatOrNot                 // 1 + a seat, or 0: a seat, or −1
	aCard                     // a crew card
	aSide                     // of a mutiny
	aKind                     // the kind of another frame
	aWindow                   // for cards that may be played any time
	aMoment                   // for gifts
	aFlag                     // true or false
	anArgument                // what the effect of a card needs: a seat, −1, +1 or 0
)

type argument struct {
	name  string
	means meaning
	most  int // of an amount
	at    int // in Frame.Arg
}

// kindForm is how frames of a kind are written.
type kindForm struct {
	name   string
	seated bool // the frame belongs to a seat
	args   []argument
	secret bool // who is asked shows what he holds: other seats do not see the frame
}

func flagAt(i int, name string) argument { return argument{name, aFlag, 1, i} }

// named is a set of seats that has been named, in two arguments.
func named(at int) []argument {
	return []argument{{"named_low", anAmount, 255, at}, {"named_high", anAmount, 3, at + 1}}
}

var (
	off     = flagAt(cancelled, "cancelled")
	loot    = []argument{{"hostages", anAmount, 9, 0}, {"jewels", anAmount, 9, 1}}
	asking  = []argument{{"asked_low", anAmount, 255, 0}, {"asked_high", anAmount, 3, 1}}
	bidding = flagAt(1, "guard")
	passes  = []argument{{"passes", anAmount, MaxSeats, 0}}
	spoken  = flagAt(1, "spoken")
)

var kindForms = [256]kindForm{
	AskAppoint:    {"ask_appoint", true, []argument{flagAt(0, "mutiny")}, false},
	AskSail:       {"ask_sail", true, nil, false},
	AskMutiny:     {"ask_mutiny", true, nil, false},
	AskFaction:    {"ask_faction", true, []argument{flagAt(0, "offered"), spoken}, false},
	AskSeaDog:     {"ask_sea_dog", true, []argument{{"side", aSide, 0, 0}}, false},
	AskForced:     {"ask_forced", true, []argument{{"side", aSide, 0, 0}}, false},
	AskLookout:    {"ask_lookout", true, nil, true},
	AskFirst:      {"ask_first", true, nil, false},
	AskAttack:     {"ask_attack", true, nil, true},
	AskChange:     {"ask_change", true, nil, true},
	AskAssign:     {"ask_assign", true, nil, false},
	AskTraitor:    {"ask_traitor", true, []argument{{"card", aCard, 0, 0}, {"whose", aSeat, 0, 1}}, true},
	AskCook:       {"ask_cook", true, nil, true},
	AskPick:       {"ask_pick", true, []argument{flagAt(0, "cook")}, false},
	AskShare:      {"ask_share", true, nil, false},
	AskCarpenter:  {"ask_carpenter", true, nil, true},
	AskDonate:     {"ask_donate", true, []argument{{"carpenter", aSeat, 0, 0}}, false},
	AskClaim:      {"ask_claim", true, nil, false},
	AskClaimPrize: {"ask_claim_prize", true, []argument{{"victim", aSeat, 0, 0}}, false},
	AskExchange:   {"ask_exchange", true, loot, false},
	AskSell:       {"ask_sell", true, loot, false},
	AskSailor:     {"ask_sailor", true, nil, true},
	AskBoatswain:  {"ask_boatswain", true, nil, true},
	AskBribe:      {"ask_bribe", true, asking, false},
	AskBury:       {"ask_bury", true, nil, false},
	AskKid:        {"ask_kid", true, nil, true},
	AskPunish:     {"ask_punish", true, nil, false},
	AskVictim:     {"ask_victim", true, []argument{{"suggested", seatOrNot, 0, 0}}, false},
	AskDiscard:    {"ask_discard", true, nil, false},
	AskAnytime:    {"ask_anytime", true, []argument{{"window", aWindow, 0, 0}}, true},
	AskMate:       {"ask_mate", true, []argument{{"first", seatOrNot, 0, 0}}, false},
	AskGift:       {"ask_gift", true, []argument{{"moment", aMoment, 0, 0}, spoken}, false},
	AskOffer:      {"ask_offer", true, []argument{{"receiver", aSeat, 0, 0}, bidding}, false},
	AskAccept:     {"ask_accept", true, []argument{{"giver", aSeat, 0, 0}, bidding}, false},
	AskRest:       {"ask_rest", true, append([]argument{{"left", anAmount, MaxSeats, 0}, flagAt(1, "without")}, named(2)...), false},

	ChooseCaptain: {"choose_captain", false, nil, false},
	DealCrew:      {"deal_crew", true, nil, false},
	DealPool:      {"deal_pool", true, nil, false},
	DealTarget:    {"deal_target", false, nil, false},
	DealSpoils:    {"deal_spoils", false, nil, false},
	DealPrize:     {"deal_prize", true, nil, false},
	StealCrew:     {"steal_crew", true, []argument{{"victim", aSeat, 0, 0}}, false},
	LoseCrew:      {"lose_crew", true, nil, false},
	StealBuried:   {"steal_buried", true, []argument{{"victim", aSeat, 0, 0}}, false},
	StealPrize:    {"steal_prize", true, []argument{{"victim", aSeat, 0, 0}}, false},
	Appraise:      {"appraise", true, nil, false},

	DoRound:      {"do_round", false, nil, false},
	DoDeal:       {"do_deal", true, []argument{{"cards", anAmount, 99, 0}}, false},
	DoDraw:       {"do_draw", true, nil, false},
	DoFreeCards:  {"do_free_cards", false, nil, false},
	DoLimit:      {"do_limit", true, nil, false},
	DoLimits:     {"do_limits", false, nil, false},
	DoPoll:       {"do_poll", true, []argument{{"asks", aKind, 0, 0}, {"next", anAmount, MaxSeats + 1, 1}, {"end", anAmount, MaxSeats + 1, 2}, {"about", anAmount, 99, 3}, {"of", anAmount, 99, 4}}, false},
	DoWindow:     {"do_window", false, nil, false},
	DoVoyage:     {"do_voyage", false, nil, false},
	DoArrive:     {"do_arrive", false, nil, false},
	DoFirst:      {"do_first", false, nil, false},
	DoLap:        {"do_lap", true, passes, true},
	DoReveal:     {"do_reveal", false, nil, false},
	DoAssign:     {"do_assign", false, nil, false},
	DoOutcome:    {"do_outcome", false, []argument{flagAt(0, "success")}, false},
	DoLoot:       {"do_loot", false, []argument{{"prizes", anAmount, 99, 0}}, false},
	DoSplit:      {"do_split", false, nil, false},
	DoGive:       {"do_give", false, nil, false},
	DoPick:       {"do_pick", true, []argument{flagAt(0, "cook")}, false},
	DoShare:      {"do_share", false, nil, false},
	DoClaim:      {"do_claim", true, nil, false},
	DoPort:       {"do_port", false, nil, false},
	DoStall:      {"do_stall", true, nil, false},
	DoSell:       {"do_sell", true, loot, false},
	DoPrizes:     {"do_prizes", true, []argument{{"prizes", anAmount, 9, 0}}, false},
	DoIsland:     {"do_island", false, nil, false},
	DoBribe:      {"do_bribe", true, asking, false},
	DoBury:       {"do_bury", true, nil, false},
	DoMap:        {"do_map", false, nil, false},
	DoPunishment: {"do_punishment", false, nil, false},
	DoVictim:     {"do_victim", false, []argument{{"suggested", seatOrNot, 0, 0}}, false},
	DoPunish:     {"do_punish", false, []argument{{"suggested", seatOrNot, 0, 0}, flagAt(1, "ordered")}, false},
	DoFaction: {"do_faction", true, append(passes[:1:1],
		argument{"offered_low", anAmount, 255, offeredAt}, argument{"offered_high", anAmount, 3, offeredAt + 1},
		argument{"spoken_low", anAmount, 255, spokenAt}, argument{"spoken_high", anAmount, 3, spokenAt + 1}), false},
	DoMutinyEnd: {"do_mutiny_end", false, []argument{{"won_by", aSide, 0, 0}}, false},
	DoRest:      {"do_rest", false, []argument{flagAt(0, "held")}, false},
	DoPool:      {"do_pool", true, named(0), false},
	DoEffect:    {"do_effect", true, []argument{{"card", aCard, 0, 0}, {"with", anArgument, 0, 1}, {"and", anArgument, 0, 2}, off}, false},
	DoJoin:      {"do_join", true, []argument{{"card", aCard, 0, 0}, off}, false},
	DoCommit:    {"do_commit", true, []argument{{"card", aCard, 0, 0}, {"side", aSide, 0, 1}, flagAt(2, "effect"), {"target", anAmount, MaxSeats, 3}, off}, false},
	DoCancel:    {"do_cancel", true, []argument{{"card", aCard, 0, 0}, off}, false},
	DoAppraise:  {"do_appraise", true, []argument{{"done", anAmount, 9, 0}}, false},
}

func (k Kind) String() string { return kindForms[k].name }

// kindNames are the names of all kinds by number, "" where there is none.
var kindNames = func() []string {
	names := make([]string, len(kindForms))
	for k, f := range kindForms {
		names[k] = f.name
	}
	return names
}()

// written is the frame as it stands in the position that a seat, or engine.Full, sees.
func (r *Rules) written(f Frame, view int) position.Object {
	form := &kindForms[f.Kind]
	o := position.Object{{Name: "kind", Value: form.name}}
	if form.seated {
		o.Add("seat", f.Seat)
	}
	if r.masked(f, view) {
		return o
	}
	for _, a := range form.args {
		o.Add(a.name, a.written(f.Arg[a.at]))
	}
	return o
}

func (a argument) written(x int8) any {
	switch a.means {
	case seatOrNot:
		return x - 1
	case aCard:
		return crewNames[x]
	case aSide:
		return sideNames[x]
	case aKind:
		return kindNames[uint8(x)]
	case aWindow:
		return windowNames[x]
	case aMoment:
		return momentNames[x]
	case aFlag:
		return x != 0
	case anAmount:
		if a.most > 127 {
			return uint8(x)
		}
	}
	return x
}
