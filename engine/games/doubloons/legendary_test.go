package doubloons

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// haunted has scenarios made with the legendary ghost ship.
func haunted(t testing.TB) testing.TB { return in(t, "modules=legendary_ghost_ship") }

// legendaryAt places the ship, facing clockwise.
func legendaryAt(region int8) func(*State) {
	return func(s *State) { s.Ships[Legendary].Region = region }
}

// prowling is a scenario in which the legendary ghost ship's turn is about to
// begin, in region 0 with full ships of the seats there too.
func prowling(t testing.TB, seats int, edits ...func(*State)) scenario {
	t.Helper()
	return given(haunted(t), seats, func(s *State) {
		s.Slot, s.Revealed, s.Turn = 2, 3, Legendary
		s.Ships[Legendary].Region = 0
		for _, edit := range edits {
			edit(s)
		}
	})
}

func TestWaterIsLaidForOnePlayerMoreWithTheLegendaryGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-1")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		_, r := explicitMatch(haunted(t), seats)
		if want := r.WaterChart[min(seats+1, 6)]; !slices.Equal(r.chart, want[:]) {
			t.Errorf("%d seats: groups %v; want %v", seats, r.chart, want)
		}
		sc := drafting(haunted(t), seats, 0)
		for region, tile := range sc.Water[:NumRegions] {
			check(t, "group", r.WaterGroup[tile], r.WaterChart[min(seats+1, 6)][region])
		}
	}
}

func TestTheLastToChooseACaptainPlacesTheLegendaryGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-2")
	sc := drafting(haunted(t), 3, 1).until(func(s *State) bool { return s.Top().Kind == AskPlaceLegendary })
	sc.seat(0)
	check(t, "ships placed", sc.Ships[0].Region >= 0 && sc.Ships[1].Region >= 0 && sc.Ships[2].Region >= 0, true)
	var want []string
	for region, tile := range sc.Water[:NumRegions] {
		if tile != RipCurrent {
			want = append(want, []string{"place=0,clockwise", "place=1,clockwise", "place=2,clockwise", "place=3,clockwise"}[region],
				[]string{"place=0,counterclockwise", "place=1,counterclockwise", "place=2,counterclockwise", "place=3,counterclockwise"}[region])
		}
	}
	sc.legal(want...).do("place=0,counterclockwise")
	check(t, "region", sc.Ships[Legendary].Region, 0)
	check(t, "facing", sc.Ships[Legendary].Facing, CounterClockwise)

	// In a region where ships cannot remain it is not placed either.
	sc = drafting(haunted(t), 2, 0).until(func(s *State) bool { return s.Top().Kind == AskPlaceLegendary })
	check(t, "group S region", sc.Water[2], RipCurrent)
	if sc.m.Legal().Has(ToPlace + 4) {
		t.Error("the ship may be placed in a Rip Current")
	}
}

func TestWhatTheLegendaryGhostShipBeginsWith(t *testing.T) {
	enginetest.Clause(t, "LEG-3", "LEG-4", "LEG-5")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		standard := drafting(t, seats, 0)
		sc := drafting(haunted(t), seats, 0).until(func(s *State) bool { return s.Top().Kind == AskPlaceLegendary })
		sc.do("place=0,clockwise")
		unseen, stack := sc.UnseenFragments, sc.MapFragments
		for sym, n := range unseen { // any that nobody has seen
			if n > 0 {
				sc.do("map=" + symbolNames[sym])
				check(t, "fragment", sc.Ships[Legendary].Fragments[sym], 1)
				check(t, "unseen", sc.UnseenFragments[sym], n-1)
				break
			}
		}
		check(t, "map stack", sc.MapFragments, stack)
		check(t, "map stack of the standard game", standard.MapFragments, stack)
		sc.do("jewel=ruby;jewel=emerald")
		sh := &sc.Ships[Legendary]
		check(t, "jewels", sh.Jewels, [NumJewels]uint8{Ruby: 1, Emerald: 1})
		check(t, "jewels left", sc.Jewels, [NumJewels]uint8{7, 5, 4, 0})
		check(t, "doubloons", sh.Doubloons, 2)
		check(t, "doubloons in all", int(sc.Supply)+int(sc.Island), 48-2*(seats+1))
		check(t, "crew", sh.Crew, 2)
		check(t, "level", sh.Reputation, 2)
		check(t, "ghost", sh.Ghost, true)
		check(t, "captain", sh.Captain, noCaptain)
		check(t, "pillage tokens", sc.Pillage, uint8(2*seats))
		if err := checkMatch(sc.m); err != nil {
			t.Error(err)
		}
	}
}

