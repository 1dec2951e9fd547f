package jollyroger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestAHandIsSeenByItsOwnerOnlyItsSizeByAll(t *testing.T) {
	enginetest.Clause(t, "KNOW-1")
	sc := given(t, PhasePunishment, []string{"any any", "cook", "", "traitor nav12 nav12"})
	for view := range 4 {
		for seat, want := range []map[string]int{{"any": 2}, {"cook": 1}, {}, {"traitor": 1, "nav12": 2}} {
			if view != seat {
				want = map[string]int{"cards": int(sc.Size[seat])}
			}
			if got := sc.position(view).Players[seat].Hand; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("seat %d sees the hand of seat %d as %v; want %v", view, seat, got, want)
			}
		}
	}
}

// Seats 2 and 3 hold the same two cards the other way round. The one or the other
// is asked, and nobody else can tell.
func TestWhoIsAskedForAReactionIsNotSeenByOthers(t *testing.T) {
	enginetest.Clause(t, "KNOW-2")
	at := func(begin func(t testing.TB, players []string) scenario, do string) func(string, string) scenario {
		return func(two, three string) scenario {
			sc := begin(t, []string{"nav12 nav13|rum|gold_1", "nav14|gold_2|rum", two, three})
			if do != "" {
				sc.do(do)
			}
			return sc
		}
	}
	attacking := func(t testing.TB, players []string) scenario { return attack(t, Fort, players) }
	phase := func(p Phase) func(t testing.TB, players []string) scenario {
		return func(t testing.TB, players []string) scenario { return given(t, p, players) }
	}
	burying := func(t testing.TB, players []string) scenario {
		return given(t, PhaseIsland, players, func(s *State) {
			s.Map = true
			s.Deck[OldSailor]--
		})
	}
	spoils := func(t testing.TB, players []string) scenario { return sharing(t, "rum gold_3", players) }
	for _, c := range []struct {
		kind  Kind
		card  string
		begin func(string, string) scenario
	}{
		{AskTraitor, "traitor", at(attacking, "1 play=nav14")},
		{AskAttack, "any", at(attacking, "1 play=nav14")},
		{AskLookout, "lookout", at(attacking, "")},
		{AskChange, "sharpshooter", at(attacking, "1 play=nav14; 0 pass; 1 reveal; destination=fort_1")},
		{AskAnytime, "stowaways", at(phase(PhasePunishment), "")},
		{AskAnytime, "second_mate", at(phase(PhasePunishment), "")},
		{AskCook, "cook", at(spoils, "")},
		{AskCarpenter, "carpenter", at(spoils, "0 prize=rum; 1 give=gold_3,self")},
		{AskSailor, "old_sailor", at(phase(PhaseIsland), "")},
		{AskBoatswain, "boatswain", at(burying, "")},
		{AskKid, "smart_kid", at(burying, "0 bury=all; 1 pass")},
	} {
		first, second := c.begin(c.card, "powder_monkey"), c.begin("powder_monkey", c.card)
		first.asks(2, c.kind)
		second.asks(3, c.kind)
		for _, view := range []int{0, 1} {
			a, err := first.m.Position(view)
			if err != nil {
				t.Fatal(err)
			}
			b, err := second.m.Position(view)
			if err != nil {
				t.Fatal(err)
			}
			if string(a) != string(b) || first.m.Render(view) != second.m.Render(view) {
				t.Errorf("%s, %s: seat %d sees who is asked:\n%s\n%s", c.kind, c.card, view, a, b)
			}
		}
		if first.position(2).Stack[len(first.position(2).Stack)-1].Kind != c.kind.String() {
			t.Errorf("%s: the seat that is asked does not see what", c.kind)
		}
	}
}

// redeals are n deals that a seat cannot tell from the truth.
func (sc scenario) redeals(view, n int, each func(s *State)) {
	sc.t.Helper()
	before, err := sc.m.Position(view)
	if err != nil {
		sc.t.Fatal(err)
	}
	m, _ := explicitMatch(sc.t, sc.r.seats)
	rand := engine.NewRand(7)
	for range n {
		m.CopyFrom(sc.m)
		m.Redeal(view, &rand)
		s := engine.State[State](m)
		if err := sc.r.Check(s); err != nil {
			sc.t.Fatalf("redeal for seat %d: %v", view, err)
		}
		after, err := m.Position(view)
		if err != nil || string(before) != string(after) {
			sc.t.Fatalf("redeal for seat %d: it sees that something has changed (%v):\n%s\n%s", view, err, before, after)
		}
		each(s)
	}
}

