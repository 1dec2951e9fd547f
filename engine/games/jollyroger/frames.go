package jollyroger

import (
	"fmt"
	"maps"
	"slices"

	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// The frames of the decision stack, each kind in one row. What a kind does stands in the switches
// of the rules.

// Kind distinguishes frames. Kinds up to lastDecision wait for a seat, those up to
// lastChance for chance; the rest act by themselves.
type Kind uint8

func (k Kind) String() string { return widest.Name(k) }

func (k Kind) asks() bool    { return k != AskNothing && k <= lastDecision }
func (k Kind) chances() bool { return k >= ChooseCaptain && k <= lastChance }

// Decisions of a seat. The numbers are part of observations: a new one goes to the end.
const (
	AskNothing    Kind = iota
	AskAppoint         // Captain: choose the Quartermaster
	AskSail            // Captain: choose the destination
	AskMutiny          // call a mutiny with a card, or pass
	AskFaction         // play a card for a side, or pass
	AskSeaDog          // name who is pressed into the side, or pass for a plain crewman
	AskForced          // play a card for the side
	AskLookout         // reveal the destination, or pass
	AskFirst           // Quartermaster: play the first card of the attack
	AskAttack          // play a card, or pass; the Quartermaster may reveal
	AskChange          // change what the destination needs, or pass
	AskAssign          // Quartermaster: let the cards of any skill make it succeed or fail
	AskTraitor         // cancel a card, or pass
	AskCook            // choose a prize before the Captain, or pass
	AskPick            // choose a prize
	AskShare           // Quartermaster: give a prize to a player
	AskCarpenter       // ask for a prize, or pass
	AskDonate          // give the carpenter a prize, or pass
	AskClaim           // claim from the Captain or the Quartermaster
	AskClaimPrize      // choose the victim's prize
	AskExchange        // discard a prize for a crew card, or pass
	AskSell            // ransom, sell or pass
	AskSailor          // play the Old Sailor, or pass
	AskBoatswain       // name who may not bury, or pass
	AskBribe           // whom to ask to guard instead, or pass
	AskBury            // bury prizes, or pass
	AskKid             // whose buried prize to take, or pass
	AskPunish          // Captain: punish, suggest or spare
	AskVictim          // Quartermaster: whom to punish
	AskDiscard         // discard a card down to the hand limit
	AskAnytime         // play a card that may be played any time, or pass
	AskMate            // Second Mate: from whom to steal
	AskGift            // offer a gift to a seat, say something, or pass
	AskOffer           // add a card, propose or withdraw
	AskAccept          // accept or refuse
	AskRest            // Quartermaster: who gets one of the last cards of a mutiny, or goes without
	NumAsks       = iota

	lastDecision = 63
)

// Events of chance.
const (
	ChooseCaptain Kind = iota + lastDecision + 1 // who gets the Captain card
	DealCrew                                     // Seat draws a crew card
	DealPool                                     // Seat is dealt one of the cards of the mutiny
	DealTarget                                   // the destination card is revealed
	DealSpoils                                   // a prize is drawn to be shared out
	DealPrize                                    // Seat draws a prize
	StealCrew                                    // Seat steals one of the victim's crew cards
	LoseCrew                                     // Seat discards a crew card drawn at random
	StealBuried                                  // Seat takes one of the victim's buried prizes
	StealPrize                                   // Seat takes one of the victim's prizes, unseen
	Appraise                                     // what one unsold jewels card of Seat is worth

	lastChance = 127
)

// Steps that need nobody.
const (
	DoRound      Kind = iota + lastChance + 1 // begin a round, or end the match
	DoDeal                                    // cards are dealt one at a time, Seat first
	DoDraw                                    // Seat draws a crew card
	DoFreeCards                               // who holds no card draws one
	DoLimit                                   // Seat discards down to the hand limit
	DoLimits                                  // everybody does
	DoPoll                                    // ask those, counted from Seat, who can say yes
	DoWindow                                  // a mutiny may be called
	DoVoyage                                  // the Captain chooses a destination
	DoArrive                                  // go to the destination
	DoFirst                                   // the Quartermaster plays the first card
	DoLap                                     // Seat may play in the attack
	DoReveal                                  // reveal the destination
	DoAssign                                  // can the attack succeed?
	DoOutcome                                 // it succeeds or fails
	DoLoot                                    // draw prizes to be shared out
	DoSplit                                   // share the spoils out
	DoPick                                    // Seat chooses a prize
	DoShare                                   // share the rest out
	DoGive                                    // the Quartermaster gives a prize away
	DoClaim                                   // Seat, the carpenter, claims a prize if nobody gave one
	DoPort                                    // the port card is revealed: deal and trade
	DoStall                                   // Seat trades
	DoSell                                    // Seat ransoms and sells
	DoPrizes                                  // Seat draws prizes
	DoIsland                                  // is there a map?
	DoBribe                                   // Seat looks for somebody to guard instead
	DoBury                                    // Seat buries
	DoMap                                     // the map is discarded
	DoPunishment                              // punishment phase
	DoPunish                                  // execute what the Captain has decided
	DoVictim                                  // the Quartermaster chooses a victim
	DoFaction                                 // Seat may play in the mutiny
	DoMutinyEnd                               // count, unless a side has won
	DoRest                                    // who gets the last cards of the mutiny, if they do not divide evenly?
	DoPool                                    // the cards of the mutiny are dealt again, Seat next
	DoEffect                                  // a special card takes effect
	DoJoin                                    // a card joins the attack
	DoCommit                                  // a card joins the mutiny
	DoCancel                                  // the Traitor cancels what the frame below does
	DoAppraise                                // unsold jewels get their worth, Seat next
)

// limits are what the ranges of arguments, and what is asked at all, depend on.
type limits struct {
	seats                    int
	officers, hidden, bribes bool
}

// widest has what any configuration has.
var widest = forms(limits{MaxSeats, true, true, true})

// forms are the kinds of frame of a configuration.
func forms(l limits) *frames.Table[Kind] {
	args, means, number := frames.Args, frames.Described, frames.Number
	flag := func(doc string) frames.Meaning { return means(frames.Flag(), doc) }
	aSeat := func(doc string) frames.Meaning { return means(frames.Worded(number(0, l.seats-1), seatWord), doc) }
	from := func(at int, list []frames.Arg) []frames.Arg { // the arguments from this one on
		for i := range list {
			list[i].At += at
		}
		return list
	}
	set := func(at int, name, doc string) []frames.Arg { // of seats, in two arguments
		return from(at, args(name+"_low", means(frames.Octet(255), doc), name+"_high", means(number(0, 3), "The same of seats 8 and 9.")))
	}
	// The kinds below a kind if it is in the game at all.
	with := func(is bool, on string) string {
		if is {
			return on
		}
		return ""
	}

	seat := aSeat("The seat that it belongs to; -1 if the lap has not begun.")
	lapSeat := means(number(noSeat, l.seats-1), "The seat that it belongs to; -1 if the lap has not begun.")
	const cardDoc = "The crew card that was played."
	card, skill := means(frames.Name(crewNames...), cardDoc), means(frames.Name(crewNames[:NumNormal]...), cardDoc)
	side := means(frames.Name(sideNames...), "The side of a mutiny that the card is for.")
	victim := args("victim", aSeat("The seat that loses a card."))
	cook := args("cook", flag("Whether the prize is chosen by the Cook, before the Captain."))
	loot := args("hostages", means(number(0, 9), "Port: hostages that may be ransomed."), "jewels", means(number(0, 9), "Port: jewels that may be sold."))
	trade := append(loot[:2:2], from(drawnAt, args("drawn", frames.Optional(means(number(0, 99), "Port: prizes that the seat has drawn since it began to trade. Left out: none."),
		func(int8) int8 { return 0 })))...)
	asked := set(0, "asked", "Boatswain: seats 0 to 7 that the guard has asked, as bits.")
	named := func(at int) []frames.Arg {
		return set(at, "named", "ask_rest: seats 0 to 7 that the Quartermaster has named, as bits; do_pool: those of them that are still to get one of the last cards.")
	}
	passes := args("passes", means(number(0, MaxSeats), "Seats that have been asked since a card was played."))
	spoken := flag("Whether the seat has said something at this moment, or in this mutiny.")
	guard := means(frames.Worded(frames.Flag(), chosen("", ", and guard the ship")), "Whether the offer is for guarding the ship.")
	suggested := means(frames.Worded(frames.Shifted(-1, noSeat, l.seats-1), func(x int8) string {
		if x == 0 {
			return ""
		}
		return " The Captain suggests " + seatWord(x-1)
	}), "The victim whom the Captain suggests, or -1.")
	prizes := func(most int) []frames.Arg {
		return args("prizes", means(number(0, most), "Prizes still to be drawn."))
	}
	target := number(noSeat, MaxSeats-1)
	off := []frames.Arg{{Name: "cancelled", Means: flag("Whether a Traitor has cancelled it."), At: cancelled}}
	officer, claimed := "Captain", "the Captain"
	if l.officers {
		officer, claimed = "Quartermaster", "the Captain or the Quartermaster"
	}

	const (
		anytime   = "do_poll:ask_anytime"
		turn      = "do_faction do_first do_lap"        // in which cards of any time are played
		landing   = "do_arrive do_free_cards do_punish" // after a mutiny
		dealt     = "do_stall do_sell " + landing       // on which hands fall to the limit
		offering  = "do_bribe do_faction do_poll:ask_gift"
		splitting = "do_punishment do_rest"
	)
	effects := map[string]string{ // by card
		"boatswain": "do_poll:ask_boatswain", "carpenter": "do_poll:ask_carpenter", "cook": "do_poll:ask_cook", "first_mate": "do_poll:ask_change",
		"lookout": "do_poll:ask_lookout", "master_mariner": "do_poll:ask_change", "old_sailor": "do_poll:ask_sailor", "sharpshooter": "do_poll:ask_change",
		"smart_kid": "do_poll:ask_kid", "second_mate": turn + " " + anytime, "stowaways": turn + " do_limit " + anytime,
		"surgeon": with(l.officers, "do_faction do_lap "+anytime),
	}
	played := "do_cancel do_commit do_join" // cards that may be cancelled
	for _, c := range slices.Sorted(maps.Keys(effects)) {
		played += " do_effect:" + c
	}

	all := []frames.Form[Kind]{
		{Kind: AskAppoint, Name: "ask_appoint", Seat: seat, Args: args("mutiny", flag("Whether the appointment follows a mutiny.")),
			On: with(l.officers, "do_split do_window"), Says: "{seat}: Captain, appoint a Quartermaster"},
		{Kind: AskSail, Name: "ask_sail", Seat: seat, On: "do_window", Says: "{seat}: Captain, choose the destination"},
		{Kind: AskMutiny, Name: "ask_mutiny", Seat: seat, On: "do_poll:ask_mutiny", Says: "{seat}: call a mutiny with a crew card, or pass"},
		{Kind: AskFaction, Name: "ask_faction", Seat: seat, Args: args("spoken", spoken),
			On: "do_faction", Says: "{seat}: mutiny, crewmen for the Captain {for}, against {against}: play a card, or pass"},
		{Kind: AskSeaDog, Name: "ask_sea_dog", Seat: seat, Args: args("side", side), On: "do_faction",
			Says: "{seat}: Sea Dog: who must join your side? Pass to play it as a crewman only"},
		{Kind: AskForced, Name: "ask_forced", Seat: seat, Args: args("side", side), On: "do_faction", Says: "{seat}: pressed into the side of the {side}: play a card"},
		{Kind: AskLookout, Name: "ask_lookout", Seat: seat, Secret: true, On: "do_poll:ask_lookout", Says: "{seat}: Lookout: reveal the destination now, or pass"},
		{Kind: AskFirst, Name: "ask_first", Seat: seat, On: "do_first", Says: "{seat}: " + officer + ", play the first card of the attack"},
		{Kind: AskAttack, Name: "ask_attack", Seat: seat, Secret: true, On: "do_lap", Says: "{seat}: attack: {attack}, or pass"},
		{Kind: AskChange, Name: "ask_change", Seat: seat, Secret: true, On: "do_poll:ask_change", Says: "{seat}: change what the destination needs, or pass"},
		{Kind: AskAssign, Name: "ask_assign", Seat: seat, On: "do_punishment",
			Says: "{seat}: " + officer + ", use the cards of any skill so that the attack succeeds or fails"},
		{Kind: AskTraitor, Name: "ask_traitor", Seat: seat, Secret: true, Args: args("card", card, "whose", aSeat("The seat whose card it is.")),
			On: "do_poll:ask_traitor", Says: "{seat}: Traitor: cancel {card} of {whose}, or pass"},
		{Kind: AskCook, Name: "ask_cook", Seat: seat, Secret: true, On: "do_poll:ask_cook", Says: "{seat}: Cook: choose a prize before the Captain, or pass"},
		{Kind: AskPick, Name: "ask_pick", Seat: seat, Args: cook, On: "do_share do_poll:ask_cook " + anytime, Says: "{seat}: choose a prize"},
		{Kind: AskShare, Name: "ask_share", Seat: seat, On: "do_share", Says: "{seat}: " + officer + ", give away a prize"},
		{Kind: AskCarpenter, Name: "ask_carpenter", Seat: seat, Secret: true, On: "do_poll:ask_carpenter", Says: "{seat}: Carpenter: ask for a prize, or pass"},
		{Kind: AskDonate, Name: "ask_donate", Seat: seat, Args: args("carpenter", aSeat("The seat that has played the Carpenter.")), On: "do_poll:ask_donate",
			Says: "{seat}: give the carpenter, {carpenter}, a prize, or pass"},
		{Kind: AskClaim, Name: "ask_claim", Seat: seat, On: "do_poll:ask_carpenter", Says: "{seat}: Carpenter: claim a prize from " + claimed},
		{Kind: AskClaimPrize, Name: "ask_claim_prize", Seat: seat, Args: victim, On: "do_poll:ask_carpenter", Says: "{seat}: Carpenter: which prize of {victim}?"},
		{Kind: AskExchange, Name: "ask_exchange", Seat: seat, Args: loot, On: "do_punishment do_stall", Says: "{seat}: port: exchange a prize for a crew card, or pass"},
		{Kind: AskSell, Name: "ask_sell", Seat: seat, Args: trade, On: "do_punishment do_stall", Says: "{seat}: port: ransom a hostage, sell jewels, or pass"},
		{Kind: AskSailor, Name: "ask_sailor", Seat: seat, Secret: true, On: "do_poll:ask_sailor", Says: "{seat}: play the Old Sailor to reach Treasure Island, or pass"},
		{Kind: AskBoatswain, Name: "ask_boatswain", Seat: seat, Secret: true, On: "do_poll:ask_boatswain",
			Says: "{seat}: Boatswain: who guards the ship and may not bury? Or pass"},
		{Kind: AskBribe, Name: "ask_bribe", Seat: seat, Args: asked, On: "do_poll:ask_boatswain", Says: "{seat}: you guard the ship: bribe somebody to do it, or pass"},
		{Kind: AskBury, Name: "ask_bury", Seat: seat, On: "do_bury", Says: "{seat}: bury a prize, all of them, or pass"},
		{Kind: AskKid, Name: "ask_kid", Seat: seat, Secret: true, On: "do_poll:ask_kid", Says: "{seat}: Smart Kid: from whom do you take a buried prize? Or pass"},
		{Kind: AskPunish, Name: "ask_punish", Seat: seat, On: anytime, Says: "{seat}: Captain, order a punishment or spare the crew"},
		{Kind: AskVictim, Name: "ask_victim", Seat: seat, Args: args("suggested", suggested), On: anytime, Says: "{seat}: " + officer + ", whom do you punish?{suggested}"},
		{Kind: AskDiscard, Name: "ask_discard", Seat: seat, On: "do_limit", Says: "{seat}: discard a card, down to {limit}"},
		{Kind: AskAnytime, Name: "ask_anytime", Seat: seat, Secret: true, Args: args("window", means(frames.Name(windowNames...), "The moment for cards that may be played any time.")),
			On: anytime, Says: "{seat}: play a card that may be played any time, or pass ({window})"},
		{Kind: AskMate, Name: "ask_mate", Seat: seat, Args: args("first", means(frames.Shifted(-1, noSeat, l.seats-1), "Second Mate: the first victim, -1 before one is named.")),
			On: turn + " " + anytime, Says: "{seat}: Second Mate: from whom do you steal a card?"},
		{Kind: AskGift, Name: "ask_gift", Seat: seat, Args: args("moment", means(frames.Name(momentNames...), "Before what gifts are offered."), "spoken", spoken),
			On: with(l.bribes, "do_poll:ask_gift"), Says: "{seat}: offer a gift, or pass ({moment})"},
		{Kind: AskOffer, Name: "ask_offer", Seat: seat, Args: args("receiver", aSeat("The seat that the offer is made to."), "guard", guard), On: offering,
			Says: "{seat}: add a card to the offer to {receiver}, propose it, or pass to take it back"},
		{Kind: AskAccept, Name: "ask_accept", Seat: seat, Args: args("giver", aSeat("The seat that makes the offer."), "guard", guard), On: offering,
			Says: "{seat}: accept what {giver} offers{guard}?"},
		{Kind: AskRest, Name: "ask_rest", Seat: seat, On: "do_limits", Args: append(args("left", means(number(0, MaxSeats), "ask_rest: how many seats are still to be named."),
			"without", means(frames.Worded(frames.Flag(), chosen("gets", "goes without")), "ask_rest: whether those named get none of the last cards of the mutiny; else they get one.")), named(2)...),
			Says: "{seat}: " + officer + ", who {without} one of the last cards of the mutiny? ({left} to name)"},

		{Kind: ChooseCaptain, Name: "choose_captain", On: "do_round", Says: "chance: who gets the Captain card"},
		{Kind: DealCrew, Name: "deal_crew", Seat: seat, On: "do_deal do_draw do_limit do_effect:stowaways " + anytime, Says: "chance: {seat} draws a crew card"},
		{Kind: DealPool, Name: "deal_pool", Seat: seat, On: "do_pool", Says: "chance: {seat} is dealt a card of the mutiny"},
		{Kind: DealTarget, Name: "deal_target", On: "do_port do_poll:ask_lookout " + anytime, Says: "chance: the destination is revealed: {destination}"},
		{Kind: DealSpoils, Name: "deal_spoils", On: "do_loot", Says: "chance: a prize is drawn to be shared out"},
		{Kind: DealPrize, Name: "deal_prize", Seat: seat, On: "do_prizes", Says: "chance: {seat} draws a prize"},
		{Kind: StealCrew, Name: "steal_crew", Seat: seat, Args: victim, On: "do_limit steal_crew", Says: "chance: {seat} steals a crew card of {victim}"},
		{Kind: LoseCrew, Name: "lose_crew", Seat: seat, On: anytime, Says: "chance: {seat} loses a crew card"},
		{Kind: StealBuried, Name: "steal_buried", Seat: seat, Args: victim, On: "do_poll:ask_kid", Says: "chance: {seat} takes a buried prize of {victim}"},
		{Kind: StealPrize, Name: "steal_prize", Seat: seat, Args: victim, On: with(l.hidden, "do_poll:ask_carpenter"), Says: "chance: {seat} takes a prize of {victim}"},
		{Kind: Appraise, Name: "appraise", Seat: seat, On: "do_appraise", Says: "chance: what the jewels of {seat} are worth"},

		{Kind: DoRound, Name: "do_round", On: frames.Bottom},
		{Kind: DoDeal, Name: "do_deal", Seat: seat, Args: args("cards", means(number(0, 99), "do_deal: crew cards still to be dealt.")), On: "do_limits do_round"},
		{Kind: DoDraw, Name: "do_draw", Seat: seat, On: "do_draw do_limit do_effect:stowaways " + anytime},
		{Kind: DoFreeCards, Name: "do_free_cards", On: anytime},
		{Kind: DoLimit, Name: "do_limit", Seat: seat, On: dealt + " do_limit do_poll:ask_boatswain do_poll:ask_gift " + turn + " " + anytime},
		{Kind: DoLimits, Name: "do_limits", On: "do_stall do_sell " + landing},
		{Kind: DoWindow, Name: "do_window", On: "do_arrive do_free_cards"},
		{Kind: DoVoyage, Name: "do_voyage", On: "do_punishment"},
		{Kind: DoArrive, Name: "do_arrive", On: "do_punishment"},
		{Kind: DoFirst, Name: "do_first", On: "do_lap"},
		{Kind: DoLap, Name: "do_lap", Seat: lapSeat, Args: passes, On: "do_reveal"},
		{Kind: DoReveal, Name: "do_reveal", On: "do_punishment"},
		{Kind: DoAssign, Name: "do_assign", On: "do_punishment"},
		{Kind: DoOutcome, Name: "do_outcome", Args: args("success", flag("Whether the attack succeeds."))},
		{Kind: DoLoot, Name: "do_loot", Args: prizes(99), On: "do_split"},
		{Kind: DoSplit, Name: "do_split", On: splitting},
		{Kind: DoPick, Name: "do_pick", Seat: seat, Args: cook, On: "do_share"},
		{Kind: DoShare, Name: "do_share", On: "do_poll:ask_carpenter"},
		{Kind: DoGive, Name: "do_give", On: "do_share"},
		{Kind: DoClaim, Name: "do_claim", Seat: seat, On: "do_poll:ask_carpenter"},
		{Kind: DoPort, Name: "do_port", On: "do_punishment"},
		{Kind: DoStall, Name: "do_stall", Seat: seat, On: "do_punishment do_stall"},
		{Kind: DoSell, Name: "do_sell", Seat: seat, Args: trade, On: "do_punishment do_stall"},
		{Kind: DoPrizes, Name: "do_prizes", Seat: seat, Args: prizes(9), On: "do_sell"},
		{Kind: DoIsland, Name: "do_island", On: "do_punishment"},
		{Kind: DoBribe, Name: "do_bribe", Seat: seat, Args: asked, On: "do_poll:ask_boatswain"},
		{Kind: DoBury, Name: "do_bury", Seat: seat, On: "do_bury do_map"},
		{Kind: DoMap, Name: "do_map", On: anytime},
		{Kind: DoPunishment, Name: "do_punishment", On: anytime},
		{Kind: DoPunish, Name: "do_punish", Args: args("suggested", suggested, "ordered", flag("Whether the Captain has ordered a punishment.")), On: anytime},
		{Kind: DoVictim, Name: "do_victim", Args: args("suggested", suggested), On: anytime},
		{Kind: DoFaction, Name: "do_faction", Seat: seat, On: "do_mutiny_end", Args: slices.Concat(passes,
			set(spokenAt, "spoken", "do_faction: seats 0 to 7 that have said something in this mutiny, as bits."))},
		{Kind: DoMutinyEnd, Name: "do_mutiny_end", Args: args("won_by", means(frames.Name(sideNames...), "do_mutiny_end: the side that has won by a Cutthroat, else neutral.")), On: landing},
		{Kind: DoRest, Name: "do_rest", Args: args("held", flag("do_rest: whether the moment for cards that may be played any time is over.")), On: landing},
		{Kind: DoPool, Name: "do_pool", Seat: seat, Args: named(0), On: "do_limits"},
		{Kind: DoEffect, Name: "do_effect", Seat: seat, Sorts: effects, Args: append(args("card", card,
			"with", means(target, "do_effect: what the card is played with: a seat, +1 or -1, or for the Stowaways 1 while cards are drawn."),
			"and", means(target, "do_effect: the second victim of a Second Mate, -1 for none.")), off...)},
		{Kind: DoJoin, Name: "do_join", Seat: seat, Args: append(args("card", skill), off...), On: "do_lap"},
		{Kind: DoCommit, Name: "do_commit", Seat: seat, On: "do_faction", Args: append(args("card", card, "side", side,
			"effect", flag("do_commit: whether the card was played for its effect, not as a crewman only."),
			"target", means(number(0, MaxSeats), "do_commit: the seat that the Sea Dog presses, or whom the Cutthroat kills: 1 the Captain, 2 the First Mutineer.")), off...)},
		{Kind: DoCancel, Name: "do_cancel", Seat: seat, Args: append(args("card", card), off...), On: played},
		{Kind: DoAppraise, Name: "do_appraise", Seat: seat, Args: args("done", means(number(0, 9), "do_appraise: jewels of the seat that have been appraised.")), On: frames.Bottom},
	}

	asks := make([]string, NumAsks)
	for _, form := range all {
		if form.Kind.asks() {
			asks[form.Kind] = form.Name
		}
	}
	return frames.New(append(all, frames.Form[Kind]{Kind: DoPoll, Name: "do_poll", Seat: seat, Args: args(
		"asks", means(frames.Name(asks...), "do_poll: the decision that it asks seats for."),
		"next", means(number(0, l.seats+1), "do_poll: how many places clockwise from seat it asks next."),
		"end", means(number(0, l.seats+1), "do_poll: before how many places clockwise from seat it ends."),
		"about", means(number(0, 99), "do_poll: what its question is about: the number of a card, window or moment, or a seat."),
		"of", means(number(0, 99), "do_poll about a Traitor: the seat whose card it is.")),
		Sorts: map[string]string{
			"ask_anytime": "ask_appoint ask_exchange ask_punish deal_target do_bribe do_deal do_free_cards do_give do_rest do_round do_victim do_voyage " +
				"do_poll:ask_boatswain do_poll:ask_carpenter do_poll:ask_change do_poll:ask_cook do_poll:ask_gift do_poll:ask_kid do_poll:ask_lookout do_poll:ask_mutiny do_poll:ask_sailor",
			"ask_boatswain": "do_bury",
			"ask_carpenter": splitting,
			"ask_change":    "do_assign",
			"ask_cook":      "do_pick",
			"ask_donate":    "do_claim",
			"ask_gift":      with(l.bribes, "ask_appoint ask_punish ask_sail do_poll:ask_cook do_poll:ask_mutiny"),
			"ask_kid":       "do_punishment",
			"ask_lookout":   "do_first",
			"ask_mutiny":    landing,
			"ask_sailor":    "do_island",
			"ask_traitor":   played,
		}})...)
}

func seatWord(x int8) string { return fmt.Sprintf("seat %d", x) }

// chosen has a word for each side of a flag.
func chosen(no, yes string) func(x int8) string {
	return func(x int8) string {
		if x != 0 {
			return yes
		}
		return no
	}
}

// Arguments are the names of the arguments of a kind of frame, in the order of Frame.Arg.
func Arguments(k Kind) []string { return widest.Arguments(k) }

// Decision says in one line what is to be decided, and by whom.
func (r *Rules) Decision(s *State) string {
	f := s.Top()
	if f.Kind == AskNothing {
		return "the match is over"
	}
	return r.forms.Says(f, func(word string) string { return r.word(s, f, word) })
}

// word stands for a word in braces of a decision's line.
func (r *Rules) word(s *State, f Frame, word string) string {
	switch word {
	case "for":
		return fmt.Sprint(r.Crewmen(s, ForCaptain))
	case "against":
		return fmt.Sprint(r.Crewmen(s, ForMutineer))
	case "attack":
		switch {
		case f.Seat != s.Quartermaster:
			return "play a card"
		case r.officers:
			return "Quartermaster, play a card, reveal the destination"
		}
		return "Captain, play a card, reveal the destination"
	case "limit":
		return fmt.Sprint(r.limit)
	case "destination":
		return destinationNames[s.Destination]
	}
	panic("jollyroger: no word for " + word)
}
