package jollyroger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestAMutinyIsCalledByPlayingACrewCard(t *testing.T) {
	enginetest.Clause(t, "MUT-1")
	sc := given(t, PhasePunishment, []string{"any", "", "nav12 cook", "gun12"}).do("0 spare").asks(2, AskMutiny).legal("oppose=nav12 oppose=cook pass")
	sc.do("2 oppose=cook").hand(2, "nav12")
	check(t, "First Mutineer", sc.Mutineer, 2)
	check(t, "against the Captain", listedAs(sc.Sides[1]), "cook")
}

func TestEverybodyButTheCaptainCanCallAMutinyClockwise(t *testing.T) {
	enginetest.Clause(t, "MUT-2")
	sc := given(t, PhasePunishment, []string{"any", "any", "nav12", "any", ""}, func(s *State) { s.Captain, s.Quartermaster = 2, 3 })
	sc.do("2 spare; 3 pass; 0 pass; 1 pass").asks(2, AskAppoint) // seat 4 has no card; the Quartermaster may, too
}

func TestARoundHasOneMutinyAtMost(t *testing.T) {
	enginetest.Clause(t, "MUT-3")
	sc := given(t, PhaseAppointment, []string{"any", "any", "any any", "any"}).do("0 seat=+1; 1 pass; 2 oppose=any; 3 pass; 0 pass; 1 pass; 2 pass; 0 seat=+1")
	sc.do("1 seat=+1; crew=any; 0 sail=fort").asks(1, AskFirst).do("play=any").until(AskPunish).do("0 spare").asks(0, AskAppoint)
	// The next round may have one.
	sc.do("0 seat=+1").until(AskMutiny)
	check(t, "round", sc.Round, 3)
}

// called is a mutiny that seat 2 has called against seat 0, over a punishment.
func called(t *testing.T, with string, players ...string) scenario {
	sc := given(t, PhasePunishment, players).do("0 spare")
	for sc.Top().Seat != 2 {
		sc.do("pass")
	}
	return sc.do("2 " + with)
}

func TestInAMutinyEachMayPlayOneCardATurnClockwiseAndPassingIsNotFinal(t *testing.T) {
	enginetest.Clause(t, "MUT-4", "MUT-5")
	sc := called(t, "oppose=any", "gun12", "nav12 nav13", "any nav14", "mel12 mel13", "")
	sc.asks(3, AskFaction).do("3 pass; 0 support=gun12").asks(1, AskFaction).do("1 pass; 2 pass")
	sc.asks(3, AskFaction).do("3 oppose=mel12").asks(1, AskFaction).do("1 support=nav12; 2 oppose=nav14; 3 pass; 1 pass")
	sc.next(AskAppoint) // a whole lap: the others have no cards left
}

func TestACardForAnyTimeBeginsTheLapOfAMutinyAnew(t *testing.T) {
	enginetest.Clause(t, "MUT-5")
	// The last one of the lap becomes Quartermaster: those who have passed may answer it.
	sc := given(t, PhasePunishment, []string{"gun12", "", "nav12 surgeon", "mel12"}).do("2 pass; 0 spare; 2 pass; 2 oppose=nav12; 3 pass; 0 pass; 1 pass; 2 use=surgeon")
	sc.asks(2, AskFaction).legal("oppose=quartermaster pass").do("2 pass; 3 oppose=mel12; 0 support=gun12").asks(2, AskFaction)
}

func TestTheFirstCardDecidesTheSide(t *testing.T) {
	enginetest.Clause(t, "MUT-6")
	sc := called(t, "oppose=any", "gun12", "nav12 nav13", "any nav14", "mel12 mel13")
	sc.asks(3, AskFaction).legal("support=mel12 support=mel13 oppose=mel12 oppose=mel13 pass").do("3 support=mel12")
	sc.asks(0, AskFaction).legal("support=gun12 pass").do("0 pass; 1 oppose=nav12")
	sc.asks(2, AskFaction).legal("oppose=nav14 pass").do("2 pass")
	sc.asks(3, AskFaction).legal("support=mel13 pass").do("3 pass; 0 pass")
	sc.asks(1, AskFaction).legal("oppose=nav13 oppose=quartermaster pass")
}

