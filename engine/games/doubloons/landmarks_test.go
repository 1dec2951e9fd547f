package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

// hunter gives seat 0 a Hunt and two fragments for it; seat 1 has the turn after it.
func hunter(s *State) {
	s.Ships[0].Table = row("N13") // no movement; Hunt or Repair
	s.Ships[1].Table = row("N33") // no movement; Forward or Repair
	s.Ships[0].Fragments[SymbolX] = 2
}

// lay puts a tile from its stack on the island.
func lay(s *State, node, tile int) {
	for c := range s.StackTop {
		s.StackTop[c] &^= 1 << tile
	}
	s.Tiles[node] = int8(tile)
}

// met is a scenario in which seat 0's captain has walked onto a landmark.
func met(t testing.TB, seats, tile int, edits ...func(*State)) scenario {
	t.Helper()
	return given(t, seats, func(s *State) {
		hunter(s)
		lay(s, NodeC1, tile)
		for _, edit := range edits {
			edit(s)
		}
	}).do("do=hunt;symbol=x;to=C1")
}

// exploit is a scenario in which seat 0 has exploited a landmark on who, after
// the dig.
func exploit(t testing.TB, seats, tile int, who string, edits ...func(*State)) scenario {
	t.Helper()
	colour := colourNames[embedded(t).LandmarkColour[tile]]
	return given(t, seats, func(s *State) {
		hunter(s)
		s.Dug = true
		for _, edit := range edits {
			edit(s)
		}
	}).do("do=hunt;stack=" + colour + ";landmark=" + landmarkNames[tile] + ";seat=" + who)
}

// next checks that the landmark asks for nothing more: it is seat 1's turn.
func (sc scenario) next() {
	sc.t.Helper()
	check(sc.t, "turn", sc.Turn, 1)
	sc.legal("do=forward", "do=repair")
}

func (sc scenario) lies(node, tile int) {
	sc.t.Helper()
	check(sc.t, "tile at "+nodeNames[node], sc.Tiles[node], int8(tile))
}

// gone reports whether a tile is neither on the island nor in a stack.
func (sc scenario) gone(tile int) bool {
	for n := range sc.Tiles {
		if sc.Tiles[n] == int8(tile) {
			return false
		}
	}
	for c := range sc.StackTop {
		if sc.StackTop[c]>>tile&1 != 0 {
			return false
		}
		for _, low := range sc.StackBottom[c][:sc.StackLow[c]] {
			if low == int8(tile) {
				return false
			}
		}
	}
	return true
}

// bottom checks which tiles are known at the bottom of a stack.
func (sc scenario) bottom(colour int, tiles ...int) {
	sc.t.Helper()
	check(sc.t, "tiles at the bottom of "+colourNames[colour], int(sc.StackLow[colour]), len(tiles))
	for i, tile := range tiles {
		check(sc.t, "tile at the bottom of "+colourNames[colour], sc.StackBottom[colour][i], int8(tile))
	}
}

func doubloons(each ...uint8) func(*State) {
	return func(s *State) {
		for i, n := range each {
			s.Ships[i].Doubloons = n
		}
	}
}

func crews(each ...uint8) func(*State) {
	return func(s *State) {
		for i, n := range each {
			s.Ships[i].Crew = n
		}
	}
}

func hulls(each ...uint8) func(*State) {
	return func(s *State) {
		for i, n := range each {
			s.Ships[i].Hull = n
			s.Ships[i].Ghost = n == 0
		}
	}
}

// suns gives each seat some fragments that the hunter does not name.
func suns(each ...uint8) func(*State) {
	return func(s *State) {
		for i, n := range each {
			s.Ships[i].Fragments[SymbolSun] = n
		}
	}
}

func TestAdventurersTavernGivesAReputationLevel(t *testing.T) {
	enginetest.Clause(t, "LAND-1")
	sc := met(t, 3, AdventurersTavern)
	check(t, "level", sc.Ships[0].Reputation, 1)
	sc.next()
	sc = met(t, 3, AdventurersTavern, func(s *State) { s.Ships[0].Reputation = 3 })
	check(t, "level from the last space", sc.Ships[0].Reputation, 3)
}

