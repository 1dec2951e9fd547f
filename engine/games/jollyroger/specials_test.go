package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestASpecialCardThatIsUsedIsDiscarded(t *testing.T) {
	enginetest.Clause(t, "SPC-1")
	given(t, PhasePunishment, []string{"", "", "surgeon", ""}).do("2 use=surgeon").hand(2, "").discarded("surgeon")
	sharing(t, "rum gold_1", []string{"", "cook", "", "|gold_1"}).do("1 use=cook").discarded("cook")
	sharing(t, "rum gold_1", []string{"", "carpenter", "", ""}).do("0 prize=rum; 1 give=gold_1,self; 1 use=carpenter").discarded("carpenter")
	attack(t, Fort, []string{"lookout", "", "", ""}).do("0 use=lookout").discarded("lookout")
	attack(t, Fort, []string{"first_mate", "", "", ""}).do("1 reveal; destination=fort_1; 0 melee=+1").discarded("first_mate")
	given(t, PhaseIsland, []string{"old_sailor|rum", "boatswain", "", ""}).do("0 use=old_sailor; 1 seat=+1").discarded("boatswain")
	given(t, PhaseIsland, []string{"old_sailor", "smart_kid", "", "||rum"}).do("0 use=old_sailor; 1 seat=+2").discarded("old_sailor smart_kid")
}

func TestTheBoatswainNamesAGuardWhoCannotBury(t *testing.T) {
	enginetest.Clause(t, "SPC-2")
	sc := given(t, PhaseIsland, []string{"old_sailor|rum", "boatswain", "|gold_3", "|gold_1"}).do("0 use=old_sailor").asks(1, AskBoatswain)
	sc.legal("seat=+1 seat=+2 seat=+3 pass").do("1 seat=+1").asks(2, AskBribe).do("2 pass").asks(0, AskBury).do("0 bury=all").asks(3, AskBury).do("3 bury=all").asks(0, AskPunish)
	sc.owns(2, "gold_3")
	check(t, "guard afterwards", sc.Guard, noSeat)
	// Only on arrival: nobody is asked without a map.
	given(t, PhaseIsland, []string{"", "boatswain", "", ""}).asks(0, AskSail)
}

func TestTheGuardMayMakeOneOfferToEachOtherPlayer(t *testing.T) {
	enginetest.Clause(t, "SPC-3")
	sc := given(t, PhaseIsland, []string{"old_sailor|rum", "boatswain", "any|gold_3 gold_1", "|gold_2"}).do("0 use=old_sailor; 1 seat=+1")
	sc.asks(2, AskBribe).legal("seat=+1 seat=+2 seat=+3 pass").do("2 seat=+1").asks(2, AskOffer).legal("offer=any offer=gold_3 offer=gold_1 propose pass")
	sc.do("2 propose").asks(3, AskAccept).legal("accept refuse").do("3 refuse").asks(2, AskBribe).legal("seat=+2 seat=+3 pass") // a promise
	sc.do("2 seat=+2; 2 offer=gold_1; 2 offer=any; 2 propose").asks(0, AskAccept).do("0 accept").asks(2, AskBury)
	sc.owns(0, "rum gold_1").owns(2, "gold_3").hand(0, "any").hand(2, "")
	check(t, "guard", sc.Guard, 0)
	sc.do("2 bury=all; 3 pass").asks(0, AskPunish)
}

func TestTheCarpenterAsksTheOthersAndTakesTheFirstPrizeGiven(t *testing.T) {
	enginetest.Clause(t, "SPC-4")
	sc := sharing(t, "rum", []string{"|gold_3", "", "carpenter", "|gold_1 gold_2"}).do("0 prize=rum").asks(2, AskCarpenter).do("2 use=carpenter")
	sc.asks(3, AskDonate).legal("prize=gold_1 prize=gold_2 pass").do("3 prize=gold_1").asks(0, AskPunish).owns(2, "gold_1").owns(3, "gold_2").owns(0, "gold_3 rum")
}