// deals counts the hands that redeals for a seat give another one.
func (sc scenario) deals(view, seat int) map[string]int {
	found := map[string]int{}
	sc.redeals(view, 400, func(s *State) { found[listedAs(s.Hands[seat])]++ })
	return found
}

// sightings are what a seat has seen, in words.
func (sc scenario) sees(view int) (list []string) {
	for _, e := range sc.position(view).Sightings {
		if slices.Contains(e.KnownBy, view) {
			elsewhere := slices.DeleteFunc(e.Among, func(seat int) bool { return seat == view })
			list = append(list, fmt.Sprintf("%s %v", e.Card, elsewhere))
		}
	}
	slices.Sort(list)
	return list
}

func sameWords(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q; want %q", what, got, want)
	}
}

func TestEveryDealThatCanBeIsDealtAgainTheTruthToo(t *testing.T) {
	sc := given(t, PhasePunishment, []string{"cook", "nav13", "any", ""}, allDiscarded("nav31 gun31 mel31"))
	found := map[string]int{}
	sc.redeals(0, 600, func(s *State) { found[listedAs(s.Hands[1])+", "+listedAs(s.Hands[2])]++ })
	check(t, "deals: one of five cards to seat 1, one of four to seat 2", len(found), 20)
	for deal, n := range found {
		if n < 10 { // of 30
			t.Errorf("%s comes %d times in 600", deal, n)
		}
	}
	if found["nav13, any"] == 0 {
		t.Error("the truth is not among them")
	}
}

func TestThiefAndVictimKnowTheCardThatWasStolen(t *testing.T) {
	enginetest.Clause(t, "KNOW-3")
	sc := given(t, PhasePunishment, []string{"second_mate", "cook nav12", "boatswain", "any"}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 use=second_mate; 0 seat=+1; 0 seat=+2; crew=cook; crew=boatswain")
	sameWords(t, "the thief has seen", sc.sees(0))
	sameWords(t, "the first victim has seen", sc.sees(1), "cook [0]")
	sameWords(t, "the second victim has seen", sc.sees(2), "boatswain [0]")
	sameWords(t, "another has seen", sc.sees(3))
	for view, stolen := range map[int]Card{1: Cook, 2: Boatswain} {
		other := map[string]int{}
		sc.redeals(view, 200, func(s *State) {
			if s.Hands[0][stolen] == 0 {
				t.Fatalf("in a redeal for its victim the thief has no %s but %s", crewNames[stolen], listedAs(s.Hands[0]))
			}
			other[listedAs(s.Hands[0])]++
		})
		if len(other) < 4 || other["boatswain cook"] == 0 {
			t.Errorf("redeals for seat %d give the thief %v: want different second cards, the truth too", view, other)
		}
	}
	if found := sc.deals(3, 0); found["boatswain cook"] == 0 || found["nav31 gun31"] == 0 {
		t.Errorf("redeals for a stranger give the thief %v: want anything, the truth too", found)
	}
	// Once it is played in the open, nobody knows of it any more.
	sc.do("0 spare; 1 oppose=nav12; 3 pass; 0 support=cook")
	sameWords(t, "the first victim has seen", sc.sees(1))
	sameWords(t, "the second victim has seen", sc.sees(2), "boatswain [0]")
}

// A card that is passed on unseen is known to be with one of those who can have it.
func TestACardThatIsStolenAgainMayBeWithEither(t *testing.T) {
	enginetest.Clause(t, "KNOW-3")
	stolen := func(hand string) scenario {
		sc := given(in(t, "bribes=gifts"), PhasePunishment, []string{"cook nav12", hand, "second_mate", "any"}).do("2 pass; 0 seat=+1; 0 offer=cook; 0 propose; 1 accept")
		for sc.Next() != AskMutiny {
			sc.step()
		}
		return sc.do("1 oppose=nav13; 2 use=second_mate; 2 seat=+2; 2 seat=+3; crew=nav12; crew=cook").hand(2, "nav12 cook")
	}
	sameWords(t, "the first owner has seen", stolen("nav13 gun12").sees(0), "cook [1 2]", "nav12 [2]")
	sameWords(t, "if it was the only card, the first owner has seen", stolen("nav13").sees(0), "cook [2]", "nav12 [2]")
}

func TestWhoGetsBackAKnownCardKnowsOfNoOther(t *testing.T) {
	enginetest.Clause(t, "KNOW-3")
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"cook nav12", "nav13", "", ""}).do("0 seat=+1; 0 offer=cook; 0 propose; 1 accept")
	sc.do("1 seat=+3; 1 offer=cook; 1 propose; 0 accept").hand(0, "nav12 cook")
	sameWords(t, "the first owner has seen", sc.sees(0))
	sameWords(t, "who had it has seen", sc.sees(1), "cook [0]")
}