func TestReplacedTilesLeaveTheGame(t *testing.T) {
	enginetest.Clause(t, "LAND-2", "LAND-17", "LAND-30")
	sc := met(t, 3, HiddenChamber)
	sc.legal("landmark=altar_of_greed", "landmark=gilded_tablet", "landmark=jeweled_maze", "landmark=jeweled_throne",
		"landmark=legendary_tomb", "landmark=pandoras_box", "landmark=radiant_fountain", "landmark=radiant_pool", "landmark=well_of_wishes")
	sc.do("landmark=pandoras_box")
	sc.legal("landmark=bleeding_totem", "landmark=bone_lever", "landmark=cursed_idol", "landmark=dank_cave",
		"landmark=dead_creek", "landmark=shrieking_arch", "landmark=shrieking_portal", "landmark=shrieking_ravine")
	sc.do("landmark=cursed_idol")
	sc.lies(NodeC1, CursedIdol)
	check(t, "hull of the one who came first", sc.Ships[0].Hull, 7)
	check(t, "Hidden Chamber left the game", sc.gone(HiddenChamber), true)
	check(t, "Pandora's Box left the game", sc.gone(PandorasBox), true)
	sc.next()
}

func TestReplacementFromAnEmptyStackLeavesNothing(t *testing.T) {
	enginetest.Clause(t, "ADV-10")
	sc := met(t, 3, HiddenChamber, func(s *State) { s.StackTop[ColourYellow] = 0 })
	sc.lies(NodeC1, noTile)
	sc.next()
}

func TestReplacementInAnExploitGoesUnderItsOwnStack(t *testing.T) {
	enginetest.Clause(t, "LAND-31", "EXP-2")
	sc := exploit(t, 3, HiddenChamber, "+1").do("landmark=pandoras_box;landmark=cursed_idol")
	check(t, "hull of the resolver", sc.Ships[1].Hull, 7)
	sc.bottom(ColourBlue)
	sc.bottom(ColourYellow)
	sc.bottom(ColourRed, CursedIdol)
	check(t, "Hidden Chamber left the game", sc.gone(HiddenChamber), true)
	check(t, "Pandora's Box left the game", sc.gone(PandorasBox), true)
	sc.next()
}

func TestCampMerchantAndVillageHelpTheShip(t *testing.T) {
	enginetest.Clause(t, "LAND-3", "LAND-4", "LAND-6")
	for _, tc := range []struct{ tile, hull, crew, wantHull, wantCrew int }{
		{MercenaryCamp, 5, 2, 6, 3},
		{MercenaryCamp, 10, 4, 10, 4},
		{SalvageMerchant, 5, 2, 7, 2},
		{SalvageMerchant, 9, 2, 10, 2},
		{TribalVillage, 5, 2, 5, 3},
		{TribalVillage, 5, 4, 5, 4},
	} {
		sc := met(t, 2, tc.tile, hulls(uint8(tc.hull), 10), crews(uint8(tc.crew)))
		check(t, landmarkNames[tc.tile]+": hull", int(sc.Ships[0].Hull), tc.wantHull)
		check(t, landmarkNames[tc.tile]+": crew", int(sc.Ships[0].Crew), tc.wantCrew)
		sc.next()
	}
}

func TestStarAxisMovesTheShipAsItsPlayerLikes(t *testing.T) {
	enginetest.Clause(t, "LAND-5")
	worn := hulls(5, 10)
	sc := met(t, 2, StarAxis, worn).legal("sail", "come_about", "stay").do("sail").legal("come_about", "stay")
	check(t, "hull before the movement is over", sc.Ships[0].Hull, 5)
	sc.do("come_about")
	check(t, "region", sc.Ships[0].Region, 1)
	check(t, "facing", sc.Ships[0].Facing, CounterClockwise)
	check(t, "hull", sc.Ships[0].Hull, 6)
	sc.next()

	sc = met(t, 2, StarAxis, worn).do("come_about;sail")
	check(t, "region, turning first", sc.Ships[0].Region, 3)
	sc = met(t, 2, StarAxis, worn).do("stay")
	check(t, "region, staying", sc.Ships[0].Region, 0)
	check(t, "hull, staying", sc.Ships[0].Hull, 6)

	sc = met(t, 2, StarAxis, worn, func(s *State) { s.Water[1] = RipCurrent }).do("sail")
	check(t, "region beyond the Rip Current", sc.Ships[0].Region, 2)
}

