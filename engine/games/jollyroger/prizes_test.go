package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestTheCaptainChoosesOnePrizeAndTheQuartermasterGivesTheOthersAway(t *testing.T) {
	enginetest.Clause(t, "PRZ-1", "PRZ-2")
	sc := sharing(t, "gold_1 gold_2 gold_3 rum", []string{"", "", "", ""}).asks(0, AskPick).legal("prize=gold_1 prize=gold_2 prize=gold_3 prize=rum")
	sc.do("0 prize=gold_2").asks(1, AskShare)
	sc.legal("give=gold_1,self give=gold_1,+1 give=gold_1,+2 give=gold_3,self give=gold_3,+1 give=gold_3,+2 give=rum,self give=rum,+1 give=rum,+2")
	sc.do("1 give=gold_3,self; 1 give=rum,+2; 1 give=gold_1,+1").asks(0, AskPunish)
	sc.owns(0, "gold_2").owns(1, "gold_3").owns(2, "gold_1").owns(3, "rum")
}

func TestNobodyGetsAnotherPrizeBeforeEverybodyHasAsMany(t *testing.T) {
	enginetest.Clause(t, "PRZ-3")
	sc := sharing(t, "gold_1 gold_1 gold_1 gold_1 gold_1 gold_1", []string{"| rum rum", "", "", ""}).do("0 prize=gold_1")
	sc.legal("give=gold_1,self give=gold_1,+1 give=gold_1,+2").do("1 give=gold_1,+1") // the Captain has one of this sharing-out
	sc.legal("give=gold_1,self give=gold_1,+2").do("1 give=gold_1,self; 1 give=gold_1,+2")
	sc.legal("give=gold_1,self give=gold_1,+1 give=gold_1,+2 give=gold_1,+3").do("1 give=gold_1,+3; 1 give=gold_1,self").asks(0, AskPunish)
	sc.owns(0, "gold_1 gold_1 rum rum").owns(1, "gold_1 gold_1").owns(2, "gold_1").owns(3, "gold_1")
	// The next sharing-out starts again.
	check(t, "counted", sc.Split, [MaxSeats]uint8{})
	// With fewer prizes than players, some get none.
	sharing(t, "gold_1 rum", []string{"", "", "", ""}).do("0 prize=gold_1; 1 give=rum,self").asks(0, AskPunish)
}

func TestPrizesLieFaceUpBeforeTheirOwnersUntilTheyAreBuried(t *testing.T) {
	enginetest.Clause(t, "PRZ-4")
	sc := given(t, PhaseIsland, []string{"old_sailor | gold_2 rum", "", "", ""}).do("0 use=old_sailor; 0 bury=gold_2; 0 pass")
	for view := range 4 {
		p := sc.position(view)
		check(t, "prizes", p.Players[0].Prizes["rum"], 1)
		check(t, "buried", p.Players[0].Buried["gold_2"], 1) // all saw it when it was won
	}
}

func TestBuriedPrizesCannotBeLostGivenClaimedExchangedRansomedOrSold(t *testing.T) {
	enginetest.Clause(t, "PRZ-5")
	// A mutiny.
	sc := given(t, PhasePunishment, []string{"|gold_1|gold_3", "", "nav15", "", ""}).do("0 spare; 2 oppose=nav15; 1 pass; 2 seat=+1").asks(2, AskPick)
	sc.legal("prize=gold_1").hides(0, "gold_3")
	// The Carpenter's gift and claim.
	sc = sharing(t, "rum", []string{"|gold_1|gold_3", "||gold_2", "carpenter", "||hostage"}).do("0 prize=rum; 2 use=carpenter")
	sc.asks(0, AskDonate).legal("prize=gold_1 prize=rum pass").do("0 pass").asks(2, AskClaim).legal("seat=+2").do("2 seat=+2").legal("prize=gold_1 prize=rum")
	// The port.
	sc = inPort(t, []string{"||hostage jewels", "", "|rum|hostage", ""}).do("destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any")
	sc.asks(2, AskExchange).legal("exchange=rum pass").do("2 pass").asks(0, AskPunish)
	// Gifts.
	given(in(t, "bribes=gifts"), PhaseVoyage, []string{"cook|rum|gold_3", "", "", ""}).do("0 seat=+1").legal("offer=cook offer=rum pass")
}
