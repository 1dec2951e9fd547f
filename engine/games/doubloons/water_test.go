package doubloons

import (
	"math/bits"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// acting is a scenario in which seat 0 executes a card; seat 1 has the turn after it.
func acting(t testing.TB, seats int, card string, edits ...func(*State)) scenario {
	t.Helper()
	return given(t, seats, func(s *State) {
		s.Ships[0].Table, s.Ships[1].Table = row(card), row("N33")
		for _, edit := range edits {
			edit(s)
		}
	})
}

// newRound is a scenario in which the second round has begun, with seat 1 first;
// what is asked before its cards are drawn, if anything, is pending.
func newRound(t testing.TB, seats int, edits ...func(*State)) scenario {
	t.Helper()
	return given(t, seats, func(s *State) {
		s.Phase = PhaseRoundEnd
		for i := range seats {
			s.Ships[i].Table = row()
		}
		for _, edit := range edits {
			edit(s)
		}
	})
}

func water(region, tile int) func(*State) {
	return func(s *State) { s.Water[region] = int8(tile) }
}

func regions(each ...int8) func(*State) {
	return func(s *State) {
		for i, region := range each {
			s.Ships[i].Region = region
		}
	}
}

func captain(seat int, who int8) func(*State) {
	return func(s *State) { s.Ships[seat].Captain = who }
}

func TestCoralReefGivesATokenAtRoundStart(t *testing.T) {
	enginetest.Clause(t, "WAT-4", "RND-4")
	sc := newRound(t, 3, water(0, CoralReef), regions(0, 1, 0)).seat(engine.Chance)
	check(t, "cards drawn yet", sc.Ships[0].Hand, 0)
	check(t, "tokens of seat 0, there", sc.Ships[0].Pillage, 1)
	check(t, "tokens of seat 1, elsewhere", sc.Ships[1].Pillage, 0)
	check(t, "tokens of seat 2, there", sc.Ships[2].Pillage, 1)
	check(t, "tokens left", sc.Pillage, 4)
}

func TestRoundStartEffectsGoInInitiativeOrder(t *testing.T) {
	enginetest.Clause(t, "WAT-1")
	sc := newRound(t, 3, water(0, CoralReef), func(s *State) { s.Pillage = 2 })
	check(t, "initiative", sc.Initiative, 1)
	check(t, "tokens of seat 1", sc.Ships[1].Pillage, 1)
	check(t, "tokens of seat 2", sc.Ships[2].Pillage, 1)
	check(t, "tokens of seat 0, the last", sc.Ships[0].Pillage, 0)

	// Entering the region during the round gives nothing.
	sc = acting(t, 3, "N01", water(1, CoralReef)).do("sail")
	check(t, "tokens after sailing in", sc.Ships[0].Pillage, 0)
}

func TestFogLimitsAttacksToOneDamage(t *testing.T) {
	enginetest.Clause(t, "WAT-5")
	sc := acting(t, 3, "N39", water(0, Fog), regions(0, 0, 1)).do("do=broadsides") // Broadsides+1
	check(t, "hull of a ship in the fog", sc.Ships[1].Hull, 9)
	sc = acting(t, 3, "N32", water(3, Fog), regions(0, 3, 1), captain(0, Voet)).do("come_about;do=forward") // Forward+1
	check(t, "hull of a ship in the fog, attacked from outside", sc.Ships[1].Hull, 9)
	sc = acting(t, 3, "N26", water(0, Fog), regions(0, 1, 1)).do("do=broadsides")
	check(t, "turn", sc.Turn, 1)
	// It is no protection from anything but Attacks, nor for those attacked from it.
	sc = acting(t, 3, "N32", water(0, Fog), regions(0, 3, 1)).do("come_about;do=forward")
	check(t, "hull of a ship attacked out of the fog", sc.Ships[1].Hull, 8)
	sc = met(t, 2, CursedIdol, water(0, Fog))
	check(t, "hull after a landmark", sc.Ships[0].Hull, 7)
}

func TestFogDoesNotAlterTheAttackDie(t *testing.T) {
	enginetest.Clause(t, "WAT-6", "GHOST-5")
	sc := acting(t, 2, "N39", water(0, Fog), hulls(0, 10)).do("do=broadsides").seat(engine.Chance).do("die=voodoo")
	check(t, "hull after a ghost ship's voodoo", sc.Ships[1].Hull, 8)
	sc = acting(t, 2, "N39", water(0, Fog)).do("do=broadsides;die=crew")
	check(t, "crew", sc.Ships[1].Crew, 3)
}

func TestHighWaterReachesTheRegionBeyond(t *testing.T) {
	enginetest.Clause(t, "WAT-7")
	high := []func(*State){water(0, HighWater), regions(0, 1, 2, 2), captain(0, Voet)}
	sc := acting(t, 4, "N33", high...).do("do=forward").legal("target=near", "target=far").do("target=far")
	for i, hull := range []uint8{10, 10, 8, 8} {
		check(t, "hull", sc.Ships[i].Hull, hull)
	}
	sc = acting(t, 4, "N33", high...).do("do=forward;target=near")
	for i, hull := range []uint8{10, 8, 10, 10} {
		check(t, "hull", sc.Ships[i].Hull, hull)
	}
}

func TestHighWaterReachesOverARipCurrent(t *testing.T) {
	enginetest.Clause(t, "FWD-2", "WAT-7")
	sc := acting(t, 3, "N33", water(0, HighWater), water(1, RipCurrent), regions(0, 2, 3)).do("do=forward;target=far")
	check(t, "hull", sc.Ships[1].Hull, 9)
}

func TestEffectsWithoutATimingHoldForTheShipThere(t *testing.T) {
	enginetest.Clause(t, "WAT-3")
	// Tiles where the target lies do not serve the attacker.
	sc := acting(t, 3, "N33", water(1, HighWater), regions(0, 1, 3)).do("do=forward")
	check(t, "hull", sc.Ships[1].Hull, 9)
	acting(t, 3, "N33", water(1, RiverMerfolk), regions(0, 1, 3)).do("do=forward;die=crew").next()
	// A ship that sails in has the effect for its action.
	sc = acting(t, 3, "N12", water(1, MermaidPack), hulls(5, 10, 10)).do("sail;do=repair")
	check(t, "hull after sailing in", sc.Ships[0].Hull, 8)
}

func TestMerfolkSeerKeepsAbilitiesWorking(t *testing.T) {
	enginetest.Clause(t, "WAT-8")
	for crew := uint8(0); crew <= 2; crew++ {
		cheng := []func(*State){hulls(5, 10), crews(crew), captain(0, WidowCheng)}
		sc := acting(t, 2, "N33", append(cheng, water(0, MerfolkSeer))...).do("do=repair")
		check(t, "hull at the Merfolk Seer", sc.Ships[0].Hull, 7)
		sc = acting(t, 2, "N33", cheng...).do("do=repair")
		check(t, "hull elsewhere", sc.Ships[0].Hull, 6)
	}
}

func TestMermaidPackRepairsOneMore(t *testing.T) {
	enginetest.Clause(t, "WAT-9", "REP-4")
	sc := acting(t, 2, "N33", water(0, MermaidPack), hulls(5, 10)).do("do=repair")
	check(t, "hull in company", sc.Ships[0].Hull, 7)
	// Alone, +1, Widow Cheng and the Mermaid Pack together.
	sc = acting(t, 2, "C08", water(0, MermaidPack), hulls(4, 10), regions(0, 1), captain(0, WidowCheng)).do("do=repair")
	check(t, "hull with all bonuses", sc.Ships[0].Hull, 9)
}

func TestShipwreckGivesCrewToo(t *testing.T) {
	enginetest.Clause(t, "WAT-14", "REP-4")
	sc := acting(t, 2, "N33", water(0, Shipwreck), hulls(5, 10), crews(2)).do("do=repair")
	check(t, "hull", sc.Ships[0].Hull, 6)
	check(t, "crew", sc.Ships[0].Crew, 3)
	sc = acting(t, 2, "N33", water(0, Shipwreck)).do("do=repair")
	check(t, "full crew", sc.Ships[0].Crew, 4)
}

func TestMistsOfMorganaReachTheFacedRegion(t *testing.T) {
	enginetest.Clause(t, "WAT-10")
	mists := []func(*State){water(0, MistsOfMorgana), regions(0, 1, 0, 3), hulls(10, 9, 9, 9), crews(2)}
	sc := acting(t, 4, "N39", mists...).do("do=board").legal("seat=+1", "seat=+2").do("seat=+1") // steal crew
	check(t, "crew stolen", sc.Ships[0].Crew, 3)
	check(t, "crew lost", sc.Ships[1].Crew, 3)
	// The enemy prerequisite holds there too, and damage is needed.
	acting(t, 4, "N39", append(mists, hulls(10, 10, 10, 9))...).do("do=board").next()
	// Without the tile the faced region is out of reach.
	acting(t, 4, "N39", regions(0, 1, 0, 3), hulls(10, 9, 9, 9)).do("do=board").legal("seat=+2")
}

func TestRipCurrentSendsShipsOn(t *testing.T) {
	enginetest.Clause(t, "WAT-2", "WAT-11", "MOV-7")
	sc := acting(t, 2, "N01", water(1, RipCurrent)).do("sail")
	check(t, "region", sc.Ships[0].Region, 2)
	check(t, "facing", sc.Ships[0].Facing, Clockwise)
	sc = acting(t, 2, "N01", water(3, RipCurrent), func(s *State) { s.Ships[0].Facing = CounterClockwise }).do("sail")
	check(t, "region, counterclockwise", sc.Ships[0].Region, 2)
	// It is over before the rest of the movement.
	sc = acting(t, 2, "N25", water(1, RipCurrent)).do("sail;sail")
	check(t, "region after two Sails", sc.Ships[0].Region, 3)
}

func TestRipCurrentsFollowOneAnother(t *testing.T) {
	enginetest.Clause(t, "WAT-12")
	sc := acting(t, 2, "N01", water(1, RipCurrent), water(2, RipCurrent)).do("sail")
	check(t, "region", sc.Ships[0].Region, 3)
}

func TestRiverMerfolkRerollTheDieOnce(t *testing.T) {
	enginetest.Clause(t, "WAT-13")
	river := []func(*State){water(0, RiverMerfolk), doubloons(0, 2)}
	sc := acting(t, 2, "N39", river...).do("do=broadsides;die=voodoo").seat(0).legal("accept", "decline")
	sc.do("accept").legal("die=crew", "die=doubloon", "die=voodoo").do("die=doubloon")
	check(t, "doubloons stolen", sc.Ships[0].Doubloons, 1)
	check(t, "crew, spared by the reroll", sc.Ships[1].Crew, 4)
	sc.next()

	sc = acting(t, 2, "N39", river...).do("do=broadsides;die=crew;decline")
	check(t, "crew", sc.Ships[1].Crew, 3)
	sc.next()
}

func TestStoneSextantSwapsFragmentsOfTheOwnersChoice(t *testing.T) {
	enginetest.Clause(t, "WAT-15")
	sextant := []func(*State){water(0, StoneSextant), regions(0, 1, 1), has(0, SymbolX, 1), has(0, SymbolSun, 1), has(2, SymbolMoon, 2), has(2, SymbolX, 1)}
	sc := newRound(t, 3, sextant...).seat(0).legal("seat=+2", "decline")
	sc.do("seat=+2").seat(0).legal("symbol=x", "symbol=sun").do("symbol=sun").seat(0).legal("symbol=x", "symbol=moon").do("symbol=moon")
	check(t, "own fragments", sc.Ships[0].Fragments, [NumSymbols]uint8{1, 0, 1, 0})
	check(t, "the enemy's fragments", sc.Ships[2].Fragments, [NumSymbols]uint8{1, 1, 1, 0})
	sc.seat(engine.Chance)

	sc = newRound(t, 3, sextant...).do("decline").seat(engine.Chance)
	check(t, "own fragments, declined", sc.Ships[0].Fragments, [NumSymbols]uint8{1, 1, 0, 0})
}

func TestStoneSextantNeedsFragmentsOnBothSides(t *testing.T) {
	enginetest.Clause(t, "WAT-16", "ORB-3")
	newRound(t, 3, water(0, StoneSextant), regions(0, 1, 1), has(0, SymbolX, 1)).seat(engine.Chance)
	newRound(t, 3, water(0, StoneSextant), regions(0, 1, 1), has(1, SymbolX, 1)).seat(engine.Chance)
	orb := func(s *State) { s.Ships[1].Orbs = 1 }
	sc := newRound(t, 3, water(0, StoneSextant), regions(0, 1, 1), has(0, SymbolX, 1), has(1, SymbolSun, 1), orb)
	sc.do("seat=+1;symbol=x;symbol=sun")
	check(t, "own fragments", sc.Ships[0].Fragments[SymbolSun], 1)
	check(t, "orbs", sc.Ships[1].Orbs, 1)
}

func TestTheShallowsMakeTheHandSizeFive(t *testing.T) {
	enginetest.Clause(t, "WAT-17")
	for _, tc := range []struct {
		who    int8
		region int8
		crew   uint8
		want   int
	}{
		{noCaptain, 0, 0, 5}, {noCaptain, 0, 4, 5}, {noCaptain, 1, 0, 3},
		{CalicoJack, 0, 4, 6}, {CalicoJack, 0, 3, 6}, {CalicoJack, 0, 2, 5}, {CalicoJack, 1, 3, 5},
	} {
		sc := newRound(t, 2, water(0, TheShallows), regions(tc.region, 1), crews(tc.crew, 4), captain(0, tc.who))
		sc.until(func(s *State) bool { return s.Top().Kind == AskProgram })
		check(t, "hand", bits.OnesCount64(sc.Ships[0].Hand), tc.want)
	}
}
