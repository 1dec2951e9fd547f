package doubloons

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// away has scenarios played on the alternate island.
func away(t testing.TB) testing.TB { return in(t, "modules=alternate_island") }

// at puts captains on the alternate island.
func at(nodes ...int8) func(*State) {
	return func(s *State) {
		for i, n := range nodes {
			s.Ships[i].Node = n
		}
	}
}

// walking has seat 0 Hunt with two fragments, its captain at the first of these locations.
func walking(t testing.TB, seats int, edits ...func(*State)) scenario {
	t.Helper()
	return acting(away(t), seats, "N13", append([]func(*State){func(s *State) { hunter(s) }}, edits...)...).do("do=hunt")
}

// relics gives a seat totems and shells of X.
func relics(seat int, totems, shells uint8) func(*State) {
	return func(s *State) {
		s.Ships[seat].Totems[SymbolX], s.Ships[seat].Shells[SymbolX] = totems, shells
	}
}

// emptied opens the crater: what is left of the relics is in the box.
func emptied(s *State) {
	s.Relics[0], s.Relics[1] = [NumSymbols]uint8{}, [NumSymbols]uint8{0, 0, 4, 4}
}

func rulesOf(sc scenario) *Rules {
	r, _ := engine.RulesOf[State, *Rules](sc.m)
	return r
}

func TestAdventureSetup(t *testing.T) {
	enginetest.Clause(t, "ISL-1", "ISL-2", "ISL-3", "ISL-4", "ISL-5", "ISL-6", "ISL-7")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		sc := fresh(away(t), seats).until(programming)
		r := rulesOf(sc)
		check(t, "green cards in the deck", r.normal>>FirstGreenCard, 1<<NumGreenCards-1)
		check(t, "relics in the crater", r.InCrater(sc.State), 4*seats)
		green := 6
		for _, n := range []int{NodeT1, NodeT2, NodeT3, NodeT4} {
			check(t, "landmark at a ruin", sc.Tiles[n], noTile)
		}
		check(t, "Tribal Ruins in the stack", sc.stackSize(ColourGreen), green)
		check(t, "fragments in the map stack", sc.MapFragments, 0)
		check(t, "orbs in the map stack", int(sc.MapSpecials[ProtectionOrb]), map[bool]int{true: 1}[seats >= 5])
		for i := range seats {
			sh := &sc.Ships[i]
			check(t, "fragments", sum(&sh.Fragments), 2)
			check(t, "the captain is on the beach of the ship's region", int(sh.Node), NodeB1+int(sh.Region))
		}
		for region, group := range r.AlternateWaterChart[seats] {
			check(t, "group of the region", r.WaterGroup[sc.Water[region]], group)
		}
		check(t, "rivals at set-up do not duel", sc.Top().Kind, AskProgram)
	}
}

func TestMistsOfMorganaLeaveTheRegionBetweenRipCurrents(t *testing.T) {
	enginetest.Clause(t, "ISL-8")
	sc := fresh(away(t), 2).do("initiative=0;water=high_water;water=rip_current;water=mists_of_morgana;water=rip_current;water=the_shallows")
	check(t, "the starred region", sc.Water[2], TheShallows)
	check(t, "the next of group 3", sc.Water[4], MistsOfMorgana)
}

func TestAdvanceGoesAnyConnectedWayAndNobodyFollows(t *testing.T) {
	enginetest.Clause(t, "ISL-9", "ISL-10")
	sc := walking(t, 3, has(1, SymbolX, 2), at(NodeC1, NodeB4, NodeB4))
	sc.legal("to=B1", "to=B2", "to=V1").do("to=B2")
	check(t, "the captain", sc.Ships[0].Node, NodeB2)
	check(t, "who has the same fragment", sc.Ships[1].Node, NodeB4)
	sc.seat(1)
}

func TestHuntWithoutTwoFragmentsDrawsAMapTile(t *testing.T) {
	enginetest.Clause(t, "ISL-11")
	sc := acting(away(t), 2, "N13", func(s *State) { s.Ships[0].Fragments = [NumSymbols]uint8{1} }).do("do=hunt")
	sc.legal("map=island_lore", "map=skull_amulet").do("map=island_lore")
	check(t, "Island Lore Advances", sc.Top().Kind, AskPath)
}

func TestAfterTheDigHuntStillAdvances(t *testing.T) {
	enginetest.Clause(t, "ISL-12")
	sc := walking(t, 2, dug, at(NodeB1, NodeB4))
	sc.legal("to=C1", "to=C5", "to=P1")
	sc = walking(t, 2, dug, at(NodeC1, NodeB4), func(s *State) { lay(s, NodeV1, GildedTablet) }).do("to=V1")
	check(t, "the Gilded Tablet", sc.Top().Kind, AskPath)
}

