package jollyroger

import "github.com/privateer-rl/privateer/engine"

const (
	maxFrames    = 48
	maxSightings = 64
	noSeat       = -1
	noTarget     = -1
)

// Phase is the part of a round that is being played.
type Phase uint8

// The phases. The voyage has one of its own for each thing that can come of it.
const (
	PhaseSetup Phase = iota
	PhaseAppointment
	PhaseVoyage // the destination is being chosen
	PhaseAttack
	PhasePrizes // prizes are shared out after an attack
	PhasePort
	PhaseIsland
	PhasePunishment
	PhaseOver
	NumPhases = iota
)

var phaseNames = []string{"setup", "appointment", "voyage", "attack", "prizes", "port", "island", "punishment", "over"}

func (p Phase) String() string { return phaseNames[p] }

// Side is whom a player has taken sides with in a mutiny.
type Side = int8

// The sides.
const (
	Neutral Side = iota
	ForCaptain
	ForMutineer
)

var sideNames = []string{"neutral", "captain", "mutineer"}

// State is one match of Jolly Roger: a flat value.
type State struct {
	Rand engine.Rand

	Hands   [MaxSeats][NumCrew]uint8 // crew cards held, by kind
	Deck    [NumCrew]uint8           // crew cards that can be drawn
	Discard [NumCrew]uint8           // crew cards discarded, face up
	Played  [NumCrew]uint8           // in the attack, face up; or what a mutiny leaves to be dealt again
	Sides   [2][NumCrew]uint8        // in the mutiny, face up: for the Captain, for the First Mutineer
	Offer   [NumCrew]uint8           // those crew cards of the hand of a player who offers them, that he offers

	Prizes      [MaxSeats][NumPrizes]uint8 // that can be lost: not buried
	Buried      [MaxSeats][NumPrizes]uint8
	PrizeDeck   [NumPrizes]uint8
	PrizeOut    [NumPrizes]uint8 // discarded, face up
	Spoils      [NumPrizes]uint8 // being shared out
	OfferPrizes [NumPrizes]uint8 // prizes offered, among those of the player who offers them

	Stacks [NumDestinations]uint8 // destination cards not used yet, as bits by place; their order is unknown
	Needs  [NumSkills]uint8       // what the revealed destination needs, changed by officers

	Size  [MaxSeats]uint8 // crew cards held
	Split [MaxSeats]uint8 // prizes got in this sharing-out
	Side  [MaxSeats]Side
	Said  [MaxSeats]uint8 // last words of this round: 1 + phrase × MaxSeats + the seat addressed, or 0

	Appraised [MaxSeats]uint8 // at the end: gold that unsold jewels have brought

	Sightings [maxSightings]Sighting // what seats have seen of cards that are hidden; see sightings.go
	Sighted   uint8                  // how many there are
	Old       [NumCrew]uint8         // kinds that hands held when the discard was last shuffled into the deck: no more of them are held since then
	Free      [MaxSeats]uint8        // cards of each hand that may have come to it since
	Dealt     [MaxSeats]uint8        // cards of each hand that may be of those dealt again after the last mutiny

	Round         uint8 // from 1
	Phase         Phase
	Captain       int8 // noSeat before the first is chosen
	Quartermaster int8 // noSeat before the first is appointed; with three players the Captain
	Mutineer      int8 // the First Mutineer; noSeat outside a mutiny
	RoleSide      Side // for whom the Quartermaster card was played in the mutiny
	MutinyTried   bool // this round has had its mutiny
	Interrupted   bool // a mutiny has undone what the Captain decided last
	Barred        bool // Treasure Island could not be reached this round
	Map           bool // an Old Sailor lies on the table
	Destination   Destination
	Target        int8 // the destination card, once revealed
	Guard         int8 // who guards the ship and may not bury; noSeat where nobody does
	DeckSize      uint8
	PrizesLeft    uint8 // in the prize deck

	engine.Stack[Kind, [maxFrames]Frame] // the decisions and steps that are left
}

// Sighting is what some seats know of a hidden card: that one card of the kind is
// held by one of a set of seats, besides any that other sightings are of. A viewer
// that is in the set himself knows that it is not with him.
type Sighting struct {
	Knows uint16 // set of seats that know
	Among uint16 // set of seats, one of which holds it; with inSpoils, it may be among the spoils
	Kind  uint8  // a crew card, or sightedPrize + a prize
	Dealt uint8  // 1 for one of the cards dealt again after the last mutiny, of which no hand has more than State.Dealt
}

// Frame is one entry of the decision stack.
type Frame = engine.Frame[Kind]

// Kind tells frames apart. Kinds up to lastDecision wait for a seat, those up to
// lastChance for chance; the rest act by themselves.
type Kind uint8

