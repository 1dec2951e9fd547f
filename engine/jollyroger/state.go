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
