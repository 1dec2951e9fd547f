package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestTheQuartermasterPlaysFirstAndMustWithASkillInHand(t *testing.T) {
	enginetest.Clause(t, "ATT-1")
	sc := attack(t, Fort, []string{"nav21", "cook nav12 any", "gun31", ""})
	sc.asks(1, AskFirst).legal("play=nav12 play=any").do("1 play=nav12").asks(2, AskAttack)
	attack(t, Fort, []string{"nav21", "cook", "gun31", ""}).asks(2, AskAttack)
	attack(t, Fort, []string{"nav21", "", "", ""}).asks(0, AskAttack)
}

func TestEverybodyMayPlayOneCardATurnClockwiseAndPassingIsNotFinal(t *testing.T) {
	enginetest.Clause(t, "ATT-2")
	sc := attack(t, Fort, []string{"nav21 nav22", "nav12 any", "gun31 gun31", "mel22"}).do("1 play=nav12")
	sc.asks(2, AskAttack).legal("play=gun31 pass").do("2 play=gun31").asks(3, AskAttack).do("3 pass; 0 play=nav21; 1 pass; 2 pass")
	sc.asks(3, AskAttack).do("3 play=mel22; 0 pass; 1 play=any; 2 play=gun31; 0 play=nav22; 1 pass")
	sc.next(DealTarget) // nobody has a card to play, so nobody but the Quartermaster was asked
	check(t, "in the attack", listed(sc.Played[:], crewNames), "nav12 nav21 nav22 gun31 gun31 mel22 any")
}

func TestSpecialCardsAreNotPlayedToFight(t *testing.T) {
	enginetest.Clause(t, "ATT-3")
	sc := attack(t, Fort, []string{"powder_monkey old_sailor", "sharpshooter nav12", "cook gun31", ""}).legal("play=nav12").do("1 play=nav12")
	sc.asks(2, AskAttack).legal("play=gun31 pass").do("2 pass").asks(1, AskAttack)
}

func TestTheQuartermasterRevealsAtWill(t *testing.T) {
	enginetest.Clause(t, "ATT-4")
	sc := attack(t, Fort, []string{"nav21", "nav12 any", "gun31", "mel22"}).do("1 play=nav12; 2 play=gun31; 3 pass; 0 pass")
	sc.legal("play=any reveal pass").do("1 reveal").next(DealTarget).do("destination=fort_1").asks(0, AskPunish)
	sc = attack(t, Fort, []string{"nav21", "nav12 any", "", ""}).do("1 play=nav12").asks(0, AskAttack).illegal("reveal")
	sc.legal("play=nav21 pass")
}

func TestALapWithoutACardRevealsTheDestination(t *testing.T) {
	enginetest.Clause(t, "ATT-5")
	sc := attack(t, Fort, []string{"nav21", "nav12", "gun31", "mel22"}).do("1 play=nav12; 2 pass; 3 pass; 0 play=nav21; 1 pass; 2 pass; 3 pass")
	sc.next(DealTarget)
	// A card for any time is a card: those who have passed are asked again.
	sc = attack(t, Fort, []string{"second_mate", "nav12", "gun31", "mel22"}).do("1 play=nav12; 2 pass; 3 pass; 0 use=second_mate; 0 seat=+2; 0 seat=+3")
	sc.do("crew=gun31; crew=mel22; 0 pass; 1 pass").next(DealTarget) // but these have nothing any more
	attack(t, Fort, []string{"stowaways", "nav12", "gun31", "mel22"}).do("1 play=nav12; 2 pass; 3 pass; 0 use=stowaways; crew=cook; crew=any; 0 pass; 1 pass").asks(2, AskAttack).do("2 play=gun31")
}

// strong is an attack on the first merchant ship (3, 1, 1), which wins three prizes.
func strong(t *testing.T, plays string, players ...string) scenario {
	return attack(t, MerchantShip, players).do(plays + "; 1 reveal; destination=merchant_ship_1")
}

func TestAnAttackSucceedsWithEnoughOfEachSkill(t *testing.T) {
	enginetest.Clause(t, "ATT-7", "ATT-12")
	sc := strong(t, "1 play=nav31; 2 play=gun12; 3 play=mel12", "", "nav31", "gun12", "mel12")
	check(t, "phase", sc.Phase, PhasePrizes)
	sc.do("drawn=gold_1; drawn=gold_2; drawn=rum").asks(0, AskPick).legal("prize=gold_1 prize=gold_2 prize=rum")
	// With fewer prizes left there are fewer.
	sc = attack(t, MerchantShip, []string{"", "nav31", "gun12", "mel12"}, prizeDeck("rum jewels")).
		do("1 play=nav31; 2 play=gun12; 3 play=mel12; 1 reveal; destination=merchant_ship_1; drawn=rum; drawn=jewels").asks(0, AskPick)
	sc.legal("prize=rum prize=jewels")
}

func TestAnAttackFailsWithTooLittleOfOneSkill(t *testing.T) {
	enginetest.Clause(t, "ATT-8", "ATT-13")
	for _, players := range [][]string{
		{"", "nav23", "gun31", "mel31"}, // navigation 2 of 3
		{"", "nav31", "nav31", "mel31"},
		{"", "nav31", "gun31", "nav31"},
	} {
		sc := attack(t, MerchantShip, players)
		for seat := 1; seat < 4; seat++ {
			sc.do("play=" + players[seat])
		}
		left := sc.PrizesLeft
		sc.do("1 reveal; destination=merchant_ship_1").asks(0, AskPunish)
		check(t, "prizes left", sc.PrizesLeft, left)
	}
}

func TestTheQuartermasterChoosesWhatCardsOfAnySkillCountFor(t *testing.T) {
	enginetest.Clause(t, "ATT-9", "ATT-10")
	players := []string{"", "nav23 gun12", "any", "any cook"} // one navigation and one melee are lacking
	sc := strong(t, "1 play=nav23; 2 play=any; 3 play=any; 1 play=gun12", players...).asks(1, AskAssign).legal("succeed fail")
	sc.do("1 succeed").next(DealSpoils)
	strong(t, "1 play=nav23; 2 play=any; 3 play=any; 1 play=gun12", players...).do("1 fail").asks(0, AskPunish)
	// One card stands for one skill only.
	strong(t, "1 play=nav23; 2 play=any; 1 play=gun12", "", "nav23 gun12", "any", "").asks(0, AskPunish)
	// Nothing is lacking: it succeeds, whatever the card counts for.
	strong(t, "1 play=nav31; 2 play=gun12; 3 play=mel12; 1 play=any", "", "nav31 any", "gun12", "mel12").next(DealSpoils)
}

func TestAllCardsPlayedInAnAttackAreDiscarded(t *testing.T) {
	enginetest.Clause(t, "ATT-11")
	sc := strong(t, "1 play=nav31; 2 play=gun12; 3 pass", "", "nav31", "gun12", "mel12 any").discarded("nav31 gun12").hand(3, "mel12 any")
	check(t, "destination", sc.Destination, nowhere)
	check(t, "merchant ships left", sc.Stacks[MerchantShip], sc.r.stacks[MerchantShip]&^1)
	sc = strong(t, "1 play=nav31; 2 play=gun12; 3 play=mel12", "", "nav31", "gun12", "mel12").discarded("nav31 gun12 mel12")
	check(t, "destination", sc.Destination, nowhere)
	check(t, "merchant ships left", sc.Stacks[MerchantShip], sc.r.stacks[MerchantShip]&^1)
}