// Decisions of a seat. The comment gives Arg. The numbers are part of observations.
const (
	AskNothing    Kind = iota
	AskAppoint         // whether in a mutiny: Captain: choose the Quartermaster
	AskSail            // Captain: choose the destination
	AskMutiny          // call a mutiny with a card, or pass
	AskFaction         // whether one has made an offer and said something in this mutiny: play a card for a side, or pass
	AskSeaDog          // side: name who is pressed into it, or pass for a plain crewman
	AskForced          // side: play a card for it
	AskLookout         // reveal the destination, or pass
	AskFirst           // Quartermaster: play the first card of the attack
	AskAttack          // play a card, or pass; the Quartermaster may reveal
	AskChange          // change what the destination needs, or pass
	AskAssign          // Quartermaster: let the cards of any skill make it succeed or fail
	AskTraitor         // card, whose: cancel it, or pass
	AskCook            // choose a prize before the Captain, or pass
	AskPick            // whether by the Cook: choose a prize
	AskShare           // Quartermaster: give a prize to a player
	AskCarpenter       // ask for a prize, or pass
	AskDonate          // carpenter: give him a prize, or pass
	AskClaim           // claim from the Captain or the Quartermaster
	AskClaimPrize      // victim: choose the prize
	AskExchange        // hostages, jewels: discard a prize for a crew card, or pass
	AskSell            // hostages, jewels: ransom, sell or pass
	AskSailor          // play the Old Sailor, or pass
	AskBoatswain       // name who may not bury, or pass
	AskBribe           // low and high part of the set of seats asked already: whom to ask to guard instead, or pass
	AskBury            // bury prizes, or pass
	AskKid             // whose buried prize to take, or pass
	AskPunish          // Captain: punish, suggest or spare
	AskVictim          // 1 + the seat suggested, or 0: Quartermaster: whom to punish
	AskDiscard         // discard a card down to the hand limit
	AskAnytime         // window: play a card that may be played any time, or pass
	AskMate            // 1 + the first victim, or 0: Second Mate: from whom to steal
	AskGift            // window, whether one has spoken: offer a gift to a seat, say something, or pass
	AskOffer           // receiver, whether to guard the ship: add a card, propose or withdraw
	AskAccept          // giver, whether to guard the ship: accept or refuse
	AskRest            // how many, whether they go without, low and high part of the set of those named: Quartermaster: who gets one of the last cards of a mutiny, or goes without
	NumAsks       = iota

	lastDecision = 63
)

// Events of chance.
const (
	ChooseCaptain Kind = iota + 64 // who gets the Captain card
	DealCrew                       // Seat draws a crew card
	DealPool                       // Seat is dealt one of the cards of the mutiny
	DealTarget                     // the destination card is revealed
	DealSpoils                     // a prize is drawn to be shared out
	DealPrize                      // Seat draws a prize
	StealCrew                      // victim: Seat steals one of his crew cards
	LoseCrew                       // Seat discards a crew card drawn at random
	StealBuried                    // victim: Seat takes one of his buried prizes
	StealPrize                     // victim: Seat takes one of his prizes, unseen
	Appraise                       // what one unsold jewels card of Seat is worth

	lastChance = 127
)

// Steps that need nobody.
const (
	DoRound      Kind = iota + 128 // begin a round, or end the match
	DoDeal                         // number: cards are dealt one at a time, Seat first
	DoDraw                         // Seat draws a crew card
	DoFreeCards                    // who holds no card draws one
	DoLimit                        // Seat discards down to the hand limit
	DoLimits                       // everybody does
	DoPoll                         // kind of decision, next, end, two arguments: ask those, counted from Seat, who can say yes
	DoWindow                       // a mutiny may be called
	DoVoyage                       // the Captain chooses a destination
	DoArrive                       // go to the destination
	DoFirst                        // the Quartermaster plays the first card
	DoLap                          // passes in a row: Seat may play in the attack
	DoReveal                       // reveal the destination
	DoAssign                       // can the attack succeed?
	DoOutcome                      // whether it succeeds
	DoLoot                         // number: draw prizes to be shared out
	DoSplit                        // share the spoils out
	DoPick                         // whether by the Cook: Seat chooses a prize
	DoShare                        // share the rest out
	DoGive                         // the Quartermaster gives a prize away
	DoClaim                        // Seat, the carpenter, claims a prize if nobody gave one
	DoPort                         // the port card is revealed: deal and trade
	DoStall                        // Seat trades
	DoSell                         // hostages, jewels: Seat ransoms and sells
	DoPrizes                       // number: Seat draws prizes
	DoIsland                       // is there a map?
	DoBribe                        // as AskBribe: Seat looks for somebody to guard in his place
	DoBury                         // Seat buries
	DoMap                          // the map is discarded
	DoPunishment                   // punishment phase
	DoPunish                       // 1 + the seat suggested, or 0; whether ordered: execute it
	DoVictim                       // 1 + the seat suggested, or 0: the Quartermaster chooses a victim
	DoFaction                      // passes in a row, low and high parts of the sets of those who have made an offer and said something: Seat may play in the mutiny
	DoMutinyEnd                    // the side that has won, or 0: count
	DoRest                         // whether the moment before it is over: who gets the last cards of the mutiny, if they do not divide evenly?
	DoPool                         // low and high part of the set of those who get one of the last: the cards of the mutiny are dealt again, Seat next
	DoEffect                       // card, two arguments, …, cancelled: a special card takes effect
	DoJoin                         // card, …, cancelled: a card joins the attack
	DoCommit                       // card, side, whether for its effect, target, …, cancelled: a card joins the mutiny
	DoCancel                       // …, cancelled: the Traitor cancels what the frame below does
	DoAppraise                     // unsold jewels get their worth, Seat next
)

func (k Kind) asks() bool    { return k != AskNothing && k <= lastDecision }
func (k Kind) chances() bool { return k >= ChooseCaptain && k <= lastChance }

// cancelled is the argument of effects that a Traitor sets.
const cancelled = 5

func frame(k Kind, seat int, args ...int) Frame { return engine.NewFrame(k, seat, args...) }

// asInt is 1 for true, as an argument of a frame.
func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sum is the number of cards of all kinds.
func sum(counts []uint8) (n int) {
	for _, c := range counts {
		n += int(c)
	}
	return n
}
