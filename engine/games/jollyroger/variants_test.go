package jollyroger

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// sees checks how a seat sees prizes: by kind, or only how many there are.
func sees(t *testing.T, what string, got map[string]int, want string) {
	t.Helper()
	counts := prizes("")
	cards := 0
	if _, err := fmt.Sscanf(want, "%d", &cards); err == nil {
		if len(got) != 1 || got["cards"] != cards {
			t.Errorf("%s: %v; want the number %d only", what, got, cards)
		}
		return
	}
	for name, n := range got {
		found := false
		for p := range prizeNames {
			if prizeNames[p] == name {
				counts[p], found = uint8(n), true
			}
		}
		if !found {
			t.Errorf("%s: %v; want %s", what, got, want)
		}
	}
	check(t, what, listed(counts[:], prizeNames), want)
}

func TestHiddenPrizesAreSeenByThoseWhoChooseOrGiveAndThenByTheirOwner(t *testing.T) {
	enginetest.Clause(t, "VAR-1", "VAR-4")
	hidden := in(t, "variants=hidden_prizes")
	sc := sharing(hidden, "rum gold_1 gold_3", []string{"|jewels|gold_2", "", "", ""}).asks(0, AskPick)
	spoils := func(want ...string) {
		t.Helper()
		for view, w := range want {
			sees(t, fmt.Sprintf("spoils, seat %d", view), sc.position(view).Spoils, w)
		}
	}
	spoils("gold_1 gold_3 rum", "3", "3", "3")
	sc.do("0 prize=gold_3").asks(1, AskShare)
	spoils("2", "gold_1 rum", "2", "2")
	sc.do("1 give=rum,self; 1 give=gold_1,+1").asks(0, AskPunish)
	for view := range 4 {
		p := sc.position(view).Players
		if view == 0 {
			sees(t, "the owner's prizes", p[0].Prizes, "gold_3 jewels")
			sees(t, "the owner's buried prizes", p[0].Buried, "gold_2")
		} else {
			sees(t, "prizes of seat 0", p[0].Prizes, "2")
			sees(t, "buried prizes of seat 0", p[0].Buried, "1")
		}
	}
	// In the open game all of it is open.
	sc = sharing(t, "rum gold_1 gold_3", []string{"|jewels|gold_2", "", "", ""})
	spoils("gold_1 gold_3 rum", "gold_1 gold_3 rum", "gold_1 gold_3 rum", "gold_1 gold_3 rum")
	sees(t, "prizes of seat 0", sc.position(2).Players[0].Prizes, "jewels")

	sc = ended(hidden, []string{"|gold_1|gold_2", "", "", ""})
	check(t, "phase", sc.Phase, PhaseOver)
	sees(t, "prizes at the end", sc.position(2).Players[0].Prizes, "gold_1")
	sees(t, "buried prizes at the end", sc.position(2).Players[0].Buried, "gold_2")
}

func TestWhoSeesHiddenSpoilsIsToldOnceWhatTheyAre(t *testing.T) {
	enginetest.Clause(t, "VAR-1")
	sc := sharing(in(t, "variants=hidden_prizes"), "rum gold_1 gold_3", []string{"", "", "", ""}).asks(0, AskPick)
	log := engine.Listen(sc.m)
	sc.do("0 prize=gold_3; 1 give=rum,self; 1 give=gold_1,+1")
	for view, want := range []string{"", `{"kind":"sees","seat":1,"prize":"gold_1"}{"kind":"sees","seat":1,"prize":"rum"}`, "", ""} {
		told := ""
		for _, e := range log.Since(0) {
			if e.Kind != HasSighted {
				continue
			}
			if seen := engine.EventSeen(sc.m, e, view); seen != nil {
				text, err := json.Marshal(seen)
				if err != nil {
					t.Fatal(err)
				}
				told += string(text)
			}
		}
		check(t, fmt.Sprint("seat ", view), told, want)
	}
}

func TestHiddenPrizesThatAreDiscardedInAPortAreShown(t *testing.T) {
	enginetest.Clause(t, "VAR-2", "VAR-9")
	sc := inPort(in(t, "variants=hidden_prizes"), []string{"|hostage rum", "", "", ""}).do("destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any")
	sc.do("0 exchange=rum; crew=nav12; 0 ransom; drawn=gold_3; drawn=gold_2")
	check(t, "prize discard", listed(sc.PrizeOut[:], prizeNames), "rum hostage")
	sees(t, "prizes of seat 0", sc.position(1).Players[0].Prizes, "2")
	sees(t, "prizes of seat 0", sc.position(0).Players[0].Prizes, "gold_2 gold_3")
}

func TestTheCarpenterClaimsAHiddenPrizeAtRandom(t *testing.T) {
	enginetest.Clause(t, "VAR-3")
	sc := sharing(in(t, "variants=hidden_prizes"), "rum", []string{"|gold_3", "", "carpenter", ""}).do("0 prize=rum; 2 use=carpenter; 0 pass; 2 seat=+2")
	sc.next(StealPrize).legal("drawn=rum drawn=gold_3").do("drawn=gold_3").owns(2, "gold_3").owns(0, "rum")
}

