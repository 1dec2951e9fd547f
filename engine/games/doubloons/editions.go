package doubloons

import "fmt"

// Edition is a rulebook: what it changes of the final one, as data and as
// switches that the rules ask at the one place where they matter. If a draft
// leaves something out, it follows the nearest later edition; RULES.md lists these gaps.
type Edition struct {
	Name    string
	Number  int // in the order of game.edition of observations
	Modules Modules
	Seats   int // most players

	// Contents of the box.
	DoubloonsPerPlayer int    // in the game; 0: all of the box
	Normal, Captains   uint64 // sets of cards
	Landmarks          uint64 // set of tiles of the standard game
	FragmentsRemoved2  uint8  // with two players
	Whirlpools         uint8  // Whirlpool tiles, which take the place of as many Rip Currents
	NamedWater         bool   // water tiles are named for each number of players, not drawn by groups

	// Set-up.
	ShipsAfterCaptains bool // ships are placed when everyone has a captain

	// Movement and water.
	GhostsIgnoreWater bool // water tiles do not affect ghost ships
	GhostsCannotSail  bool // and may Come About, if they have crew, which they may not otherwise
	HutNeedsCrew      bool // the Voodoo Hut does not turn a ship that cannot Come About by itself
	EntryOnce         bool // no Upon Entry effect in a region where the movement began

	// Actions.
	PlainRepair        bool // +1 does nothing on Repair
	BlankDie           bool // the third symbol of the die is blank
	GhostsRollOnBoard  bool // a ghost ship rolls the die against the ship it Boarded
	CrewStealsOne      bool // Board steals 1 crew, with captain cards too
	CrewStealNeedsCrew bool // a ship without crew cannot be Boarded for crew
	TurnPicksTargets   bool // whose turn it is picks all targets of landmarks, not who resolves them

	// The later phases.
	SoleHolderDoubles bool // who alone has pillage tokens takes double
	JewelsLikePillage bool // jewels that do not suffice for all are shared as in the Pillage phase
	EachJewelRolls    bool // two black jewels roll twice

	// Alternate island.
	GreenCards         uint64 // set of cards
	RelicsOfEach       uint8  // totems and shells of each symbol; 0: those of the box
	FragmentsByPlayers bool   // types of map fragment by number of players, not all
	LegendaryShells    bool   // the legendary ghost ship has shells and no map fragment, not any relics and one
	RuinsOneSided      bool   // Tribal Ruins do the same after the dig
	CraterPlain        bool   // no landmark lies at the crater
	CraterOnce         bool   // captains must leave the crater after the dig and cannot return
}

const (
	allNormal   = 1<<NumNormalCards - 1
	allCaptains = (1<<NumCaptainCards - 1) << FirstCaptainCard
	allGreen    = (1<<NumGreenCards - 1) << FirstGreenCard
	allRuins    = (1<<NumLandmarks - 1) &^ (1<<BurialGrounds - 1)
	allTiles    = 1<<NumStandardLandmarks - 1

	// Version 1.9.7 has 40 + 12 action cards and 15 landmarks. Which of them it had is not known:
	// the decks are the later ones without the last normal card and without one of each
	// of the three captains' boardings that are commonest, and the island has a tile for each of its
	// spaces that asks for nothing that the draft does not know.
	normal197   = allNormal &^ (1 << 40)
	captains197 = allCaptains &^ (1<<(FirstCaptainCard+2) | 1<<(FirstCaptainCard+5) | 1<<(FirstCaptainCard+8))
	tiles197    = 1<<AdventurersTavern | 1<<MercenaryCamp | 1<<SalvageMerchant | 1<<TribalVillage | 1<<WhisperingRavine |
		1<<AltarOfGreed | 1<<JeweledMaze | 1<<JeweledThrone | 1<<LegendaryTomb | 1<<RadiantPool | 1<<WellOfWishes |
		1<<BleedingTotem | 1<<DankCave | 1<<DeadCreek | 1<<ShriekingPortal
)

// editions are the rulebooks, the last one first.
// Clauses ISL-15, OLD-6, OLD-25.
var editions = [...]Edition{
	{
		Name: "final", Modules: allModules, Seats: 6,
		Normal: allNormal, Captains: allCaptains, Landmarks: allTiles, FragmentsRemoved2: 3,
		SoleHolderDoubles: true, GreenCards: allGreen,
	},
	{
		Name: "v2.0", Modules: allModules &^ (1 << Compass), Seats: 6,
		Normal: allNormal, Captains: allCaptains, Landmarks: allTiles, FragmentsRemoved2: 3,
		EachJewelRolls: true,
		GreenCards:     allGreen, FragmentsByPlayers: true, LegendaryShells: true, RuinsOneSided: true, CraterPlain: true, CraterOnce: true,
	},
	{
		Name: "v1.9.8", Modules: 1<<BlackJewels | 1<<StealShip | 1<<AlternateIsland, Seats: 6,
		Normal: allNormal, Captains: allCaptains, Landmarks: allTiles, FragmentsRemoved2: 2, Whirlpools: 1,
		EachJewelRolls:    true,
		GhostsIgnoreWater: true, HutNeedsCrew: true, EntryOnce: true,
		PlainRepair: true, GhostsRollOnBoard: true, TurnPicksTargets: true, JewelsLikePillage: true,
		// Its box has 2 extra normal cards for modules, taken to be these.
		GreenCards: 3 << FirstGreenCard, RelicsOfEach: 3, FragmentsByPlayers: true, RuinsOneSided: true, CraterPlain: true, CraterOnce: true,
	},
	{
		Name: "v1.9.7", Modules: 1 << StealShip, Seats: 5,
		DoubloonsPerPlayer: 8, Normal: normal197, Captains: captains197, Landmarks: tiles197, FragmentsRemoved2: 3,
		Whirlpools: 1, NamedWater: true,
		ShipsAfterCaptains: true,
		GhostsIgnoreWater:  true, GhostsCannotSail: true, HutNeedsCrew: true,
		PlainRepair: true, BlankDie: true, GhostsRollOnBoard: true, CrewStealsOne: true, CrewStealNeedsCrew: true,
		TurnPicksTargets: true, JewelsLikePillage: true,
	},
}

// editionNames are the names by number.
func editionNames() []string {
	names := make([]string, len(editions))
	for i := range editions {
		names[i] = editions[i].Name
	}
	return names
}

// findEdition returns the edition of a name that exists, for a number of seats.
// Clause OLD-3.
func findEdition(name string, seats int) (Edition, error) {
	for i, e := range editions {
		if e.Name != name {
			continue
		}
		if e.Number = i; seats > e.Seats {
			return e, fmt.Errorf("seats=%d: edition %s has components for %d", seats, e.Name, e.Seats)
		}
		return e, nil
	}
	return Edition{}, fmt.Errorf("edition=%s: unknown edition", name)
}
