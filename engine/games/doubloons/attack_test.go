package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// facing puts seat 1 one region ahead of seat 0, which has card first.
func facing(first string) func(*State) {
	return func(s *State) {
		s.Ships[0].Table = row(first)
		s.Ships[1].Region = 1
	}
}

func beside(first string) func(*State) {
	return func(s *State) { s.Ships[0].Table = row(first) }
}

func combine(edits ...func(*State)) func(*State) {
	return func(s *State) {
		for _, e := range edits {
			e(s)
		}
	}
}

func TestForwardDamagesEveryEnemyInTheFacedRegionByOne(t *testing.T) {
	enginetest.Clause(t, "FWD-1", "ACT-4")
	sc := given(t, 4, func(s *State) {
		s.Ships[0].Table = row("N33") // no movement: Forward or Repair
		s.Ships[1].Region, s.Ships[2].Region, s.Ships[3].Region = 1, 1, 3
	}).do("do=forward")
	check(t, "hull of seat 1", sc.Ships[1].Hull, 9)
	check(t, "hull of seat 2", sc.Ships[2].Hull, 9)
	check(t, "hull of seat 3, elsewhere", sc.Ships[3].Hull, 10)
	check(t, "hull of the attacker", sc.Ships[0].Hull, 10)
}

func TestForwardFollowsTheFacing(t *testing.T) {
	enginetest.Clause(t, "FWD-1")
	sc := given(t, 2, func(s *State) {
		s.Ships[0].Table = row("N33")
		s.Ships[0].Facing = CounterClockwise
		s.Ships[1].Region = 3
	}).do("do=forward")
	check(t, "hull", sc.Ships[1].Hull, 9)
}

func TestForwardAtARipCurrentHitsNothing(t *testing.T) {
	enginetest.Clause(t, "FWD-2", "DIE-2", "ACT-3")
	sc := given(t, 2, func(s *State) {
		s.Ships[0].Table = row("N33")
		s.Water[1] = RipCurrent
	}).do("do=forward")
	sc.seat(1)
	check(t, "hull", sc.Ships[1].Hull, 10)
}

func TestBroadsidesDamagesEveryEnemyBesideByTwo(t *testing.T) {
	enginetest.Clause(t, "BRD-1", "BRD-2", "ACT-4")
	sc := given(t, 3, func(s *State) {
		s.Ships[0].Table = row("N26") // none: Pillage+1 or Broadsides
		s.Ships[2].Region = 1
	}).do("do=broadsides")
	check(t, "hull beside", sc.Ships[1].Hull, 8)
	check(t, "hull elsewhere", sc.Ships[2].Hull, 10)
	check(t, "own hull", sc.Ships[0].Hull, 10)
}

func TestPlusOneAddsDamage(t *testing.T) {
	enginetest.Clause(t, "ACT-6")
	sc := given(t, 2, beside("N39")).do("do=broadsides") // Broadsides+1
	check(t, "hull", sc.Ships[1].Hull, 7)
	sc = given(t, 2, func(s *State) {
		s.Ships[0].Table = row("N32") // Come About, Forward+1
		s.Ships[1].Region = 3
	}).do("come_about;do=forward")
	check(t, "hull", sc.Ships[1].Hull, 8)
}

func TestOneRollHitsEveryDamagedShip(t *testing.T) {
	enginetest.Clause(t, "DIE-1", "DIE-5")
	sc := given(t, 4, beside("N26")).do("do=broadsides")
	sc.seat(engine.Chance).legal("die=crew", "die=doubloon", "die=voodoo")
	sc.do("die=crew")
	for i := 1; i < 4; i++ {
		check(t, "crew", sc.Ships[i].Crew, 3)
	}
	check(t, "crew of the attacker", sc.Ships[0].Crew, 4)
	if sc.m.Seat() == engine.Chance {
		t.Error("the die is rolled twice")
	}
}

func TestNoDieWithoutDamage(t *testing.T) {
	enginetest.Clause(t, "DIE-2", "DIE-3", "GHOST-8")
	sc := given(t, 2, combine(beside("N26"), func(s *State) {
		s.Ships[1].Ghost, s.Ships[1].Hull = true, 0
	})).do("do=broadsides")
	sc.seat(1)
}

func TestDieSkipsGhostShipsInTheRegion(t *testing.T) {
	enginetest.Clause(t, "DIE-3", "GHOST-8")
	sc := given(t, 3, combine(beside("N26"), func(s *State) {
		s.Ships[1].Ghost, s.Ships[1].Hull = true, 0
	})).do("do=broadsides;die=doubloon")
	check(t, "ghost's doubloons", sc.Ships[1].Doubloons, 2)
	check(t, "the other's doubloons", sc.Ships[2].Doubloons, 1)
	check(t, "attacker's doubloons", sc.Ships[0].Doubloons, 3)
}

func TestDieStillStrikesAShipJustSunk(t *testing.T) {
	enginetest.Clause(t, "DIE-4", "DIE-5")
	sc := given(t, 2, combine(beside("N26"), func(s *State) { s.Ships[1].Hull = 2 })).do("do=broadsides;die=crew")
	check(t, "ghost", sc.Ships[1].Ghost, true)
	check(t, "crew", sc.Ships[1].Crew, 3)
}

func TestDoubloonStealsOneFromEachWhoHasOne(t *testing.T) {
	enginetest.Clause(t, "DIE-6", "GOLD-2")
	sc := given(t, 4, combine(beside("N26"), func(s *State) {
		s.Ships[3].Doubloons = 0
		s.Supply += 2
	})).do("do=broadsides;die=doubloon")
	check(t, "attacker's doubloons", sc.Ships[0].Doubloons, 4)
	check(t, "victim's doubloons", sc.Ships[1].Doubloons, 1)
	check(t, "pauper's doubloons", sc.Ships[3].Doubloons, 0)
	check(t, "island", sc.Island, 0)
}