func TestTheCarpenterClaimsFromTheCaptainOrTheQuartermaster(t *testing.T) {
	enginetest.Clause(t, "SPC-5")
	sc := sharing(t, "rum", []string{"|gold_3", "|gold_2", "carpenter", "|gold_1"}).do("0 prize=rum; 2 use=carpenter; 3 pass; 0 pass; 1 pass")
	sc.asks(2, AskClaim).legal("seat=+2 seat=+3").do("2 seat=+2").asks(2, AskClaimPrize).legal("prize=rum prize=gold_3").do("2 prize=gold_3").asks(0, AskPunish)
	sc.owns(2, "gold_3").owns(0, "rum")
	// A Captain with the Carpenter claims from the Quartermaster, or gets nothing if there is nothing to claim.
	sharing(t, "rum", []string{"carpenter", "|gold_2", "", "|gold_1"}).do("0 prize=rum; 0 use=carpenter; 1 pass; 3 pass").asks(0, AskClaim).legal("seat=+1")
	sharing(t, "rum", []string{"carpenter", "", "", "|gold_1"}).do("0 prize=rum; 0 use=carpenter; 3 pass").asks(0, AskPunish).owns(0, "rum")
}

func TestTheCookChoosesAPrizeBeforeTheCaptain(t *testing.T) {
	enginetest.Clause(t, "SPC-6")
	players := []string{"", "", "cook", ""}
	sc := sharing(t, "rum gold_1 gold_2 gold_3", players).asks(2, AskCook).do("2 use=cook").asks(2, AskPick).legal("prize=rum prize=gold_1 prize=gold_2 prize=gold_3")
	sc.do("2 prize=gold_3").asks(0, AskPick).legal("prize=rum prize=gold_1 prize=gold_2").do("0 prize=gold_2").asks(1, AskShare)
	sc.legal("give=rum,self give=rum,+2 give=gold_1,self give=gold_1,+2") // seats 1 and 3: seat 2's counts as one of the sharing-out
	sharing(t, "rum gold_1 gold_2 gold_3", players).do("2 pass").asks(0, AskPick)
	sharing(t, "rum", players).do("2 use=cook; 2 prize=rum").asks(0, AskPunish) // nothing is left for the Captain
	// The Captain would choose twice.
	sharing(t, "rum gold_1", []string{"cook", "", "", ""}).asks(0, AskPick)
}

func TestCookAndCarpenterCanBeUsedAfterAMutinyToo(t *testing.T) {
	enginetest.Clause(t, "SPC-7")
	sc := called(t, "oppose=nav12", "|gold_1 gold_2", "carpenter", "nav12", "cook").do("3 pass; 1 pass; 2 seat=+1")
	sc.asks(3, AskCook).do("3 use=cook; 3 prize=gold_2; 2 prize=gold_1").asks(1, AskCarpenter).do("1 use=carpenter; 2 pass; 3 pass").asks(1, AskClaim)
	sharing(t, "gold_1 gold_2", []string{"", "carpenter", "", "cook"}).do("3 use=cook; 3 prize=gold_1; 0 prize=gold_2").asks(1, AskCarpenter)
}

func TestTheCutthroatEndsAMutinyAtOnce(t *testing.T) {
	enginetest.Clause(t, "SPC-8")
	sc := called(t, "oppose=nav12", "gun15 gun14", "any", "nav12", "cutthroat").asks(3, AskFaction).illegal("use=cutthroat")
	sc.do("3 cutthroat=captain").asks(2, AskAppoint)
	check(t, "captain", sc.Captain, 2)
	called(t, "oppose=nav12", "", "any", "nav12", "cutthroat").do("3 cutthroat=mutineer").asks(0, AskAppoint).discarded("cutthroat")
	// It calls a mutiny too.
	sc = called(t, "cutthroat=captain", "gun15", "any", "cutthroat", "any").asks(2, AskAppoint)
	check(t, "captain", sc.Captain, 2)
	called(t, "cutthroat=mutineer", "gun15", "any", "cutthroat", "any").asks(0, AskAppoint)
}