func TestEachCardCountsItsCrewmenInAMutiny(t *testing.T) {
	enginetest.Clause(t, "MUT-7", "MUT-8", "MUT-20")
	sc := called(t, "oppose=nav14", "gun15 lookout", "", "nav14 any", "cook")
	crewmen := func(captain, mutineer int) {
		t.Helper()
		check(t, "for the Captain", sc.r.Crewmen(sc.State, ForCaptain), captain)
		check(t, "against the Captain", sc.r.Crewmen(sc.State, ForMutineer), mutineer)
		if says, count := sc.m.Decision(), fmt.Sprintf("crewmen for the Captain %d, against %d", captain, mutineer); sc.Next() == AskFaction && !strings.Contains(says, count) {
			t.Errorf("%q does not say %q", says, count)
		}
	}
	crewmen(1, 4) // the Captain card counts from the start
	sc.do("3 support=cook")
	crewmen(2, 4)
	sc.do("0 support=gun15; 1 pass; 2 oppose=any; 0 support=lookout")
	crewmen(8, 5)
}

func TestTheQuartermasterCardIsACrewmanForEitherSide(t *testing.T) {
	enginetest.Clause(t, "MUT-9")
	sc := called(t, "oppose=nav12", "any", "|gold_3", "nav12 nav13", "any").do("3 pass; 0 pass").asks(1, AskFaction)
	sc.legal("support=quartermaster oppose=quartermaster pass").do("1 support=quartermaster")
	check(t, "for the Captain", sc.r.Crewmen(sc.State, ForCaptain), 2)
	check(t, "side of the Quartermaster", sc.Side[1], ForCaptain)
	sc.do("2 oppose=nav13; 3 pass; 0 pass").asks(2, AskAppoint) // has played it: is not asked again
	sc.do("2 seat=+1").asks(2, AskPick).legal("prize=gold_3")   // and loses with that side
	// It cannot call a mutiny: without crew cards its owner is not asked.
	given(t, PhasePunishment, []string{"any", "", "", "any"}).do("0 spare").asks(3, AskMutiny)
	given(t, PhasePunishment, []string{"any", "cook", "", ""}).do("0 spare").asks(1, AskMutiny).legal("oppose=cook pass")
}

func TestTheSideWithMoreCrewmenWinsAndTheCaptainWinsTies(t *testing.T) {
	enginetest.Clause(t, "MUT-10", "MUT-11")
	for _, c := range []struct {
		card    string
		captain int8
	}{{"nav12", 0}, {"nav13", 0}, {"nav14", 2}} { // against three
		sc := called(t, "oppose="+c.card, "gun12", "", c.card, "").do("0 support=gun12; 1 pass").next(AskAppoint)
		check(t, c.card+" against three: captain", sc.Captain, c.captain)
		check(t, "First Mutineer afterwards", sc.Mutineer, noSeat)
	}
}

func TestTheCaptainAppointsAQuartermasterRightAfterAMutiny(t *testing.T) {
	enginetest.Clause(t, "MUT-12")
	sc := called(t, "oppose=nav12", "", "", "nav12", "any").do("3 pass; 1 pass").asks(2, AskAppoint).legal("seat=+1 seat=+2 seat=+3")
	sc.do("2 seat=+2; 0 seat=+1").next(DealPool) // no mutiny window
	check(t, "Quartermaster", sc.Quartermaster, 0)
	called(t, "oppose=any", "nav12", "", "any", "any").do("3 pass; 0 support=nav12; 1 pass; 3 pass").asks(0, AskAppoint)
}

