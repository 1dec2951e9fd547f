package doubloons

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// drafts runs a test in each edition and tells it whether that is one of old, where
// the rule is another one than in the final book.
func drafts(t *testing.T, old string, test func(t testing.TB, old bool)) {
	t.Helper()
	for _, e := range editions {
		t.Run(e.Name, func(t *testing.T) {
			test(in(t, "edition="+e.Name), strings.Contains(" "+old+" ", " "+e.Name+" "))
		})
	}
}

// either is the first value in the drafts that a test is about, else the other.
func either[T any](old bool, yes, no T) T {
	if old {
		return yes
	}
	return no
}

func ghosts(seats ...int) func(*State) {
	return func(s *State) {
		for _, i := range seats {
			s.Ships[i].Ghost, s.Ships[i].Hull = true, 0
		}
	}
}

func TestTheOrderOfSetUpByEdition(t *testing.T) {
	enginetest.Clause(t, "SET-10", "OLD-2")
	drafts(t, "", func(t testing.TB, _ bool) { dealtAfterTheDraft(t, 1) })
	for _, e := range editions {
		if e.Modules.Has(AlternateIsland) {
			dealtAfterTheDraft(in(t, "modules=alternate_island,edition="+e.Name), 2)
		}
	}
	drafts(t, "v1.9.7", func(t testing.TB, old bool) {
		sc := drafting(t, 2, 1).do("captain=voet")
		if old {
			sc.seat(0).do("captain=pollyanna").seat(1)
		}
		sc.do("place=0,clockwise")
		check(t, "place", sc.Ships[1].Region, 0)
		if !old {
			sc.do("captain=pollyanna")
		}
		sc.seat(0).do("place=1,clockwise")
	})
}

// dealtAfterTheDraft checks that no fragment is dealt before the last ship is placed.
func dealtAfterTheDraft(t testing.TB, each int) {
	t.Helper()
	sc := drafting(t, 2, 1)
	for choices := 0; ; choices++ {
		for i := range 2 {
			check(t, "fragments in the draft", sum(&sc.Ships[i].Fragments), 0)
		}
		if sc.Next() == DealFragment {
			check(t, "choices before the first fragment", choices, 4)
			break
		}
		sc.do(enginetest.Legal(sc.m)[0])
	}
	sc.until(func(s *State) bool { return s.Phase != PhaseSetup })
	for i := range 2 {
		check(t, "fragments of a player", sum(&sc.Ships[i].Fragments), each)
	}
}

func TestTheBoxByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-3", "OLD-4", "OLD-5", "OLD-6", "OLD-18", "OLD-25")
	if _, err := engine.NewGame("doubloons(edition=v1.9.7,seats=6)"); err == nil || !strings.Contains(err.Error(), "seats=6: edition v1.9.7 has components for 5") {
		t.Errorf("six seats of v1.9.7: %v", err)
	}
	drafts(t, "v1.9.7", func(t testing.TB, old bool) {
		sc := fresh(t, 3)
		_, r := explicitMatch(t, 3)
		check(t, "doubloons", int(sc.Supply)+3*2, either(old, 24, 48))
		check(t, "normal cards", bits.OnesCount64(sc.Deck), either(old, 40, 41))
		check(t, "captain cards", bits.OnesCount64(r.captains), either(old, 12, 15))
		for colour, n := range []int{either(old, 5, 9), either(old, 6, 9), either(old, 4, 8)} {
			check(t, colourNames[colour]+" landmarks", sc.stackSize(colour), n)
		}
		sc = given(t, 2, combine(grapple("C08"), func(s *State) {
			s.Dug, s.Deck, s.Ships[0].Crew = true, r.normal|r.captains, 1
		})).do("do=board;seat=+1")
		check(t, "crew that a captain card steals", sc.Ships[0].Crew, either[uint8](old, 2, 3))
	})
	drafts(t, "v1.9.8", func(t testing.TB, old bool) {
		check(t, "fragments in the stack of two players", fresh(t, 2).MapFragments, either[uint8](old, 2, 1))
	})
	for seats := MinSeats; seats <= 5; seats++ {
		want := fresh(t, seats).MapSpecials
		drafts(t, "", func(t testing.TB, _ bool) {
			check(t, "special tiles by effect", fresh(t, seats).MapSpecials, want)
		})
	}
}

func TestWaterTilesByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-7", "OLD-8", "OLD-9")
	half, third := 1./2, 1./3
	sc := fresh(in(t, "edition=v1.9.8"), 3).do("initiative=0;water=fog;water=high_water")
	sc.chances(map[string]float64{"water=rip_current": half, "water=whirlpool": half})

	sc = fresh(in(t, "edition=v1.9.7"), 2).do("initiative=0")
	sc.chances(map[string]float64{"water=merfolk_seer": half, "water=stone_sextant": half}) // for the Port, group 2
	sc.do("water=merfolk_seer").chances(map[string]float64{"water=the_shallows": half, "water=coral_reef": half})
	sc.do("water=coral_reef").chances(map[string]float64{"water=whirlpool": 1})
	sc.do("water=whirlpool").chances(map[string]float64{"water=the_shallows": 1})

	sc = fresh(in(t, "edition=v1.9.7"), 5).do("initiative=0")
	sc.chances(map[string]float64{"water=mermaid_pack": half, "water=shipwreck": half}) // group 1, without Fog
	sc.do("water=shipwreck").chances(map[string]float64{
		"water=coral_reef": third, "water=fog": third, "water=merfolk_seer": third / 2, "water=stone_sextant": third / 2,
	})
	sc.do("water=stone_sextant").chances(map[string]float64{"water=coral_reef": half, "water=fog": half})
	sc.do("water=fog").chances(map[string]float64{"water=coral_reef": 1})

	// What the draft names does not stand in where it names it for other numbers of players.
	sc = fresh(in(t, "edition=v1.9.7"), 5).do("initiative=0;water=shipwreck;water=coral_reef;water=fog")
	sc.chances(map[string]float64{"water=high_water": third, "water=mists_of_morgana": third, "water=river_merfolk": third})
	sc = fresh(in(t, "edition=v1.9.7"), 4).do("initiative=0")
	sc.chances(map[string]float64{"water=mermaid_pack": half, "water=shipwreck": half})
	for position, says := range map[string]string{
		`{"water": ["fog", "rip_current", "whirlpool", "coral_reef"]}`:                             "water[1]: rip_current lies there once too often: there are 0",
		`{"phase": "setup", "water": ["merfolk_seer", "coral_reef", "the_shallows", "whirlpool"]}`: "water[2]: the_shallows: during set-up want one of whirlpool",
		`{"phase": "setup", "water": ["coral_reef", "the_shallows", "whirlpool", "none"]}`:         "water[0]: coral_reef: during set-up want one of merfolk_seer, stone_sextant",
	} {
		refusedAt(t, "doubloons(seats=2,edition=v1.9.7)", position, says)
	}
	enginetest.At(t, "doubloons(seats=2,edition=v1.9.7)", `{"phase": "setup", "water": ["merfolk_seer", "coral_reef", "whirlpool", "the_shallows"]}`)
}

func TestTheWhirlpoolSendsShipsBack(t *testing.T) {
	enginetest.Clause(t, "OLD-10")
	for _, edition := range []string{"edition=v1.9.8", "edition=v1.9.7"} {
		sc := acting(in(t, edition), 2, "N01", water(1, Whirlpool), crews(0)).do("sail")
		check(t, "region", sc.Ships[0].Region, 0)
		check(t, "facing", sc.Ships[0].Facing, CounterClockwise)
	}
	sc := drafting(in(t, "edition=v1.9.7"), 2, 0).do("captain=voet;captain=pollyanna")
	sc.legal("place=0,clockwise", "place=0,counterclockwise", "place=1,clockwise", "place=1,counterclockwise", "place=3,clockwise", "place=3,counterclockwise")
}

func TestGhostShipsAndWaterByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-11")
	drafts(t, "v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		sc := newRound(t, 2, water(0, CoralReef), ghosts(0))
		check(t, "tokens of the reef", sc.Ships[0].Pillage, either[uint8](old, 0, 1))
		sc = newRound(t, 2, water(0, CoralReef))
		check(t, "tokens of a ship that is no ghost", sc.Ships[0].Pillage, 1)
	})
	sc := acting(in(t, "edition=v1.9.8"), 2, "N01", water(1, RipCurrent), ghosts(0)).do("sail")
	check(t, "region", sc.Ships[0].Region, 1)
}

func TestGhostShipsMoveByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-12")
	drafts(t, "v1.9.7", func(t testing.TB, old bool) {
		sc := acting(t, 2, "N08", ghosts(0)) // sail, may come about
		if old {
			sc.legal("come_about", "stay")
			acting(t, 2, "N08", ghosts(0), crews(0)).legal("do=hunt", "do=forward")
			met(t, 2, VoodooHut, ghosts(1)).do("seat=+1").legal("come_about")
		} else {
			sc.legal("sail")
		}
	})
}

func TestTheVoodooHutTurnsShipsByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-13")
	drafts(t, "v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		sc := met(t, 2, VoodooHut, crews(4, 0)).do("seat=+1")
		if old {
			sc.legal("sail")
		} else {
			sc.legal("sail", "come_about")
		}
	})
}

func TestRepairsByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-14")
	drafts(t, "v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		sc := acting(t, 2, "N28", hulls(5)).do("stay;do=repair")
		check(t, "hull", sc.Ships[0].Hull, either[uint8](old, 6, 7))
	})
}

func TestTheDieOfGhostShipsByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-15", "OLD-16", "OLD-17")
	drafts(t, "v1.9.7", func(t testing.TB, old bool) {
		sc := acting(t, 2, "N26", ghosts(0)).do("do=broadsides;die=voodoo")
		check(t, "hull", sc.Ships[1].Hull, either[uint8](old, 8, 7))
	})
	drafts(t, "v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		sc := given(t, 2, combine(grapple("N39"), ghosts(0), crews(2))).do("do=board;seat=+1")
		check(t, "crew stolen", sc.Ships[0].Crew, 3)
		if !old {
			check(t, "turn", sc.Turn, 1)
			return
		}
		sc.legal("die=crew", "die=doubloon", "die=voodoo").do("die=doubloon")
		check(t, "doubloons", sc.Ships[1].Doubloons, 1)
		// Against no ship but the one boarded, and with no other ship than a ghost ship.
		sc = given(t, 3, combine(grapple("N39"), ghosts(0), crews(2))).do("do=board;seat=+1;die=crew")
		check(t, "crew of the boarded ship", sc.Ships[1].Crew, 2)
		check(t, "crew of another", sc.Ships[2].Crew, 4)
		given(t, 2, combine(grapple("N39"), hulls(5), crews(2))).do("do=board;seat=+1").seat(1)
	})
	sc := given(in(t, "edition=v1.9.8"), 2, combine(grapple("N39"), ghosts(0), crews(2))).do("do=board;seat=+1;die=voodoo")
	check(t, "hull", sc.Ships[1].Hull, 8)
	// After the theft and Valparisa's answer, and when an orb went over.
	sc = given(in(t, "edition=v1.9.8"), 2, combine(grapple("N39"), ghosts(0), captain(1, Valparisa), func(s *State) {
		s.Ships[1].Orbs, s.MapSpecials[ProtectionOrb] = 1, 0
	})).do("do=board;seat=+1").seat(engine.Chance)
	check(t, "orbs", sc.Ships[0].Orbs, 1)
	check(t, "crew after Valparisa's answer", sc.Ships[0].Crew, 3)
}

func TestStealingCrewFromNobodyByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-19")
	drafts(t, "v1.9.7", func(t testing.TB, old bool) {
		sc := given(t, 2, combine(grapple("N39"), crews(4, 0))).do("do=board")
		check(t, "turn is over: nobody to Board", sc.Turn == 1, old)
	})
}

func TestWhoPicksTargetsByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-20")
	// Seat 1 follows seat 0 to the landmark.
	follow := func(t testing.TB, tile int, edits ...func(*State)) scenario {
		return met(t, 3, tile, append(edits, has(1, SymbolX, 1))...)
	}
	drafts(t, "v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		picker := either(old, 0, 1)
		follow(t, VoodooHut).do("decline;to=C1").seat(picker)
		sc := follow(t, WhisperingRavine, doubloons(1, 1, 5)).do("seat=+2").seat(either(old, 0, 2))
		sc.legal(either(old, []string{"seat=self", "seat=+1"}, []string{"seat=+1", "seat=+2"})...)
		follow(t, ShriekingRavine, doubloons(6, 6, 1)).do("seat=+2;to=C1").seat(picker)
	})
}

// Seat 0 has seat 1 exploit by the Gilded Tablet, which v1.9.7 does not have.
func TestWhoPicksTargetsOfAnExploitThatWasGivenAwayByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-20")
	for edition, picker := range map[string]int{"final": 1, "v2.0": 1, "v1.9.8": 0} {
		acting(in(t, "edition="+edition), 3, "N13", has(0, SymbolX, 2), func(s *State) { s.Dug, s.Deck = true, allNormal|allCaptains }).
			do("do=hunt;stack=yellow;landmark=gilded_tablet;seat=+1").seat(1).
			do("stack=red;landmark=shrieking_ravine").seat(1).do("seat=+1").seat(picker)
	}
	for edition, picker := range map[string]int{"final": 2, "v2.0": 2, "v1.9.8": 0} {
		acting(in(t, "edition="+edition), 3, "N13", has(0, SymbolX, 2), func(s *State) { s.Dug, s.Deck = true, allNormal|allCaptains }).
			do("do=hunt;stack=yellow;landmark=gilded_tablet;seat=+1").seat(1).
			do("stack=blue;landmark=voodoo_hut").seat(1).do("seat=+1").seat(picker)
	}
}

func TestTheOnlyPillagerByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-21")
	drafts(t, "v2.0 v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		sc := newRound(t, 2, func(s *State) {
			s.Phase, s.Island, s.Supply = PhasePillage, 9, 30
			s.Pillage, s.Ships[0].Pillage = 2, 2
		})
		check(t, "doubloons", sc.Ships[0].Doubloons, either[uint8](old, 4, 6))
	})
}

func TestTooFewJewelsByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-22")
	drafts(t, "v1.9.8 v1.9.7", func(t testing.TB, old bool) {
		// Five jewels; seats 1 and 2 are at the mount, seat 0, which is first, is one space away.
		sc := newRound(t, 3, captains(NodeC5, NodeM, NodeM), func(s *State) { s.Jewels = [NumJewels]uint8{5, 0, 0, 0} })
		got := jewelled(sc)
		check(t, "jewels", [3]int(got[:3]), either(old, [3]int{0, 2, 2}, [3]int{2, 3, 0}))
	})
}

func TestTwoBlackJewelsByEdition(t *testing.T) {
	enginetest.Clause(t, "OLD-23")
	for _, edition := range []string{"v2.0", "v1.9.8"} {
		sc := acting(in(t, withJewels+",edition="+edition), 2, "N01", black(0, 2), regions(0, 1)).do("sail;die=voodoo").seat(0)
		sc.do("seat=+1").seat(engine.Chance).do("die=crew").legal("do=hunt", "do=pillage")
		check(t, "crew", sc.Ships[1].Crew, 3)
	}
}

func TestARegionWhereTheMovementBeganIsNotEntered(t *testing.T) {
	enginetest.Clause(t, "OLD-24")
	acting(in(t, withJewels+",edition=v1.9.8"), 2, "N01", black(0, 1), water(1, Whirlpool)).do("sail").legal("do=hunt", "do=pillage")
}