func TestWhoPlaysTheCutthroatNeutrallyIsOnTheSideThatWins(t *testing.T) {
	enginetest.Clause(t, "SPC-9")
	players := []string{"|gold_1", "any|gold_2", "nav12|rum", "cutthroat|gold_3", "nav12|jewels", "|hostage"}
	sc := called(t, "oppose=nav12", players...).do("3 pass; 4 oppose=nav12; 1 support=any; 3 cutthroat=captain; 2 seat=+1").asks(2, AskPick)
	sc.legal("prize=gold_1 prize=gold_2").owns(3, "gold_3")
	sc = called(t, "oppose=nav12", players...).do("3 pass; 4 oppose=nav12; 1 support=any; 3 cutthroat=mutineer; 0 seat=+1").asks(0, AskPick)
	sc.legal("prize=rum prize=jewels").owns(3, "gold_3").owns(5, "hostage")
	// On a side already, its player stays there.
	players[3] = "any cutthroat|gold_3"
	called(t, "oppose=nav12", players...).do("3 support=any; 4 pass; 1 pass; 3 cutthroat=captain; 2 seat=+1").asks(2, AskPick).legal("prize=gold_1 prize=gold_3")
}

func TestOfficersChangeWhatTheDestinationNeedsByOne(t *testing.T) {
	enginetest.Clause(t, "SPC-10")
	sc := attack(t, Fort, []string{"master_mariner", "sharpshooter", "", "first_mate"}).do("1 reveal; destination=fort_1") // needs 1, 3, 3
	sc.asks(1, AskChange).legal("guns=+1 guns=-1 pass").do("1 guns=-1").asks(3, AskChange).legal("melee=+1 melee=-1 pass").do("3 melee=+1")
	check(t, "needs", sc.Needs, [NumSkills]uint8{1, 2, 4})
	sc.asks(0, AskChange).do("0 navigation=-1")
	// A player who holds two of them may play both.
	attack(t, Fort, []string{"master_mariner sharpshooter", "", "", ""}).do("1 reveal; destination=fort_1; 0 guns=-1; 0 navigation=-1").asks(0, AskPunish)
	// After somebody has played one, those who passed are asked again, even if it is cancelled.
	sc = attack(t, Fort, []string{"master_mariner", "sharpshooter", "", "first_mate"}).do("1 reveal; destination=fort_1; 1 pass; 3 melee=-1").asks(1, AskChange)
	sc.do("1 guns=-1").asks(0, AskChange).do("0 pass").asks(0, AskPunish)
	attack(t, Fort, []string{"master_mariner", "sharpshooter", "traitor", "first_mate"}).do("1 reveal; destination=fort_1; 1 pass; 3 melee=-1; 2 use=traitor").asks(1, AskChange)
	// Never below 0.
	attack(t, Fort, []string{"master_mariner", "", "", ""}, func(s *State) {
		s.Target, s.Stacks[Fort] = 0, s.Stacks[Fort]&^1
		s.Needs = [NumSkills]uint8{0, 3, 3}
	}).do("1 reveal").asks(0, AskChange).legal("navigation=+1 pass")
	// It decides.
	players := []string{"", "nav31 gun12", "mel12", "sharpshooter"} // 3, 1, 1
	attack(t, MerchantShip, players).do("1 play=nav31; 2 play=mel12; 1 play=gun12; 1 reveal; destination=merchant_ship_1; 3 guns=+1").asks(0, AskPunish)
	attack(t, MerchantShip, players).do("1 play=nav31; 2 play=mel12; 1 reveal; destination=merchant_ship_1; 3 guns=-1").next(DealSpoils)
}

func TestTheLookoutRevealsTheDestinationBeforeCardsArePlayed(t *testing.T) {
	enginetest.Clause(t, "SPC-11")
	sc := given(t, PhaseVoyage, []string{"", "nav12", "", "lookout"}).do("0 sail=fort; 1 pass; 3 pass").asks(3, AskLookout).legal("use=lookout pass")
	sc.do("3 use=lookout; destination=fort_2").asks(1, AskFirst)
	check(t, "needs", sc.Needs, [NumSkills]uint8{1, 4, 3})
	sc.do("1 play=nav12; 1 reveal").asks(0, AskPunish) // it is revealed already
	// Only if there is something to attack.
	given(t, PhaseVoyage, []string{"", "", "", "lookout"}).do("0 sail=pirate_port; 3 pass").next(DealTarget)
}

