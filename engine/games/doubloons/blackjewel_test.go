package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

const withJewels = "modules=black_jewel"

// black gives a ship black jewels of the supply.
func black(seat int, n uint8) func(*State) {
	return func(s *State) {
		s.Jewels[BlackJewel] -= n
		s.Ships[seat].Jewels[BlackJewel] += n
	}
}

func TestBlackJewelsAreMixedWithTheRest(t *testing.T) {
	enginetest.Clause(t, "BLACK-1", "BLACK-12")
	sc := fresh(in(t, withJewels), 2)
	check(t, "jewels", sc.Jewels, [NumJewels]uint8{8, 6, 4, 2})
	check(t, "obsidian cradle in the red stack", sc.StackTop[ColourRed]>>ObsidianCradle&1, uint64(1))
	sc = met(in(t, withJewels), 2, JeweledThrone).do("accept")
	sc.chances(map[string]float64{
		"jewel=emerald": 8. / 20, "jewel=ruby": 6. / 20, "jewel=diamond": 4. / 20, "jewel=black_jewel": 2. / 20,
	})
	sc.do("jewel=black_jewel").next()
	check(t, "drawn", sc.Ships[0].Jewels[BlackJewel], 1)
	check(t, "left", sc.Jewels[BlackJewel], 1)
}

func TestValparisaBeginsWithABlackJewel(t *testing.T) {
	enginetest.Clause(t, "BLACK-2")
	sc := drafting(in(t, withJewels), 2, 0).do("captain=valparisa")
	check(t, "hers", sc.Ships[0].Jewels[BlackJewel], 1)
	check(t, "supply", sc.Jewels[BlackJewel], 1)
	sc.do("place=1,clockwise;captain=voet")
	check(t, "of others", sc.Ships[1].Jewels[BlackJewel], 0)
	sc = drafting(t, 2, 0).do("captain=valparisa")
	check(t, "without the module", sc.Ships[0].Jewels[BlackJewel], 0)
}

func TestValparisasJewelIsLeftOutOfPositionsThatPlaceBoth(t *testing.T) {
	m, _ := explicitMatch(in(t, withJewels), 2)
	for _, tc := range []struct {
		position    string
		hers, stock uint8
	}{
		{`{"ships": [{"captain": "valparisa"}, {}]}`, 1, 1},
		{`{"ships": [{"captain": "valparisa"}, {"jewels": {"black_jewel": 1}}]}`, 1, 0},
		{`{"ships": [{"captain": "valparisa"}, {"jewels": {"black_jewel": 2}}]}`, 0, 0},
		{`{"jewels": {"black_jewel": 2}, "ships": [{}, {"captain": "valparisa"}]}`, 0, 2},
		{`{"ships": [{"captain": "valparisa", "jewels": {}}]}`, 0, 2},
	} {
		if err := m.SetPosition([]byte(tc.position)); err != nil {
			t.Errorf("%s: %v", tc.position, err)
			continue
		}
		s := engine.State[State](m)
		for i := range 2 {
			if sh := &s.Ships[i]; sh.Captain == Valparisa && sh.Jewels[BlackJewel] != tc.hers {
				t.Errorf("%s: Valparisa has %d black jewels; want %d", tc.position, sh.Jewels[BlackJewel], tc.hers)
			}
		}
		check(t, tc.position, s.Jewels[BlackJewel], tc.stock)
	}
}

