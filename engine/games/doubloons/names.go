package doubloons

// Everything of the box that rules, actions and components.yaml must call by
// the same name. The numbers are part of the layout of states, actions and
// observations: later editions and modules add to what is here and do not
// renumber it. Names are the slugs of action names and of components.yaml; titles as
// printed are data and live in components.yaml.

// MaxSeats is the largest number of players of any edition, MinSeats the smallest.
const (
	MinSeats = 2
	MaxSeats = 6
)

// Locations on land, of both sides of the board. NodeB1 is the one beach of the
// standard island; the standard island uses B1, C1–C5, V1–V6, P1–P4 and M, the
// alternate one B1–B5, C1–C5, V1–V5, P1–P5, T1–T4 and X.
const (
	NodeB1 = iota
	NodeB2
	NodeB3
	NodeB4
	NodeB5
	NodeC1 // Coastal Path, blue
	NodeC2
	NodeC3
	NodeC4
	NodeC5
	NodeV1 // Valley of Riches, yellow
	NodeV2
	NodeV3
	NodeV4
	NodeV5
	NodeV6
	NodeP1 // Cursed Passage, red
	NodeP2
	NodeP3
	NodeP4
	NodeP5
	NodeT1 // Tribal Ruins, green; alternate island
	NodeT2
	NodeT3
	NodeT4
	NodeM // Mount Zotètmon, end of every path of the standard island
	NodeX // Mücevher Crater, centre of the alternate island
	NumNodes

	NodeBeach = NodeB1 // where every captain of the standard game lands
)

var nodeNames = [NumNodes]string{
	"B1", "B2", "B3", "B4", "B5",
	"C1", "C2", "C3", "C4", "C5",
	"V1", "V2", "V3", "V4", "V5", "V6",
	"P1", "P2", "P3", "P4", "P5",
	"T1", "T2", "T3", "T4",
	"M", "X",
}

// Colours of landmark tiles, and so of stacks and locations. Beaches and the
// mount have none.
const (
	ColourBlue = iota
	ColourYellow
	ColourRed
	ColourGreen
	NumColours

	ColourNone = NumColours
)

var colourNames = [NumColours + 1]string{"blue", "yellow", "red", "green", "none"}

// Landmark tiles, in the order of the rulebook's glossary, then the modules' two,
// then the six Tribal Ruins of the alternate island.
const (
	AdventurersTavern = iota // blue
	HiddenChamber
	MercenaryCamp
	SalvageMerchant
	StarAxis
	TribalVillage
	VoodooHut
	WhisperingPortal
	WhisperingRavine
	AltarOfGreed // yellow
	GildedTablet
	JeweledMaze
	JeweledThrone
	LegendaryTomb
	PandorasBox
	RadiantFountain
	RadiantPool
	WellOfWishes
	BleedingTotem // red
	BoneLever
	CursedIdol
	DankCave
	DeadCreek
	ShriekingArch
	ShriekingPortal
	ShriekingRavine
	OldMystic      // blue, compass module
	ObsidianCradle // red, black jewel module
	BurialGrounds  // green
	CarvedObelisk
	CelestialAltar
	DecayingTemple
	MoonlitLake
	SunkenLoom
	NumLandmarks

	NumStandardLandmarks = OldMystic // the first 26 are those of the standard game
)

var landmarkNames = [NumLandmarks]string{
	"adventurers_tavern", "hidden_chamber", "mercenary_camp", "salvage_merchant", "star_axis",
	"tribal_village", "voodoo_hut", "whispering_portal", "whispering_ravine",
	"altar_of_greed", "gilded_tablet", "jeweled_maze", "jeweled_throne", "legendary_tomb",
	"pandoras_box", "radiant_fountain", "radiant_pool", "well_of_wishes",
	"bleeding_totem", "bone_lever", "cursed_idol", "dank_cave", "dead_creek",
	"shrieking_arch", "shrieking_portal", "shrieking_ravine",
	"old_mystic", "obsidian_cradle",
	"burial_grounds", "carved_obelisk", "celestial_altar", "decaying_temple", "moonlit_lake", "sunken_loom",
}

// Water tiles. There are 12: Rip Current exists twice. The Whirlpool is of the
// drafts only.
const (
	CoralReef = iota
	Fog
	HighWater
	MerfolkSeer
	MermaidPack
	MistsOfMorgana
	RipCurrent
	RiverMerfolk
	Shipwreck
	StoneSextant
	TheShallows
	Whirlpool
	NumWater

	numBoxWater = Whirlpool // kinds of tile in components.yaml
)