func TestGreenCardGivesCrewBeforeTheHunt(t *testing.T) {
	enginetest.Clause(t, "ISL-13")
	sc := acting(away(t), 2, "G04", func(s *State) {
		hunter(s)
		s.Ships[0].Table, s.Ships[0].Crew = row("G04"), 2
	}).do("do=hunt")
	check(t, "crew", sc.Ships[0].Crew, 3)
	check(t, "then the Hunt", sc.Top().Kind, AskPath)
}

func TestTribalRuinsBeforeTheDigGainAndPlaceRelics(t *testing.T) {
	enginetest.Clause(t, "RUIN-1", "RUIN-2", "RUIN-3", "RUIN-4")
	for tile, placed := range map[int]int{CarvedObelisk: 0, DecayingTemple: 0, BurialGrounds: 1, MoonlitLake: 1, CelestialAltar: 2, SunkenLoom: 2} {
		sc := walking(t, 2, at(NodeP1, NodeB4), func(s *State) { lay(s, NodeT1, tile); water(1, RipCurrent)(s) }).do("to=T1")
		before := rulesOf(sc).InCrater(sc.State)
		sc.do("relic=totem_sun")
		check(t, "the totem drawn", sc.Ships[0].Totems[SymbolSun], 1)
		for k := range placed {
			if k == 0 {
				sc.do("relic=shell_moon").legal("region=0", "region=2", "region=3", "region=4").do("region=3")
				check(t, "the shell placed", sc.RegionShells[3][SymbolMoon], 1)
			} else {
				sc.do("relic=totem_x").legal("to=B1", "to=B2", "to=B3", "to=B4", "to=B5").do("to=B2")
				check(t, "the totem placed", sc.BeachTotems[1][SymbolX], 1)
			}
		}
		check(t, "out of the crater", before-rulesOf(sc).InCrater(sc.State), 1+placed)
		sc.seat(1)
	}
	sc := walking(t, 2, emptied, at(NodeP1, NodeB4), func(s *State) { lay(s, NodeT1, SunkenLoom) }).do("to=T1")
	sc.seat(1) // nothing to draw
}

func TestTribalRuinsAfterTheDig(t *testing.T) {
	enginetest.Clause(t, "RUIN-5", "RUIN-6", "RUIN-7")
	after := func(tile int, edits ...func(*State)) scenario {
		return walking(t, 3, append([]func(*State){dug, emptied, at(NodeP1, NodeB4, NodeB4), func(s *State) { lay(s, NodeT1, tile) }}, edits...)...).do("to=T1")
	}
	for _, tile := range []int{BurialGrounds, CarvedObelisk} {
		sc := after(tile, func(s *State) { s.BeachTotems[3][SymbolMoon] = 1 })
		sc.legal("to=B1", "to=B2", "to=B3", "to=B4", "to=B5", "decline").do("to=B4")
		sc.legal("symbol=moon", "decline").do("symbol=moon").legal("seat=+1", "seat=+2")
		check(t, "one pick-up, one space", sc.Ships[0].Track, 1)
	}
	for tile, colour := range map[int]uint8{CelestialAltar: ColourBlue, SunkenLoom: ColourYellow} {
		sc := after(tile)
		check(t, "stack drawn from", uint8(sc.Top().Arg[0]), colour)
		check(t, "the ruin is gone", sc.Tiles[NodeT1], noTile)
	}
	sc := after(DecayingTemple, relics(0, 1, 1), relics(2, 1, 0), relics(1, 0, 1))
	sc.legal("seat=+2", "decline").do("seat=+2;symbol=x;symbol=x")
	check(t, "own tracker", sc.Ships[0].Track, 1)
	check(t, "the other's tracker", sc.Ships[2].Track, 1)
	sc = after(MoonlitLake, relics(0, 0, 1), func(s *State) { s.Ships[1].Shells[SymbolWave] = 1 })
	sc.legal("seat=+1", "decline").do("seat=+1;symbol=x;symbol=wave")
	check(t, "the shell taken", sc.Ships[0].Shells, [NumSymbols]uint8{0, 0, 0, 1})
	check(t, "the shell given", sc.Ships[1].Shells, [NumSymbols]uint8{1})
	after(DecayingTemple, relics(1, 1, 1)).seat(1) // nothing to give
}

