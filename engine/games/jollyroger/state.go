package jollyroger

import "github.com/privateer-rl/privateer/engine"

const (
	maxFrames    = 48
	maxSightings = normalCopies + specialCopies + prizeCopies // one of each card of the box
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
	Offer   [NumCrew]uint8           // those crew cards of a hand that its player offers

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

	Offered [MaxSeats + 2]uint16 // in the mutiny: the seats that each has made an offer to, as bits; two are spare

	Appraised [MaxSeats]uint8 // at the end: gold that unsold jewels have brought

	Memories  [knowers]Memory                 // what each seat, and an onlooker, has seen of cards that are hidden; see sightings.go
	SightedBy [NumCrew + NumPrizes]uint16     // by kind: who has sightings of it
	Several   [NumCrew + NumPrizes + 1]uint16 // and of them those that have several; one is spare
	Sighted   [knowers]uint8                  // how many sightings each has
	Knowing   uint8                           // how many of them have some
	Least     [numRows][knowers]counts        // of crew cards, of those of the last mutiny, of prizes: the least number of those that each has sighted at a place
	Most      [numRows][knowers]counts        // and the largest
	Slots     [MaxSeats][places]slotsAt       // how many of the cards of each bag of a seat are at each place; see bags.go
	Open      [MaxSeats + 4]uint8             // those bags whose cards have not all been sighted; four are spare
	Since     uint8                           // the round in which the Captain took office; 0: before the first, and in snapshots older than it, where a byte was spare
	Old       [NumCrew]uint8                  // kinds that hands held when the discard was last shuffled into the deck: no more of them are held since then
	Free      [MaxSeats]uint8                 // cards of each hand that may have reached it since
	Got       [MaxSeats][NumCrew]uint8        // while cards of a mutiny are being dealt: what each has got

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
	Guard         int8 // who guards the ship and may not bury; noSeat if nobody does
	DeckSize      uint8
	PrizesLeft    uint8 // in the prize deck

	engine.Stack[Kind, [maxFrames]Frame] // the decisions and steps that are left
}

// Memory is what a seat has seen of hidden cards, as Sighting says.
type Memory struct {
	Kind  [maxSightings]uint8
	Where [maxSightings]uint16
	Bag   [maxSightings]uint8 // see bags.go
}

// Frame is one entry of the decision stack.
type Frame = engine.Frame[Kind]

// cancelled is the argument of effects that a Traitor sets.
const cancelled = 5

func frame(k Kind, seat int, args ...int) Frame { return engine.NewFrame(k, seat, args...) }

// sum is the number of cards of all kinds.
func sum(counts []uint8) (n int) {
	for _, c := range counts {
		n += int(c)
	}
	return n
}