func TestWithCaptainsGoldThePrizeOfTheCaptainBringsEverybodyACard(t *testing.T) {
	enginetest.Clause(t, "VAR-5")
	players := []string{"|rum", "|rum", "", ""}
	port := "destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any; 0 exchange=rum; "
	sc := inPort(in(t, "variants=captains_gold"), players).do(port+"crew=nav12; crew=nav13; crew=nav14; crew=nav15").asks(1, AskExchange)
	sc.hand(0, "nav12 any").hand(1, "nav13 any").hand(2, "nav14 any").hand(3, "nav15 any")
	sc.do("1 exchange=rum; crew=gun12").asks(0, AskPunish).hand(1, "nav13 gun12 any") // only the Captain's
	inPort(t, players).do(port+"crew=nav12").asks(1, AskExchange).hand(2, "any")
}

func TestThreePlayWithTheCardsOfFourAndTheCaptainDoesTheQuartermastersWork(t *testing.T) {
	enginetest.Clause(t, "VAR-6")
	_, r4 := explicitMatch(t, 4)
	_, r3 := explicitMatch(t, 3)
	check(t, "destinations", r3.stacks, r4.stacks)
	check(t, "hand", r3.StartHand[3], r4.StartHand[4])
	check(t, "limit", r3.limit, r4.limit)
	sc := given(t, PhaseAppointment, []string{"any nav12", "gun12", "mel12"}).asks(0, AskSail) // nobody is appointed
	sc.do("0 sail=fort; 1 pass; 2 pass").asks(0, AskFirst).do("0 play=nav12; 1 pass; 2 pass").asks(0, AskAttack).legal("play=any pass reveal")
	sharing(t, "rum gold_1", []string{"", "", ""}).do("0 prize=rum").asks(0, AskShare).legal("give=gold_1,+1 give=gold_1,+2")
	attack(t, MerchantShip, []string{"nav31 any any", "gun12", ""}).do("0 play=nav31; 1 pass; 0 play=any; 1 pass; 0 play=any; 1 pass; 0 reveal; destination=merchant_ship_1").asks(0, AskAssign)
	// After a mutiny the new Captain appoints nobody.
	sc = given(t, PhasePunishment, []string{"", "gun12", ""}).do("0 spare; 1 oppose=gun12; 1 seat=+1; chance crew=gun12")
	sc.hand(2, "gun12") // as the new Captain has said
	check(t, "captain", sc.Captain, 1)
	sc.until(AskSail).asks(1, AskSail)
}

func TestThreeHaveNoQuartermasterCardAndTheSurgeonHasNoEffect(t *testing.T) {
	enginetest.Clause(t, "VAR-7")
	sc := given(t, PhasePunishment, []string{"any", "surgeon", "nav12"}).asks(0, AskPunish).do("0 spare").asks(1, AskMutiny).legal("oppose=surgeon pass").do("1 pass; 2 oppose=nav12")
	sc.asks(0, AskFaction).legal("support=any pass").do("0 pass").asks(1, AskFaction).legal("support=surgeon oppose=surgeon pass")
}

func TestWithThreeTheCaptainMayPunishEitherOfTheOthers(t *testing.T) {
	enginetest.Clause(t, "VAR-8")
	sc := given(t, PhasePunishment, []string{"any", "gun12", "nav12"}).legal("punish spare").do("0 punish; 1 pass; 2 pass").asks(0, AskVictim).legal("seat=+1 seat=+2")
	sc.do("0 seat=+2; crew=nav12").hand(2, "").hand(1, "gun12")
}

func TestWhoSharesHiddenPrizesOutKnowsWhoGotWhich(t *testing.T) {
	enginetest.Clause(t, "VAR-1")
	sc := sharing(in(t, "variants=hidden_prizes"), "rum gold_1 gold_3", []string{"", "", "", ""}).do("0 prize=gold_3; 1 give=rum,+1; 1 give=gold_1,+2")
	sameWords(t, "the Captain has seen", sc.sees(0), "gold_1 [2 3]", "rum [2 3]") // seat 1 has got none
	sameWords(t, "the Quartermaster has seen", sc.sees(1), "gold_1 [3]", "rum [2]")
	sameWords(t, "another has seen", sc.sees(3))
	sc.redeals(1, 100, func(s *State) {
		if s.Prizes[2][Rum] != 1 || s.Prizes[3][Gold1] != 1 {
			t.Fatal("a redeal takes away what was given")
		}
	})
	first := map[string]bool{}
	sc.redeals(3, 200, func(s *State) { first[listed(s.Prizes[0][:], prizeNames)] = true })
	check(t, "prizes that the Captain can have for another", len(first), NumPrizes)
}

// What a seat has seen of a prize agrees with that it is being offered, and leaves the rest open.
func TestARedealWhileASightedPrizeIsOfferedDealsTheRestAnew(t *testing.T) {
	sc := sharing(in(t, "variants=hidden_prizes,bribes=gifts"), "rum gold_1 gold_3", []string{"nav12", "", "", ""}).do("0 pass; 0 prize=gold_3; 1 give=rum,+1; 1 give=gold_1,+2")
	sc.do("0 pass; 2 seat=+1; 2 offer=rum")
	sameWords(t, "the Quartermaster has seen", sc.sees(1), "gold_1 [3]", "rum [2]")
	if found := sc.deals(1, 0); len(found) < 20 {
		t.Errorf("redeals for the Quartermaster give seat 0 %v: want many hands", found)
	}
	sc.redeals(1, 50, func(s *State) {
		if s.Prizes[2][Rum] != 1 || s.Prizes[3][Gold1] != 1 {
			t.Fatal("a redeal takes away what was given")
		}
	})
}