func TestCaptainMayTakeOneTotemOfTheBeach(t *testing.T) {
	enginetest.Clause(t, "RUIN-8")
	sc := walking(t, 2, at(NodeC1, NodeB4), func(s *State) { s.BeachTotems[1] = [NumSymbols]uint8{2, 0, 1} }).do("to=B2")
	sc.legal("symbol=x", "symbol=moon", "decline").do("symbol=moon").seat(1)
	check(t, "taken", sc.Ships[0].Totems[SymbolMoon], 1)
	check(t, "left", sc.BeachTotems[1], [NumSymbols]uint8{2})
	check(t, "before the dig no tracker moves", sc.Ships[0].Track, 0)
}

func TestShipThatPillagesMayTakeOneShell(t *testing.T) {
	enginetest.Clause(t, "RUIN-9")
	sc := acting(away(t), 2, "N03", func(s *State) { s.RegionShells[0] = [NumSymbols]uint8{1, 1} }, dug).do("do=pillage")
	check(t, "pillage tokens", sc.Ships[0].Pillage, 2)
	sc.legal("symbol=x", "symbol=sun", "decline").do("symbol=sun").seat(1)
	check(t, "taken", sc.Ships[0].Shells[SymbolSun], 1)
	check(t, "tracker", sc.Ships[0].Track, 1)
}

func TestVoodooStealsAShellFromEachShipThatWasDamaged(t *testing.T) {
	enginetest.Clause(t, "RUIN-10", "RUIN-11")
	sc := acting(away(t), 4, "N26", dug, relics(1, 0, 2), relics(3, 1, 1)).do("do=broadsides;die=voodoo")
	sc.legal("symbol=x").do("symbol=x").legal("symbol=x").do("symbol=x").seat(1)
	check(t, "shells of the attacker", sc.Ships[0].Shells[SymbolX], 2)
	check(t, "shells left", sc.Ships[1].Shells[SymbolX]+sc.Ships[3].Shells[SymbolX], 1)
	check(t, "totems are not taken", sc.Ships[3].Totems[SymbolX], 1)
	check(t, "one roll, one space", sc.Ships[0].Track, 1)
	check(t, "no ghost, no damage", sc.Ships[1].Hull, MaxHull-2)
	sc = acting(away(t), 2, "N26", relics(1, 0, 1), func(s *State) { s.Ships[0].Ghost, s.Ships[0].Hull = true, 0 })
	sc.do("do=broadsides;die=voodoo;symbol=x")
	check(t, "a ghost does damage too", sc.Ships[1].Hull, MaxHull-3)
}

func TestLegendaryGhostShipOnTheAlternateIsland(t *testing.T) {
	enginetest.Clause(t, "RUIN-12", "RUIN-13")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		sc := fresh(in(t, "modules=legendary_ghost_ship+alternate_island"), seats).until(programming)
		ship := &sc.Ships[Legendary]
		check(t, "its relics", sum(&ship.Totems)+sum(&ship.Shells), 2)
		check(t, "its fragments, of which six players leave none", sum(&ship.Fragments), min(1, 6-seats))
		check(t, "the crater", rulesOf(sc).InCrater(sc.State), min(4*seats, 22))
	}
	sc := given(in(t, "modules=legendary_ghost_ship+alternate_island"), 2, func(s *State) {
		*s = State{Water: s.Water, Ships: s.Ships, Phase: PhaseAction, Slot: 2, Turn: Legendary, Revealed: 3, Round: 1, Deck: s.Deck}
		s.Ships[Legendary] = Ship{Captain: noCaptain, Ghost: true, Facing: Clockwise, Node: NodeBeach, Table: row(), Region: 4}
		s.Ships[0].Shells = [NumSymbols]uint8{1, 0, 1}
	})
	sc.do("die=voodoo").legal("relic=shell_x", "relic=shell_moon").do("relic=shell_moon")
	check(t, "stolen at random", sc.Ships[Legendary].Shells[SymbolMoon], 1)
	check(t, "and damaged", sc.Ships[0].Hull, MaxHull-3)
}

