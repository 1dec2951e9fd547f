package doubloons

import "github.com/privateer-rl/privateer/engine"

// Ships of a match: one a seat, and room for the legendary ghost ship.
const (
	NumShips  = MaxSeats + 1
	Legendary = MaxSeats

	NumSlots   = 3  // cards that a player programs in a round
	MaxHull    = 10 //
	MaxCrew    = 4
	MaxLevel   = 3 // of reputation
	MaxRegions = NumAlternateRegions
	maxTiles   = 16 // a stack's known bottom never holds more tiles than a colour has
	maxFrames  = 24
	noCard     = -1
	noTile     = -1
	noCaptain  = -1
	noRegion   = -1
	mostRounds = 250 // that max_rounds may ask for: State.Round is one more at most
)

// Where a landmark is met, besides the locations on the island: in place of a node.
const (
	exploited  = -1 // by an Exploit: its resolver is yet to be chosen
	substitute = -2 // in place of an exploited tile that left the game
)

// Directions a ship may face, as steps around the ring of regions.
const (
	Clockwise        = 1
	CounterClockwise = -1
)

// Phase is the part of a round that is being played.
type Phase uint8

// The phases, in the order of the rulebook.
const (
	PhaseSetup Phase = iota
	PhaseRoundStart
	PhaseAction
	PhasePillage
	PhaseRoundEnd
	PhaseOver
	NumPhases = iota
)

var phaseNames = [NumPhases]string{"setup", "round_start", "action", "pillage", "round_end", "over"}

func (p Phase) String() string { return phaseNames[p] }

// State is one match of Dead Man's Doubloons: a flat value. Fields that serve
// only modules or the alternate island are zero without them.
type State struct {
	Rand engine.Rand

	Ships [NumShips]Ship

	Deck    uint64 // action cards that can be drawn, a set of card numbers
	Discard uint64 // action cards discarded, face up
	Old     uint64 // cards that were in a hand when the discard was last shuffled into the deck, and were not played since

	Seen [MaxSeats]uint64 // by player: cards seen in hands and rows that the player has left; see stealship.go

	Water       [MaxRegions]int8           // water tile of each region, noTile before set-up
	Tiles       [NumNodes]int8             // landmark at each location, noTile if there is none
	StackTop    [NumColours]uint64         // landmarks in unknown order, a set of tile numbers, above …
	StackBottom [NumColours][maxTiles]int8 // … those of known order, first drawn first
	StackLow    [NumColours]uint8          // how many of them there are

	UnseenFragments [NumSymbols]uint8  // map fragments that nobody has seen: in the stack or removed from the game
	MapFragments    uint8              // how many of them are in the map stack
	MapSpecials     [NumSpecials]uint8 // special tiles in the map stack

	Supply  uint8 // doubloons beside the board
	Island  uint8 // doubloons on the island
	Pillage uint8 // pillage tokens beside the board
	Jewels  [NumJewels]uint8
	Relics  [2][NumSymbols]uint8 // in the crater: totems, shells

	BeachTotems  [MaxRegions][NumSymbols]uint8 // placed on each beach
	RegionShells [MaxRegions][NumSymbols]uint8 // placed in each region

	Round      uint8 // from 1
	Phase      Phase
	Slot       int8 // action card being resolved, 0 … 2; −1 outside the action phase
	Revealed   int8 // cards of each ship's row that lie face up
	Turn       int8 // seat whose turn it is, or Legendary; −1 outside turns
	Initiative int8 // seat with the initiative token
	Dug        bool // the treasure has been dug up
	Ending     bool // a captain has reached FIN: this round is the last

	Helm       [MaxSeats]int8  // the player who sits at each seat; see stealship.go
	Left       [MaxSeats]uint8 // by player: set of the seats that the player has left in this round
	LeftCrater uint8           // set of seats whose captains have left the crater of the alternate island
	Unresolved uint16          // set of captain cards, by number among them, that a compass laid where the turn was over: nobody has resolved them
	Acquired   uint8           // set of seats whose end-game tracker the action under way has moved
	Spare      [4]uint8        // fills the state up to whole words: no byte of it is padding

	engine.Stack[Kind, [maxFrames]Frame] // the decisions and steps that are left
}

// Ship is a seat's ship placemat and all that belongs to it.
type Ship struct {
	Captain    int8 // noCaptain before the draft
	Region     int8 // noRegion before placement
	Facing     int8 // Clockwise or CounterClockwise
	Ghost      bool
	Hull       uint8 // 0 exactly for a ghost ship
	Crew       uint8
	Reputation uint8 // level 0 … 3
	Doubloons  uint8
	Pillage    uint8 // pillage tokens
	Orbs       uint8
	Fragments  [NumSymbols]uint8
	Jewels     [NumJewels]uint8
	Compasses  uint8
	Totems     [NumSymbols]uint8
	Shells     [NumSymbols]uint8
	Node       int8           // the captain's location on the island
	Track      uint8          // spaces moved on the end-game track
	Table      [NumSlots]int8 // programmed cards; face up below State.Revealed; noCard if none
	Hand       uint64
}
