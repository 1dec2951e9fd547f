package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Stowaways draw two cards at the start of a round: a quick way to a full hand.

func TestTheHandLimitDependsOnTheNumberOfPlayers(t *testing.T) {
	enginetest.Clause(t, "HAND-1")
	for seats, limit := range map[int]uint8{3: 7, 4: 7, 5: 7, 6: 6, 7: 6, 8: 5, 9: 5, 10: 5} {
		_, r := explicitMatch(t, seats)
		check(t, "limit", r.limit, limit)
		players := make([]string, seats)
		players[0] = "stowaways nav12 nav12 gun12 gun12"
		for i := uint8(5); i < limit; i++ {
			players[0] += " mel2" + []string{"1", "2"}[i-5]
		}
		sc := given(t, PhasePunishment, players).do("0 use=stowaways; crew=any; crew=any").asks(0, AskDiscard)
		check(t, "hand", sc.Size[0], limit+1)
		sc.do("0 discard=any").next(AskPunish)
		check(t, "hand", sc.Size[0], limit)
	}
}

func TestAPlayerWithTooManyCardsDiscardsAnyAtOnce(t *testing.T) {
	enginetest.Clause(t, "HAND-2")
	sc := given(t, PhasePunishment, []string{"stowaways nav12 nav13 gun12 gun13 mel12 mel13", "", "", ""}).
		do("0 use=stowaways; crew=any; crew=cook").asks(0, AskDiscard)
	sc.legal("discard=nav12 discard=nav13 discard=gun12 discard=gun13 discard=mel12 discard=mel13 discard=any discard=cook")
	sc.do("0 discard=gun13").next(AskPunish).hand(0, "nav12 nav13 gun12 mel12 mel13 any cook").discarded("stowaways gun13")
}

func TestTheDiscardBecomesTheDeckWhenItIsEmpty(t *testing.T) {
	enginetest.Clause(t, "HAND-3")
	sc := given(t, PhasePunishment, []string{"stowaways nav12", "gun12", "", ""}, allDiscarded("any"))
	before := sum(sc.Discard[:])
	sc.do("0 use=stowaways; chance crew=any").next(DealCrew)
	check(t, "deck", int(sc.DeckSize), before)
	check(t, "discard", sum(sc.Discard[:]), 0)
	// At once: what is discarded after the last card has been drawn is not in it.
	given(t, PhasePunishment, []string{"stowaways nav12 nav13 gun12 gun13 mel12 mel13", "", "", ""}, allDiscarded("any cook")).
		do("0 use=stowaways; chance crew=any; chance crew=cook; 0 discard=nav12").discarded("stowaways nav12")
	sc.illegal("crew=stowaways").do("crew=cook").hand(0, "nav12 any cook").discarded("stowaways") // which are discarded after it
}

func TestCardsThatCannotBeDrawnAreLost(t *testing.T) {
	enginetest.Clause(t, "HAND-4")
	// All cards are in hands, or on the table in a mutiny.
	sc := given(t, PhasePunishment, []string{
		"stowaways nav12 nav12 nav13 nav13", "nav14 nav15 nav21 nav21 nav22", "nav22 nav23 nav23 nav31 nav31",
		"gun12 gun12 gun13 gun13 gun14", "gun15 gun21 gun21 gun22 gun22", "gun23 gun23 gun31 gun31 mel12",
		"mel12 mel13 mel13 mel14 mel15", "mel21 mel21 mel22 mel22 mel23", "mel23 mel31 mel31 any any", "any any any boatswain carpenter",
	}, func(s *State) {
		s.Mutineer, s.MutinyTried = 9, true
		s.Side[0], s.Side[9] = ForCaptain, ForMutineer
		s.Sides[0], s.Deck = s.Deck, [NumCrew]uint8{}
	})
	sc.do("0 use=stowaways").asks(0, AskFaction)
	check(t, "hand", sc.Size[0], 4)
}

func TestPrizesAndDestinationsAreNeverShuffledAgain(t *testing.T) {
	enginetest.Clause(t, "HAND-5", "PORT-7")
	sc := inPort(t, []string{"|jewels hostage rum", "", "", ""}, prizeDeck("gold_1 gold_2"))
	sc.do("destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any; 0 exchange=rum; crew=any")
	sc.do("0 ransom; drawn=gold_1; drawn=gold_2")
	check(t, "prizes left", sc.PrizesLeft, 0)
	if sc.Next() == AskSell || sum(sc.PrizeOut[:]) == 0 {
		t.Errorf("%s: there is no prize to draw, whatever was discarded", sc.Next())
	}
	sc.owns(0, "gold_1 gold_2 jewels")

	sc = inPort(t, []string{"|hostage", "", "", ""}, prizeDeck("gold_3"))
	sc.do("destination=pirate_port_1; crew=any; crew=any; crew=any; crew=any; 0 pass; 0 ransom; drawn=gold_3").owns(0, "gold_3")

	sc = given(t, PhaseVoyage, []string{"", "", "", ""}, func(s *State) { s.Stacks[Fort], s.Round = 0, 6 })
	sc.legal("sail=merchant_ship sail=settlement sail=pirate_port sail=treasure_island")
}

func TestEachCardLeftInTheDeckIsAsLikely(t *testing.T) {
	enginetest.Clause(t, "HAND-6")
	sc := given(t, PhasePunishment, []string{"stowaways", "", "", ""}, allDiscarded("any any any cook")).do("0 use=stowaways").legal("crew=any crew=cook")
	check(t, "probability", sc.m.Outcomes(nil)[0].Prob, 0.75)
	sc.do("crew=cook").legal("crew=any") // one at a time: the first has left the deck
}