// Only version 2.0 limits the fragment to the standard island; the final rules deal it on both.
func TestOnTheAlternateIslandTheLegendaryGhostShipGetsAMapFragmentAndTwoRelics(t *testing.T) {
	enginetest.Clause(t, "LEG-4", "RUIN-12")
	const both = "modules=legendary_ghost_ship+alternate_island"
	sc := drafting(in(t, both), 3, 0).until(func(s *State) bool { return s.Top().Kind == AskPlaceLegendary })
	unseen := sc.UnseenFragments
	sc.do("place=0,clockwise").seat(engine.Chance)
	var removed []string // any fragment that was not dealt to a player
	for sym, n := range unseen {
		if n > 0 {
			removed = append(removed, "map="+symbolNames[sym])
		}
	}
	sc.legal(removed...).do(removed[0])
	check(t, "its fragments", sum(&sc.Ships[Legendary].Fragments), 1)
	check(t, "the map stack", sc.MapFragments, 0)
	sc.do("relic=totem_x;relic=shell_sun;jewel=ruby;jewel=ruby")
	check(t, "its totem", sc.Ships[Legendary].Totems[SymbolX], 1)
	check(t, "its shell", sc.Ships[Legendary].Shells[SymbolSun], 1)
	// With six players every fragment is dealt, so that none is left for it.
	sc = drafting(in(t, both), 6, 0).until(func(s *State) bool { return s.Top().Kind == AskPlaceLegendary }).do("place=0,clockwise")
	check(t, "what is dealt first with six players", sc.Top().Kind, DrawRelic)
	check(t, "its fragments with six players", sum(&sc.Ships[Legendary].Fragments), 0)
	// Version 2.0 has two shells and no fragment.
	sc = drafting(in(t, both+",edition=v2.0"), 3, 0).until(func(s *State) bool { return s.Top().Kind == AskPlaceLegendary }).do("place=0,clockwise")
	check(t, "what version 2.0 deals first", sc.Top().Kind, DrawRelic)
	// A position that leaves fragments out deals it its own.
	for edition, want := range map[string]int{"final": 1, "v2.0": 0} {
		game := "doubloons(seats=3,chance=explicit,forced=show," + both + ",edition=" + edition + ")"
		s := engine.State[State](enginetest.At(t, game, `{}`))
		check(t, edition+": its fragments in a position", sum(&s.Ships[Legendary].Fragments), want)
		for seat := range 3 {
			check(t, edition+": a seat's fragments in a position", sum(&s.Ships[seat].Fragments), 2)
		}
	}
	m := enginetest.At(t, "doubloons(seats=2,chance=explicit,forced=show,"+both+")",
		`{"phase": "setup", "water": ["high_water", "rip_current", "coral_reef", "rip_current", "the_shallows"], "ships": [{"captain": "voet", "region": 2, "captain_at": "B3"}]}`)
	check(t, "the draft with fragments dealt", m.Decision(), "seat 1: choose a captain")
}

func TestDuel(t *testing.T) {
	enginetest.Clause(t, "DUEL-1", "DUEL-2", "DUEL-3", "DUEL-4", "DUEL-5")
	sc := walking(t, 3, dug, at(NodeC1, NodeV1, NodeV1), relics(1, 2, 0), crews(4, 4, 4), func(s *State) {
		lay(s, NodeV1, RadiantFountain)
		s.Island = 5
	}).do("to=V1")
	sc.legal("seat=+1", "seat=+2").do("seat=+1")
	gold := sc.Ships[0].Doubloons
	sc.do("die=voodoo").legal("symbol=x").do("symbol=x")
	check(t, "the totem", sc.Ships[0].Totems[SymbolX], 1)
	check(t, "the thief's tracker", sc.Ships[0].Track, 1)
	check(t, "the victim's tracker", sc.Ships[1].Track, 0)
	check(t, "the landmark waits", sc.Ships[0].Doubloons, gold)
	sc.do("die=crew")
	check(t, "the rival rolls too", sc.Ships[0].Crew, 3)
	check(t, "then the landmark", sc.Ships[0].Doubloons, gold+1)
	sc = walking(t, 2, at(NodeC1, NodeB2), doubloons(2, 2), captain(1, Hayreddin)).do("to=B2;seat=+1;die=doubloon")
	check(t, "Hayreddin keeps his doubloons", sc.Ships[1].Doubloons, 2)
	sc.do("die=doubloon")
	check(t, "and steals one", sc.Ships[1].Doubloons, 3)
}

func TestTotemIsTakenBeforeTheDuelAndCanBeLostInIt(t *testing.T) {
	enginetest.Clause(t, "DUEL-6")
	sc := walking(t, 2, at(NodeC1, NodeB2), func(s *State) { s.BeachTotems[1][SymbolWave] = 1 }).do("to=B2")
	sc.do("symbol=wave;seat=+1;die=crew;die=voodoo").seat(1).do("symbol=wave")
	check(t, "the rival has it", sc.Ships[1].Totems[SymbolWave], 1)
}

func TestRiverMerfolkRollsAgainInADuel(t *testing.T) {
	enginetest.Clause(t, "DUEL-7")
	sc := walking(t, 2, at(NodeC1, NodeB2), water(2, RiverMerfolk), regions(0, 2)).do("to=B2;seat=+1;die=crew;die=doubloon")
	sc.seat(1).legal("accept", "decline").do("accept;die=crew").seat(1)
	check(t, "only the second roll counts", sc.Ships[0].Doubloons, 2)
	check(t, "crew", sc.Ships[0].Crew, 3)
}