func TestTheLegendaryGhostShipActsBeforeThePillagePhase(t *testing.T) {
	enginetest.Clause(t, "LEG-6")
	sc := given(haunted(t), 2, combine(legendaryAt(0), regions(1, 2), water(1, MermaidPack), func(s *State) {
		s.Slot, s.Revealed = 2, 3
		s.Ships[0].Table, s.Ships[1].Table = row("N03", "N13", "N26"), row("N33", "N13", "N26")
		s.Ships[0].Table[2], s.Ships[1].Table[2] = int8(card("N26")), int8(card("N13"))
	})).do("do=pillage").do("do=repair")
	// It has sailed and hit seat 0 with its broadsides; the die is rolled.
	sc.seat(engine.Chance).legal("die=crew", "die=doubloon", "die=voodoo")
	check(t, "turn", sc.Turn, Legendary)
	check(t, "region", sc.Ships[Legendary].Region, 1)
	check(t, "tokens", sc.Ships[Legendary].Pillage, 1)
	check(t, "hull in its region", sc.Ships[0].Hull, 8)
	check(t, "hull ahead, before the second attack", sc.Ships[1].Hull, 10)
	sc.do("die=crew")
	check(t, "crew in its region", sc.Ships[0].Crew, 3)
	check(t, "hull ahead", sc.Ships[1].Hull, 9)
	sc.do("die=crew")
	check(t, "crew ahead", sc.Ships[1].Crew, 3)
	check(t, "round", sc.Round, 2) // the Pillage phase and Round End are over
}

func TestTheLegendaryGhostShipAttacksItsOwnRegionAndTheOneAhead(t *testing.T) {
	enginetest.Clause(t, "LEG-7", "WAT-5")
	sc := prowling(t, 4, regions(1, 1, 2, 0), hulls(10, 0, 10, 10)).do("die=voodoo")
	check(t, "hull of a ship in its region", sc.Ships[0].Hull, 10-2-1)
	check(t, "a ghost ship there", sc.Ships[1].Hull, 0)
	check(t, "hull of a ship ahead", sc.Ships[2].Hull, 9)
	check(t, "hull of a ship behind", sc.Ships[3].Hull, 10)
	// Fog lets 1 damage through, and the die works as usual.
	sc = prowling(t, 2, regions(1, 3), water(1, Fog)).do("die=voodoo")
	check(t, "hull in the fog", sc.Ships[0].Hull, 10-1-1)
}

func TestTheLegendaryGhostShipRollsAsAGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-8")
	sc := prowling(t, 3, regions(1, 1, 2), doubloons(2, 0, 3)).do("die=doubloon")
	check(t, "doubloons stolen", sc.Ships[0].Doubloons, 1)
	check(t, "of a ship that has none", sc.Ships[1].Doubloons, 0)
	check(t, "its doubloons", sc.Ships[Legendary].Doubloons, 3)
	sc.do("die=voodoo")
	check(t, "hull ahead", sc.Ships[2].Hull, 8)
	// Nobody damaged, no roll: the round continues.
	sc = prowling(t, 2, regions(3, 3))
	check(t, "round", sc.Round, 2)
	// Hayreddin's vault holds.
	sc = prowling(t, 2, regions(1, 3), captain(0, Hayreddin)).do("die=doubloon")
	check(t, "doubloons in the vault", sc.Ships[0].Doubloons, 2)
}