func TestStarAxisCannotTurnAShipWithoutCrew(t *testing.T) {
	enginetest.Clause(t, "CREW-5")
	met(t, 2, StarAxis, crews(0)).legal("sail", "stay").do("sail").next()
}

func TestVoodooHutMovesAndDamagesAnEnemy(t *testing.T) {
	enginetest.Clause(t, "LAND-7")
	sc := met(t, 3, VoodooHut).legal("seat=+1", "seat=+2", "decline")
	sc.do("seat=+2").seat(0).legal("sail", "come_about").do("come_about").legal("sail", "stay").do("sail")
	check(t, "region", sc.Ships[2].Region, 3)
	check(t, "facing", sc.Ships[2].Facing, CounterClockwise)
	check(t, "hull", sc.Ships[2].Hull, 9)
	sc.next()

	sc = met(t, 3, VoodooHut).do("seat=+2;come_about;stay")
	check(t, "region, turned only", sc.Ships[2].Region, 0)
	check(t, "hull, turned only", sc.Ships[2].Hull, 9)
	sc.next()

	sc = met(t, 3, VoodooHut).do("seat=+2;sail").legal("come_about", "stay").do("stay")
	check(t, "facing, sailed only", sc.Ships[2].Facing, Clockwise)
	check(t, "hull, sailed only", sc.Ships[2].Hull, 9)
	sc.next()

	sc = met(t, 3, VoodooHut).do("decline")
	check(t, "hull, declined", sc.Ships[2].Hull, 10)
	sc.next()
}

func TestVoodooHutSendsAShipThroughARipCurrent(t *testing.T) {
	enginetest.Clause(t, "LAND-7", "WAT-2", "WAT-11")
	sc := met(t, 3, VoodooHut, func(s *State) { s.Water[1] = RipCurrent }).do("seat=+2;sail;stay")
	check(t, "region", sc.Ships[2].Region, 2)
}

func TestVoodooHutTurnsAShipThatCannotTurnItself(t *testing.T) {
	enginetest.Clause(t, "CREW-6")
	sc := met(t, 3, VoodooHut, crews(4, 4, 0)).do("seat=+2;come_about;stay")
	check(t, "facing without crew", sc.Ships[2].Facing, CounterClockwise)
	sc = met(t, 3, VoodooHut, hulls(10, 10, 0)).do("seat=+2;come_about;stay")
	check(t, "facing of a ghost ship", sc.Ships[2].Facing, CounterClockwise)
}

func TestVoodooHutSinksWithoutDieOrReputation(t *testing.T) {
	enginetest.Clause(t, "LAND-8")
	sc := met(t, 3, VoodooHut, hulls(10, 10, 1)).do("seat=+2;come_about;stay")
	check(t, "ghost", sc.Ships[2].Ghost, true)
	check(t, "level of the one who sank it", sc.Ships[0].Reputation, 0)
	sc.next()
}

func TestWhisperingPortalTakesAFragmentFromTheRichestEnemy(t *testing.T) {
	enginetest.Clause(t, "LAND-9", "FAQ-1")
	sc := met(t, 4, WhisperingPortal, suns(0, 2, 1, 0), func(s *State) { s.Ships[1].Fragments[SymbolMoon] = 1 })
	sc.seat(0).legal("seat=+1").do("seat=+1")
	sc.seat(1).legal("seat=+2").do("seat=+2")
	sc.seat(1).legal("symbol=sun", "symbol=moon").do("symbol=moon")
	check(t, "moons of the giver", sc.Ships[1].Fragments[SymbolMoon], 0)
	check(t, "moons of the one with fewest", sc.Ships[3].Fragments[SymbolMoon], 1)
	sc.next()
}

