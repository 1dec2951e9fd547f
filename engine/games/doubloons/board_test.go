package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

// grapple has seat 0 Board with a card whose movement is skipped or absent.
// Seat 1 lies beside it, damaged.
func grapple(id string) func(*State) {
	return func(s *State) {
		s.Ships[0].Table = row(id)
		s.Ships[1].Hull = 9
	}
}

// second makes card id the one of slot 2, after a card that shows what it needs.
func second(first, id string) func(*State) {
	return func(s *State) {
		s.Ships[0].Table = row(first, id)
		s.Ships[1].Hull = 9
		s.Slot, s.Revealed = 1, 2
	}
}

func TestBoardingNeedsADamagedShipBeside(t *testing.T) {
	enginetest.Clause(t, "BOA-1", "BOA-2", "GHOST-9")
	given(t, 6, combine(grapple("N39"), func(s *State) {
		s.Ships[2].Ghost, s.Ships[2].Hull = true, 0
		s.Ships[4].Hull, s.Ships[4].Region = 3, 1
		s.Ships[5].Hull = 1
	})).do("do=board").legal("seat=+1", "seat=+2", "seat=+5")
}

func TestBoardingWithoutATargetHasNoEffect(t *testing.T) {
	enginetest.Clause(t, "BOA-3", "ACT-3")
	sc := given(t, 2, beside("N39")).do("do=board")
	sc.seat(1)
	check(t, "crew", sc.Ships[1].Crew, 4)
}

func TestOwnPrerequisiteIsAnEarlierCard(t *testing.T) {
	enginetest.Clause(t, "BOA-4", "BOA-6", "BOA-7")
	loot := func(s *State) { s.Ships[1].Fragments[SymbolX] = 1 }
	// C03 needs an own Broadsides: N31 shows Broadsides+1 and was not used for it.
	sc := given(t, 2, combine(second("N31", "C03"), loot)).do("stay;do=board;seat=+1;symbol=x")
	check(t, "fragments", sc.Ships[0].Fragments[SymbolX], 1)
	// N41 itself shows Broadsides, which does not help it.
	sc = given(t, 2, combine(grapple("N41"), loot)).do("come_about;stay;do=board")
	sc.seat(1)
	// A later card does not count either.
	sc = given(t, 2, combine(grapple("C03"), func(s *State) {
		s.Ships[0].Table = row("C03", "N31")
	})).do("stay;do=board")
	sc.seat(1)
}

func TestEnemyPrerequisiteIsAnyFaceUpCardOfTheTarget(t *testing.T) {
	enginetest.Clause(t, "BOA-5", "BOA-6", "BOA-7")
	level := func(s *State) { s.Ships[1].Reputation = 1 }
	// C13 needs a Board icon at the target.
	sc := given(t, 2, combine(grapple("C13"), level, func(s *State) { s.Ships[1].Table = row("N39") })).
		do("stay;do=board;seat=+1")
	check(t, "level by the card of this slot", sc.Ships[0].Reputation, 1)
	sc = given(t, 2, combine(grapple("C13"), level, func(s *State) { s.Ships[1].Table = row("N01", "N39") })).
		do("stay;do=board")
	sc.seat(1) // a card still face down is none
	sc = given(t, 2, combine(second("N02", "C13"), level, func(s *State) { s.Ships[1].Table = row("N39", "N01") })).
		do("stay;do=board;seat=+1")
	check(t, "level by an earlier card", sc.Ships[0].Reputation, 1)
}

func TestStealMapFragmentOfTheBoardersChoice(t *testing.T) {
	enginetest.Clause(t, "BOA-8", "FAQ-1", "FAQ-2")
	sc := given(t, 2, combine(grapple("C01"), func(s *State) {
		s.Ships[0].Fragments = [NumSymbols]uint8{2, 1, 0, 0}
		s.Ships[1].Fragments = [NumSymbols]uint8{1, 0, 2, 0}
		s.Ships[1].Region = 1
	})).do("sail;do=board;seat=+1").seat(0).legal("symbol=x", "symbol=moon").do("symbol=moon")
	check(t, "thief", sc.Ships[0].Fragments, [NumSymbols]uint8{2, 1, 1, 0})
	check(t, "victim", sc.Ships[1].Fragments, [NumSymbols]uint8{1, 0, 1, 0})
}