func TestThePowderMonkeyIsFiveCrewmen(t *testing.T) {
	enginetest.Clause(t, "SPC-12")
	sc := called(t, "oppose=powder_monkey", "", "", "powder_monkey", "")
	check(t, "against the Captain", sc.r.Crewmen(sc.State, ForMutineer), 5)
}

func TestTheSeaDogPressesANeutralPlayerIntoItsSide(t *testing.T) {
	enginetest.Clause(t, "SPC-13", "SPC-14")
	players := []string{"any", "", "sea_dog any", "cook gun15|gold_3", "any"}
	sc := called(t, "oppose=sea_dog", players...).asks(2, AskSeaDog).legal("seat=+1 seat=+2 pass") // seat 0 is not neutral, seat 1 has no card
	sc.do("2 seat=+1").asks(3, AskForced).legal("oppose=cook oppose=gun15").do("3 oppose=cook")    // as a crewman only
	check(t, "side", sc.Side[3], ForMutineer)
	check(t, "against the Captain", sc.r.Crewmen(sc.State, ForMutineer), 2)
	sc.asks(3, AskFaction).legal("oppose=gun15 pass")
	sc = called(t, "oppose=sea_dog", players...).do("2 pass").asks(3, AskFaction)
	check(t, "side", sc.Side[3], Neutral)
	check(t, "against the Captain", sc.r.Crewmen(sc.State, ForMutineer), 1)
	// With nobody to press it is a crewman.
	called(t, "oppose=sea_dog", "any", "", "sea_dog any", "").asks(0, AskFaction)
}

func TestTheSecondMateStealsFromTwoPlayers(t *testing.T) {
	enginetest.Clause(t, "SPC-15")
	sc := given(t, PhasePunishment, []string{"second_mate", "any cook", "nav12", ""}).asks(0, AskAnytime).do("0 use=second_mate").asks(0, AskMate).legal("seat=+1 seat=+2")
	sc.do("0 seat=+2").asks(0, AskMate).legal("seat=+1").do("0 seat=+1; chance crew=nav12").legal("crew=any crew=cook")
	sc.do("crew=cook").hand(0, "nav12 cook").hand(1, "any").hand(2, "").discarded("second_mate").asks(0, AskPunish)
	// From one if only one has cards; not at all if nobody has.
	given(t, PhasePunishment, []string{"second_mate", "any", "", ""}).do("0 use=second_mate; 0 seat=+1; crew=any").hand(0, "any").asks(0, AskPunish)
	given(t, PhasePunishment, []string{"second_mate", "", "", ""}).asks(0, AskPunish)
}

func TestTheSmartKidTakesABuriedPrizeAtRandom(t *testing.T) {
	enginetest.Clause(t, "SPC-16")
	sc := given(t, PhaseIsland, []string{"old_sailor", "smart_kid", "|gold_3|rum", "|jewels"}).do("0 use=old_sailor; 2 bury=gold_3; 3 pass").asks(1, AskKid).legal("seat=+1 pass")
	sc.do("1 seat=+1").legal("drawn=gold_3 drawn=rum").do("drawn=gold_3").asks(0, AskPunish).owns(1, "gold_3").hides(1, "").hides(2, "rum")
	given(t, PhaseIsland, []string{"old_sailor", "smart_kid||rum", "", ""}).do("0 use=old_sailor").asks(0, AskPunish) // only the player's own
}

func TestStowawaysDrawTwoCardsAnyTime(t *testing.T) {
	enginetest.Clause(t, "SPC-17")
	sc := given(t, PhasePunishment, []string{"", "", "stowaways", ""}, allDiscarded("any")).do("2 use=stowaways; crew=any").illegal("crew=stowaways").do("crew=cook")
	sc.hand(2, "any cook").discarded(listedAs(sc.Discard)).asks(0, AskPunish)
	check(t, "stowaways discarded", sc.Discard[Stowaways], 1)
}