func TestABlackJewelRollsWhereItsShipEnters(t *testing.T) {
	enginetest.Clause(t, "BLACK-3", "BLACK-4")
	enter := func(edits ...func(*State)) scenario {
		return acting(in(t, withJewels), 4, "N01", append([]func(*State){black(0, 1), regions(0, 1, 1, 2)}, edits...)...).do("sail")
	}
	ghost := func(s *State) { s.Ships[2].Ghost, s.Ships[2].Hull = true, 0 }
	sc := enter(ghost).legal("die=crew", "die=doubloon", "die=voodoo").do("die=crew").seat(0)
	for seat, want := range []uint8{4, 3, 3, 4} {
		check(t, "crew", sc.Ships[seat].Crew, want)
	}
	sc = enter(ghost).do("die=doubloon")
	for seat, want := range []uint8{4, 1, 1, 2} {
		check(t, "doubloons", sc.Ships[seat].Doubloons, want)
	}
	sc = enter(captain(1, Hayreddin)).do("die=doubloon")
	check(t, "of Hayreddin", sc.Ships[1].Doubloons, 2)
	// No die without other ships, without the jewel, or without entering.
	enter(regions(0, 2, 2, 3)).legal("do=hunt", "do=pillage")
	enter(func(s *State) { black(0, 0)(s); s.Ships[0].Jewels[BlackJewel], s.Jewels[BlackJewel] = 0, 2 }).legal("do=hunt", "do=pillage")
	acting(in(t, withJewels), 2, "N04", black(0, 1)).do("come_about").legal("do=hunt", "do=pillage")
	acting(in(t, withJewels), 2, "N01", black(1, 1), regions(0, 1)).do("sail").legal("do=hunt", "do=pillage")
}

func TestVoodooPassesABlackJewelOn(t *testing.T) {
	enginetest.Clause(t, "BLACK-5")
	sc := acting(in(t, withJewels), 4, "N01", black(0, 2), regions(0, 1, 1, 2), func(s *State) {
		s.Ships[0].Ghost, s.Ships[0].Hull = true, 0
	}).do("sail;die=voodoo").seat(0).legal("seat=+1", "seat=+2").do("seat=+2").seat(0)
	check(t, "kept", sc.Ships[0].Jewels[BlackJewel], 1)
	check(t, "given", sc.Ships[2].Jewels[BlackJewel], 1)
	for seat := 1; seat < 4; seat++ {
		check(t, "hull: no voodoo damage", sc.Ships[seat].Hull, MaxHull)
	}
}

func TestABlackJewelIsNotRolledAgainByTheMerfolk(t *testing.T) {
	enginetest.Clause(t, "BLACK-6")
	acting(in(t, withJewels), 2, "N01", black(0, 1), regions(0, 1), water(1, RiverMerfolk)).do("sail;die=crew").legal("do=hunt", "do=pillage")
}

func TestABlackJewelRollsOnceInEachRegion(t *testing.T) {
	enginetest.Clause(t, "BLACK-7", "BLACK-8")
	sc := acting(in(t, withJewels), 3, "N25", black(0, 2), regions(0, 1, 2)).do("sail").seat(engine.Chance)
	sc.do("die=crew").legal("sail", "stay").do("sail").seat(engine.Chance).do("die=crew").legal("do=broadsides", "do=pillage")
	check(t, "crew of seat 1", sc.Ships[1].Crew, 3)
	check(t, "crew of seat 2", sc.Ships[2].Crew, 3)
}

func TestARipCurrentCarriesABlackJewelOn(t *testing.T) {
	enginetest.Clause(t, "BLACK-3")
	sc := acting(in(t, withJewels), 2, "N01", black(0, 1), regions(0, 2), water(1, RipCurrent)).do("sail;die=crew")
	check(t, "region", sc.Ships[0].Region, 2)
	check(t, "crew", sc.Ships[1].Crew, 3)
}

func TestABlackJewelRollsWhateverMovesItsShip(t *testing.T) {
	enginetest.Clause(t, "BLACK-9")
	sc := met(in(t, withJewels), 3, StarAxis, black(0, 1), regions(0, 1, 2)).do("sail;die=crew").legal("come_about", "stay").do("stay")
	check(t, "crew", sc.Ships[1].Crew, 3)
	sc.next()
	// Its own player rolls and chooses, though another one moved it.
	sc = met(in(t, withJewels), 3, VoodooHut, black(1, 1), regions(3, 0, 1)).do("seat=+1;sail;die=voodoo").seat(1)
	sc.legal("seat=+1").do("seat=+1").legal("come_about", "stay").do("stay")
	check(t, "jewel", sc.Ships[2].Jewels[BlackJewel], 1)
	check(t, "hull", sc.Ships[1].Hull, 9)
}

