package jollyroger

import (
	"math/bits"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestTreasureIslandIsReachedByAnOldSailor(t *testing.T) {
	enginetest.Clause(t, "ISL-1")
	sc := given(t, PhaseVoyage, []string{"old_sailor", "", "old_sailor", "old_sailor"}).do("0 sail=treasure_island; 2 pass; 3 pass")
	sc.asks(2, AskSailor).do("2 pass").asks(3, AskSailor).do("3 pass").asks(0, AskSailor).do("0 use=old_sailor").asks(0, AskPunish)
	check(t, "islands left", bits.OnesCount8(sc.Stacks[TreasureIsland]), 2)
	// One is enough: nobody else is asked.
	given(t, PhaseIsland, []string{"|rum", "old_sailor", "old_sailor", ""}).asks(1, AskSailor).do("1 use=old_sailor").asks(0, AskBury).hand(2, "old_sailor")
}

func TestWithoutAMapTheCaptainChoosesAnotherDestination(t *testing.T) {
	enginetest.Clause(t, "ISL-2", "ISL-3")
	sc := given(t, PhaseVoyage, []string{"", "nav12", "old_sailor", ""}).do("0 sail=treasure_island; 1 pass; 2 pass; 2 pass").asks(0, AskSail)
	sc.legal("sail=fort sail=merchant_ship sail=settlement sail=pirate_port").do("0 sail=pirate_port")
	check(t, "islands left", bits.OnesCount8(sc.Stacks[TreasureIsland]), 3)
	sc.asks(1, AskMutiny).do("1 pass; 2 pass; destination=pirate_port_1").until(AskAppoint)
	sc.until(AskSail).do("0 sail=treasure_island") // next round again
	// After this round's mutiny there is no other.
	sc = given(t, PhaseVoyage, []string{"", "nav12", "", ""}, func(s *State) { s.MutinyTried = true }).do("0 sail=treasure_island")
	sc.asks(0, AskSail).do("0 sail=fort").asks(1, AskFirst)
	// A mutiny lifts the bar: the new Captain chooses again, with newly dealt cards.
	sc = given(t, PhaseVoyage, []string{"|rum", "", "nav12", "old_sailor"}).do("0 sail=treasure_island; 2 pass; 3 pass; 3 pass; 0 sail=fort; 2 oppose=nav12; 3 oppose=old_sailor").until(AskAppoint).do("2 seat=+1")
	sc.until(AskSail).asks(2, AskSail).do("2 sail=treasure_island").until(AskSailor).do("use=old_sailor").asks(2, AskBury)
}

func TestEachPlayerMayBuryAnyOfTheirPrizes(t *testing.T) {
	enginetest.Clause(t, "ISL-4")
	sc := given(t, PhaseIsland, []string{"old_sailor|jewels", "|rum rum gold_3", "", "|gold_1 hostage|gold_2"}, func(s *State) { s.Captain, s.Quartermaster = 3, 1 })
	sc.do("0 use=old_sailor").asks(3, AskBury).legal("bury=gold_1 bury=hostage bury=all pass").do("3 bury=all")
	sc.asks(0, AskBury).do("0 bury=jewels").asks(1, AskBury).do("1 bury=rum; 1 pass").asks(3, AskPunish)
	sc.owns(0, "").hides(0, "jewels").owns(1, "rum gold_3").hides(1, "rum").owns(3, "").hides(3, "gold_1 hostage gold_2")
}

func TestBuriedPrizesAreNotLostInAMutiny(t *testing.T) {
	enginetest.Clause(t, "ISL-5")
	sc := given(t, PhasePunishment, []string{"||gold_3", "nav12|rum|gold_2", "nav15", ""}).do("0 spare; 1 pass; 2 oppose=nav15; 1 support=nav12; 1 pass; 2 seat=+1")
	sc.asks(2, AskPick).legal("prize=rum").hides(0, "gold_3").hides(1, "gold_2")
}

func TestTheOldSailorIsDiscardedAfterTheBurying(t *testing.T) {
	enginetest.Clause(t, "ISL-6")
	sc := given(t, PhaseIsland, []string{"old_sailor|rum", "", "", ""}).do("0 use=old_sailor").discarded("")
	check(t, "map on the table", sc.Map, true)
	sc.do("0 bury=rum").discarded("old_sailor").asks(0, AskPunish)
	check(t, "map on the table", sc.Map, false)
}