func TestWhisperingRavineTakesTwoDoubloonsFromTheRichestEnemy(t *testing.T) {
	enginetest.Clause(t, "LAND-10", "GOLD-2")
	sc := met(t, 4, WhisperingRavine, doubloons(9, 6, 5, 1)).do("seat=+1;seat=+2")
	check(t, "doubloons of the giver", sc.Ships[1].Doubloons, 4)
	check(t, "doubloons of the poorest", sc.Ships[3].Doubloons, 3)
	check(t, "doubloons on the island", sc.Island, 0)
	sc.next()

	sc = met(t, 3, WhisperingRavine, doubloons(0, 1, 0)).do("seat=+1")
	sc.seat(1).legal("seat=+1", "seat=+2").do("seat=+2")
	check(t, "doubloons of a giver with one", sc.Ships[1].Doubloons, 0)
	check(t, "doubloons of the resolver", sc.Ships[0].Doubloons, 1)
}

func TestEnemyExcludesAndPirateIncludesTheResolver(t *testing.T) {
	enginetest.Clause(t, "LAND-32")
	// Seat 0 has most of all, yet is nobody's enemy to itself; and it may be the poorest pirate.
	met(t, 3, WhisperingRavine, doubloons(9, 6, 5)).legal("seat=+1")
	sc := met(t, 3, WhisperingRavine, doubloons(0, 6, 5)).do("seat=+1").seat(1).legal("seat=+2").do("seat=+2")
	check(t, "doubloons of the resolver", sc.Ships[0].Doubloons, 2)
	// A Shrieking tile gives to an enemy, however little its resolver has.
	met(t, 3, ShriekingRavine, doubloons(1, 6, 5)).legal("seat=+2")
}

func TestTiesOfWhisperingTiles(t *testing.T) {
	enginetest.Clause(t, "LAND-33", "LAND-34")
	sc := met(t, 4, WhisperingRavine, doubloons(1, 6, 6, 1)).seat(0).legal("seat=+1", "seat=+2")
	sc.do("seat=+2").seat(2).legal("seat=+1", "seat=+2").do("seat=+1")
	check(t, "doubloons of the receiver", sc.Ships[3].Doubloons, 3)
	sc.next()

	// In an Exploit the choice among givers is the one's who exploits.
	sc = exploit(t, 4, WhisperingRavine, "+1", doubloons(6, 1, 6, 1)).seat(0).legal("seat=self", "seat=+2")
	sc.do("seat=+2").seat(2).legal("seat=+1", "seat=+3")
}

func TestAGiverWhoIsTiedForPoorestNamesAnother(t *testing.T) {
	enginetest.Clause(t, "LAND-36")
	// All four have as much: the giver has most of the enemies and, like all, least of the pirates.
	sc := met(t, 4, WhisperingRavine, doubloons(3, 3, 3, 3)).do("seat=+2").seat(2).legal("seat=+1", "seat=+2", "seat=+3").do("seat=+2")
	check(t, "doubloons of the giver", sc.Ships[2].Doubloons, 1)
	check(t, "doubloons of the pirate named", sc.Ships[0].Doubloons, 5)
	sc.next()
	sc = met(t, 3, WhisperingPortal, suns(0, 2, 2)).do("seat=+2").seat(2).legal("seat=+1", "seat=+2").do("seat=+2;symbol=sun")
	check(t, "fragments of the giver", sum(&sc.Ships[2].Fragments), 1)
	check(t, "fragments of the pirate named", sum(&sc.Ships[1].Fragments), 3)
	// So it is where the player whose turn it is names the receiver, and where the legendary ghost ship gives.
	met(in(t, "edition=v1.9.8"), 3, WhisperingRavine, doubloons(2, 2, 2)).do("seat=+1").seat(0).legal("seat=self", "seat=+2")
	met(haunted(t), 3, WhisperingRavine, legendaryAt(3), doubloons(2, 2, 2)).do("seat=legendary").seat(0).legal("seat=self", "seat=+1", "seat=+2")
}

