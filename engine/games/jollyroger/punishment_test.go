package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestTheCaptainOrdersAPunishmentOrNot(t *testing.T) {
	enginetest.Clause(t, "PUN-1")
	players := []string{"", "", "nav12", "gun12"}
	given(t, PhasePunishment, players).asks(0, AskPunish).do("0 spare; 2 pass; 3 pass").asks(0, AskAppoint)
	given(t, PhasePunishment, players).do("0 punish; 2 pass; 3 pass").asks(1, AskVictim)
}

func TestTheCaptainsSuggestionBindsNobody(t *testing.T) {
	enginetest.Clause(t, "PUN-2")
	sc := given(t, PhasePunishment, []string{"any", "any", "nav12", "gun12", ""}).legal("punish spare suggest=+2 suggest=+3")
	sc.do("0 suggest=+2; 1 pass; 2 pass; 3 pass").asks(1, AskVictim).legal("seat=+1 seat=+2")
	check(t, "suggested", sc.Top().Arg[0], 1+2)
	sc.do("1 seat=+2; crew=gun12").discarded("gun12").hand(2, "nav12")
}

func TestTheQuartermasterChoosesAnotherPlayerWithACard(t *testing.T) {
	enginetest.Clause(t, "PUN-3")
	sc := given(t, PhasePunishment, []string{"any", "any any", "nav12", "", "gun12", "mel12"}).do("0 punish; 1 pass; 2 pass; 4 pass; 5 pass")
	sc.asks(1, AskVictim).legal("seat=+1 seat=+3 seat=+4") // and may not refuse
}

func TestTheVictimLosesACardDrawnAtRandom(t *testing.T) {
	enginetest.Clause(t, "PUN-4")
	sc := given(t, PhasePunishment, []string{"", "", "nav12 any any any", ""}).do("0 punish; 2 pass; 1 seat=+1").legal("crew=nav12 crew=any")
	check(t, "probability of nav12", sc.m.Outcomes(nil)[0].Prob, 0.25)
	sc.do("crew=any").hand(2, "nav12 any any").discarded("any")
}

func TestWithNobodyToPunishNothingHappens(t *testing.T) {
	enginetest.Clause(t, "PUN-5")
	given(t, PhasePunishment, []string{"any", "any", "", ""}).do("0 punish; 1 pass").asks(0, AskAppoint)
}
