package doubloons

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

const withCompass = "modules=compass"

// lost leaves seat 0 one crew member.
func lost(s *State) { s.Ships[0].Crew = 1 }

// spent takes all compasses of seats out of the game.
func spent(seats ...int) func(*State) {
	return func(s *State) {
		for _, i := range seats {
			s.Ships[i].Compasses = 0
		}
	}
}

func TestCompassesAtTheStart(t *testing.T) {
	enginetest.Clause(t, "COMP-1")
	sc := fresh(in(t, withCompass), 3)
	for seat := range 3 {
		check(t, "compasses", sc.Ships[seat].Compasses, 2)
	}
	check(t, "old mystic in the blue stack", sc.StackTop[ColourBlue]>>OldMystic&1, uint64(1))
	check(t, "without the module", fresh(t, 3).Ships[0].Compasses, 0)
}

func TestACompassIsForShipsThatLostTheirCrew(t *testing.T) {
	enginetest.Clause(t, "COMP-2")
	acting(in(t, withCompass), 2, "N01", lost).legal("compass=+1,1", "decline").do("decline").legal("sail").do("sail").legal("do=hunt", "do=pillage")
	acting(in(t, withCompass), 2, "N01", lost, crews(0)).legal("compass=+1,1", "decline")
	acting(in(t, withCompass), 2, "N01", lost, crews(2)).legal("sail")
	acting(in(t, withCompass), 2, "N01", lost, spent(0)).legal("sail")
	acting(t, 2, "N01", crews(1)).legal("sail")
}

func TestACompassExchangesCards(t *testing.T) {
	enginetest.Clause(t, "COMP-3")
	sc := acting(in(t, withCompass), 2, "N01", lost).do("compass=+1,1").legal("do=forward", "do=repair")
	check(t, "compasses", sc.Ships[0].Compasses, 1)
	check(t, "own card", sc.Ships[0].Table[0], int8(card("N33")))
	check(t, "the other's card", sc.Ships[1].Table[0], int8(card("N01")))
	// A player who has not had a turn yet executes the card received.
	sc.do("do=repair")
	check(t, "turn", sc.Turn, 1)
	sc.legal("sail").do("sail").legal("do=hunt", "do=pillage")
}

func TestCardsThatACompassCanTake(t *testing.T) {
	enginetest.Clause(t, "COMP-4")
	// Seat 0 is last of three in slot 2; seat 1 has begun.
	at := func(turn int8) scenario {
		return given(in(t, withCompass), 3, combine(lost, func(s *State) {
			s.Dug, s.Slot, s.Revealed = true, 1, 2
			s.Deck = allNormal | allCaptains
			s.Initiative, s.Turn = 1, turn
			s.Ships[2].Crew = 1
			s.Ships[0].Table, s.Ships[1].Table, s.Ships[2].Table = row("C01", "C02", "N01"), row("C04", "C05", "N02"), row("N03", "C07", "N05")
		}))
	}
	// Captain cards of turns that are over, in which they were resolved; nothing that lies face down.
	at(0).legal("compass=+1,1", "compass=+1,2", "compass=+2,1", "compass=+2,2", "decline")
	at(2).legal("compass=+1,1", "compass=+2,1", "compass=+2,2", "decline")
	// C08, handed to seat 1 whose turn is over, is not executed there, so seat 0 may not take it.
	sc := given(in(t, withCompass), 3, combine(lost, func(s *State) {
		s.Dug, s.Initiative, s.Turn = true, 1, 2
		s.Deck = allNormal | allCaptains
		s.Ships[2].Crew = 1
		s.Ships[0].Table, s.Ships[1].Table, s.Ships[2].Table = row("N01"), row("N33"), row("C08")
	})).do("compass=+2,1;do=repair").seat(0).legal("compass=+2,1", "decline").do("decline")
	check(t, "moved by nobody", sc.Ships[2].Track+sc.Ships[1].Track+sc.Ships[0].Track, 0)
}

