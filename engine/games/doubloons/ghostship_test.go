package doubloons

import (
	"math/bits"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestAShipWithoutHullBecomesAGhostShip(t *testing.T) {
	enginetest.Clause(t, "GHOST-1", "GHOST-2")
	sc := acting(t, 3, "N39", hulls(10, 2, 4)).do("do=broadsides") // 3 damage
	check(t, "hull", sc.Ships[1].Hull, 0)
	check(t, "ghost", sc.Ships[1].Ghost, true)
	check(t, "hull of a ship that holds", sc.Ships[2].Hull, 1)
	check(t, "ghost, of a ship that holds", sc.Ships[2].Ghost, false)
	check(t, "level of the attacker", sc.Ships[0].Reputation, 1)

	sc = acting(t, 2, "N39", hulls(10, 2), func(s *State) { s.Ships[0].Reputation = 3 }).do("do=broadsides")
	check(t, "level from the last space", sc.Ships[0].Reputation, 3)
}

func TestOnlyTheOneWhoSinksGainsReputation(t *testing.T) {
	enginetest.Clause(t, "GHOST-2")
	// Seat 0 does most of the damage, seat 1 the last.
	sc := given(t, 3, func(s *State) {
		s.Ships[0].Table, s.Ships[1].Table, s.Ships[2].Table = row("N39"), row("N33"), row("N33")
		s.Ships[1].Facing = CounterClockwise
		s.Ships[0].Region, s.Ships[1].Region, s.Ships[2].Region = 0, 1, 0
		s.Ships[0].Hull, s.Ships[2].Hull = 10, 4
	}).do("do=broadsides;die=voodoo;do=forward;die=voodoo")
	check(t, "ghost", sc.Ships[2].Ghost, true)
	check(t, "level of the first", sc.Ships[0].Reputation, 0)
	check(t, "level of the last", sc.Ships[1].Reputation, 1)
	check(t, "hull of the other ship hit", sc.Ships[0].Hull, 9)
}

func TestSinkingSeveralShipsGivesALevelForEach(t *testing.T) {
	enginetest.Clause(t, "GHOST-3")
	sc := acting(t, 4, "N39", hulls(10, 2, 3, 10)).do("do=broadsides")
	check(t, "level", sc.Ships[0].Reputation, 2)
}

func TestVoodooOfAGhostShipDamagesAndSinks(t *testing.T) {
	enginetest.Clause(t, "GHOST-4", "GHOST-5", "DIE-7")
	sc := acting(t, 3, "N39", hulls(0, 4, 10), regions(0, 0, 1)).do("do=broadsides")
	check(t, "hull after the attack", sc.Ships[1].Hull, 1)
	sc.do("die=voodoo")
	check(t, "ghost", sc.Ships[1].Ghost, true)
	check(t, "level", sc.Ships[0].Reputation, 1)
	check(t, "hull of a ship elsewhere", sc.Ships[2].Hull, 10)
	// A ship that the attack itself has sunk cannot be sunk again by the die.
	sc = acting(t, 2, "N39", hulls(0, 3)).do("do=broadsides;die=voodoo")
	check(t, "level for one ship", sc.Ships[0].Reputation, 1)
	// Not for ships that live.
	sc = acting(t, 3, "N39", hulls(10, 4, 10)).do("do=broadsides;die=voodoo")
	check(t, "hull", sc.Ships[1].Hull, 1)
}

func TestGhostShipsGainNoHull(t *testing.T) {
	enginetest.Clause(t, "GHOST-7")
	sc := acting(t, 2, "N33", hulls(0, 10), water(0, MermaidPack), captain(0, WidowCheng)).do("do=repair")
	check(t, "hull after Repair", sc.Ships[0].Hull, 0)
	check(t, "ghost", sc.Ships[0].Ghost, true)
	sc = met(t, 2, SalvageMerchant, hulls(0, 10))
	check(t, "hull after a landmark", sc.Ships[0].Hull, 0)
}

func TestGhostShipsTakeNoDamage(t *testing.T) {
	enginetest.Clause(t, "GHOST-8", "DIE-3")
	sc := acting(t, 3, "N39", hulls(10, 0, 10), regions(0, 0, 1)).do("do=broadsides")
	check(t, "level for damage that is none", sc.Ships[0].Reputation, 0)
	sc.next()
	// The die does nothing to it either, when another ship was hit.
	sc = acting(t, 3, "N39", hulls(10, 0, 10)).do("do=broadsides;die=crew")
	check(t, "crew of the ghost ship", sc.Ships[1].Crew, 4)
	check(t, "crew of the ship that was hit", sc.Ships[2].Crew, 3)
	sc = met(t, 3, VoodooHut, hulls(10, 10, 0)).do("seat=+2;sail;stay")
	check(t, "ghost after the Voodoo Hut", sc.Ships[2].Ghost, true)
	sc = met(t, 3, CursedIdol, hulls(0, 10, 10))
	check(t, "hull after Cursed Idol", sc.Ships[0].Hull, 0)
}

func TestGhostShipsAreNotSparedAnythingElse(t *testing.T) {
	enginetest.Clause(t, "GHOST-9", "BOA-1")
	sc := acting(t, 2, "N39", hulls(10, 0), crews(2, 4)).do("do=board").legal("seat=+1").do("seat=+1")
	check(t, "crew after Boarding", sc.Ships[1].Crew, 3)
	sc = hunting(t, 2, has(1, SymbolX, 1), hulls(10, 0)).do("symbol=x;to=C1;landmark=tribal_village")
	sc.seat(1).legal("to=C1", "to=V1", "to=P1")
	sc = acting(t, 2, "N01", hulls(0, 10), water(1, RipCurrent)).do("sail")
	check(t, "region beyond the Rip Current", sc.Ships[0].Region, 2)
}

func TestGhostShipsGainAndLoseCrew(t *testing.T) {
	enginetest.Clause(t, "GHOST-7", "GHOST-10")
	sc := met(t, 2, MercenaryCamp, hulls(0, 10), crews(1))
	check(t, "crew gained", sc.Ships[0].Crew, 2)
	check(t, "hull", sc.Ships[0].Hull, 0)
	sc = acting(t, 2, "N33", hulls(0, 10), crews(1), water(0, Shipwreck)).do("do=repair")
	check(t, "crew, which no Repair at the Shipwreck brings", sc.Ships[0].Crew, 1)
	sc = met(t, 2, DeadCreek, hulls(0, 10))
	check(t, "crew lost", sc.Ships[0].Crew, 2)
}

func TestGhostShipsPlayOn(t *testing.T) {
	enginetest.Clause(t, "GHOST-11")
	sc := newRound(t, 2, hulls(0, 10)).until(func(s *State) bool { return s.Top().Kind == AskProgram })
	check(t, "hand", bits.OnesCount64(sc.Ships[0].Hand), 5)
	sc = acting(t, 2, "N01", hulls(0, 10)).do("sail").legal("do=hunt", "do=pillage").do("do=pillage")
	check(t, "tokens", sc.Ships[0].Pillage, 1)
	sc = acting(t, 2, "N39", hulls(0, 10)).do("do=broadsides")
	check(t, "hull of its target", sc.Ships[1].Hull, 7)
}

func TestGhostShipsWithFiveDoubloonsRecover(t *testing.T) {
	enginetest.Clause(t, "GHOST-12")
	sc := newRound(t, 4, hulls(0, 0, 0, 8), doubloons(5, 4, 7, 9), crews(1, 1, 3, 1), func(s *State) { s.Supply = 0 })
	for i, want := range []struct {
		ghost                 bool
		hull, crew, doubloons uint8
	}{{false, 7, 3, 0}, {true, 0, 1, 4}, {false, 7, 4, 2}, {false, 8, 1, 9}} {
		check(t, "ghost", sc.Ships[i].Ghost, want.ghost)
		check(t, "hull", sc.Ships[i].Hull, want.hull)
		check(t, "crew", sc.Ships[i].Crew, want.crew)
		check(t, "doubloons", sc.Ships[i].Doubloons, want.doubloons)
	}
	check(t, "island", sc.Island, 10)
}

func TestRedemptionComesBeforeTheLastScoring(t *testing.T) {
	enginetest.Clause(t, "GHOST-13", "CAP-3")
	sc := newRound(t, 2, dug, hulls(0, 10), doubloons(6, 0), func(s *State) { s.Ending = true }).seat(engine.Over)
	check(t, "ghost", sc.Ships[0].Ghost, false)
	check(t, "doubloons", sc.Ships[0].Doubloons, 1)
	check(t, "curse", scores(sc, 0)["curse"], 0)
}