func TestCraterOpensWithItsLastRelic(t *testing.T) {
	enginetest.Clause(t, "CRATER-1", "CRATER-2")
	closed := walking(t, 2, at(NodeT1, NodeB4))
	if slices.Contains(enginetest.Legal(closed.m), "to=X") {
		t.Error("the crater is open while it holds relics")
	}
	sc := walking(t, 2, emptied, at(NodeT1, NodeB4), func(s *State) { lay(s, NodeX, DeadCreek) }).do("to=X")
	check(t, "its landmark is resolved", sc.Ships[0].Crew, 2)
	for n := range int8(NumNodes) {
		r := rulesOf(sc)
		beside := slices.Contains(r.AlternateNext[n][:r.AlternateNextN[n]], NodeX)
		check(t, nodeNames[n]+" leads to the crater", beside, n >= NodeT1 && n <= NodeT4)
	}
}

// roundEnding is the end of a round with captains where they are put.
func roundEnding(t testing.TB, edits ...func(*State)) scenario {
	t.Helper()
	return given(away(t), 3, func(s *State) {
		emptied(s)
		s.Phase, s.Slot, s.Turn, s.Revealed = PhaseRoundEnd, -1, -1, NumSlots
		for _, edit := range edits {
			edit(s)
		}
	})
}

func TestJewelsOfTheCrater(t *testing.T) {
	enginetest.Clause(t, "CRATER-3", "CRATER-4", "CRATER-5", "CRATER-6")
	start := func(s *State) { lay(s, NodeT1, DecayingTemple) }
	sc := roundEnding(t, at(NodeX, NodeT1, NodeP1), crews(2, 2, 2), start).until(programming)
	for i, want := range []int{3, 1, 0} {
		check(t, fmt.Sprintf("jewels of seat %d", i), sum(&sc.Ships[i].Jewels), want)
		check(t, "nobody gains crew", sc.Ships[i].Crew, 2)
		check(t, "tracker", sc.Ships[i].Track, 0)
	}
	check(t, "captains stay", [3]int8{sc.Ships[0].Node, sc.Ships[1].Node, sc.Ships[2].Node}, [3]int8{NodeX, NodeT1, NodeP1})
	check(t, "landmarks stay", sc.Tiles[NodeT1], DecayingTemple)
	check(t, "the treasure is dug up", sc.Dug, true)
	var hands uint64
	for i := range 3 {
		hands |= sc.Ships[i].Hand
	}
	check(t, "captain cards and all others are drawn from", sc.Deck|hands, rulesOf(sc).normal|rulesOf(sc).captains)
	again := roundEnding(t, dug, at(NodeX, NodeT1, NodeP1)).until(programming)
	check(t, "no more jewels", sum(&again.Ships[0].Jewels), 0)
}

func TestCaptainAtTheCrater(t *testing.T) {
	enginetest.Clause(t, "CRATER-7", "CRATER-8")
	waiting := walking(t, 2, emptied, at(NodeX, NodeB4))
	waiting.seat(1)
	check(t, "before the jewels the captain waits", waiting.Ships[0].Node, NodeX)
	sc := walking(t, 2, emptied, dug, at(NodeX, NodeB4)).legal("to=T1", "to=T2", "to=T3", "to=T4", "stay")
	sc.do("stay")
	check(t, "the captain may stay", sc.Ships[0].Node, NodeX)
	sc = walking(t, 2, emptied, dug, at(NodeT1, NodeB4))
	if !slices.Contains(enginetest.Legal(sc.m), "to=X") {
		t.Error("a captain cannot return to the crater")
	}
}

func TestEditionsOfTheAlternateIsland(t *testing.T) {
	enginetest.Clause(t, "ISL-14", "ISL-15", "RUIN-15", "RUIN-16")
	for name, green := range map[string]int{"final": 4, "v2.0": 4, "v1.9.8": 2} {
		for seats, types := range map[int]int{2: 2, 3: 3, 4: 3, 5: 4, 6: 4} {
			e, err := findEdition(name, seats)
			if err != nil {
				t.Fatal(err)
			}
			r := &Rules{Components: embedded(t), Edition: e, Modules: Modules(0).With(AlternateIsland), seats: seats}
			r.furnish()
			if name == "final" {
				types = NumSymbols
			}
			check(t, name+": types of fragment", r.symbols, types)
			check(t, name+": green cards", bits.OnesCount64(r.normal>>FirstGreenCard), green)
		}
	}
	sc := acting(in(t, "edition=v2.0,modules=alternate_island"), 2, "N13", dug, at(NodeP1, NodeB4), func(s *State) {
		hunter(s)
		lay(s, NodeT1, SunkenLoom)
	})
	sc.do("do=hunt;to=T1;relic=totem_x")
	check(t, "a ruin with one side", sc.Ships[0].Totems[SymbolX], 1)

	sc = fresh(in(t, "edition=v2.0,modules=legendary_ghost_ship+alternate_island"), 2)
	sc.until(func(s *State) bool { return s.Top().Kind == DrawRelic })
	sc.legal("relic=shell_x", "relic=shell_sun", "relic=shell_moon", "relic=shell_wave")
}