func TestTheSurgeonMakesAQuartermasterUntilTheNextAppointment(t *testing.T) {
	enginetest.Clause(t, "SPC-18")
	sc := given(t, PhasePunishment, []string{"", "any", "surgeon", "any"}).do("2 use=surgeon").asks(0, AskPunish)
	check(t, "Quartermaster", sc.Quartermaster, 2)
	sc.do("0 punish; 1 pass; 3 pass").asks(2, AskVictim).legal("seat=+1 seat=+3").do("2 seat=+1; crew=any").asks(0, AskAppoint).do("0 seat=+1")
	check(t, "Quartermaster", sc.Quartermaster, 1)
	given(t, PhasePunishment, []string{"surgeon", "", "", ""}).asks(0, AskPunish)
	given(t, PhasePunishment, []string{"", "surgeon", "", ""}).asks(0, AskPunish)
}

func TestASurgeonInAnAttackRevealsFromNowOn(t *testing.T) {
	enginetest.Clause(t, "SPC-19")
	sc := attack(t, Fort, []string{"", "nav12 any", "surgeon gun12", ""}).do("1 play=nav12; 2 use=surgeon").asks(2, AskAttack).legal("play=gun12 pass reveal")
	sc.do("2 pass").asks(1, AskAttack).legal("play=any pass").do("1 play=any").asks(2, AskAttack) // still in the lap, not first again
	sc.do("2 reveal").next(DealTarget)
	// Right after the reveal too: the officers are asked clockwise from the new Quartermaster.
	sc = attack(t, Fort, []string{"first_mate any", "nav12", "surgeon any", "master_mariner"}).do("1 play=nav12; 2 pass; 0 pass; 1 reveal; destination=fort_1; 2 use=surgeon")
	sc.asks(3, AskChange).do("3 pass").asks(0, AskChange)
	attack(t, Fort, []string{"first_mate any", "sharpshooter nav12", "surgeon any", ""}).do("1 play=nav12; 2 pass; 0 pass; 1 reveal; destination=fort_1; 2 use=surgeon").asks(0, AskChange)
}