func TestStealHalfTheDoubloonsRoundedDown(t *testing.T) {
	enginetest.Clause(t, "BOA-9", "GOLD-2")
	for has, takes := range map[uint8]uint8{0: 0, 1: 0, 2: 1, 7: 3} {
		sc := given(t, 2, combine(grapple("N29"), func(s *State) { s.Ships[1].Doubloons = has })).do("stay;do=board;seat=+1")
		check(t, "thief", sc.Ships[0].Doubloons, 2+takes)
		check(t, "victim", sc.Ships[1].Doubloons, has-takes)
	}
}

func TestStealCrew(t *testing.T) {
	enginetest.Clause(t, "BOA-10", "BOA-11", "CREW-7", "CREW-8")
	for _, c := range []struct {
		card                     string
		thief, victim            uint8
		thiefAfter, victimsAfter uint8
	}{
		{"N39", 2, 4, 3, 3},
		{"N39", 4, 4, 4, 3},
		{"N39", 2, 0, 2, 0},
		{"C08", 1, 4, 3, 2},
		{"C08", 1, 1, 2, 0},
		{"C08", 3, 4, 4, 2},
	} {
		sc := given(t, 2, combine(grapple(c.card), func(s *State) {
			s.Ships[0].Crew, s.Ships[1].Crew = c.thief, c.victim
		})).do("do=board;seat=+1")
		check(t, c.card+": thief", sc.Ships[0].Crew, c.thiefAfter)
		check(t, c.card+": victim", sc.Ships[1].Crew, c.victimsAfter)
		check(t, "no ghost for lack of crew", sc.Ships[1].Ghost, false)
	}
}

func TestStealJewelOfTheBoardersChoice(t *testing.T) {
	enginetest.Clause(t, "BOA-12", "FAQ-1")
	sc := given(t, 2, combine(second("N31", "C10"), func(s *State) {
		s.Ships[1].Jewels = [NumJewels]uint8{1, 0, 2, 0}
		s.Ships[1].Region = 1
	})).do("sail;do=board;seat=+1").legal("take=emerald", "take=diamond").do("take=diamond")
	check(t, "thief", sc.Ships[0].Jewels, [NumJewels]uint8{0, 0, 1, 0})
	check(t, "victim", sc.Ships[1].Jewels, [NumJewels]uint8{1, 0, 1, 0})
	// The last one too.
	sc = given(t, 2, combine(second("N31", "C10"), func(s *State) {
		s.Ships[1].Jewels[Ruby], s.Ships[1].Region = 1, 1
	})).do("sail;do=board;seat=+1;take=ruby")
	check(t, "victim robbed of the last jewel", sc.Ships[1].Jewels, [NumJewels]uint8{})
}

func TestStealReputation(t *testing.T) {
	enginetest.Clause(t, "BOA-13", "BOA-14", "BOA-15")
	shows := func(s *State) { s.Ships[1].Table = row("N39") }
	sc := given(t, 2, combine(grapple("C13"), shows, func(s *State) { s.Ships[1].Reputation = 2 })).do("stay;do=board;seat=+1")
	check(t, "thief", sc.Ships[0].Reputation, 1)
	check(t, "victim", sc.Ships[1].Reputation, 1)
	sc = given(t, 2, combine(grapple("C13"), shows)).do("stay;do=board")
	sc.seat(1)
	sc = given(t, 2, combine(grapple("C13"), shows, func(s *State) {
		s.Ships[0].Reputation, s.Ships[1].Reputation = 3, 1
	})).do("stay;do=board;seat=+1")
	check(t, "thief at the top", sc.Ships[0].Reputation, 3)
	check(t, "the victim", sc.Ships[1].Reputation, 0)
}