func TestTheLegendaryGhostShipGainsReputationForSinking(t *testing.T) {
	enginetest.Clause(t, "LEG-9")
	sc := prowling(t, 3, regions(1, 1, 3), hulls(2, 1, 10))
	check(t, "level", sc.Ships[Legendary].Reputation, 3)
	check(t, "ghosts", sc.Ships[0].Ghost && sc.Ships[1].Ghost, true)
}

func TestTheLegendaryGhostShipIsAGhostShipForEver(t *testing.T) {
	enginetest.Clause(t, "LEG-10")
	sc := acting(haunted(t), 2, "N39", legendaryAt(0), regions(0, 1)).do("do=broadsides")
	sc.seat(1) // nobody was damaged, so no die
	sc = newRound(haunted(t), 2, legendaryAt(0), func(s *State) { s.Ships[Legendary].Doubloons = 9 })
	check(t, "ghost", sc.Ships[Legendary].Ghost, true)
	check(t, "doubloons", sc.Ships[Legendary].Doubloons, 9)
}

func TestTheLegendaryGhostShipPillages(t *testing.T) {
	enginetest.Clause(t, "LEG-11")
	for _, tc := range []struct {
		island                uint8
		seat, legendary       uint8
		wantSeat, wantLegendd uint8
	}{
		{6, 2, 1, 2, 1}, // it holds a token: nobody takes double
		{2, 1, 2, 0, 2}, // most first
		{3, 2, 2, 1, 1}, // a short tie
		{6, 0, 2, 0, 4}, // alone: double
	} {
		sc := given(haunted(t), 2, combine(legendaryAt(0), func(s *State) {
			s.Phase, s.Island, s.Supply = PhasePillage, tc.island, 0
			doubloons(0, 0)(s)
			s.Ships[Legendary].Doubloons = 0
			s.Ships[0].Pillage, s.Ships[Legendary].Pillage = tc.seat, tc.legendary
			s.Pillage -= tc.seat + tc.legendary
		}))
		check(t, "doubloons", sc.Ships[0].Doubloons, tc.wantSeat)
		check(t, "its doubloons", sc.Ships[Legendary].Doubloons, tc.wantLegendd)
		check(t, "its tokens", sc.Ships[Legendary].Pillage, 0)
		check(t, "tokens", sc.Pillage, 4)
	}
}

func TestTheLegendaryGhostShipCanBeBoarded(t *testing.T) {
	enginetest.Clause(t, "LEG-12", "BOA-1")
	board := func(id string, edits ...func(*State)) scenario {
		return acting(haunted(t), 2, id, append([]func(*State){legendaryAt(0), regions(0, 1), dug}, edits...)...)
	}
	sc := board("N36", func(s *State) { s.Ships[Legendary].Doubloons = 5 }).do("stay;do=board").legal("seat=legendary").do("seat=legendary")
	check(t, "half its doubloons", sc.Ships[0].Doubloons, 4)
	check(t, "what it keeps", sc.Ships[Legendary].Doubloons, 3)
	sc = board("C08", crews(1)).do("do=board;seat=legendary")
	check(t, "crew stolen", sc.Ships[0].Crew, 3)
	check(t, "its crew", sc.Ships[Legendary].Crew, 0)
	sc = board("N40", legendaryAt(1), func(s *State) {
		s.Ships[Legendary].Fragments = [NumSymbols]uint8{SymbolSun: 1}
	}).do("sail;come_about;do=board;seat=legendary;symbol=sun")
	check(t, "fragment stolen", sc.Ships[0].Fragments[SymbolSun], 1)
	sc = given(haunted(t), 2, combine(second("N26", "C10"), legendaryAt(1), regions(0, 3), dug, func(s *State) {
		s.Ships[Legendary].Jewels = [NumJewels]uint8{Diamond: 1, Emerald: 1}
	})).do("sail;do=board;seat=legendary").legal("take=diamond", "take=emerald").do("take=diamond")
	check(t, "jewel stolen", sc.Ships[0].Jewels[Diamond], 1)
	// It shows no card, so its reputation cannot be stolen.
	sc = board("C13").do("stay;do=board")
	sc.seat(1)
	check(t, "its level", sc.Ships[Legendary].Reputation, 2)
}