func TestAnyTimeIsAPlayersOwnTurnAndFifteenMoments(t *testing.T) {
	enginetest.Clause(t, "SPC-20")
	players := func(seat int) []string {
		list := []string{"any", "nav31 nav31", "gun12 gun31", "mel12 mel31"}
		list[seat] += " stowaways"
		return list
	}
	for seat := range 4 {
		sc := given(t, PhasePunishment, players(seat))
		asked := []string{}
		sc.until(AskAnytime) // the last of a round
		for sc.Round < 4 && sc.Phase != PhaseOver {
			if f := sc.Top(); f.Kind == AskAnytime && int(f.Seat) == seat && sc.Round == 3 {
				sc.legal("use=stowaways pass")
				asked = append(asked, windowNames[f.Arg[0]])
			}
			switch {
			case sc.Next() == AskSail:
				sc.do("sail=merchant_ship")
			case sc.Next() == DealTarget:
				sc.do("destination=merchant_ship_1")
			case sc.Next() == AskAttack && sc.Top().Seat > 0:
				sc.attackWithAll()
			case sc.Next() == AskPick:
				sc.do("prize=rum")
			case sc.Next() == DealSpoils:
				sc.do("drawn=rum")
			default:
				sc.step()
			}
		}
		want := []string{"round_start", "before_call", "appointed", "before_call", "chosen", "revealed", "before_split", "sharing", "sharing", "sharing", "before_punishment", "before_call", "round_end"}
		check(t, "moments", len(asked), len(want))
		for i := range min(len(asked), len(want)) {
			check(t, "moment", asked[i], want[i])
		}
	}
	// After the Cook's choice too.
	moment := func(sc scenario, seat, window int) {
		t.Helper()
		sc.asks(seat, AskAnytime)
		check(t, "moment", windowNames[sc.Top().Arg[0]], windowNames[window])
		sc.do("pass")
	}
	sc := sharing(t, "rum gold_1", []string{"", "cook", "stowaways", ""}).do("2 pass; 1 use=cook; 1 prize=rum")
	moment(sc, 2, Sharing)
	sc.asks(0, AskPick)
	// Before a mutiny can be called: a player with nothing else can call one with what Stowaways bring.
	sc = given(t, PhaseVoyage, []string{"", "", "stowaways", ""}).do("0 sail=fort")
	check(t, "moment", sc.Top().Arg[0], BeforeCall)
	sc.do("2 use=stowaways; crew=any; crew=nav12").asks(2, AskMutiny).do("2 oppose=any").asks(1, AskFaction)
	// Not when the round has had its mutiny.
	given(t, PhaseVoyage, []string{"", "", "stowaways", ""}, func(s *State) { s.MutinyTried = true }).do("0 sail=fort").asks(2, AskAnytime).do("2 pass").asks(2, AskAttack)
	// Between the order of a punishment and the choice of the victim: a Surgeon chooses it.
	players4 := []string{"", "any", "surgeon", "any"}
	sc = given(t, PhasePunishment, players4).do("2 pass; 0 suggest=+3; 2 pass; 1 pass; 2 pass; 3 pass").asks(2, AskAnytime)
	check(t, "moment", sc.Top().Arg[0], Ordered)
	sc.do("2 use=surgeon").asks(2, AskVictim).legal("seat=+1 seat=+3")
	check(t, "suggested", sc.Top().Arg[0], 1+3)
	sc = given(t, PhasePunishment, players4).do("2 pass; 0 spare; 2 pass; 1 pass; 2 pass; 3 pass")
	moment(sc, 2, RoundEnd) // nothing has been ordered
	// A Surgeon who takes over in a sharing-out gives away the rest.
	sharing(t, "rum gold_1 gold_3", []string{"", "", "surgeon", ""}).do("2 pass; 0 prize=rum; 2 pass; 1 give=gold_1,+2; 2 use=surgeon").asks(2, AskShare).do("2 give=gold_3,self")
	// After an officer has changed what the target needs, each time.
	sc = attack(t, Fort, []string{"sharpshooter", "", "stowaways", "first_mate"}).do("2 pass; 1 reveal; destination=fort_1; 2 pass; 3 melee=-1")
	moment(sc, 2, Changed)
	sc.asks(0, AskChange).do("0 guns=+1")
	moment(sc, 2, Changed)
	// After the Lookout has revealed it.
	sc = attack(t, Fort, []string{"lookout", "nav12", "surgeon", ""}).do("0 use=lookout; destination=fort_1")
	moment(sc, 2, Revealed)
	sc.asks(1, AskFirst)
	// In a port, before cards are dealt and before each trades.
	sc = inPort(t, []string{"|rum", "", "stowaways|gold_1", ""}).do("destination=pirate_port_1")
	moment(sc, 2, InPort)
	sc.do("crew=any; crew=any; crew=any; crew=any")
	moment(sc, 2, InPort)
	sc.asks(0, AskExchange).do("0 pass")
	moment(sc, 2, InPort)
	sc.asks(2, AskExchange)
	// On the island: on arrival, once there is a guard, and before anybody sends a Smart Kid.
	sc = given(t, PhaseIsland, []string{"old_sailor|rum", "boatswain", "stowaways", "smart_kid"}).do("0 use=old_sailor")
	moment(sc, 2, OnIsland)
	sc.asks(1, AskBoatswain).do("1 seat=+2")
	moment(sc, 2, OnIsland)
	sc.do("3 pass; 0 bury=rum")
	moment(sc, 2, OnIsland)
	sc.asks(3, AskKid)
	// If an Old Sailor was cancelled, and before the Captain chooses again.
	sc = given(t, PhaseIsland, []string{"", "old_sailor", "stowaways", "traitor"}).do("1 use=old_sailor; 3 use=traitor")
	moment(sc, 2, Chosen)
	moment(sc, 2, ChoosingAgain)
	sc.asks(0, AskSail)
	sc = given(t, PhaseVoyage, []string{"", "", "nav12", "stowaways"}).do("0 sail=fort; 3 pass; 2 oppose=nav12; 3 pass; 1 pass; 2 seat=+1")
	moment(sc, 3, BeforeDeal)
	sc.do("3 seat=self; crew=nav12")
	moment(sc, 3, ChoosingAgain)
	sc.asks(2, AskSail)
	// A player who has passed is asked again when somebody has played such a card.
	given(t, PhasePunishment, []string{"", "surgeon", "second_mate", "stowaways"}).do("2 pass; 3 use=stowaways; crew=any; crew=cook").asks(2, AskAnytime)
	// A player with another such card may play it in the same moment.
	given(t, PhasePunishment, []string{"", "", "surgeon stowaways", ""}).do("2 use=stowaways; crew=any; crew=cook; 2 use=surgeon").asks(0, AskPunish)
	// A moment after a mutiny is asked from the Captain whom it has made.
	given(t, PhasePunishment, []string{"surgeon", "nav15", "stowaways", ""}).do("2 pass; 0 spare; 2 pass; 1 oppose=nav15; 2 pass; 0 pass; 1 pass; 1 seat=+2; 2 pass; 0 pass; 3 seat=self; crew=nav15").asks(2, AskAnytime).do("2 pass").asks(0, AskAnytime)
	// A player's own turns.
	attack(t, Fort, []string{"any", "nav12 stowaways", "", ""}).asks(1, AskFirst).legal("play=nav12 use=stowaways").do("1 use=stowaways; crew=cook; crew=any").asks(1, AskFirst)
	sc = attack(t, Fort, []string{"stowaways", "nav12", "", ""}).do("1 play=nav12").asks(0, AskAttack).legal("use=stowaways pass").do("0 use=stowaways; crew=cook; crew=any")
	sc.asks(0, AskAttack).legal("play=any pass")
	sc = given(t, PhasePunishment, []string{"stowaways", "", "any", ""}).do("0 pass; 0 spare; 0 pass; 2 oppose=any").asks(0, AskFaction).legal("support=stowaways use=stowaways pass")
	sc.do("0 use=stowaways; crew=cook; crew=any").asks(0, AskFaction).legal("support=cook support=any pass")
}