func TestTheCraterHasALandmarkInTheFinalEditionOnly(t *testing.T) {
	enginetest.Clause(t, "CRATER-14", "CRATER-15")
	for _, edition := range []string{"final", "v2.0", "v1.9.8"} {
		game := "doubloons(seats=2,modules=alternate_island,chance=explicit,forced=show,edition=" + edition + ")"
		m := enginetest.At(t, game, `{"water": ["coral_reef", "fog", "shipwreck", "merfolk_seer", "the_shallows"], "crater": 0, "ships": [{"captain": "voet", "captain_at": "T1", "table": ["N13"], "fragments": {"x": 2}},
			{"captain": "hayreddin", "captain_at": "X", "table": ["N01"]}]}`)
		enginetest.Do(t, m, "do=hunt; to=X; seat=+1; die=crew; die=crew")
		check(t, edition, m.Decision(), either(edition == "final", "chance: seat 0 draws a red landmark", "seat 1: movement: Sail"))
		if edition != "final" {
			refusedAt(t, game, `{"landmarks": {"X": "cursed_idol"}}`, "landmarks.X: unknown field")
		}
	}
}

func TestDraftsLetNobodyReturnToTheCrater(t *testing.T) {
	enginetest.Clause(t, "CRATER-12")
	m := enginetest.At(t, "doubloons(seats=2,edition=v2.0,modules=alternate_island,chance=explicit,forced=show)", `{"dug": true, `+calmWater+`,
		"landmarks": {"T1": "bleeding_totem", "P1": "dead_creek"}, "out_of_game": ["sunken_loom", "pandoras_box"],
		"ships": [{"captain": "voet", "captain_at": "X", "table": ["N13", "N14"], "fragments": {"x": 2}}, {"table": ["N01", "N02"]}]}`)
	enginetest.Do(t, m, "do=hunt")
	sc := scenario{t, m, engine.State[State](m)}
	sc.legal("to=T1", "to=T2", "to=T3", "to=T4").do("to=T1").until(func(s *State) bool { return s.Slot == 1 && s.Turn == 0 && s.Top().Kind == AskAction })
	check(t, "left", sc.LeftCrater, 1)
	if sc.do("do=hunt"); slices.Contains(enginetest.Legal(sc.m), "to=X") {
		t.Error("a captain returned to the crater")
	}
	if err := checkMatch(m); err != nil {
		t.Error(err)
	}
}

func TestRelicsOfTheBox(t *testing.T) {
	enginetest.Clause(t, "ISL-16", "ISL-17")
	for edition, want := range map[string][2][NumSymbols]uint8{
		"final": {{3, 3, 2, 2}, {3, 3, 4, 4}}, "v2.0": {{3, 3, 2, 2}, {3, 3, 4, 4}}, "v1.9.8": {{3, 3, 3, 3}, {3, 3, 3, 3}},
	} {
		check(t, edition, fresh(in(t, "modules=alternate_island,edition="+edition), 2).Relics, want)
	}
}

func TestGhostShipThatBoardsStealsAShellInADraft(t *testing.T) {
	enginetest.Clause(t, "RUIN-17")
	sc := given(in(t, "edition=v1.9.8,modules=alternate_island"), 2, combine(grapple("N39"), ghosts(0), crews(2), relics(1, 0, 1)))
	sc.do("do=board;seat=+1;die=voodoo;symbol=x")
	check(t, "shell", sc.Ships[0].Shells[SymbolX], 1)
}

func TestStealingAShipMovesNoTracker(t *testing.T) {
	enginetest.Clause(t, "CRATER-13")
	sc := given(in(t, "modules=steal_ship+alternate_island"), 2, combine(dug, hulls(10, 9), func(s *State) {
		s.Slot, s.Revealed = 1, 2
		s.Ships[0].Table, s.Ships[1].Table = row("N13", "C13", "N02"), row("N33", "N36", "N04")
		s.Ships[0].Track, s.Ships[1].Track = 1, 2
	})).do(steal)
	check(t, "who sits at seat 0", sc.Helm[0], 1)
	check(t, "tracker of the ship", sc.Ships[0].Track, 1)
	check(t, "and of the other", sc.Ships[1].Track, 2)
}