func TestFragmentsAreSwappedWithTheLegendaryGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-13", "WAT-15")
	sc := newRound(haunted(t), 2, legendaryAt(3), has(0, SymbolX, 1), water(0, StoneSextant), func(s *State) {
		s.Ships[Legendary].Fragments[SymbolSun] = 1
	}).legal("seat=legendary", "decline").do("seat=legendary;symbol=x;symbol=sun")
	check(t, "given", sc.Ships[Legendary].Fragments[SymbolX], 1)
	check(t, "taken", sc.Ships[0].Fragments[SymbolSun], 1)
}

func TestGiftsToAndFromTheLegendaryGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-14")
	rich := func(s *State) { s.Ships[Legendary].Doubloons = 9 }
	// It has most; the seats with least are a tie, which the resolver breaks.
	sc := met(haunted(t), 3, WhisperingRavine, legendaryAt(3), rich, doubloons(5, 1, 1)).do("seat=legendary").legal("seat=+1", "seat=+2").seat(0).do("seat=+2")
	check(t, "received", sc.Ships[2].Doubloons, 3)
	check(t, "given", sc.Ships[Legendary].Doubloons, 7)
	// It has least.
	sc = met(haunted(t), 3, ShriekingRavine, legendaryAt(3), doubloons(5, 4, 4), func(s *State) { s.Ships[Legendary].Doubloons = 0 }).do("seat=legendary")
	check(t, "received by it", sc.Ships[Legendary].Doubloons, 2)
	sc = met(haunted(t), 3, ShriekingArch, legendaryAt(3)).do("seat=legendary")
	check(t, "crew received by it", sc.Ships[Legendary].Crew, 3)
	// Which fragment it gives is the resolver's choice too.
	sc = met(haunted(t), 3, WhisperingPortal, legendaryAt(3), func(s *State) {
		s.Ships[Legendary].Fragments = [NumSymbols]uint8{SymbolX: 1, SymbolSun: 2}
	}).do("seat=legendary;seat=+1").seat(0).legal("symbol=x", "symbol=sun").do("symbol=sun")
	check(t, "fragment received", sc.Ships[1].Fragments[SymbolSun], 1)
	check(t, "fragments left", sc.Ships[Legendary].Fragments[SymbolSun], 1)
	// A seat that has most chooses the receiver itself.
	sc = met(haunted(t), 3, WhisperingRavine, legendaryAt(3), doubloons(0, 9, 1), func(s *State) { s.Ships[Legendary].Doubloons = 0 }).do("seat=+1")
	sc.seat(1).legal("seat=+2", "seat=legendary").do("seat=legendary")
	check(t, "received by it", sc.Ships[Legendary].Doubloons, 2)
}

func TestBoneLeverGivesTheLegendaryGhostShipATokenLast(t *testing.T) {
	enginetest.Clause(t, "LEG-14")
	sc := met(haunted(t), 3, BoneLever, legendaryAt(3))
	check(t, "its tokens", sc.Ships[Legendary].Pillage, 1)
	sc = met(haunted(t), 3, BoneLever, legendaryAt(3), func(s *State) { s.Pillage = 2 })
	check(t, "its tokens, of two", sc.Ships[Legendary].Pillage, 0)
}

func TestTheVoodooHutMovesTheLegendaryGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-15")
	sc := met(haunted(t), 2, VoodooHut, legendaryAt(3)).legal("seat=+1", "seat=legendary", "decline").do("seat=legendary;come_about;sail")
	check(t, "region", sc.Ships[Legendary].Region, 2)
	check(t, "facing", sc.Ships[Legendary].Facing, CounterClockwise)
	check(t, "hull", sc.Ships[Legendary].Hull, 0)
}