func TestNothingMovesFromPiratesToThemselves(t *testing.T) {
	enginetest.Clause(t, "LAND-36")
	// The only enemy has most of the enemies and least of the pirates.
	sc := met(t, 2, WhisperingRavine, doubloons(9, 3)).do("seat=+1").seat(1).legal("seat=self").do("seat=self")
	check(t, "doubloons", sc.Ships[1].Doubloons, 3)
	sc.next()
	sc = met(t, 2, WhisperingPortal, suns(0, 1)).do("seat=+1;seat=self")
	check(t, "fragments", sc.Ships[1].Fragments[SymbolSun], 1)
	sc.next()
}

func TestWhisperingTilesWithoutAGiverDoNothing(t *testing.T) {
	enginetest.Clause(t, "LAND-37")
	met(t, 3, WhisperingPortal).next()
	met(t, 3, WhisperingRavine, doubloons(5, 0, 0)).next()
}

func TestPillageTokenLandmarks(t *testing.T) {
	enginetest.Clause(t, "LAND-11", "LAND-20")
	for _, tc := range []struct {
		tile       int
		left, want uint8
	}{{AltarOfGreed, 6, 2}, {AltarOfGreed, 1, 1}, {AltarOfGreed, 0, 0}, {WellOfWishes, 6, 1}, {WellOfWishes, 0, 0}} {
		sc := met(t, 3, tc.tile, func(s *State) { s.Pillage = tc.left })
		check(t, landmarkNames[tc.tile]+": tokens", sc.Ships[0].Pillage, tc.want)
		check(t, landmarkNames[tc.tile]+": left", sc.Pillage, tc.left-tc.want)
		sc.next()
	}
}

func TestGildedTabletAdvancesAgainWithoutFollowers(t *testing.T) {
	enginetest.Clause(t, "LAND-12", "ADV-6")
	sc := met(t, 3, GildedTablet, func(s *State) { s.Ships[1].Fragments[SymbolX] = 1 })
	check(t, "captain", sc.Ships[0].Node, NodeC2)
	sc.do("landmark=adventurers_tavern")
	check(t, "level", sc.Ships[0].Reputation, 1)
	sc.seat(1).do("to=V1;landmark=well_of_wishes")
	check(t, "the follower after the hunter's second Advance", sc.Ships[1].Node, NodeV1)
	check(t, "captain at the end", sc.Ships[0].Node, NodeC2)
	sc.next()
}

func TestGildedTabletExploitsAnyStackAfterTheDig(t *testing.T) {
	enginetest.Clause(t, "LAND-13")
	sc := exploit(t, 3, GildedTablet, "self").legal("stack=blue", "stack=yellow", "stack=red").do("stack=red;landmark=cursed_idol;seat=+2")
	check(t, "hull", sc.Ships[2].Hull, 7)
	sc.bottom(ColourYellow, GildedTablet)
	sc.bottom(ColourRed, CursedIdol)
	sc.next()
}

func TestGildedTabletGivenAwayIsTheOthersExploit(t *testing.T) {
	enginetest.Clause(t, "LAND-13")
	sc := exploit(t, 3, GildedTablet, "+1").seat(1).do("stack=red;landmark=cursed_idol")
	sc.seat(1).do("seat=+2")
	check(t, "hull of seat 0", sc.Ships[0].Hull, 7)
}

func TestJewelsAreBoughtForDoubloons(t *testing.T) {
	enginetest.Clause(t, "LAND-14", "LAND-15", "GOLD-1", "GOLD-4")
	for tile, price := range map[int]uint8{JeweledMaze: 2, JeweledThrone: 1} {
		sc := met(t, 2, tile, doubloons(5)).legal("accept", "decline").do("accept")
		sc.legal("jewel=emerald", "jewel=ruby", "jewel=diamond").do("jewel=ruby")
		check(t, "doubloons", sc.Ships[0].Doubloons, 5-price)
		check(t, "island", sc.Island, price)
		check(t, "rubies", sc.Ships[0].Jewels[Ruby], 1)
		check(t, "rubies left", sc.Jewels[Ruby], 5)
		sc.next()

		sc = met(t, 2, tile, doubloons(5)).do("decline")
		check(t, "doubloons, declined", sc.Ships[0].Doubloons, 5)
		sc.next()
	}
}