func TestAllKnowWhichCardsOfAMutinyWereDealtToOthers(t *testing.T) {
	enginetest.Clause(t, "KNOW-4")
	sc := given(t, PhasePunishment, []string{"gun12 mel12", "", "nav14 any", "", "mel13"}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 spare; 2 oppose=nav14; 4 pass; 0 support=gun12; 1 pass; 2 pass; 4 pass; 0 pass; 2 seat=+1")
	sc.do("3 seat=+1; 3 seat=+2; crew=gun12; crew=nav14").hand(4, "gun12 mel13").hand(0, "nav14 mel12") // on the left of seat 3
	for view, want := range [][]string{{"gun12 [4]"}, {"gun12 [0 4]", "nav14 [0 4]"}, {"gun12 [0 4]", "nav14 [0 4]"}, {"gun12 [0 4]", "nav14 [0 4]"}, {"nav14 [0]"}} {
		sameWords(t, fmt.Sprintf("seat %d has seen", view), sc.sees(view), want...)
	}
	found := map[string]int{}
	sc.redeals(1, 400, func(s *State) {
		for _, c := range []string{"gun12", "nav14"} {
			if i := slices.Index(crewNames, c); s.Hands[0][i]+s.Hands[4][i] != 1 {
				t.Fatalf("%s was dealt to seat 0 or 4; a redeal has it elsewhere: %s and %s", c, listedAs(s.Hands[0]), listedAs(s.Hands[4]))
			}
		}
		found[listedAs(s.Hands[0])+", "+listedAs(s.Hands[4])]++
	})
	if found["nav14 mel12, gun12 mel13"] == 0 || len(found) < 6 {
		t.Errorf("redeals %v: want different ones, the truth too", found)
	}
	// What is played afterwards in the open is known no longer.
	sc.until(AskAppoint).do("2 seat=+1; 4 oppose=gun12")
	sameWords(t, "seat 0 has seen", sc.sees(0))
	sameWords(t, "seat 1 has seen", sc.sees(1), "nav14 [0]") // each got one
}

// Each of three gets one of the three cards; seat 2 two of them if there are four.
func TestAllKnowHowManyCardsOfAMutinyEachWasDealt(t *testing.T) {
	enginetest.Clause(t, "KNOW-4")
	begin := func(more string) scenario {
		return given(t, PhasePunishment, []string{"gun12" + more, "any", "nav14 cook", "mel12 lookout"}, allDiscarded("nav31 gun31 mel31"))
	}
	dealt := func(sc scenario, view int) map[string]int {
		found := map[string]int{}
		sc.redeals(view, 400, func(s *State) {
			var n [4]uint8
			for seat := range n {
				for _, c := range []string{"gun12", "nav14", "mel12", "gun15"} {
					n[seat] += s.Hands[seat][slices.Index(crewNames, c)]
				}
			}
			found[fmt.Sprint(n)]++
		})
		return found
	}
	sc := begin("").do("0 spare; 1 pass; 2 oppose=nav14; 3 oppose=mel12; 0 support=gun12; 1 pass; 2 pass; 3 pass; 2 seat=+3; 1 seat=self; crew=nav14; crew=gun12; crew=mel12").hand(3, "gun12 lookout")
	for view := range 4 {
		if found := dealt(sc, view); len(found) != 1 || found["[1 0 1 1]"] == 0 {
			t.Errorf("seat %d: cards of the mutiny by seat in redeals: %v; want one each for 2, 3 and 0", view, found)
		}
	}
	sc = begin(" gun15").do("0 spare; 1 pass; 2 oppose=nav14; 3 oppose=mel12; 0 support=gun12; 1 pass; 2 pass; 3 pass; 0 support=gun15; 1 pass; 2 pass; 3 pass")
	sc.do("0 seat=+1; crew=nav14; crew=gun12; crew=mel12; crew=gun15").hand(2, "nav14 cook").hand(1, "any gun15")
	if found := dealt(sc, 2); len(found) != 1 || found["[1 1 1 1]"] == 0 {
		t.Errorf("cards of the mutiny by seat in redeals: %v; want one each", found)
	}
	hands := sc.deals(2, 3)
	for _, want := range []string{"gun12 lookout", "mel12 lookout", "gun15 lookout", "gun12 any", "nav31 gun12"} {
		if hands[want] == 0 {
			t.Errorf("redeals give seat 3 %v: want %s too", hands, want)
		}
	}
	// A card that is stolen may be one of them.
	sc = begin("").do("0 spare; 1 pass; 2 oppose=nav14; 3 oppose=mel12; 0 support=gun12; 1 pass; 2 pass; 3 pass; 2 seat=+3; 1 seat=self; crew=nav14; crew=gun12; crew=mel12")
	sc.State.move(3, 1, Card(slices.Index(crewNames, "gun12")))
	if found := dealt(sc, 2); found["[1 1 1 0]"] == 0 || found["[1 0 1 1]"] == 0 || found["[0 2 1 0]"]+found["[2 0 1 0]"]+found["[0 0 1 2]"] > 0 {
		t.Errorf("cards of the mutiny by seat in redeals after a theft from seat 3 by seat 1: %v; want that it was one of them, or not", found)
	}
	// So may one that was played, and then it was: no other card of its kind is hidden.
	sc.State.discard(0, Card(slices.Index(crewNames, "mel12")))
	if found := dealt(sc, 2); found["[0 1 1 0]"] == 0 || found["[0 0 1 1]"] == 0 || len(found) != 2 {
		t.Errorf("cards of the mutiny by seat in redeals after seat 0 has played one: %v", found)
	}
}

func TestAllKnowWhatTheHandsHoldTogetherWhenTheDiscardBecomesTheDeck(t *testing.T) {
	enginetest.Clause(t, "KNOW-5")
	sc := given(t, PhasePunishment, []string{"stowaways nav12", "gun12", "cook gun13", "mel12"}, allDiscarded("any"))
	sc.do("0 use=stowaways; crew=any; crew=nav31")
	check(t, "in hands at the reshuffle", listedAs(sc.Old), "nav12 gun12 gun13 mel12 any cook")
	check(t, "cards that may have come since", fmt.Sprint(sc.Free[:4]), "[1 0 0 0]")
	hands := map[string]int{}
	sc.redeals(3, 400, func(s *State) {
		for _, name := range []string{"nav12", "gun12", "gun13", "any", "cook"} {
			if i := slices.Index(crewNames, name); s.Hands[0][i]+s.Hands[1][i]+s.Hands[2][i] == 0 {
				t.Fatalf("%s was in a hand, but in a redeal it is in the deck", name)
			}
		}
		hands[listedAs(s.Hands[2])]++
	})
	check(t, "hands that seat 2 can have: two of five cards", len(hands), 10)
	if hands["gun13 cook"] == 0 {
		t.Errorf("the truth is not among %v", hands)
	}
	// The seat that has drawn can have anything for its new card.
	found := sc.deals(3, 0)
	if len(found) < 40 {
		t.Errorf("redeals give seat 0 %d hands: want many", len(found))
	}
}
func TestTheGiverKnowsWhatTheReceiverHas(t *testing.T) {
	enginetest.Clause(t, "KNOW-3")
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"cook nav12", "nav13", "any", ""}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 seat=+1; 0 offer=cook; 0 propose; 1 accept")
	sameWords(t, "the giver has seen", sc.sees(0), "cook [1]")
	sameWords(t, "another has seen", sc.sees(2))
	for hand, n := range sc.deals(0, 1) {
		if !slices.Contains([]string{"nav13 cook", "any cook", "nav31 cook", "gun31 cook", "mel31 cook"}, hand) {
			t.Errorf("%d redeals give the receiver %q", n, hand)
		}
	}
	if found := sc.deals(2, 1); found["nav31 gun31"] == 0 || found["nav13 cook"] == 0 {
		t.Errorf("redeals for a stranger give the receiver %v: want anything, the truth too", found)
	}
}