var waterNames = [NumWater]string{
	"coral_reef", "fog", "high_water", "merfolk_seer", "mermaid_pack", "mists_of_morgana",
	"rip_current", "river_merfolk", "shipwreck", "stone_sextant", "the_shallows", "whirlpool",
}

// Groups of water tiles, as the draw charts call them. GroupNone fills the charts
// of player counts that do not exist.
const (
	GroupNone = iota
	Group1
	Group2
	Group3
	GroupS
	NumGroups
)

var groupNames = [NumGroups]string{"none", "1", "2", "3", "S"}

// Captains. A captain, a ship, its unique ability and a colour go together.
const (
	Pollyanna = iota
	WidowCheng
	CalicoJack
	Valparisa
	Hayreddin
	Voet
	NumCaptains
)

var captainNames = [NumCaptains]string{
	"pollyanna", "widow_cheng", "calico_jack", "valparisa", "hayreddin", "voet",
}

// Symbols of map fragments (and, on the alternate island, of relics).
const (
	SymbolX = iota
	SymbolSun
	SymbolMoon
	SymbolWave
	NumSymbols
)

var symbolNames = [NumSymbols]string{"x", "sun", "moon", "wave"}

// Special map tiles.
const (
	IslandLore = iota
	SkullAmulet
	ProtectionOrb
	NumSpecials
)

var specialNames = [NumSpecials]string{"island_lore", "skull_amulet", "protection_orb"}

// Jewels.
const (
	Emerald = iota
	Ruby
	Diamond
	BlackJewel
	NumJewels
)

var jewelNames = [NumJewels]string{"emerald", "ruby", "diamond", "black_jewel"}

// Icon is an action printed on an action card.
type Icon uint8

// The six actions.
const (
	IconHunt Icon = iota
	IconPillage
	IconForward
	IconBroadsides
	IconRepair
	IconBoard
	NumIcons = iota
)

var iconNames = [NumIcons]string{"hunt", "pillage", "forward", "broadsides", "repair", "board"}

func (i Icon) String() string { return iconNames[i] }

// Bit is the icon's place in a set of icons.
func (i Icon) Bit() uint8 { return 1 << i }

// Loot is what a card's Board action takes from the boarded ship.
type Loot uint8

// The Board effects. LootNone stands on cards without a Board action.
const (
	LootNone Loot = iota
	LootFragment
	LootHalf // half the doubloons, rounded down
	LootCrew
	LootCrew2
	LootJewel
	LootReputation
	NumLoot = iota
)

var lootNames = [NumLoot]string{"none", "fragment", "half_doubloons", "crew", "crew2", "jewel", "reputation"}

func (l Loot) String() string { return lootNames[l] }

// Face is a side of the attack die by its symbol.
type Face uint8

// The symbols of the attack die.
const (
	FaceCrew Face = iota
	FaceDoubloon
	FaceVoodoo
	NumFaces = iota
)

var faceNames = [NumFaces]string{"crew", "doubloon", "voodoo"}

func (f Face) String() string { return faceNames[f] }

// Action cards by number: N01–N41 are 0–40, C01–C15 are 41–55, G01–G04 are 56–59.
const (
	NumNormalCards  = 41
	NumCaptainCards = 15
	NumGreenCards   = 4
	NumCards        = NumNormalCards + NumCaptainCards + NumGreenCards

	FirstCaptainCard = NumNormalCards
	FirstGreenCard   = NumNormalCards + NumCaptainCards
)

var cardNames = [NumCards]string{
	"N01", "N02", "N03", "N04", "N05", "N06", "N07", "N08", "N09", "N10",
	"N11", "N12", "N13", "N14", "N15", "N16", "N17", "N18", "N19", "N20",
	"N21", "N22", "N23", "N24", "N25", "N26", "N27", "N28", "N29", "N30",
	"N31", "N32", "N33", "N34", "N35", "N36", "N37", "N38", "N39", "N40", "N41",
	"C01", "C02", "C03", "C04", "C05", "C06", "C07", "C08", "C09", "C10",
	"C11", "C12", "C13", "C14", "C15",
	"G01", "G02", "G03", "G04",
}

// Numbers of water regions of the standard and of the alternate island. Region 0
// is the beach region; the others follow clockwise.
const (
	NumRegions          = 4
	NumAlternateRegions = 5
)
