package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// has gives a seat fragments of a symbol.
func has(seat, symbol int, n uint8) func(*State) {
	return func(s *State) { s.Ships[seat].Fragments[symbol] = n }
}

// hunting is a scenario in which seat 0 has chosen to Hunt. It has two X unless
// edits say otherwise.
func hunting(t testing.TB, seats int, edits ...func(*State)) scenario {
	t.Helper()
	return given(t, seats, func(s *State) {
		hunter(s)
		for _, edit := range edits {
			edit(s)
		}
	}).do("do=hunt")
}

func dug(s *State) { s.Dug = true }

func TestHuntWithFewerThanTwoFragmentsDrawsAMapTile(t *testing.T) {
	enginetest.Clause(t, "HUNT-1", "HUNT-3")
	for _, edits := range [][]func(*State){
		{has(0, SymbolX, 0)},
		{has(0, SymbolX, 1)},
		{has(0, SymbolX, 1), dug},
	} {
		sc := hunting(t, 3, edits...).seat(engine.Chance)
		before, unseen := sc.MapFragments, sc.UnseenFragments[SymbolSun]
		sc.legal("map=x", "map=sun", "map=moon", "map=island_lore", "map=skull_amulet").do("map=sun")
		check(t, "suns", sc.Ships[0].Fragments[SymbolSun], 1)
		check(t, "fragments left in the stack", sc.MapFragments, before-1)
		check(t, "suns that nobody has seen", sc.UnseenFragments[SymbolSun], unseen-1)
		sc.next()
	}
}

func TestHuntWithAnEmptyMapStackDoesNothing(t *testing.T) {
	enginetest.Clause(t, "HUNT-2")
	sc := hunting(t, 3, has(0, SymbolX, 1), func(s *State) { s.MapFragments, s.MapSpecials = 0, [NumSpecials]uint8{} })
	check(t, "fragments", sum(&sc.Ships[0].Fragments), 1)
	sc.next()
	// The last tile is drawn like any other.
	hunting(t, 3, has(0, SymbolX, 1), func(s *State) { s.MapFragments, s.MapSpecials = 0, [NumSpecials]uint8{0, 1, 0} }).legal("map=skull_amulet")
}

func TestIslandLoreGrantsAnAdvanceOrAnExploit(t *testing.T) {
	enginetest.Clause(t, "HUNT-4")
	sc := hunting(t, 3, has(0, SymbolX, 1)).do("map=island_lore")
	check(t, "Island Lores in the stack", sc.MapSpecials[IslandLore], 0)
	sc.legal("symbol=x").do("symbol=x").legal("to=C1", "to=V1", "to=P1")

	sc = hunting(t, 3, has(0, SymbolX, 1), dug).do("map=island_lore").legal("stack=blue", "stack=yellow", "stack=red")
	check(t, "Island Lores in the stack after the dig", sc.MapSpecials[IslandLore], 0)
}

func TestIslandLoreNamesAFragmentThatItsPlayerOwns(t *testing.T) {
	enginetest.Clause(t, "HUNT-8")
	sc := hunting(t, 3, has(0, SymbolX, 1), has(1, SymbolX, 1), has(2, SymbolSun, 1)).do("map=island_lore").legal("symbol=x")
	sc.do("symbol=x;to=C1;landmark=tribal_village")
	sc.seat(1).do("to=P1;landmark=dank_cave")
	check(t, "a captain without the type", sc.Ships[2].Node, NodeBeach)
	sc.next()

	sc = hunting(t, 3, has(0, SymbolX, 0), has(1, SymbolX, 1)).do("map=island_lore").seat(0).do("to=C1;landmark=tribal_village")
	check(t, "the captain without fragments", sc.Ships[0].Node, NodeC1)
	check(t, "a captain who has one", sc.Ships[1].Node, NodeBeach)
	sc.next()
}

func TestSkullAmuletGrantsALevel(t *testing.T) {
	enginetest.Clause(t, "HUNT-5")
	sc := hunting(t, 3, has(0, SymbolX, 1)).do("map=skull_amulet")
	check(t, "level", sc.Ships[0].Reputation, 1)
	check(t, "Skull Amulets in the stack", sc.MapSpecials[SkullAmulet], 0)
	sc.next()
}