// An offer is laid before the one who is to accept it, and what is refused stays where it was.
func TestWhoRefusesAnOfferKnowsThatTheGiverStillHasIt(t *testing.T) {
	enginetest.Clause(t, "KNOW-3")
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"cook nav12 nav12|rum", "nav13", "any", ""}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 seat=+1; 0 offer=cook; 0 offer=nav12; 0 offer=nav12; 0 offer=rum; 0 propose; 1 refuse")
	sameWords(t, "who refused has seen", sc.sees(1), "cook [0]", "nav12 [0]", "nav12 [0]")
	sameWords(t, "another has seen", sc.sees(2))
	for hand, n := range sc.deals(1, 0) {
		if hand != "nav12 nav12 cook" {
			t.Errorf("%d redeals for the player that refused give the giver %q", n, hand)
		}
	}
	// Offered again, it is the same card.
	for sc.Top() != frame(AskGift, 0, BeforeMutiny, 0) {
		sc.step()
	}
	sc.do("0 seat=+1; 0 offer=cook; 0 propose; 1 refuse")
	sameWords(t, "who refused twice has seen", sc.sees(1), "cook [0]", "nav12 [0]", "nav12 [0]")

	sc = given(in(t, "bribes=gifts,variants=hidden_prizes"), PhaseVoyage, []string{"cook|rum gold_1", "nav13", "any", ""})
	sc.do("0 seat=+1; 0 offer=rum; 0 propose; 1 refuse")
	sameWords(t, "who refused a hidden prize has seen", sc.sees(1), "rum [0]")

	sc = given(t, PhaseIsland, []string{"cook|rum", "boatswain|rum", "any", ""}, func(s *State) {
		s.Map = true
		s.Deck[OldSailor]--
	})
	sc.do("1 seat=+3; 0 seat=+2; 0 offer=cook; 0 propose; 2 refuse")
	sameWords(t, "who will not guard the ship has seen", sc.sees(2), "cook [0]")
}