func TestThePrizesOfTheLosersAreSharedOut(t *testing.T) {
	enginetest.Clause(t, "MUT-13", "MUT-14")
	players := []string{"nav12|gold_1", "|rum", "nav15|gold_2 gold_2|gold_3", "any|hostage", "any|jewels"}
	sc := called(t, "oppose=nav15", players...).do("3 oppose=any; 4 support=any; 0 pass; 1 pass")
	sc.asks(2, AskAppoint).owns(0, "").owns(4, "").owns(1, "rum").owns(2, "gold_2 gold_2").owns(3, "hostage")
	sc.do("2 seat=+1").asks(2, AskPick).legal("prize=gold_1 prize=jewels").do("2 prize=jewels")
	sc.asks(3, AskShare).illegal("give=gold_1,+4").do("3 give=gold_1,+2").owns(0, "gold_1")

	players[0] = "gun15|gold_1"
	sc = called(t, "oppose=nav15", players...).do("3 oppose=any; 4 support=any; 0 support=gun15; 1 pass").asks(0, AskAppoint)
	sc.do("0 seat=+1").asks(0, AskPick).legal("prize=gold_2 prize=hostage").owns(0, "gold_1").owns(4, "jewels").hides(2, "gold_3")
}

func TestTheCrewCardsOfAMutinyAreDealtToAll(t *testing.T) {
	enginetest.Clause(t, "MUT-15")
	sc := called(t, "oppose=nav14", "gun12 cook gun13 gun22 gun23 mel12 mel13", "nav21", "nav14 any", "mel31").do("3 support=mel31; 0 support=gun12; 1 oppose=nav21; 2 oppose=any; 0 pass; 1 pass")
	sc.asks(2, AskAppoint).do("2 seat=+2; 0 seat=+1") // seat 0; on the left sits seat 1
	sc.asks(1, DealPool).legal("crew=nav14 crew=gun12 crew=nav21 crew=any crew=mel31").do("crew=any").asks(2, DealPool).do("crew=nav14").asks(3, DealPool).do("crew=mel31")
	sc.asks(0, DealPool).do("crew=gun12").asks(1, DealPool).legal("crew=nav21").do("crew=nav21").asks(2, AskAppoint)
	sc.hand(1, "nav21 any").hand(2, "nav14").hand(3, "mel31")
	for _, o := range called(t, "oppose=any", "", "", "any any cook", "").do("1 pass; 2 oppose=any; 1 pass; 2 oppose=cook; 1 pass; 2 seat=+1; 3 seat=self").m.Outcomes(nil) {
		check(t, "probability", o.Prob > 0.5, o.Action == OnCrew+24) // two of three are of any skill
	}
	// The hand limit.
	sc = called(t, "oppose=any", "nav12 nav13 nav14 nav21 nav22 nav23 nav31", "", "any", "").do("0 pass; 1 oppose=quartermaster; 0 pass; 2 seat=+1; 3 seat=+1; crew=any")
	sc.hand(0, "nav12 nav13 nav14 nav21 nav22 nav23 nav31 any").asks(0, AskDiscard)
}

func TestPowderMonkeyCutthroatAndSeaDogAreDiscardedAfterAMutiny(t *testing.T) {
	enginetest.Clause(t, "MUT-16")
	sc := called(t, "oppose=powder_monkey", "sea_dog", "", "powder_monkey", "cutthroat any").do("3 support=cutthroat; 0 support=sea_dog; 1 pass; 3 support=any; 1 pass; 2 seat=+1; 3 seat=self")
	sc.next(DealPool).legal("crew=any").discarded("cutthroat powder_monkey sea_dog")
}