func TestAShipBesideTheLegendaryGhostShipIsNotAlone(t *testing.T) {
	enginetest.Clause(t, "LEG-16", "REP-2")
	sc := acting(haunted(t), 2, "N33", legendaryAt(0), regions(0, 1), hulls(5, 10)).do("do=repair")
	check(t, "hull", sc.Ships[0].Hull, 6)
}

func TestOnlyRipCurrentsMoveTheLegendaryGhostShip(t *testing.T) {
	enginetest.Clause(t, "LEG-17")
	sc := prowling(t, 2, regions(2, 2), water(1, RipCurrent))
	check(t, "region", sc.Ships[Legendary].Region, 2)
	// River Merfolk: no second roll. High Water: no choice of region.
	sc = prowling(t, 2, regions(1, 3), water(1, RiverMerfolk)).do("die=crew")
	check(t, "round", sc.Round, 2)
	sc = prowling(t, 2, regions(3, 3), water(1, HighWater))
	check(t, "hull two regions ahead", sc.Ships[0].Hull, 10)
	sc = newRound(haunted(t), 2, legendaryAt(0), regions(1, 1), water(0, CoralReef))
	check(t, "tokens of the Coral Reef", sc.Ships[Legendary].Pillage, 0)
}

func TestTheLegendaryGhostShipIsNoPlayer(t *testing.T) {
	enginetest.Clause(t, "LEG-18")
	sc := exploit(haunted(t), 2, CursedIdol, "+1", legendaryAt(3))
	check(t, "hull of the seat named", sc.Ships[1].Hull, 7)
	sc = given(haunted(t), 2, combine(hunter, dug, legendaryAt(3))).do("do=hunt;stack=red;landmark=cursed_idol").legal("seat=self", "seat=+1")
	check(t, "its captain's location", sc.Ships[Legendary].Node, NodeBeach)
	// It follows nobody, and holds no cards.
	sc = met(haunted(t), 2, TribalVillage, legendaryAt(3), func(s *State) { s.Ships[Legendary].Fragments[SymbolX] = 1 })
	check(t, "its captain's location", sc.Ships[Legendary].Node, NodeBeach)
	sc = newRound(haunted(t), 2, legendaryAt(3)).until(programming)
	check(t, "its hand", bits.OnesCount64(sc.Ships[Legendary].Hand), 0)
	// The seat with most points wins, however rich it is.
	sc = ended(haunted(t), 2, legendaryAt(3), doubloons(3, 1), func(s *State) { s.Ships[Legendary].Jewels[Diamond] = 4 })
	returns := make([]float32, 2)
	sc.m.Returns(returns)
	check(t, "return of the winner", returns[0], 1)
}

func TestTheLegendaryGhostShipClaimsPrizes(t *testing.T) {
	enginetest.Clause(t, "LEG-19")
	edits := []func(*State){legendaryAt(3), doubloons(3, 1), func(s *State) { s.Ships[Legendary].Doubloons = 4 }}
	sc := ended(in(t, "modules=advanced_scoring+legendary_ghost_ship"), 2, edits...)
	alone := ended(in(t, "modules=advanced_scoring"), 2, doubloons(3, 1))
	// It has the most doubloons and the most reputation, which nobody else has any of.
	check(t, "bonuses", scores(sc, 0)["bonuses"], scores(alone, 0)["bonuses"]-bonusPoints)
}