func TestARedealForAStrangerDealsWhatIsOfferedAnew(t *testing.T) {
	enginetest.Clause(t, "BRB-6")
	for _, do := range []string{"0 seat=+1; 0 offer=cook", "0 seat=+1; 0 offer=cook; 0 propose"} {
		sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"cook nav12|rum", "nav13", "", ""}, allDiscarded("nav31 gun31 mel31")).do(do)
		offers := func(view int) map[string]int {
			found := map[string]int{}
			sc.redeals(view, 200, func(s *State) { found[listedAs(s.Offer)+"|"+listed(s.OfferPrizes[:], prizeNames)]++ })
			return found
		}
		for _, view := range []int{0, 1, 2} {
			found := offers(view)
			if sees := view == 0 || view == 1 && sc.Next() == AskAccept; sees && (len(found) != 1 || found["cook|"] == 0) || !sees && (len(found) < 8 || found["cook|"] == 0 || found["|rum"] == 0) {
				t.Errorf("%s: redeals for seat %d have the offers %v", do, view, found)
			}
		}
	}
}

// Five seats; seat 0 knows of two Old Sailors: seat 1 has one, given by seat 0, and one is with seat 1 or 2. Seat 3 steals a
// card of seat 1: whether it was an Old Sailor does not show to seat 0, nor to seat 4.
func TestWhatACardWasThatOthersPassOnDoesNotShow(t *testing.T) {
	enginetest.Clause(t, "KNOW-7")
	after := func(stolen string) [2][]string {
		sc := given(in(t, "bribes=gifts"), PhasePunishment, []string{"old_sailor old_sailor nav12", "nav13 gun12", "any", "second_mate", "nav14"})
		s := sc.State
		s.move(0, 1, OldSailor)
		s.move(0, 2, OldSailor)
		s.move(2, 1, AnyCard) // which seat 0 does not see
		s.move(1, 2, AnyCard)
		s.shown(1, 3, uint8(OldSailor), 1, told(1))
		s.move(1, 3, Card(slices.Index(crewNames, stolen)))
		return [2][]string{sc.sound().sees(0), sc.sees(4)}
	}
	if one, other := after("old_sailor"), after("nav13"); fmt.Sprint(one) != fmt.Sprint(other) {
		t.Errorf("seats 0 and 4 know %v after one theft, %v after another", one, other)
	}
}

