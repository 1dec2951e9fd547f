package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestARoundIsAppointmentVoyageAndPunishment(t *testing.T) {
	enginetest.Clause(t, "ROUND-1")
	sc := given(t, PhaseAppointment, []string{"", "", "", ""})
	sc.asks(0, AskAppoint).do("0 seat=+2; crew=nav12; crew=nav13; crew=gun12; crew=gun13").asks(0, AskSail)
	sc.do("0 sail=fort; 1 pass; 2 pass; 3 pass").asks(2, AskFirst).do("2 play=gun12; 3 pass; 0 pass; 1 pass; 2 reveal; destination=fort_1")
	sc.asks(0, AskPunish).do("0 spare; 1 pass; 3 pass").asks(0, AskAppoint)
	check(t, "round", sc.Round, 3)
}

func TestTheCaptainNamesAnyOtherPlayerQuartermaster(t *testing.T) {
	enginetest.Clause(t, "ROUND-2")
	players := []string{"nav12", "nav12", "gun12", "gun12", "mel12"}
	for action, seat := range map[string]int8{"seat=+1": 1, "seat=+2": 2, "seat=+3": 3, "seat=+4": 4} {
		sc := given(t, PhaseAppointment, players).asks(0, AskAppoint).legal("seat=+1 seat=+2 seat=+3 seat=+4").do(action)
		check(t, "quartermaster", sc.Quartermaster, seat)
	}
}

func TestWhoHoldsNoCardDrawsOneAfterTheAppointment(t *testing.T) {
	enginetest.Clause(t, "ROUND-3")
	sc := given(t, PhaseAppointment, []string{"", "nav12", "", "nav12"}).do("0 seat=+1; 1 pass; 3 pass")
	sc.asks(0, DealCrew).do("crew=cook").asks(2, DealCrew).do("crew=any").asks(0, AskSail)
	sc.hand(0, "cook").hand(1, "nav12").hand(2, "any").hand(3, "nav12")
}

func TestTheCaptainChoosesAmongStacksThatAreNotEmpty(t *testing.T) {
	enginetest.Clause(t, "ROUND-4")
	sc := given(t, PhaseVoyage, []string{"", "", "", ""}).asks(0, AskSail)
	sc.legal("sail=fort sail=merchant_ship sail=settlement sail=pirate_port sail=treasure_island")
	given(t, PhaseVoyage, []string{"", "", "", ""}, func(s *State) {
		s.Round = 5
		s.Stacks[Fort] |= 1 << 3
		s.Stacks[TreasureIsland] = 0
		s.Stacks[Settlement] &^= 1 // four voyages
	}).legal("sail=fort sail=merchant_ship sail=settlement sail=pirate_port")
}

func TestAMutinyMayBeCalledAfterEachDecisionOfTheCaptainBeforeAnythingComesOfIt(t *testing.T) {
	enginetest.Clause(t, "ROUND-5")
	sc := given(t, PhaseAppointment, []string{"", "nav12", "gun12", "mel12"})
	sc.do("0 seat=+1").asks(1, AskMutiny).do("1 pass; 2 pass; 3 pass; chance crew=any") // only now the free card
	sc.do("0 sail=pirate_port").asks(1, AskMutiny).do("1 pass; 2 pass; 3 pass; destination=pirate_port_1").until(AskPunish)
	for _, order := range []string{"punish", "spare", "suggest=+2"} {
		given(t, PhasePunishment, []string{"", "nav12", "gun12", "mel12"}).do("0 "+order).asks(1, AskMutiny).do("1 pass; 2 pass").asks(3, AskMutiny)
	}
}

func TestTheGameIsOverAfterTenRounds(t *testing.T) {
	enginetest.Clause(t, "ROUND-6", "ROUND-8")
	sc := given(t, PhasePunishment, []string{"", "", "", "nav12"}, lastRound)
	sc.asks(0, AskPunish).do("0 spare").asks(3, AskMutiny).do("3 pass")
	check(t, "phase", sc.Phase, PhaseOver)
	check(t, "to act", sc.m.Seat(), engine.Over)
	sc = given(t, PhasePunishment, []string{"", "", "", "nav12"}, lastRound).do("0 spare; 3 oppose=nav12").until(AskAppoint)
	check(t, "captain after the last mutiny", sc.Captain, 3)
	sc = given(t, PhasePunishment, []string{"", "", "", "nav12"}, lastRound, func(s *State) { s.Round = 9; s.Stacks[Fort] = 1 }).do("0 spare; 3 pass")
	check(t, "round after the ninth", sc.Round, 10)
	sc.asks(0, AskAppoint)
}

func TestTheGameIsOverAfterTheRoundInWhichTheLastPrizeIsDrawn(t *testing.T) {
	enginetest.Clause(t, "ROUND-7")
	sc := inPort(t, []string{"|hostage", "", "", ""}, prizeDeck("rum gold_1"))
	sc.do("destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any; 0 pass; 0 ransom; drawn=gold_1; drawn=rum")
	sc.asks(0, AskPunish).do("0 spare; 1 pass; 2 pass; 3 pass")
	check(t, "phase", sc.Phase, PhaseOver)
	check(t, "round", sc.Round, 2)
}

func TestAVoyageUsesOneDestinationCardAndAChangedChoiceNone(t *testing.T) {
	enginetest.Clause(t, "ROUND-9")
	sc := given(t, PhaseVoyage, []string{"", "", "nav12", "nav12"})
	before := sc.Stacks
	sc.do("0 sail=treasure_island; 2 oppose=nav12; 3 pass").until(AskSail)
	check(t, "stacks after a mutiny", sc.Stacks, before)
	sc = given(t, PhaseVoyage, []string{"", "", "", ""}).do("0 sail=treasure_island").asks(0, AskSail) // nobody has the map
	check(t, "stacks without a map", sc.Stacks, before)
	sc.do("0 sail=merchant_ship; 1 reveal; destination=merchant_ship_3")
	check(t, "merchant ships left", sc.Stacks[MerchantShip], before[MerchantShip]&^(1<<2))
}