func TestBoardingWithoutLootIsLegal(t *testing.T) {
	enginetest.Clause(t, "BOA-16")
	for _, id := range []string{"N40", "C11"} {
		sc := given(t, 2, func(s *State) {
			s.Ships[0].Table = row("N01", id)
			s.Ships[1].Hull, s.Slot, s.Revealed = 9, 1, 2
			s.Ships[1].Region = 1
		})
		if id == "N40" {
			sc.do("sail;come_about;do=board")
		} else {
			sc.do("sail;stay;do=board")
		}
		sc.legal("seat=+1").do("seat=+1")
		sc.seat(1)
	}
}

func TestProtectionOrbGoesToTheBoarderInsteadOfTheLoot(t *testing.T) {
	enginetest.Clause(t, "ORB-1")
	sc := given(t, 2, combine(grapple("N39"), func(s *State) { s.Ships[1].Orbs = 2 })).do("do=board;seat=+1")
	check(t, "boarder's orbs", sc.Ships[0].Orbs, 1)
	check(t, "victim's orbs", sc.Ships[1].Orbs, 1)
	check(t, "victim's crew", sc.Ships[1].Crew, 4)
}

func TestOrbDoesNotChangeTheCardsConditions(t *testing.T) {
	enginetest.Clause(t, "ORB-2")
	orb := func(s *State) { s.Ships[1].Orbs = 1 }
	for missing, edit := range map[string]func(*State){
		"a level to lose":  combine(grapple("C13"), func(s *State) { s.Ships[1].Table = row("N39") }),
		"the enemy's icon": combine(grapple("C13"), func(s *State) { s.Ships[1].Reputation = 1 }),
		"the own icon":     grapple("C03"),
	} {
		sc := given(t, 2, combine(edit, orb)).do("stay;do=board")
		sc.seat(1)
		check(t, "orbs without "+missing, sc.Ships[1].Orbs, 1)
	}
}

func TestOrbProtectsAgainstBoardingOnly(t *testing.T) {
	enginetest.Clause(t, "ORB-3")
	sc := given(t, 2, combine(beside("N26"), func(s *State) { s.Ships[1].Orbs = 1 })).do("do=broadsides;die=doubloon")
	check(t, "doubloons", sc.Ships[1].Doubloons, 1)
	check(t, "orbs", sc.Ships[1].Orbs, 1)
}

func TestValparisasCrewStrikesBack(t *testing.T) {
	enginetest.Clause(t, "CAPT-7")
	hers := func(s *State) { s.Ships[1].Captain = Valparisa }
	sc := given(t, 2, combine(grapple("N39"), hers)).do("do=board;seat=+1")
	check(t, "boarder, full, gains none and loses one", sc.Ships[0].Crew, 3)
	check(t, "Valparisa", sc.Ships[1].Crew, 3)
	sc = given(t, 2, combine(grapple("N39"), hers, func(s *State) { s.Ships[1].Orbs = 1 })).do("do=board;seat=+1")
	check(t, "boarder who got an orb", sc.Ships[0].Crew, 3)
	sc = given(t, 2, combine(grapple("C08"), hers, func(s *State) { s.Ships[1].Crew, s.Ships[0].Crew = 3, 2 })).do("do=board;seat=+1")
	check(t, "her ability counts as before the Boarding", sc.Ships[0].Crew, 3)
	sc = given(t, 2, combine(grapple("N39"), hers, func(s *State) { s.Ships[1].Crew, s.Ships[0].Crew = 2, 2 })).do("do=board;seat=+1")
	check(t, "without her ability", sc.Ships[0].Crew, 3)
	sc = given(t, 2, combine(grapple("C01"), hers, func(s *State) {
		s.Ships[1].Region, s.Ships[1].Fragments[SymbolSun] = 1, 1
	})).do("sail;do=board;seat=+1;symbol=sun")
	check(t, "after a choice of loot", sc.Ships[0].Crew, 3)
}