func TestACompassTakesACaptainCardOnlyOnceItHasBeenResolved(t *testing.T) {
	enginetest.Clause(t, "COMP-4")
	// Slot 2, seat 0 first: it leaves C08 before seat 1, in place of a card of slot 1 or of slot 2.
	swap := func(choice string) scenario {
		return given(in(t, withCompass), 3, func(s *State) {
			s.Dug, s.Slot, s.Revealed = true, 1, 2
			s.Deck = allNormal | allCaptains
			s.Ships[0].Crew, s.Ships[1].Crew, s.Ships[2].Crew = 1, 0, 0
			s.Ships[0].Table, s.Ships[1].Table, s.Ships[2].Table = row("N03", "C08", "N01"), row("N26", "N33", "N05"), row("C07", "N13", "N02")
		}).do("compass=" + choice)
	}
	// The turn of slot 1 is over, so nobody resolves C08 there: it is no card to take.
	sc := swap("+1,1").do("do=pillage").seat(1).do("decline;do=forward").seat(2)
	sc.legal("compass=+1,1", "compass=+1,2", "compass=+2,2", "decline")
	check(t, "unresolved", sc.Unresolved, captainCard(int8(card("C08"))))
	// It is so to the end of the round's turns, and forgotten then.
	sc.do("decline;do=repair").seat(0).legal("compass=+1,2", "compass=+1,3", "compass=+2,1", "compass=+2,2", "compass=+2,3", "decline")
	sc.until(func(s *State) bool { return s.Round == 2 })
	check(t, "unresolved in the next round", sc.Unresolved, 0)
	// In the slot that seat 1 is still to execute C08 is resolved by seat 1, and then is one to take.
	sc = swap("+1,2").do("do=forward").seat(1).legal("compass=+1,1", "compass=+1,2", "compass=+2,1", "compass=+2,2", "decline").do("decline;do=repair").seat(2)
	sc.legal("compass=+1,1", "compass=+1,2", "compass=+2,1", "compass=+2,2", "decline")
	check(t, "track of the ship that resolved it", sc.Ships[1].Track, 1)
	// Resolved once, it may go from hand to hand: each who takes it resolves it again.
	sc.do("compass=+2,2;do=repair")
	check(t, "track of the ship that took it", sc.Ships[2].Track, 1)
	sc.seat(0).do("compass=+2,2;do=repair")
	check(t, "track of the next", sc.Ships[0].Track, 1)
}

func TestPositionsSayWhichCaptainCardsAreUnresolved(t *testing.T) {
	const game = "doubloons(seats=2,chance=explicit,forced=show,modules=compass)"
	const rows = `"dug": true, "slot": 2, "ships": [{"crew": 1, "table": ["N01", "N02"]}, {"table": ["C08", "N33"]}]`
	m := enginetest.At(t, game, `{"unresolved": ["C08"], `+rows+`}`)
	check(t, "legal", strings.Join(enginetest.Legal(m), " "), "decline compass=+1,2")
	m = enginetest.At(t, game, `{`+rows+`}`)
	check(t, "legal if it is left out", strings.Join(enginetest.Legal(m), " "), "decline compass=+1,1 compass=+1,2")
	for text, says := range map[string]string{
		`{"unresolved": ["N33"], ` + rows + `}`: "unresolved[0]: N33 is no captain card",
		`{"unresolved": ["C07"], ` + rows + `}`: "unresolved: C07",
		`{"unresolved": ["C08"], "dug": true, "slot": 1, "ships": [{"crew": 1, "table": ["N01"]}, {"table": ["C08"]}]}`: "unresolved: C08",
	} {
		refusedAt(t, game, text, says)
	}
	refusedAt(t, "doubloons(seats=2)", `{"unresolved": ["C08"], `+rows+`}`, "unresolved: C08")
}

func TestACardTakenCountsAsOnesOwn(t *testing.T) {
	enginetest.Clause(t, "COMP-5", "COMP-6")
	// N16 Boards for a fragment after a card with Hunt: N01 is one, but has gone to seat 1.
	given(in(t, withCompass), 2, combine(lost, func(s *State) {
		s.Slot, s.Revealed, s.Turn = 1, 2, 1
		s.Ships[1].Crew = 1
		s.Ships[0].Hull, s.Ships[0].Fragments[SymbolX] = 5, 1
		s.Ships[0].Table, s.Ships[1].Table = row("N01", "N33"), row("N32", "N16")
	})).do("compass=+1,1").legal("sail").do("sail").legal("do=hunt", "do=pillage")
	sc := given(in(t, withCompass), 2, combine(lost, func(s *State) {
		s.Dug, s.Slot, s.Revealed = true, 1, 2
		s.Deck = allNormal | allCaptains
		s.Ships[0].Table, s.Ships[1].Table = row("N33", "N34"), row("C08", "N32")
	})).do("compass=+1,1;do=repair")
	check(t, "track of the ship that took the captain card", sc.Ships[0].Track, 1)
	check(t, "track of the ship that lost it", sc.Ships[1].Track, 0)
	// Seat 1 now shows Attack: Forward by N34, which it got.
	_, r := explicitMatch(in(t, withCompass), 2)
	check(t, "icons of seat 1's first card", r.shown(&sc.Ships[1], 1), IconForward.Bit()|IconRepair.Bit())
}

func TestOldMysticStealsACompass(t *testing.T) {
	enginetest.Clause(t, "COMP-7")
	sc := met(in(t, withCompass), 3, OldMystic, func(s *State) { s.Ships[1].Orbs = 1 }).legal("seat=+1", "seat=+2").do("seat=+1")
	check(t, "thief", sc.Ships[0].Compasses, 3)
	check(t, "victim", sc.Ships[1].Compasses, 1)
	check(t, "orb", sc.Ships[1].Orbs, 1)
	met(in(t, withCompass), 3, OldMystic, spent(1, 2)).next() // nobody else has any
	sc = exploit(in(t, withCompass), 3, OldMystic, "+2").seat(0).legal("seat=self", "seat=+1").do("seat=self")
	check(t, "resolver", sc.Ships[2].Compasses, 3)
	check(t, "victim of the Exploit", sc.Ships[0].Compasses, 1)
}