func TestBlackJewelsAreStolenLikeOthers(t *testing.T) {
	enginetest.Clause(t, "BLACK-10")
	sc := given(in(t, withJewels), 2, combine(second("N31", "C10"), black(1, 1), func(s *State) {
		s.Ships[1].Region = 1
	})).do("sail;do=board;seat=+1").legal("take=black_jewel").do("take=black_jewel")
	check(t, "thief", sc.Ships[0].Jewels[BlackJewel], 1)
	check(t, "victim", sc.Ships[1].Jewels[BlackJewel], 0)
}

func TestABlackJewelCostsThreePoints(t *testing.T) {
	enginetest.Clause(t, "BLACK-11")
	sc := ended(in(t, withJewels), 2, black(0, 1), black(1, 1), func(s *State) {
		s.Ships[1].Ghost, s.Ships[1].Hull = true, 0
	})
	for seat := range 2 {
		check(t, "black jewels", scores(sc, seat)["black_jewels"], int32(-3))
		check(t, "total", scores(sc, seat)["total"], int32(-3))
	}
}

func TestObsidianCradleGivesABlackJewelAndMakesWay(t *testing.T) {
	enginetest.Clause(t, "BLACK-13")
	sc := met(in(t, withJewels), 2, ObsidianCradle).do("landmark=dead_creek")
	check(t, "jewel", sc.Ships[0].Jewels[BlackJewel], 1)
	check(t, "supply", sc.Jewels[BlackJewel], 1)
	sc.lies(NodeC1, DeadCreek)
	check(t, "crew", sc.Ships[0].Crew, 2)
	check(t, "the cradle is out of the game", sc.StackTop[ColourRed]>>ObsidianCradle&1, uint64(0))
	sc = exploit(in(t, withJewels), 2, ObsidianCradle, "+1", black(0, 2)).do("landmark=dead_creek")
	check(t, "none remains", sc.Ships[1].Jewels[BlackJewel], 0)
	check(t, "crew", sc.Ships[1].Crew, 2)
	check(t, "bottom of the red stack", sc.StackBottom[ColourRed][0], int8(DeadCreek))
}

func TestTheLegendaryGhostShipAndBlackJewels(t *testing.T) {
	enginetest.Clause(t, "BLACK-14")
	both := "modules=black_jewel+legendary_ghost_ship"
	lies := func(region int8) func(*State) {
		return func(s *State) { s.Ships[Legendary].Region, s.Ships[Legendary].Facing = region, Clockwise }
	}
	sc := acting(in(t, both), 2, "N01", black(0, 1), regions(0, 2), lies(1)).do("sail;die=crew")
	check(t, "its crew", sc.Ships[Legendary].Crew, 1)
	sc = acting(in(t, both), 2, "N01", black(0, 1), regions(0, 2), lies(1)).do("sail;die=voodoo").legal("seat=legendary").do("seat=legendary")
	check(t, "its jewel", sc.Ships[Legendary].Jewels[BlackJewel], 1)

	// It sails into region 1; seat 2 comes first of those there.
	sc = newRound(in(t, both), 3, black(Legendary, 1), regions(1, 1, 1), lies(0), func(s *State) {
		s.Phase, s.Slot, s.Revealed, s.Initiative, s.Turn = PhaseAction, 2, 3, 2, 1
		for i := range 3 {
			s.Ships[i].Table = row("N03", "N13", []string{"N26", "N33", "N39"}[i])
		}
	})
	sc.until(func(s *State) bool { return s.Top().Kind == RollJewel }).do("die=voodoo")
	check(t, "jewel of seat 2", sc.Ships[2].Jewels[BlackJewel], 1)
	check(t, "hull of seat 2 after the Broadsides", sc.Ships[2].Hull, 8)
}