func TestTheLegendaryGhostShipUsesBlackJewels(t *testing.T) {
	enginetest.Clause(t, "LEG-20")
	both := in(t, "modules=black_jewel+legendary_ghost_ship")
	jewel := func(s *State) {
		s.Slot, s.Revealed, s.Turn, s.Initiative = 2, 3, Legendary, 2
		s.Ships[Legendary].Region, s.Ships[Legendary].Jewels[BlackJewel] = 0, 1
	}
	// It rolls if it comes upon ships, before its attacks.
	sc := given(both, 3, combine(jewel, regions(1, 1, 3))).seat(engine.Chance).do("die=doubloon")
	check(t, "stolen by the jewel", sc.Ships[Legendary].Doubloons, 4)
	check(t, "hull in its region after that", sc.Ships[0].Hull, 8)
	sc.do("die=crew")
	check(t, "crew after its broadsides", sc.Ships[1].Crew, 3)
	// Voodoo gives the jewel to the first in initiative order of those there: after seat 2, which is elsewhere, seat 0.
	sc = given(both, 3, combine(jewel, regions(1, 1, 3))).do("die=voodoo")
	check(t, "jewels of the first in order", sc.Ships[0].Jewels[BlackJewel], 1)
	check(t, "its jewels", sc.Ships[Legendary].Jewels[BlackJewel], 0)

	// A player's jewel strikes at it, and can be given to it.
	meet := func(face string) scenario {
		return acting(both, 2, "N01", regions(0, 3), legendaryAt(1), func(s *State) { s.Ships[0].Jewels[BlackJewel] = 1 }).do("sail;die=" + face)
	}
	check(t, "its crew", meet("crew").Ships[Legendary].Crew, 1)
	check(t, "its doubloons", meet("doubloon").Ships[Legendary].Doubloons, 1)
	sc = meet("voodoo").legal("seat=legendary").do("seat=legendary")
	check(t, "its jewels", sc.Ships[Legendary].Jewels[BlackJewel], 1)
}

func TestPositionsOfTheLegendaryGhostShip(t *testing.T) {
	const game = "doubloons(seats=2,chance=explicit,forced=show,modules=legendary_ghost_ship)"
	s := engine.State[State](enginetest.At(t, game, `{"turn": "legendary", "slot": 3, "water": ["fog", "high_water", "mermaid_pack", "the_shallows"],
		"ships": [{"region": 2}, {"region": 0}],
		"legendary": {"region": 3, "facing": "counterclockwise", "crew": 4, "doubloons": 7, "jewels": {"ruby": 2}, "fragments": {"sun": 1}}}`))
	check(t, "turn", s.Turn, Legendary)
	check(t, "region after it has sailed", s.Ships[Legendary].Region, 2)
	check(t, "hull", s.Ships[0].Hull, 8)
	check(t, "rubies left", s.Jewels[Ruby], 4)
	// What is left out is as it begins.
	s = engine.State[State](enginetest.At(t, game, `{}`))
	check(t, "jewels", sum(&s.Ships[Legendary].Jewels), 2)
	check(t, "fragments", sum(&s.Ships[Legendary].Fragments), 1)
	check(t, "crew", s.Ships[Legendary].Crew, 2)
	// The draft comes before its fragment, which is not dealt to it then.
	for _, edition := range []string{"final", "v2.0"} {
		m := enginetest.At(t, game[:len(game)-1]+",edition="+edition+")",
			`{"phase": "setup", "water": ["fog", "high_water", "rip_current", "the_shallows"], "ships": [{"captain": "voet", "region": 1}]}`)
		check(t, edition, m.Decision(), "seat 1: choose a captain")
	}
	for text, says := range map[string]string{
		`{"legendary": {"hull": 3}}`:             "legendary.hull: unknown field",
		`{"legendary": {"region": 7}}`:           "legendary.region",
		`{"turn": "legendary"}`:                  "slot",
		`{"legendary": {"fragments": {"x": 4}}}`: "legendary.fragments.x",
		`{"water": ["rip_current", "fog", "rip_current", "shipwreck"], "ships": [{"region": 1}, {"region": 1}], "legendary": {"region": 0}}`: "legendary.region",
		`{"stack": [{"kind": "ask_place", "seat": "legendary"}]}`:                                                                            "stack[0]",
		`{"slot": 3, "turn": "legendary", "stack": [{"kind": "roll_die", "seat": "legendary", "hit": [0], "again": true}]}`:                  "stack[0]",
	} {
		refusedAt(t, game, text, says)
	}
	refusedAt(t, "doubloons(seats=2)", `{"legendary": {}}`, "legendary: the legendary ghost ship is a module")
	refusedAt(t, "doubloons(seats=2)", `{"turn": "legendary", "slot": 3}`, "turn")
}
