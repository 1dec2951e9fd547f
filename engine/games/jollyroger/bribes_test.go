package jollyroger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEverybodyIsAskedForGiftsAtFiveMoments(t *testing.T) {
	enginetest.Clause(t, "BRB-1")
	players := []string{"any", "any", "any", ""} // seat 3 has nothing to give
	for _, bribes := range []string{"gifts", "talk"} {
		round := func(sc scenario, moment int) {
			t.Helper()
			seats := []int{0, 1, 2, 3}
			if bribes == "gifts" {
				seats = seats[:3]
			}
			for _, seat := range seats {
				sc.asks(seat, AskGift)
				check(t, "moment", momentNames[sc.Top().Arg[0]], momentNames[moment])
				sc.do("pass")
			}
		}
		sc := given(in(t, "bribes="+bribes), PhaseAppointment, players)
		round(sc, BeforeAppointment)
		sc.asks(0, AskAppoint).do("0 seat=+1")
		round(sc, BeforeMutiny)
		sc = given(in(t, "bribes="+bribes), PhaseVoyage, players)
		round(sc, BeforeDestination)
		sc.asks(0, AskSail).do("0 sail=fort")
		round(sc, BeforeMutiny)
		sc.asks(1, AskMutiny)
		sc = sharing(in(t, "bribes="+bribes), "rum", players)
		round(sc, BeforeShare)
		sc.asks(0, AskPick).do("prize=rum")
		round(sc, BeforePunish)
		sc.asks(0, AskPunish).do("0 spare")
		round(sc, BeforeMutiny)
		sc.asks(1, AskMutiny)
	}
	given(t, PhaseVoyage, players).asks(0, AskSail).do("0 sail=fort").asks(1, AskMutiny)                                                                   // off by default
	given(in(t, "bribes=gifts"), PhaseAttack, players, func(s *State) { s.Destination = Fort }).do("1 play=any").asks(2, AskAttack).legal("play=any pass") // not in an attack
	// With three players nobody is appointed, in a mutiny at once.
	given(in(t, "bribes=gifts"), PhaseVoyage, []string{"any", "any", "any"}).until(AskSail).do("0 sail=fort").until(AskMutiny).until(AskPunish).do("0 spare").until(AskGift)
}

func TestAGiftIsOfferedToOnePlayerWhoAcceptsOrRefuses(t *testing.T) {
	enginetest.Clause(t, "BRB-2", "BRB-3", "BRB-4")
	players := []string{"any any cook|rum|gold_3", "nav12", "", ""}
	offered := func() scenario {
		sc := given(in(t, "bribes=gifts"), PhaseVoyage, players).asks(0, AskGift).legal("seat=+1 seat=+2 seat=+3 pass").do("0 seat=+1")
		sc.legal("offer=any offer=cook offer=rum pass") // nothing as yet
		sc.do("0 offer=any").legal("offer=any offer=cook offer=rum propose pass")
		sc.do("0 offer=any; 0 offer=rum").legal("offer=cook propose pass").do("0 propose").asks(1, AskAccept).legal("accept refuse")
		return sc
	}
	offered().do("1 refuse").asks(1, AskGift).hand(0, "any any cook").owns(0, "rum").hand(1, "nav12").owns(1, "")
	offered().do("1 accept").asks(1, AskGift).hand(0, "cook").owns(0, "").hand(1, "nav12 any any").owns(1, "rum")
	given(in(t, "bribes=gifts"), PhaseVoyage, players).do("0 seat=+1; 0 offer=any; 0 pass").asks(1, AskGift).hand(0, "any any cook")
	// The hand limit.
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"any", "nav12 nav13 nav14 nav21 nav22 nav23 nav31", "", ""}).do("0 seat=+1; 0 offer=any; 0 propose; 1 accept")
	sc.asks(1, AskDiscard).do("1 discard=nav12").asks(1, AskGift)
}