func TestAfterAMutinyTheCaptainChoosesADestinationAnew(t *testing.T) {
	enginetest.Clause(t, "MUT-17")
	sc := given(t, PhaseAppointment, []string{"any", "", "nav12", ""}).do("0 seat=+1; 2 oppose=nav12; 0 pass; 1 pass; 2 seat=+1")
	sc.until(AskSail).asks(2, AskSail)
	sc = given(t, PhaseVoyage, []string{"any", "", "nav12 nav13", ""}).do("0 sail=fort; 2 oppose=nav12; 0 pass; 1 pass; 2 pass; 2 seat=+1; 3 seat=+1; crew=nav12")
	check(t, "phase", sc.Phase, PhaseVoyage)
	sc.asks(2, AskSail).legal("sail=fort sail=merchant_ship sail=settlement sail=pirate_port sail=treasure_island")
	sc.do("2 sail=fort").asks(0, AskAttack) // no other mutiny
}

func TestAfterAMutinyOverAPunishmentThereIsNoneAndTheRoundEnds(t *testing.T) {
	enginetest.Clause(t, "MUT-18")
	sc := given(t, PhasePunishment, []string{"any", "", "nav12", ""}).do("0 punish; 2 oppose=nav12; 0 pass; 1 pass; 2 seat=+1; 3 seat=+1; crew=nav12").asks(2, AskAppoint)
	check(t, "round", sc.Round, 3)
	sc.hand(0, "nav12 any").hand(1, "").hand(2, "").hand(3, "")
}

func TestTheQuartermasterSaysWhoGoesWithoutACardOfTheMutiny(t *testing.T) {
	enginetest.Clause(t, "MUT-19")
	// Two cards for five: the Quartermaster names who gets one, possibly themselves, and each once.
	sc := called(t, "oppose=nav12", "gun12", "", "nav12", "", "").do("0 support=gun12; 1 pass").asks(0, AskAppoint).do("0 seat=+1")
	sc.asks(1, AskRest).legal("seat=self seat=+1 seat=+2 seat=+3 seat=+4").do("1 seat=+3").legal("seat=self seat=+1 seat=+2 seat=+4").do("1 seat=self")
	sc.asks(4, DealPool).do("crew=gun12").asks(1, DealPool).do("crew=nav12").asks(0, AskAppoint).hand(4, "gun12").hand(1, "nav12")
	// Seven for four: all get one, then all but the one named, which is quicker to say.
	players := []string{"gun12 gun13 gun14 mel12", "", "nav12 nav13 nav14", "any"}
	sc = called(t, "oppose=nav12", players...).do("3 pass; 0 support=gun12; 1 pass; 2 oppose=nav13; 3 pass; 0 support=gun13; 1 pass; 2 oppose=nav14; 3 pass; 0 support=gun14; 1 pass; 3 pass; 0 support=mel12; 1 pass; 3 pass")
	sc.asks(0, AskAppoint).do("0 seat=+1").asks(1, AskRest)
	check(t, "cards", sum(sc.Played[:]), 7)
	check(t, "to name", sc.Top().Arg[0], 1)
	check(t, "whether they go without", sc.Top().Arg[1], 1)
	sc.do("1 seat=+2").asks(2, DealPool)
	for range 7 {
		sc.step()
	}
	for seat, want := range []uint8{2, 2, 2, 2} { // seat 3 has one that it has kept
		check(t, "hand", sc.Size[seat], want)
	}
	// Four for four divide evenly.
	sc = called(t, "oppose=nav12", players...).do("3 pass; 0 support=gun12; 1 pass; 2 oppose=nav13; 3 pass; 0 support=gun13; 1 pass; 2 pass; 3 pass; 0 pass").asks(0, AskAppoint).do("0 seat=+1")
	sc.asks(2, DealPool)
	// A Surgeon may take over before that.
	given(t, PhasePunishment, []string{"", "", "nav12", "surgeon"}).do("3 pass; 0 spare; 3 pass; 2 oppose=nav12; 3 pass; 1 pass; 2 seat=+3").asks(3, AskAnytime).do("3 use=surgeon").asks(3, AskRest)
}