func TestTrackerMovesWithFragmentsToo(t *testing.T) {
	enginetest.Clause(t, "CRATER-9")
	sc := acting(away(t), 2, "C03", dug, hulls(10, 9), has(1, SymbolX, 1), func(s *State) { s.Ships[0].Table = row("N09", "C03"); s.Slot, s.Revealed = 1, 2 })
	sc.do("stay;do=board;seat=+1;symbol=x")
	check(t, "a stolen fragment", sc.Ships[0].Track, 1)
	check(t, "not the victim's", sc.Ships[1].Track, 0)
	sc = newRound(away(t), 2, dug, water(0, StoneSextant), has(0, SymbolX, 1), has(1, SymbolSun, 1))
	sc.do("seat=+1").do(sc.m.Info().Actions[sc.m.Legal().First()]).do(sc.m.Info().Actions[sc.m.Legal().First()])
	check(t, "a swap, for the one", sc.Ships[0].Track, 1)
	check(t, "and the other", sc.Ships[1].Track, 1)
	sc = walking(t, 2, dug, at(NodeB1, NodeB4), func(s *State) { lay(s, NodeP1, ShriekingPortal) }).do("to=P1;seat=+1;symbol=x")
	check(t, "a gift", sc.Ships[1].Track, 1)
	check(t, "not the giver's", sc.Ships[0].Track, 0)
}

func TestOneHuntMovesATrackerOnce(t *testing.T) {
	enginetest.Clause(t, "CRATER-9")
	totemOn := func(beach int) func(*State) {
		return func(s *State) { s.BeachTotems[beach][SymbolSun] = 1 }
	}
	// Seat 0 picks a totem up at the beach and steals one in the duel: one space.
	sc := walking(t, 2, dug, at(NodeP1, NodeB1), totemOn(0), relics(1, 2, 0))
	sc.do("to=B1;symbol=sun;seat=+1;die=voodoo;symbol=x")
	check(t, "tracker after the totem of the beach and that of the duel", sc.Ships[0].Track, 1)
	check(t, "acquired", sc.Acquired, 1)
	// What the rival gets belongs to the same Hunt: the rival's tracker moves once for all of it.
	sc.do("die=voodoo;symbol=sun")
	check(t, "tracker of the rival", sc.Ships[1].Track, 1)
	sc = walking(t, 2, dug, at(NodeB2, NodeT1), relics(0, 1, 0), relics(1, 2, 0), func(s *State) {
		s.Ships[0].Node = NodeP1
		lay(s, NodeT1, DecayingTemple)
	}).do("to=T1;seat=+1;die=voodoo;symbol=x;die=crew;seat=+1;symbol=x;symbol=x")
	check(t, "tracker after the duel and the swap", sc.Ships[0].Track, 1)
	check(t, "tracker of the other in the swap", sc.Ships[1].Track, 1)
	check(t, "acquired in the next turn", sc.Acquired, 0)
	// The next action moves it again, and so does each Stone Sextant of Round Start.
	sc = newRound(away(t), 3, dug, water(0, StoneSextant), has(0, SymbolX, 1), has(1, SymbolSun, 1))
	sc.do("seat=+2;symbol=sun;symbol=x;seat=+1;symbol=sun;symbol=x")
	check(t, "tracker after two swaps of two ships", sc.Ships[0].Track, 2)
}

func TestPositionsSayWhoseTrackersHaveMoved(t *testing.T) {
	const game = "doubloons(seats=2,chance=explicit,forced=show,modules=alternate_island)"
	text := func(acquired string) string {
		return `{"dug": true, ` + acquired + ` "water": ["coral_reef", "rip_current", "fog", "rip_current", "the_shallows"],
			"ships": [{"captain_at": "B2", "track": 1, "table": ["N13"], "totems": {}}, {"captain_at": "B2", "region": 2, "totems": {"x": 1}}],
			"stack": [{"kind": "roll_duel", "seat": 1, "rival": 0}, {"kind": "ask_steal_totem", "seat": 0, "rival": 1}]}`
	}
	for acquired, want := range map[string]uint8{"": 2, `"acquired": [0],`: 1} {
		m := enginetest.At(t, game, text(acquired))
		enginetest.Do(t, m, "symbol=x")
		check(t, "tracker, "+acquired, engine.State[State](m).Ships[0].Track, want)
	}
	refusedAt(t, game, text(`"acquired": [1],`), "acquired: seat 1")
	refusedAt(t, game, `{"dug": true, "acquired": [0], "ships": [{"track": 1}]}`, "acquired: seat 0")
	refusedAt(t, "doubloons(seats=2)", `{"acquired": [0]}`, "acquired: relics belong")
}

func TestCaptainCardsDoNotMoveTheTracker(t *testing.T) {
	enginetest.Clause(t, "CRATER-10")
	sc := acting(away(t), 2, "C08", dug).do("do=repair")
	check(t, "tracker", sc.Ships[0].Track, 0)
}