func TestTalkIsOnePhraseThatAllHearUntilTheRoundEnds(t *testing.T) {
	enginetest.Clause(t, "BRB-5")
	sc := given(in(t, "bribes=talk"), PhaseVoyage, []string{"any", "", "", ""}).asks(0, AskGift)
	phrases := 0
	for _, name := range sc.options() {
		if strings.HasPrefix(name, "say=") {
			phrases++
		}
	}
	check(t, "phrases to three others", phrases, 6*3)
	sc.do("0 say=i_will_mutiny,+2").asks(0, AskGift).legal("seat=+1 seat=+2 seat=+3 pass") // once
	for view := range 4 {
		text, err := sc.m.Position(view)
		if err != nil || !strings.Contains(string(text), `"said": {"phrase": "i_will_mutiny", "to": 2}`) && !strings.Contains(strings.Join(strings.Fields(string(text)), ""), `"said":{"phrase":"i_will_mutiny","to":2}`) {
			t.Errorf("view %d does not hear it: %v", view, err)
		}
	}
	sc.do("0 pass; 1 say=give_me,+3").asks(2, AskGift) // a player with nothing to give is done after a phrase
	check(t, "said", sc.Said[1], uint8(1+GiveMe*MaxSeats+0))
	sc.until(AskAppoint)
	check(t, "said in the next round", sc.Said, [MaxSeats]uint8{})
}

func TestAnAcceptedGiftOrWordsBeginTheLapOfAMutinyAnew(t *testing.T) {
	enginetest.Clause(t, "MUT-5", "BRB-7")
	// The First Mutineer, asked last in the first lap, bribes seat 1 with a card, who plays it then.
	begin := func(bribes string) scenario {
		sc := given(in(t, bribes), PhasePunishment, []string{"gun12", "|rum", "nav12 nav13 nav14", ""})
		for sc.Next() != AskFaction {
			if sc.Next() == AskMutiny && sc.m.Seat() == 2 {
				sc.do("oppose=nav12")
			} else if sc.Next() == AskPunish {
				sc.do("spare")
			} else {
				sc.do("pass")
			}
		}
		for sc.m.Seat() != 2 {
			sc.do("pass")
		}
		return sc
	}
	check(t, "seats asked by then", begin("bribes=gifts").Passes(), 4)
	sc := begin("bribes=gifts").do("2 seat=+3; 2 offer=nav13; 2 propose; 1 accept").asks(2, AskFaction)
	check(t, "seats asked in the new lap", sc.Passes(), 1)
	sc.do("2 pass; 0 pass").asks(1, AskFaction).do("1 oppose=nav13").asks(2, AskFaction)
	// What is refused or taken back changes nothing.
	begin("bribes=gifts").do("2 seat=+3; 2 offer=nav13; 2 propose; 1 refuse; 2 pass").next(AskAppoint)
	begin("bribes=gifts").do("2 seat=+3; 2 offer=nav13; 2 pass; 2 pass").next(AskAppoint)
	// Words are answered too.
	begin("bribes=talk").do("2 say=side_with_me,+2; 2 pass; 3 pass; 0 support=gun12").asks(1, AskFaction)
}

func TestAMutinyEndsWhateverIsOffered(t *testing.T) {
	enginetest.Clause(t, "MUT-5", "BRB-7")
	// All pass but the last one of each lap, who does what begins it anew: an offer, which is accepted, words, a card.
	for _, seats := range []int{3, 6, 10} {
		players := make([]string, seats)
		for i := range players {
			players[i] = crewNames[i] + " " + crewNames[i+10]
		}
		sc := given(in(t, "bribes=talk"), PhasePunishment, players)
		longest := func() engine.Action {
			legal := sc.m.Legal()
			if sc.Next() == AskFaction && int(sc.Passes()) < seats {
				return ToPass
			}
			first := func(from, to engine.Action) engine.Action {
				for a := legal.First(); a >= 0; a = legal.Next(a) {
					if a >= from && a < to {
						return a
					}
				}
				return -1
			}
			for _, group := range [][2]engine.Action{
				{ToPropose, ToPropose + 1}, {ToOffer, ToPropose}, {ToAccept, ToAccept + 1}, {ToSeat, ToSail}, {ToSay, NumActions}, {ToSupport, ToCutthroat},
			} {
				if a := first(group[0], group[1]); a >= 0 {
					return a
				}
			}
			return legal.First()
		}
		for sc.Next() != AskMutiny {
			sc.step()
		}
		sc.do("oppose=" + crewNames[sc.m.Seat()])
		decisions, gifts := 0, 0
		for sc.Mutineer != noSeat {
			a := longest()
			gifts += int(engine.Bit(a == ToAccept))
			if err := sc.m.Apply(a); err != nil {
				t.Fatal(err)
			}
			if decisions++; decisions*Rounds > sc.r.info.MaxDecisions {
				t.Fatalf("%d seats: the mutiny is not over after %d decisions", seats, decisions)
			}
		}
		check(t, "most are accepted", gifts > seats*(seats-1)/2, true)
	}
}