func TestProtectionOrbIsKept(t *testing.T) {
	enginetest.Clause(t, "HUNT-6")
	sc := hunting(t, 4, has(0, SymbolX, 1)).do("map=protection_orb")
	check(t, "orbs", sc.Ships[0].Orbs, 1)
	check(t, "Protection Orbs in the stack", sc.MapSpecials[ProtectionOrb], 0)
	sc.next()
}

func TestHuntWithTwoFragmentsAdvancesOrExploits(t *testing.T) {
	enginetest.Clause(t, "HUNT-7")
	hunting(t, 3).legal("symbol=x")
	hunting(t, 3, has(0, SymbolX, 1), has(0, SymbolMoon, 1)).legal("symbol=x", "symbol=moon")
	hunting(t, 3, dug).legal("stack=blue", "stack=yellow", "stack=red")
}

func TestThereIsNoLimitToFragments(t *testing.T) {
	enginetest.Clause(t, "FAQ-2")
	sc := met(t, 2, WhisperingPortal, has(0, SymbolX, 3), has(0, SymbolMoon, 3), suns(0, 9)).do("seat=+1;seat=+1;symbol=sun")
	check(t, "fragments", sum(&sc.Ships[0].Fragments), 7)
}

func TestEveryoneWithTheTypeFollows(t *testing.T) {
	enginetest.Clause(t, "ADV-1", "ADV-2", "ADV-7")
	// Seat 2 hunts; seats 0 and 3 have the type, seat 1 has not.
	sc := given(t, 4, func(s *State) {
		s.Turn, s.Initiative = 2, 2
		s.Ships[2].Table, s.Ships[3].Table = row("N13"), row("N33")
		s.Ships[2].Fragments[SymbolX] = 1
		s.Ships[2].Fragments[SymbolSun] = 1
		s.Ships[0].Fragments[SymbolX] = 1
		s.Ships[3].Fragments[SymbolX] = 3
		s.Ships[1].Fragments[SymbolSun] = 1
	}).do("do=hunt").legal("symbol=x", "symbol=sun").do("symbol=x")
	sc.seat(2).legal("to=C1", "to=V1", "to=P1").do("to=C1;landmark=tribal_village")
	sc.seat(3).legal("to=C1", "to=V1", "to=P1").do("to=V1;landmark=well_of_wishes")
	sc.seat(0).legal("to=C1", "to=V1", "to=P1").do("to=P1;landmark=dank_cave")
	for seat, node := range []int8{NodeP1, NodeBeach, NodeC1, NodeV1} {
		check(t, "captain", sc.Ships[seat].Node, node)
	}
	check(t, "turn", sc.Turn, 3)
}

func TestFollowersAreSettledWhenTheTypeIsNamed(t *testing.T) {
	enginetest.Clause(t, "ADV-7")
	// Seat 1 loses its X to the hunter's landmark, but has been called already; seat 2, who gets it, has not.
	sc := met(t, 3, WhisperingPortal, has(0, SymbolX, 2), has(1, SymbolX, 1)).do("seat=+1;seat=+1;symbol=x")
	check(t, "X of seat 2", sc.Ships[2].Fragments[SymbolX], 1)
	sc.seat(1).do("to=V1;landmark=well_of_wishes")
	check(t, "captain of seat 2", sc.Ships[2].Node, NodeBeach)
	sc.next()
}

func TestTheFirstAtALocationDrawsItsLandmark(t *testing.T) {
	enginetest.Clause(t, "ADV-3", "ADV-4", "ADV-5", "ADV-6")
	sc := hunting(t, 3, has(1, SymbolX, 1)).do("symbol=x;to=P1")
	sc.seat(engine.Chance).do("landmark=cursed_idol")
	sc.lies(NodeP1, CursedIdol)
	check(t, "hull of the hunter before the follower moves", sc.Ships[0].Hull, 7)
	check(t, "captain of the follower", sc.Ships[1].Node, NodeBeach)
	sc.seat(1).do("to=P1")
	check(t, "hull of the follower at the same landmark", sc.Ships[1].Hull, 7)
	sc.lies(NodeP1, CursedIdol)
	sc.next()
}