// attackWithAll plays the next card of a hand in an attack, if it has a skill.
func (sc scenario) attackWithAll() {
	sc.t.Helper()
	a := sc.m.Legal().First()
	if a >= ToSupport {
		a = ToPass
	}
	if err := sc.m.Apply(a); err != nil {
		sc.t.Fatal(err)
	}
}

func TestATraitorCancelsACardThatIsLaid(t *testing.T) {
	enginetest.Clause(t, "SPC-21")
	sc := attack(t, Fort, []string{"traitor", "nav12 traitor", "", ""}).do("1 play=nav12").asks(0, AskTraitor).legal("use=traitor pass").do("0 pass")
	sc.asks(1, AskTraitor).do("1 use=traitor; 0 pass").discarded("nav12 traitor") // its owner is asked last
	check(t, "in the attack", sum(sc.Played[:]), 0)
	// A special card: cancelled, it is discarded all the same.
	given(t, PhasePunishment, []string{"traitor", "", "surgeon", ""}).do("2 use=surgeon; 0 use=traitor").asks(0, AskPunish).discarded("surgeon traitor")
	sharing(t, "rum gold_1", []string{"traitor", "cook", "", ""}).do("1 use=cook; 0 use=traitor").asks(0, AskPick)
	attack(t, Fort, []string{"traitor", "first_mate", "", ""}).do("1 reveal; destination=fort_1; 1 melee=+1; 0 use=traitor").asks(0, AskPunish)
	sc = attack(t, Fort, []string{"traitor", "lookout", "", ""}).do("1 use=lookout; 0 use=traitor").next(AskAttack)
	check(t, "revealed", sc.Target, noTarget)
}

func TestATraitorCanCancelATraitor(t *testing.T) {
	enginetest.Clause(t, "SPC-22")
	sc := attack(t, Fort, []string{"traitor", "nav12 any", "", "traitor"}).do("1 play=nav12; 3 use=traitor").asks(0, AskTraitor).do("0 use=traitor").asks(1, AskAttack).discarded("traitor traitor")
	check(t, "in the attack", listed(sc.Played[:], crewNames), "nav12")
	// Or leave it.
	attack(t, Fort, []string{"traitor", "nav12 any", "", "traitor"}).do("1 play=nav12; 3 use=traitor; 0 pass").discarded("nav12 traitor")
}