func TestOnlyGiverAndReceiverSeeWhichCrewCardsAreOffered(t *testing.T) {
	enginetest.Clause(t, "BRB-6")
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"any cook", "nav12", "", ""}).do("0 seat=+1; 0 offer=cook; 0 propose")
	for view, want := range []int{1, 1, 0, 0} {
		check(t, fmt.Sprintf("cooks offered, as seat %d sees it", view), sc.position(view).Offer["cook"], want)
	}
	// While the giver still thinks, not even the receiver does.
	sc = given(in(t, "bribes=gifts"), PhaseVoyage, []string{"any cook", "nav12", "", ""}).do("0 seat=+1; 0 offer=cook")
	for view, want := range []int{1, 0, 0, 0} {
		check(t, fmt.Sprintf("cooks offered, as seat %d sees it", view), sc.position(view).Offer["cook"], want)
	}
}

func TestInAMutinyEachMayMakeOneOfferToEachOther(t *testing.T) {
	enginetest.Clause(t, "BRB-7")
	pass := func(sc scenario) scenario {
		for sc.Next() == AskGift {
			sc.do("pass")
		}
		return sc
	}
	called := func(bribes string, players ...string) scenario {
		return pass(pass(given(in(t, bribes), PhasePunishment, players)).do("0 spare")).do("1 pass; 2 oppose=nav12")
	}
	players := []string{"gun12", "any|gold_1", "nav12 nav13 nav14", "|rum"}
	sc := called("bribes=gifts", players...).asks(3, AskFaction).legal("seat=+1 seat=+2 seat=+3 pass") // of prizes: there is no crew card
	sc.do("3 pass").asks(0, AskFaction).legal("support=gun12 seat=+1 seat=+2 seat=+3 pass").do("0 pass")
	sc.asks(1, AskFaction).do("1 seat=+1; 1 offer=gold_1; 1 propose").asks(2, AskAccept).do("2 accept").owns(2, "gold_1")
	sc.asks(1, AskFaction).legal("support=any oppose=any support=quartermaster oppose=quartermaster seat=+2 seat=+3 pass").do("1 oppose=any")
	// A player who refuses is not asked again; one who has made an offer to all makes none.
	sc.asks(2, AskFaction).do("2 seat=+2; 2 offer=nav13; 2 propose; 0 refuse").asks(2, AskFaction).legal("oppose=nav13 oppose=nav14 seat=+1 seat=+3 pass")
	sc.do("2 seat=+1; 2 offer=nav13; 2 pass; 2 seat=+3; 2 offer=nav13; 2 propose; 1 refuse").asks(2, AskFaction).legal("oppose=nav13 oppose=nav14 pass")
	check(t, "to whom seat 2 has made an offer", sc.Offered[2], bit(0)|bit(1)|bit(3))
	sc.do("2 oppose=nav13").asks(3, AskFaction).do("3 pass; 0 pass; 1 pass").asks(2, AskFaction).legal("oppose=nav14 pass").do("2 pass").next(AskAppoint)
	check(t, "offers of a mutiny that is over", sc.Offered, [len(sc.Offered)]uint16{})
	// With talk one may say something besides, without cards too.
	sc = called("bribes=talk", "gun12", "any", "nav12", "").asks(3, AskFaction).do("3 say=side_with_me,+1") // and has nothing else to do
	check(t, "said", sc.Said[3], uint8(1+SideWithMe*MaxSeats+0))
	sc.asks(0, AskFaction).do("0 seat=+1; 0 offer=gun12; 0 propose; 1 accept").hand(1, "any gun12").asks(0, AskFaction).illegal("seat=+1 support=gun12").do("0 say=give_me,+1").asks(1, AskFaction)
	// Off by default.
	given(t, PhasePunishment, players).do("0 spare; 1 pass; 2 oppose=nav12").asks(0, AskFaction).legal("support=gun12 pass")
}
