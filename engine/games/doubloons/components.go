package doubloons

// The length of tables indexed by the number of players: 0 and 1 are unused.
const perPlayers = MaxSeats + 1

// Unreached is the distance of a location that an island does not use.
const Unreached = 255

// Kinds of action card.
const (
	KindNormal = iota
	KindCaptain
	KindGreen
)

// Components are the contents of the box, compiled from components.yaml to flat
// tables. They are read-only once loaded.
type Components struct {
	Cards [NumCards]Card // by card number
	Die   [6]Face        // of the attack die

	// The standard island: the locations one Advance ahead, and the fewest
	// Advances to the mount.
	Next     [NumNodes][4]uint8
	NextN    [NumNodes]uint8 // how many of Next count
	Distance [NumNodes]uint8 // Unreached if the island lacks the location
	// The alternate island: neighbours, walked both ways, and the fewest Advances to the
	// crater.
	AlternateNext     [NumNodes][8]uint8
	AlternateNextN    [NumNodes]uint8
	AlternateDistance [NumNodes]uint8 // Unreached if the island lacks the location
	Colour            [NumNodes]uint8 // of the stack that a location draws from; ColourNone at beaches and the mount

	LandmarkColour [NumLandmarks]uint8
	LandmarkTitle  [NumLandmarks]string
	LandmarkText   [NumLandmarks]string

	WaterGroup  [NumWater]uint8
	WaterCopies [NumWater]uint8
	WaterTitle  [NumWater]string
	WaterText   [NumWater]string

	// Groups drawn for the regions, by players; AlternateMistsMove marks a region
	// that Mists of Morgana must leave again.
	WaterChart          [perPlayers][NumRegions]uint8
	AlternateWaterChart [perPlayers][NumAlternateRegions]uint8
	AlternateMistsMove  [perPlayers][NumAlternateRegions]bool

	CaptainTitle   [NumCaptains]string
	ShipTitle      [NumCaptains]string
	CaptainAbility [NumCaptains]string
	CaptainText    [NumCaptains]string

	JewelValue       [NumJewels]int32 // points
	JewelCount       [NumJewels]uint8
	ReputationPoints [4]int32 // by level
	EndTrack         int      // spaces, the first and FIN included

	FragmentsPerSymbol uint8 // map fragments of each symbol
	SymbolTitle        [NumSymbols]string
	Specials           [NumSpecials]uint8 // special map tiles in the box

	// Set-up of the map stack, by players.
	SymbolsInPlay     [perPlayers]uint8 // the first of them: it does not matter which
	FragmentsRemoved  [perPlayers]uint8
	SpecialsInPlay    [perPlayers][NumSpecials]uint8
	AlternateDeal     uint8 // fragments that each player draws
	AlternateSpecials [perPlayers][NumSpecials]uint8

	Doubloons      int // in the box
	StartDoubloons uint8
	Seeding        [perPlayers]uint8 // doubloons laid on the island each round

	PillageTokens      uint8 // in the box
	PillagePerPlayer   uint8
	CompassTokens      uint8
	CompassesPerPlayer uint8
	Totems, Shells     [NumSymbols]uint8 // in the box
	RelicsPerPlayer    uint8             // in the crater

	Tables []Table // in the order of the file
}

// Card is an action card.
type Card struct {
	ID      string
	Kind    uint8 // KindNormal, KindCaptain or KindGreen
	Moves   [2]Move
	NMoves  uint8
	Actions [2]CardAction
	Icons   uint8 // the icons of both actions, as a set of Icon.Bit
	Loot    Loot  // of the Board action

	// Prerequisite of the Board action. An own earlier card of the round must show
	// OwnNeeds, a face-up card of the boarded ship EnemyNeeds.
	OwnNeeds, EnemyNeeds Needs
}

// Needs is a prerequisite of a Board action: an icon that must be shown, as Icon.Bit; 0 if there is none.
type Needs uint8

// Met reports whether icons that are shown, as a set, fulfil it.
func (n Needs) Met(icons uint8) bool { return n == 0 || icons&uint8(n) != 0 }

// Move is a movement icon: Sail, or else Come About.
type Move struct{ Sail, Required bool }

// CardAction is one of a card's two actions.
type CardAction struct {
	Icon     Icon
	Plus     uint8 // 1 with "+1"
	FreeCrew bool  // a Hunt that grants a crew first
}

// Table says where a table of the file comes from: "printed" or "reconstructed".
type Table struct{ Name, Source, Note string }
