package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestInAPortEverybodyDrawsCardsOneAtATimeClockwiseFromTheCaptain(t *testing.T) {
	enginetest.Clause(t, "PORT-1")
	sc := inPort(t, []string{"", "", "", ""}, func(s *State) { s.Captain, s.Quartermaster = 2, 0 }).do("destination=pirate_port_4")
	for range 2 {
		sc.asks(2, DealCrew).do("crew=nav12").asks(3, DealCrew).do("crew=nav13").asks(0, DealCrew).do("crew=gun12").asks(1, DealCrew).do("crew=gun13")
	}
	sc.asks(2, AskPunish).hand(2, "nav12 nav12").hand(1, "gun13 gun13")
	check(t, "ports left", sc.Stacks[PiratePort], sc.r.stacks[PiratePort]&^(1<<3))
}

func TestHandLimitsApplyInAPortBeforeTrade(t *testing.T) {
	enginetest.Clause(t, "PORT-2")
	sc := inPort(t, []string{"nav12 nav13 nav14 nav15 gun12 gun13 gun14|rum", "nav12 nav13 gun12 gun13 mel12 mel13 mel14", "", ""})
	sc.do("destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any").asks(0, AskDiscard).do("0 discard=any")
	sc.asks(1, AskDiscard).do("1 discard=nav12").asks(0, AskExchange)
	// And after the exchange.
	sc.do("0 exchange=rum; crew=cook").asks(0, AskDiscard)
}

// dealtPort is a port where everybody has drawn one card.
func dealtPort(t *testing.T, players ...string) scenario {
	return inPort(t, players).do("destination=pirate_port_1; crew=mel21; crew=mel22; crew=mel23; crew=any")
}

func TestInAPortEachPlayerMayExchangeOnePrizeForACard(t *testing.T) {
	enginetest.Clause(t, "PORT-3")
	sc := dealtPort(t, "", "|rum gold_3", "|hostage jewels gold_1", "|gold_2")
	sc.asks(1, AskExchange).legal("exchange=rum exchange=gold_3 pass").do("1 exchange=rum; chance crew=cook") // rum too
	sc.owns(1, "gold_3").hand(1, "mel22 cook").asks(2, AskExchange).legal("exchange=hostage exchange=jewels exchange=gold_1 pass")
	check(t, "prize discard", listed(sc.PrizeOut[:], prizeNames), "rum")
	sc.do("2 pass; 2 pass").asks(3, AskExchange).do("3 pass").asks(0, AskPunish).owns(3, "gold_2")
}

func TestInAPortHostagesBringTwoPrizesEach(t *testing.T) {
	enginetest.Clause(t, "PORT-4")
	sc := dealtPort(t, "|hostage hostage gold_1", "", "", "").do("0 exchange=gold_1; crew=nav12").asks(0, AskSell).legal("ransom pass")
	sc.do("0 ransom; drawn=gold_3; drawn=rum; 0 ransom; drawn=gold_2; drawn=gold_2").asks(0, AskPunish).owns(0, "gold_3 rum gold_2 gold_2")
	check(t, "prize discard", listed(sc.PrizeOut[:], prizeNames), "gold_1 hostage hostage")
}

func TestInAPortJewelsBringOnePrizeEach(t *testing.T) {
	enginetest.Clause(t, "PORT-5")
	sc := dealtPort(t, "|jewels jewels", "", "", "").do("0 pass").asks(0, AskSell).legal("sell pass") // without an exchange too
	sc.do("0 sell; drawn=gold_3; 0 pass").asks(0, AskPunish).owns(0, "gold_3 jewels")
	check(t, "prize discard", listed(sc.PrizeOut[:], prizeNames), "jewels")
	// A prize that was exchanged is not sold too.
	dealtPort(t, "|jewels hostage", "", "", "").do("0 exchange=jewels; crew=nav12").legal("ransom pass")
	dealtPort(t, "|jewels hostage", "", "", "").do("0 exchange=hostage; crew=nav12").legal("sell pass")
}

func TestWhatATradeInAPortBringsCannotBeTradedAtOnce(t *testing.T) {
	enginetest.Clause(t, "PORT-6")
	sc := dealtPort(t, "|hostage jewels", "", "", "").do("0 pass; 0 ransom; drawn=hostage; drawn=jewels").legal("sell pass")
	sc.do("0 sell; drawn=jewels").asks(0, AskPunish).owns(0, "hostage jewels jewels")
}