// Seat 2 has refused the Powder Monkey of seat 3. Other cards that go between the two and on do not make either forget where it is.
func TestFromAndToKeepWhatTheyAreSureOf(t *testing.T) {
	enginetest.Clause(t, "KNOW-3")
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, []string{"any", "nav13", "nav14", "powder_monkey nav12 gun12"}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 pass; 1 pass; 2 pass; 3 seat=+3; 3 offer=powder_monkey; 3 propose; 2 refuse")
	sc.State.move(3, 2, 0)
	sc.State.move(2, 0, 0)
	sameWords(t, "who refused has seen", sc.sees(2), "nav12 [0]", "powder_monkey [3]")
	sameWords(t, "who gave has seen", sc.sees(3), "nav12 [0 2]")
	for hand := range sc.deals(2, 3) {
		if !strings.Contains(hand, "powder_monkey") {
			t.Errorf("redeals for the player that refused give the giver %q", hand)
		}
	}
	// Of two cards that a third has seen, one that is passed on is not both.
	sc.State.shown(3, 1, uint8(PowderMonkey), 1, 0)
	sc.State.shown(3, 1, uint8(slices.Index(crewNames, "gun12")), 1, 0)
	sc.State.move(3, 2, PowderMonkey)
	sameWords(t, "a third has seen", sc.sees(1), "gun12 [2 3]", "powder_monkey [2 3]")
	with := map[string]int{}
	sc.redeals(1, 200, func(s *State) {
		with[fmt.Sprint(s.Hands[2][PowderMonkey], s.Hands[2][slices.Index(crewNames, "gun12")], s.Hands[3][PowderMonkey])]++
	})
	if len(with) != 2 || with["1 0 0"] == 0 || with["0 1 1"] == 0 {
		t.Errorf("redeals for that seat have the Powder Monkey, gun 12 with seat 2, the Powder Monkey with seat 3: %v; want one or the other with each", with)
	}
}

// What seat 0 knows does not depend on how much the others have seen.
func TestWhatOthersSeeMakesNobodyForget(t *testing.T) {
	enginetest.Clause(t, "KNOW-7")
	hands := []string{"cook", "boatswain", "nav12 nav13 nav14 nav15 nav21 nav22", "gun12 gun13 gun14 gun15 gun21 gun22", "mel12 mel13 mel14 mel15 mel21 mel22"}
	sc := given(in(t, "bribes=gifts"), PhaseVoyage, hands)
	sc.State.move(0, 1, Cook)
	sc.State.move(1, 0, Boatswain)
	want := sc.sees(0)
	for from := 2; from < 5; from++ {
		for to := 1; to < 5; to++ {
			if s := sc.State; to != from {
				s.Offer = s.Hands[from]
				sc.r.declined(s, from, to)
				s.withdraw()
			}
		}
	}
	sameWords(t, "seat 0 knows", sc.sound().sees(0), want...)
	check(t, "cards that seat 1 knows of", sc.Sighted[1], 1+3*6)
	check(t, "cards that seat 2 knows of", sc.Sighted[2], 2*6)
}

