package jollyroger

import "fmt"

// Numbers of players.
const (
	MinSeats = 3
	MaxSeats = 10
)

// Skill is what a normal crew card lends to an attack.
type Skill int8

// The skills; AnySkill is the skill of cards with more than one.
const (
	Navigation Skill = iota
	Guns
	Melee
	NumSkills
	AnySkill = NumSkills
)

var skillNames = []string{"navigation", "guns", "melee", "any"}

// Card is a kind of crew card: normal ones first, then AnyCard, then the specials
// by name. Copies of a kind are the same to everyone.
type Card = int8

// Crew cards that the rules name.
const (
	AnyCard Card = iota + 24
	Boatswain
	Carpenter
	Cook
	Cutthroat
	FirstMate
	Lookout
	MasterMariner
	OldSailor
	PowderMonkey
	SeaDog
	SecondMate
	Sharpshooter
	SmartKid
	Stowaways
	Surgeon
	Traitor

	NumNormal = int(Boatswain) // kinds that have a skill
	NumCrew   = int(Traitor) + 1

	// QuartermasterCard is a role, never held: it counts as one crewman in a
	// mutiny, for the side that its holder takes.
	QuartermasterCard Card = Card(NumCrew)
)

var crewNames = []string{
	"nav12", "nav13", "nav14", "nav15", "nav21", "nav22", "nav23", "nav31",
	"gun12", "gun13", "gun14", "gun15", "gun21", "gun22", "gun23", "gun31",
	"mel12", "mel13", "mel14", "mel15", "mel21", "mel22", "mel23", "mel31",
	"any",
	"boatswain", "carpenter", "cook", "cutthroat", "first_mate", "lookout", "master_mariner", "old_sailor",
	"powder_monkey", "sea_dog", "second_mate", "sharpshooter", "smart_kid", "stowaways", "surgeon", "traitor",
}

// Prize is a kind of prize card.
type Prize = int8

// The prizes.
const (
	Gold1 Prize = iota
	Gold2
	Gold3
	Rum
	Jewels
	Hostage
	NumPrizes = iota
)

var prizeNames = []string{"gold_1", "gold_2", "gold_3", "rum", "jewels", "hostage"}

// Destination is where a voyage may go: one of the five stacks.
type Destination = int8

// The destinations. The first three are prize targets.
const (
	Fort Destination = iota
	MerchantShip
	Settlement
	PiratePort
	TreasureIsland
	NumDestinations = iota

	StackSize = 8                            // cards of a stack, three for Treasure Island
	numIsles  = 3                            //
	NumCards  = 4*StackSize + numIsles       // destination cards
	nowhere   = Destination(NumDestinations) // no destination is chosen
)

var (
	destinationNames = []string{"fort", "merchant_ship", "settlement", "pirate_port", "treasure_island"}
	destinationWords = []string{"the Fort", "the Merchant Ship", "the Settlement", "the Pirate Port", "Treasure Island"}
)

// targetNames are the destination cards by number, StackSize × destination + place.
var targetNames = func() (names []string) {
	for d, name := range destinationNames {
		for i := range stackCards(Destination(d)) {
			names = append(names, fmt.Sprintf("%s_%d", name, i+1))
		}
	}
	return names
}()

// stackCards is how many cards the stack of a destination has in the box.
func stackCards(d Destination) int {
	if d == TreasureIsland {
		return numIsles
	}
	return StackSize
}

// isTarget reports whether a destination is attacked.
func isTarget(d Destination) bool { return d <= Settlement }

// Target is a destination card.
type Target struct {
	Needs   [NumSkills]uint8 // navigation, guns and melee that an attack needs
	Prizes  uint8            // that it wins
	Crew    uint8            // cards for each player in a Pirate Port
	Players [2]int8          // fewest and most players it is used with
}

// CrewCard is a kind of crew card.
type CrewCard struct {
	Skill   Skill // AnySkill for cards with several; of no meaning with Value 0
	Value   uint8
	Crewmen uint8
	Copies  uint8
}

// PrizeCard is a kind of prize card.
type PrizeCard struct {
	Value  int32
	Copies uint8
}

// Components are the cards of the box.
type Components struct {
	Crew      [NumCrew]CrewCard
	Prizes    [NumPrizes]PrizeCard
	Targets   [NumCards]Target
	StartHand [MaxSeats + 1]uint8 // by number of players: cards dealt, the Captain card aside
	HandLimit [MaxSeats + 1]uint8
}

// How many cards the box has.
const (
	normalCopies  = 47
	specialCopies = 19 // the two roles aside
	prizeCopies   = 46
)

// maxHand is the most that any hand limit may be.
const maxHand = 9

// stack is the set of a destination's cards that are used by a number of players, as
// bits by place.
//
// Clause SET-5.
func (c *Components) stack(d Destination, seats int) (set uint8) {
	for i := range stackCards(d) {
		if p := c.Targets[int(d)*StackSize+i].Players; int(p[0]) <= seats && seats <= int(p[1]) {
			set |= 1 << i
		}
	}
	return set
}