func TestLocationsDrawFromTheStackOfTheirColour(t *testing.T) {
	enginetest.Clause(t, "ADV-11", "ADV-4")
	for place, tile := range map[string]int{"C1": AdventurersTavern, "V1": AltarOfGreed, "P1": BleedingTotem} {
		sc := hunting(t, 3, func(s *State) {
			for c := range NumColours {
				s.StackTop[c] &= 1<<AdventurersTavern | 1<<AltarOfGreed | 1<<BleedingTotem
			}
		}).do("symbol=x;to=" + place)
		sc.legal("landmark=" + landmarkNames[tile])
	}
}

func TestPathsForkAndMeet(t *testing.T) {
	enginetest.Clause(t, "ADV-3")
	at := func(node int8) func(*State) { return func(s *State) { s.Ships[0].Node = node } }
	hunting(t, 2, at(NodeC3)).do("symbol=x").legal("to=C4", "to=V5")
	hunting(t, 2, at(NodeV4)).do("symbol=x").legal("to=V5", "to=P4")
	hunting(t, 2, at(NodeP2)).do("symbol=x").legal("to=P3", "to=C3")
	sc := hunting(t, 2, at(NodeC1)).do("symbol=x") // one way: nothing to choose
	check(t, "captain", sc.Ships[0].Node, NodeC2)
}

func TestCaptainsAtTheMountStayThere(t *testing.T) {
	enginetest.Clause(t, "ADV-8", "ADV-9", "DIG-1")
	sc := hunting(t, 3, func(s *State) { s.Ships[0].Node = NodeP4 }).do("symbol=x")
	check(t, "captain", sc.Ships[0].Node, NodeM)
	check(t, "dug up during the round", sc.Dug, false)
	sc.lies(NodeM, noTile)
	sc.next()

	sc = hunting(t, 3, has(1, SymbolX, 1), has(2, SymbolX, 1), func(s *State) {
		s.Ships[0].Node, s.Ships[2].Node = NodeM, NodeM
	}).do("symbol=x")
	sc.seat(1).do("to=C1;landmark=tribal_village")
	check(t, "captain at the mount", sc.Ships[0].Node, NodeM)
	check(t, "follower at the mount", sc.Ships[2].Node, NodeM)
	sc.next()
}

func TestAnEmptyStackLeavesALocationBlank(t *testing.T) {
	enginetest.Clause(t, "ADV-10")
	sc := hunting(t, 3, func(s *State) { s.StackTop[ColourRed] = 0 }).do("symbol=x;to=P1")
	sc.lies(NodeP1, noTile)
	sc.next()
	// For this visit only: who comes when the stack has a tile again draws it.
	sc = hunting(t, 3, func(s *State) { s.StackTop[ColourRed] = 1 << CursedIdol }, func(s *State) { s.Ships[1].Node = NodeP1 })
	sc.do("symbol=x;to=P1").legal("landmark=cursed_idol")
}

func TestExploitDrawsFromAStackForAnyPlayer(t *testing.T) {
	enginetest.Clause(t, "EXP-1", "EXP-2")
	sc := hunting(t, 3, dug).do("stack=red;landmark=cursed_idol").seat(0).legal("seat=self", "seat=+1", "seat=+2").do("seat=+2")
	check(t, "hull", sc.Ships[2].Hull, 7)
	sc.bottom(ColourRed, CursedIdol)
	check(t, "still in the unknown part", sc.StackTop[ColourRed]>>CursedIdol&1, 0)
	sc.next()

	sc = exploit(t, 3, CursedIdol, "self")
	check(t, "own hull", sc.Ships[0].Hull, 7)
}