// What others have seen of cards that a seat has or had it knows, and so does a redeal for it. What else they have seen it does not know.
func TestARedealKeepsWhatOthersHaveSeenOfOnesOwnCards(t *testing.T) {
	enginetest.Clause(t, "KNOW-3", "KNOW-4")
	sc := given(in(t, "bribes=gifts"), PhasePunishment, []string{"cook nav12", "boatswain gun12", "mel12", "any"}, allDiscarded("nav31 gun31 mel31"))
	s := sc.State
	s.move(1, 0, Boatswain)
	s.shown(0, 2, uint8(Cook), 1, told(0))
	s.shown(2, 3, uint8(slices.Index(crewNames, "mel12")), 1, told(2))
	others := func(m engine.Match) (list []string) {
		for view := 1; view < 4; view++ {
			list = append(list, fmt.Sprint(scenario{sc.t, m, sc.r, engine.State[State](m)}.sees(view)))
		}
		return list
	}
	m, _ := explicitMatch(t, 4)
	rand := engine.NewRand(3)
	for range 50 {
		m.CopyFrom(sc.m)
		m.Redeal(0, &rand)
		sameWords(t, "the others know in a redeal for seat 0", others(m), "[boatswain [0]]", "[cook [0]]", "[]")
	}
	// So it does of a card that has been passed on since: if it comes back, they still know of it.
	s.move(0, 3, Cook)
	m.CopyFrom(sc.m)
	m.Redeal(0, &rand)
	sameWords(t, "they know once the Cook has been passed on", others(m), "[boatswain [0 3]]", "[cook [0 3]]", "[]")
	// Of the cards of a mutiny they know those that they did not get.
	sc = given(t, PhasePunishment, []string{"gun12", "any", "nav14 cook", "mel12 lookout"}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 spare; 1 pass; 2 oppose=nav14; 3 oppose=mel12; 0 support=gun12; 1 pass; 2 pass; 3 pass; 2 seat=+3; 1 seat=self; crew=nav14; crew=gun12; crew=mel12")
	for range 50 {
		m.CopyFrom(sc.m)
		m.Redeal(2, &rand)
		know := scenario{t, m, sc.r, engine.State[State](m)}.sees(1)
		sameWords(t, "seat 1 knows in a redeal for seat 2", know, "gun12 [0 2 3]", "mel12 [0 2 3]", "nav14 [0 2 3]")
	}
}

// A loser's prizes that are shared out can be with those who got some, each as many as that player got.
func TestWhoLosesHiddenPrizesKnowsWhoCanHaveThem(t *testing.T) {
	enginetest.Clause(t, "VAR-1")
	sc := given(in(t, "variants=hidden_prizes"), PhasePunishment, []string{"", "gun12", "nav12|rum gold_3|gold_1", "", "any"})
	sc.do("0 spare; 1 pass; 2 oppose=nav12; 4 pass; 1 support=gun12; 4 pass; 1 pass")
	sc.do("0 seat=+1; 0 prize=rum; 1 give=gold_3,self")
	sameWords(t, "the loser has seen", sc.sees(2), "gold_3 [0 1]", "rum [0 1]")
	sameWords(t, "the Captain has seen", sc.sees(0), "gold_3 [1]")
	sameWords(t, "another has seen", sc.sees(3))
	with := map[string]int{}
	sc.redeals(2, 100, func(s *State) { with[listed(s.Prizes[0][:], prizeNames)+", "+listed(s.Prizes[1][:], prizeNames)]++ })
	if len(with) != 2 || with["rum, gold_3"] == 0 || with["gold_3, rum"] == 0 {
		t.Errorf("redeals for the loser give the Captain and the Quartermaster %v", with)
	}
}

// While the cards of a mutiny are being dealt nobody knows which ones have been.
func TestARedealWhileCardsOfAMutinyAreDealtDealsThemAnew(t *testing.T) {
	enginetest.Clause(t, "KNOW-4")
	sc := given(t, PhasePunishment, []string{"gun12", "any", "nav14 cook", "mel12 lookout"}, allDiscarded("nav31 gun31 mel31"))
	sc.do("0 spare; 1 pass; 2 oppose=nav14; 3 oppose=mel12; 0 support=gun12; 1 pass; 2 pass; 3 pass; 2 seat=+3; 1 seat=self; crew=nav14; crew=gun12").next(DealPool)
	sameWords(t, "seat 1 knows", sc.sees(1))
	found := map[string]int{}
	sc.redeals(1, 200, func(s *State) {
		found[listed(s.Played[:], crewNames)]++
		seen := 0
		for _, name := range []string{"nav14", "gun12", "mel12"} {
			c := slices.Index(crewNames, name)
			seen += int(s.Hands[2][c] + s.Hands[3][c] + s.Played[c])
		}
		check(t, "cards of the mutiny", seen, 3)
	})
	if len(found) != 3 {
		t.Errorf("redeals leave %v to be dealt; want each of the three cards", found)
	}
}

// In which order a seat has seen cards it is not told: the same cards seen in another order are redealt to the same world.
func TestRedealingDoesNotDependOnTheOrderOfSightings(t *testing.T) {
	enginetest.Clause(t, "KNOW-7")
	turned := 0
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		g, err := engine.NewGame(fmt.Sprintf("jolly_roger(seats=%d,variants=hidden_prizes)", seats))
		if err != nil {
			t.Fatal(err)
		}
		m, other, rand := g.NewMatch(), g.NewMatch(), engine.NewRand(uint64(seats))
		m.Reset(uint64(seats))
		for step := 0; m.Seat() != engine.Over; step++ {
			if step%7 == 0 {
				other.CopyFrom(m)
				s := engine.State[State](other)
				for knower := range seats {
					for i := int(s.Sighted[knower]) - 1; i > 0; i-- {
						j, k := rand.Intn(i+1), &s.Memories[knower]
						k.Kind[i], k.Kind[j], k.Where[i], k.Where[j], k.Bag[i], k.Bag[j] = k.Kind[j], k.Kind[i], k.Where[j], k.Where[i], k.Bag[j], k.Bag[i]
					}
				}
				if !other.Equal(m) {
					turned++
				}
				world, again, luck := g.NewMatch(), g.NewMatch(), rand.Split()
				same := luck
				world.CopyFrom(m)
				world.Redeal(m.Seat(), &luck)
				again.CopyFrom(other)
				again.Redeal(m.Seat(), &same)
				if !world.Equal(again) {
					t.Fatalf("%s, step %d: %s: another order of what seats have seen is redealt to another world", g.Info().Config, step, m.Decision())
				}
			}
			if err := m.Apply(m.Legal().Sample(&rand)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if turned < 50 {
		t.Errorf("only %d memories were turned round", turned)
	}
}

// However much a seat knows, its redeals are made of that: none is the truth because no other deal was found.
func TestARedealIsNeverTheTruthForWantOfAnother(t *testing.T) {
	enginetest.Clause(t, "KNOW-7")
	for _, seats := range []int{9, 10} {
		g, err := engine.NewGame(fmt.Sprintf("jolly_roger(seats=%d,bribes=gifts,chance=explicit)", seats))
		if err != nil {
			t.Fatal(err)
		}
		m, world, rand, tried := g.NewMatch(), g.NewMatch(), engine.NewRand(uint64(seats)), 0
		r, _ := engine.RulesOf[State, *Rules](m)
		s := engine.State[State](m)
		for seed := uint64(0); tried < 2000; seed++ {
			m.Reset(seed)
			for step := 0; m.Seat() != engine.Over; step++ {
				if seat := m.Seat(); seat >= 0 && s.Sighted[seat] >= 20 && step%5 == 0 {
					all := 0
					for i, n := range s.Size[:seats] {
						if i != seat {
							all += int(n)
						}
					}
					world.CopyFrom(m)
					world.Redeal(seat, &rand)
					is := engine.State[State](world)
					if err := r.Check(is); err != nil {
						t.Fatalf("%d seats, seed %d, step %d: %v", seats, seed, step, err)
					}
					if tried++; is.Hands == s.Hands && all-int(s.Sighted[seat]) >= 5 {
						t.Errorf("%d seats, seed %d, step %d: of %d hidden cards seat %d has sighted %d, and a redeal is the truth", seats, seed, step, all, seat, s.Sighted[seat])
					}
				}
				if err := m.Apply(anything(m, &rand)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