func TestLegendaryTombSellsALevel(t *testing.T) {
	enginetest.Clause(t, "LAND-16", "GOLD-4")
	sc := met(t, 2, LegendaryTomb, doubloons(1)).legal("accept", "decline").do("accept")
	check(t, "level", sc.Ships[0].Reputation, 1)
	check(t, "doubloons", sc.Ships[0].Doubloons, 0)
	check(t, "island", sc.Island, 1)
	sc.next()
}

func TestCostsThatCannotBePaidOrRewardedAreNotOffered(t *testing.T) {
	enginetest.Clause(t, "GOLD-5", "GOLD-6")
	met(t, 2, JeweledMaze, doubloons(1)).next()
	met(t, 2, JeweledThrone, doubloons(0)).next()
	met(t, 2, LegendaryTomb, doubloons(0)).next()
	met(t, 2, JeweledMaze, doubloons(9), func(s *State) { s.Jewels = [NumJewels]uint8{} }).next()
	met(t, 2, JeweledMaze, doubloons(2), func(s *State) { s.Jewels = [NumJewels]uint8{Diamond: 1} }).legal("accept", "decline")
	met(t, 2, LegendaryTomb, doubloons(9), func(s *State) { s.Ships[0].Reputation = 3 }).next()
}

func TestRadiantTilesGiveDoubloonsFromTheIsland(t *testing.T) {
	enginetest.Clause(t, "LAND-18", "LAND-19", "GOLD-3")
	for _, tc := range []struct {
		tile         int
		island, want uint8
	}{{RadiantFountain, 3, 1}, {RadiantFountain, 0, 0}, {RadiantPool, 3, 2}, {RadiantPool, 1, 1}, {RadiantPool, 0, 0}} {
		sc := met(t, 2, tc.tile, doubloons(0), func(s *State) { s.Island = tc.island })
		check(t, landmarkNames[tc.tile]+": doubloons", sc.Ships[0].Doubloons, tc.want)
		check(t, landmarkNames[tc.tile]+": island", sc.Island, tc.island-tc.want)
		sc.next()
	}
}

func TestRedTilesHarmTheirResolver(t *testing.T) {
	enginetest.Clause(t, "LAND-21", "LAND-23", "LAND-24", "LAND-25")
	for _, tc := range []struct{ tile, crew, gold, wantHull, wantCrew, wantGold int }{
		{BleedingTotem, 4, 3, 8, 3, 3},
		{BleedingTotem, 0, 3, 8, 0, 3},
		{CursedIdol, 4, 3, 7, 4, 3},
		{DankCave, 4, 3, 10, 4, 1},
		{DankCave, 4, 1, 10, 4, 0},
		{DeadCreek, 4, 3, 10, 2, 3},
		{DeadCreek, 1, 3, 10, 0, 3},
	} {
		sc := met(t, 2, tc.tile, crews(uint8(tc.crew)), doubloons(uint8(tc.gold)))
		name := landmarkNames[tc.tile]
		check(t, name+": hull", int(sc.Ships[0].Hull), tc.wantHull)
		check(t, name+": crew", int(sc.Ships[0].Crew), tc.wantCrew)
		check(t, name+": doubloons", int(sc.Ships[0].Doubloons), tc.wantGold)
		check(t, name+": island", int(sc.Island), tc.gold-tc.wantGold)
		sc.next()
	}
}

func TestBoneLeverGivesTokensToEnemiesClockwise(t *testing.T) {
	enginetest.Clause(t, "LAND-22")
	for _, tc := range []struct {
		left uint8
		want [4]uint8
	}{{8, [4]uint8{0, 1, 1, 1}}, {2, [4]uint8{0, 1, 1, 0}}, {0, [4]uint8{}}} {
		sc := met(t, 4, BoneLever, func(s *State) { s.Pillage = tc.left })
		for i, want := range tc.want {
			check(t, "tokens", sc.Ships[i].Pillage, want)
		}
		sc.next()
	}
	// From the resolver's position, not from the hunter's.
	sc := exploit(t, 4, BoneLever, "+2", func(s *State) { s.Pillage = 1 })
	check(t, "tokens of the seat left of the resolver", sc.Ships[3].Pillage, 1)
}