func TestExploitOffersStacksWithTiles(t *testing.T) {
	enginetest.Clause(t, "EXP-1")
	stacks := func(blue, yellow, red uint64) func(*State) {
		return func(s *State) { s.StackTop = [NumColours]uint64{blue, yellow, red} }
	}
	hunting(t, 3, dug, stacks(1<<TribalVillage, 0, 0)).legal("stack=blue")
	hunting(t, 3, dug, stacks(0, 1<<WellOfWishes, 1<<DankCave)).legal("stack=yellow", "stack=red")
	hunting(t, 3, dug, stacks(0, 0, 0)).next()
}

func TestExploitedTilesAreDrawnLast(t *testing.T) {
	enginetest.Clause(t, "EXP-2", "KNOW-4")
	// Two tiles of unknown order above a known bottom.
	bottom := func(top uint64) func(*State) {
		return func(s *State) {
			s.StackTop[ColourRed] = top
			s.StackBottom[ColourRed][0], s.StackBottom[ColourRed][1], s.StackLow[ColourRed] = DeadCreek, DankCave, 2
		}
	}
	hunting(t, 3, dug, bottom(1<<CursedIdol|1<<BoneLever)).do("stack=red").legal("landmark=cursed_idol", "landmark=bone_lever")
	sc := hunting(t, 3, dug, bottom(0)).do("stack=red").legal("landmark=dead_creek").do("landmark=dead_creek;seat=self")
	sc.bottom(ColourRed, DankCave, DeadCreek)
}

func TestTheResolverOfAnExploitDecidesOnTheirOwnThings(t *testing.T) {
	enginetest.Clause(t, "EXP-4")
	sc := exploit(t, 3, JeweledThrone, "+1").seat(1).legal("accept", "decline").do("accept;jewel=diamond")
	check(t, "diamonds", sc.Ships[1].Jewels[Diamond], 1)
	sc = exploit(t, 3, StarAxis, "+1").seat(1).do("sail;stay")
	check(t, "region", sc.Ships[1].Region, 1)
	exploit(t, 3, ShriekingPortal, "+1", has(1, SymbolX, 1), suns(0, 2)).seat(0).do("seat=+2").seat(1).legal("symbol=x", "symbol=sun")
	// Targets are the choice of the one who exploits, among the resolver's enemies.
	exploit(t, 3, ShriekingRavine, "+1", doubloons(1, 5, 1)).seat(0).legal("seat=self", "seat=+2")
}

// "You may force an enemy ship": you are who resolves the tile.
func TestAnExploitedVoodooHutIsDecidedByWhoResolvesIt(t *testing.T) {
	enginetest.Clause(t, "EXP-4", "LAND-7")
	sc := exploit(t, 3, VoodooHut, "+1").seat(1).legal("seat=+1", "seat=+2", "decline").do("seat=+2").seat(1).legal("sail", "come_about").do("sail;stay")
	check(t, "region of the one who exploits", sc.Ships[0].Region, 1)
	check(t, "hull of the one who exploits", sc.Ships[0].Hull, 9)
	sc.next()
	sc = exploit(t, 3, VoodooHut, "+1").seat(1).do("decline")
	check(t, "hull where the player declined", sc.Ships[0].Hull, 10)
	sc.next()
	// In its place in an Exploit too, and the legendary ghost ship is one of the enemies.
	exploit(haunted(t), 2, VoodooHut, "+1", legendaryAt(3)).seat(1).legal("seat=+1", "seat=legendary", "decline")
}

func TestTargetsOfATileJustDrawnAreTheChoiceOfWhoeverTriggeredIt(t *testing.T) {
	enginetest.Clause(t, "ADV-4", "LAND-30", "EXP-4")
	hunting(t, 3).do("symbol=x;to=C1;landmark=voodoo_hut").seat(0).legal("seat=+1", "seat=+2", "decline")
	met(t, 3, HiddenChamber, doubloons(5, 1, 1)).do("landmark=pandoras_box;landmark=shrieking_ravine").seat(0).legal("seat=+1", "seat=+2")
	// In an Exploit also those of tiles that replace the one drawn.
	exploit(t, 3, HiddenChamber, "+1", doubloons(1, 5, 1)).do("landmark=pandoras_box;landmark=shrieking_ravine").seat(0).legal("seat=self", "seat=+2")
}