func TestACardCancelledInAMutinyLeavesItsOwnerOnThatSide(t *testing.T) {
	enginetest.Clause(t, "SPC-23")
	sc := called(t, "oppose=nav12", "traitor", "", "nav12", "nav15").do("0 use=traitor").asks(3, AskFaction)
	check(t, "against the Captain", sc.r.Crewmen(sc.State, ForMutineer), 0)
	check(t, "First Mutineer", sc.Mutineer, 2)
	sc.do("3 oppose=nav15; 1 pass").asks(2, AskAppoint)
	check(t, "captain", sc.Captain, 2)
	sc = called(t, "oppose=nav12", "traitor gun13", "|gold_3", "nav12", "nav15|gold_1").do("0 pass; 3 oppose=nav15; 0 use=traitor; 0 support=gun13; 1 pass")
	sc.asks(0, AskAppoint).do("0 seat=+1").asks(0, AskPick).legal("prize=gold_1") // seat 3 was on the losing side
	called(t, "cutthroat=captain", "traitor", "any", "cutthroat", "").do("0 use=traitor").asks(1, AskFaction).discarded("cutthroat traitor")
	sc = called(t, "oppose=sea_dog", "traitor", "any", "sea_dog", "cook").do("2 seat=+1; 0 use=traitor").asks(3, AskFaction)
	check(t, "side", sc.Side[3], Neutral)
	sc = given(t, PhaseAppointment, []string{"traitor", "any", "nav12", "any"}).do("0 seat=+1; 1 pass; 2 oppose=nav12; 0 use=traitor").until(AskSail)
	check(t, "this round's mutiny", sc.MutinyTried, true)
}

func TestRoleCardsAndCardsDealtFaceDownCannotBeCancelled(t *testing.T) {
	enginetest.Clause(t, "SPC-24")
	sc := called(t, "oppose=nav12", "traitor", "", "nav12", "").do("0 pass").asks(0, AskFaction).do("0 pass").asks(1, AskFaction).do("1 oppose=quartermaster")
	sc.asks(0, AskFaction).do("0 pass; 2 seat=+1; 3 seat=self; chance crew=nav12").asks(2, AskAppoint)
}

func TestACancelledOldSailorReachesNothing(t *testing.T) {
	enginetest.Clause(t, "SPC-25")
	given(t, PhaseIsland, []string{"traitor", "old_sailor", "", ""}).do("1 use=old_sailor; 0 use=traitor").asks(0, AskSail).illegal("sail=treasure_island").discarded("old_sailor traitor")
	given(t, PhaseIsland, []string{"traitor|rum", "old_sailor", "old_sailor", ""}).do("1 use=old_sailor; 0 use=traitor").asks(2, AskSailor).do("2 use=old_sailor").asks(0, AskBury)
	given(t, PhaseIsland, []string{"traitor|rum", "old_sailor old_sailor", "", ""}).do("1 use=old_sailor; 0 use=traitor").asks(1, AskSailor).do("1 use=old_sailor").asks(0, AskBury)
	// Who passed because of it is asked again, the Captain too.
	players := []string{"|rum", "old_sailor", "old_sailor", "traitor"}
	given(t, PhaseIsland, players).do("1 pass; 2 use=old_sailor; 3 use=traitor").asks(1, AskSailor).do("1 use=old_sailor").asks(0, AskBury)
	given(t, PhaseIsland, players).do("1 pass; 2 use=old_sailor; 3 use=traitor; 1 pass").asks(0, AskSail).illegal("sail=treasure_island")
	given(t, PhaseIsland, []string{"old_sailor|rum", "old_sailor", "old_sailor", "traitor traitor"}).do("1 pass; 2 pass; 0 use=old_sailor; 3 use=traitor; 3 pass").
		asks(1, AskSailor).do("1 pass; 2 use=old_sailor; 3 use=traitor").asks(1, AskSailor).do("1 use=old_sailor").asks(0, AskBury)
}