func TestVoodooIsForGhostShips(t *testing.T) {
	enginetest.Clause(t, "DIE-7", "GHOST-5")
	sc := given(t, 2, beside("N26")).do("do=broadsides;die=voodoo")
	check(t, "hull", sc.Ships[1].Hull, 8)
	sc = given(t, 2, combine(beside("N26"), func(s *State) {
		s.Ships[0].Ghost, s.Ships[0].Hull = true, 0
	})).do("do=broadsides;die=voodoo")
	check(t, "hull under a ghost's voodoo", sc.Ships[1].Hull, 7)
}

func TestBoardingRollsNoDie(t *testing.T) {
	enginetest.Clause(t, "DIE-8")
	sc := given(t, 2, combine(beside("N39"), func(s *State) {
		s.Ships[0].Ghost, s.Ships[0].Hull, s.Ships[1].Hull = true, 0, 5
	})).do("do=board;seat=+1")
	check(t, "crew stolen", sc.Ships[1].Crew, 3)
	sc.seat(1)
	check(t, "hull", sc.Ships[1].Hull, 5)
}

func TestSinkingMakesAGhostShipAndPaysItsAttacker(t *testing.T) {
	enginetest.Clause(t, "GHOST-1", "GHOST-2")
	sc := given(t, 3, combine(beside("N39"), func(s *State) {
		s.Ships[1].Hull, s.Ships[2].Region = 1, 2
	})).do("do=broadsides") // 3 damage on 1 hull
	check(t, "ghost", sc.Ships[1].Ghost, true)
	check(t, "hull", sc.Ships[1].Hull, 0)
	check(t, "attacker's level", sc.Ships[0].Reputation, 1)
	check(t, "bystander's level", sc.Ships[2].Reputation, 0)
}

func TestExactlyNoHullIsAGhostShipAndOneHullIsNot(t *testing.T) {
	enginetest.Clause(t, "GHOST-1")
	sc := given(t, 3, combine(beside("N26"), func(s *State) { s.Ships[1].Hull, s.Ships[2].Hull = 2, 3 })).do("do=broadsides")
	check(t, "2 hull less 2", sc.Ships[1].Ghost, true)
	check(t, "3 hull less 2", sc.Ships[2].Ghost, false)
	check(t, "3 hull less 2", sc.Ships[2].Hull, 1)
}

func TestReputationNeverExceedsLevelThree(t *testing.T) {
	enginetest.Clause(t, "GHOST-2")
	sc := given(t, 2, combine(beside("N26"), func(s *State) {
		s.Ships[0].Reputation, s.Ships[1].Hull = 3, 1
	})).do("do=broadsides")
	check(t, "level", sc.Ships[0].Reputation, 3)
}

func TestSinkingTwoShipsGivesTwoLevels(t *testing.T) {
	enginetest.Clause(t, "GHOST-3")
	sc := given(t, 3, combine(beside("N26"), func(s *State) { s.Ships[1].Hull, s.Ships[2].Hull = 1, 2 })).do("do=broadsides")
	check(t, "level", sc.Ships[0].Reputation, 2)
}

func TestVoodooDamageThatSinksCountsForTheAttacker(t *testing.T) {
	enginetest.Clause(t, "GHOST-4")
	sc := given(t, 2, combine(beside("N26"), func(s *State) {
		s.Ships[0].Ghost, s.Ships[0].Hull, s.Ships[1].Hull = true, 0, 3
	})).do("do=broadsides;die=voodoo")
	check(t, "ghost", sc.Ships[1].Ghost, true)
	check(t, "level", sc.Ships[0].Reputation, 1)
}

func TestAbilitiesInAttacks(t *testing.T) {
	enginetest.Clause(t, "CAPT-8", "CAPT-9", "CREW-3")
	sc := given(t, 2, combine(facing("N33"), func(s *State) { s.Ships[0].Captain = Voet })).do("do=forward")
	check(t, "hull before Voet", sc.Ships[1].Hull, 8)
	sc = given(t, 2, combine(facing("N33"), func(s *State) {
		s.Ships[0].Captain, s.Ships[0].Crew = Voet, 2
	})).do("do=forward")
	check(t, "hull before Voet with 2 crew", sc.Ships[1].Hull, 9)
	sc = given(t, 2, combine(beside("N26"), func(s *State) { s.Ships[0].Captain = Voet })).do("do=broadsides")
	check(t, "hull beside Voet", sc.Ships[1].Hull, 8)

	sc = given(t, 2, combine(beside("N26"), func(s *State) { s.Ships[1].Captain = Hayreddin })).do("do=broadsides;die=doubloon")
	check(t, "Hayreddin's doubloons", sc.Ships[1].Doubloons, 2)
	sc = given(t, 2, combine(beside("N26"), func(s *State) {
		s.Ships[1].Captain, s.Ships[1].Crew = Hayreddin, 2
	})).do("do=broadsides;die=doubloon")
	check(t, "Hayreddin's doubloons with 2 crew", sc.Ships[1].Doubloons, 1)
	sc = given(t, 2, combine(beside("N29"), func(s *State) { // Board: half the doubloons
		s.Ships[1].Captain, s.Ships[1].Hull = Hayreddin, 9
	})).do("stay;do=board;seat=+1")
	check(t, "Hayreddin's doubloons after a Boarding", sc.Ships[1].Doubloons, 1)
}