func TestTrackerOnFinMakesThisRoundTheLast(t *testing.T) {
	enginetest.Clause(t, "CRATER-11")
	sc := acting(away(t), 2, "N03", dug, func(s *State) {
		s.RegionShells[0][SymbolX] = 1
		s.Ships[0].Track = uint8(embedded(t).EndTrack - 2)
	}).do("do=pillage;symbol=x")
	check(t, "ending", sc.Ending, true)
	sc.seat(1).until(func(s *State) bool { return s.Phase == PhaseOver })
	check(t, "rounds", sc.Round, 1)
}

func TestRelicAndSetPoints(t *testing.T) {
	enginetest.Clause(t, "SCORE-20", "SCORE-21")
	for _, c := range []struct {
		n    [NumSymbols]uint8
		want int32
	}{
		{[4]uint8{1, 1, 0, 0}, 0}, {[4]uint8{1, 1, 1, 0}, 4}, {[4]uint8{1, 1, 1, 1}, 8},
		{[4]uint8{2, 2, 1, 1}, 8}, {[4]uint8{2, 2, 2, 0}, 8}, {[4]uint8{2, 2, 2, 2}, 16},
		{[4]uint8{3, 2, 2, 2}, 16}, {[4]uint8{3, 3, 2, 1}, 12}, {[4]uint8{9, 1, 1, 0}, 4}, {[4]uint8{5, 5, 5, 0}, 20},
	} {
		sh := Ship{Shells: c.n}
		check(t, fmt.Sprint("sets of ", c.n), sh.SetPoints(), c.want)
		check(t, fmt.Sprint("by trying all of ", c.n), bestSets(c.n), c.want)
		check(t, "shells", sh.relicPoints(), int32(sum(&c.n)))
		check(t, "totems", (&Ship{Totems: c.n}).relicPoints(), 2*int32(sum(&c.n)))
	}
	mixed := Ship{Fragments: [4]uint8{1}, Totems: [4]uint8{0, 1}, Shells: [4]uint8{0, 0, 1, 1}}
	check(t, "a set across fragments, totems and shells", mixed.SetPoints(), 8)
	var n [NumSymbols]uint8
	for k := range 5 * 5 * 5 * 5 {
		n = [4]uint8{uint8(k % 5), uint8(k / 5 % 5), uint8(k / 25 % 5), uint8(k / 125)}
		check(t, fmt.Sprint(n), (&Ship{Fragments: n}).SetPoints(), bestSets(n))
	}
}

// bestSets tries every first set and, after it, every other.
func bestSets(n [NumSymbols]uint8) int32 {
	best := int32(0)
	for left := range 1 + NumSymbols {
		rest, points, ok := n, int32(8), true
		for sym := range rest {
			if sym != left {
				ok = ok && rest[sym] > 0
				rest[sym]--
			}
		}
		if left < NumSymbols {
			points = 4
		}
		if ok {
			best = max(best, points+bestSets(rest))
		}
	}
	return best
}

// Relics are neither lost nor made, and every match ends, alone and with every other module.
func TestRandomMatchesOnTheAlternateIslandKeepTheirRelics(t *testing.T) {
	enginetest.Clause(t, "RUIN-14")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		for _, modules := range []string{"alternate_island", allModules.String()} {
			g, err := engine.NewGame(fmt.Sprintf("doubloons(seats=%d,modules=%s)", seats, modules))
			if err != nil {
				t.Fatal(err)
			}
			m, rng := g.NewMatch(), engine.NewRand(uint64(seats))
			for seed := range uint64(3) {
				m.Reset(seed)
				dug := false
				for m.Seat() != engine.Over {
					if err := m.Apply(m.Legal().Nth(rng.Intn(m.Legal().Count()))); err != nil {
						t.Fatal(err)
					}
					s := engine.State[State](m)
					dug = dug || s.Dug
					if n := relicsOf(s); n != 24 {
						t.Fatalf("%d relics: want 24", n)
					}
				}
			}
		}
	}
}

// relicsOf counts every relic, those in a frame of the stack included.
func relicsOf(s *State) (n int) {
	n = sum(&s.Relics[0]) + sum(&s.Relics[1])
	for i := range s.BeachTotems {
		n += sum(&s.BeachTotems[i]) + sum(&s.RegionShells[i])
	}
	for i := range s.Ships {
		n += sum(&s.Ships[i].Totems) + sum(&s.Ships[i].Shells)
	}
	for _, f := range s.Frames[:s.Depth] {
		if f.Kind == AskPlaceTotem || f.Kind == AskPlaceShell {
			n++
		}
	}
	return n
}