func TestShriekingArchGivesCrewToTheEnemyWithLeast(t *testing.T) {
	enginetest.Clause(t, "LAND-26")
	sc := met(t, 3, ShriekingArch, crews(3, 4, 2)).seat(0).legal("seat=+2").do("seat=+2")
	check(t, "crew of the giver", sc.Ships[0].Crew, 2)
	check(t, "crew of the receiver", sc.Ships[2].Crew, 3)
	sc.next()
	met(t, 3, ShriekingArch, crews(0, 4, 2)).next()
}

func TestCrewGivenToAFullShipIsLost(t *testing.T) {
	enginetest.Clause(t, "LAND-38")
	sc := met(t, 2, ShriekingArch).do("seat=+1")
	check(t, "crew of the giver", sc.Ships[0].Crew, 3)
	check(t, "crew of the receiver", sc.Ships[1].Crew, 4)
}

func TestShriekingPortalGivesAFragmentToTheEnemyWithFewest(t *testing.T) {
	enginetest.Clause(t, "LAND-27", "FAQ-1")
	sc := met(t, 3, ShriekingPortal, suns(1, 2, 1)).legal("seat=+2").do("seat=+2")
	sc.seat(0).legal("symbol=x", "symbol=sun").do("symbol=x")
	check(t, "fragments of the giver", sum(&sc.Ships[0].Fragments), 2)
	check(t, "fragments of the receiver", sc.Ships[2].Fragments[SymbolX], 1)
	sc.next()
	// Without a fragment to give the tile does nothing.
	exploit(t, 3, ShriekingPortal, "+1", suns(0, 0, 1)).next()
}

func TestShriekingRavineGivesTwoDoubloonsToThePoorestEnemy(t *testing.T) {
	enginetest.Clause(t, "LAND-28")
	sc := met(t, 3, ShriekingRavine, doubloons(5, 4, 1)).legal("seat=+2").do("seat=+2")
	check(t, "doubloons of the giver", sc.Ships[0].Doubloons, 3)
	check(t, "doubloons of the receiver", sc.Ships[2].Doubloons, 3)
	sc.next()
	sc = met(t, 3, ShriekingRavine, doubloons(1, 4, 1)).do("seat=+2")
	check(t, "doubloons of a receiver from a giver with one", sc.Ships[2].Doubloons, 2)
	met(t, 3, ShriekingRavine, doubloons(0, 4, 1)).next()
}

func TestWhoTriggeredAShriekingTileChoosesAmongEnemiesWithLeast(t *testing.T) {
	enginetest.Clause(t, "LAND-35")
	met(t, 3, ShriekingRavine, doubloons(5, 1, 1)).seat(0).legal("seat=+1", "seat=+2")
	// Resolved by seat 1, for seat 0's Exploit.
	sc := exploit(t, 3, ShriekingRavine, "+1", doubloons(1, 5, 1)).seat(0).legal("seat=self", "seat=+2").do("seat=self")
	check(t, "doubloons of the resolver", sc.Ships[1].Doubloons, 3)
	check(t, "doubloons of the one who exploited", sc.Ships[0].Doubloons, 3)
}

func TestLandmarksSinkWithoutDieOrReputation(t *testing.T) {
	enginetest.Clause(t, "LAND-29", "EXP-3")
	sc := met(t, 3, CursedIdol, hulls(3, 10, 10))
	check(t, "ghost on the island", sc.Ships[0].Ghost, true)
	sc.next()
	sc = exploit(t, 3, CursedIdol, "+1", hulls(10, 3, 10))
	check(t, "ghost by an Exploit", sc.Ships[1].Ghost, true)
	for i := range 3 {
		check(t, "level", sc.Ships[i].Reputation, 0)
	}
	sc.next()
}
