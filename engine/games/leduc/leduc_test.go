package leduc_test

import (
	"errors"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/games/leduc"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

const explicit = "leduc(chance=explicit)"

func TestConformance(t *testing.T) {
	enginetest.Flat[leduc.State](t)
	enginetest.Run(t, "leduc", enginetest.Options{Seeds: 40, Conserve: conserve})
}

// conserve: no more than two cards of a rank; chips follow from the raises.
func conserve(m engine.Match) error {
	s := engine.State[leduc.State](m)
	var held [4]int
	for _, card := range []uint8{s.Hands[0], s.Hands[1], s.Public} {
		if held[card]++; card != leduc.None && held[card] > 2 {
			return errors.New("three cards of a rank")
		}
	}
	top := uint8(1)
	for round, list := range s.History {
		for _, a := range list {
			if a == uint8(leduc.Raise)+1 {
				top += uint8(2 + 2*round)
			}
		}
	}
	if max(s.Paid[0], s.Paid[1]) != top {
		return errors.New("the raises are not what has been paid")
	}
	return nil
}

func TestEveryClauseIsNamed(t *testing.T) {
	rules, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Clauses(t, string(rules), ".")
}

func TestPlaythroughs(t *testing.T) {
	for name, game := range map[string]string{"sampled": "leduc", "explicit": explicit} {
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 4), "generator")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}

func wantLegal(t *testing.T, m engine.Match, want ...string) {
	t.Helper()
	if got := enginetest.Legal(m); !slices.Equal(got, want) {
		t.Errorf("%s: may happen: %v, want %v", m.Decision(), got, want)
	}
}

func wantSeat(t *testing.T, m engine.Match, want int) {
	t.Helper()
	if m.Seat() != want {
		t.Errorf("%s is to act, want %s", engine.SeatName(m.Seat()), engine.SeatName(want))
	}
}

func wantChips(t *testing.T, m engine.Match, want float64) {
	t.Helper()
	wantSeat(t, m, engine.Over)
	if got := enginetest.Chips(m); got[0] != want || got[1] != -want {
		t.Errorf("chips won: %v, want %v by seat 0", got, want)
	}
}

func wantView(t *testing.T, m engine.Match, seat int, want string) {
	t.Helper()
	got, err := m.Position(seat)
	if err != nil {
		t.Fatal(err)
	}
	if diff, err := engine.Changes([]byte(want), got, "rounds"); err != nil || len(diff) > 0 {
		t.Errorf("seat %d sees something other than %s: %v %v", seat, want, diff, err)
	}
}

func TestDealIsUniformOverTheCardsLeft(t *testing.T) {
	enginetest.Clause(t, "SET-1", "SET-3")
	m := enginetest.At(t, explicit, `{}`)
	probs := func(want ...float64) {
		t.Helper()
		var got []float64
		for _, o := range m.Outcomes(nil) {
			got = append(got, o.Prob)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: probabilities %v, want %v", m.Decision(), got, want)
		}
	}
	wantLegal(t, m, "deal=J", "deal=Q", "deal=K")
	probs(1/3., 1/3., 1/3.)
	enginetest.Do(t, m, "deal=Q")
	probs(2/5., 1/5., 2/5.)
	enginetest.Do(t, m, "deal=Q")
	wantSeat(t, m, 0)
}

func TestPublicCardIsTurnedUpBetweenTheRounds(t *testing.T) {
	enginetest.Clause(t, "BET-7")
	m := enginetest.At(t, explicit, `{"hands":["Q","Q"],"rounds":[["call"]]}`)
	enginetest.Do(t, m, "call")
	wantSeat(t, m, engine.Chance)
	wantLegal(t, m, "public=J", "public=K")
	for _, o := range m.Outcomes(nil) {
		if o.Prob != .5 {
			t.Errorf("%s has the probability %v", m.Info().ActionName(o.Action), o.Prob)
		}
	}
	enginetest.Do(t, m, "public=K")
	wantSeat(t, m, 0)
	wantView(t, m, 1, `{"hands":["?","Q"],"public":"K"}`)
}

func TestOnlyTheOwnerSeesACard(t *testing.T) {
	enginetest.Clause(t, "SET-3")
	m := enginetest.At(t, explicit, `{"hands":["J","K"]}`)
	wantView(t, m, 0, `{"hands":["J","?"],"public":"-"}`)
	wantView(t, m, 1, `{"hands":["?","K"],"public":"-"}`)
}

func TestSeat0ActsFirstInBothRounds(t *testing.T) {
	enginetest.Clause(t, "BET-1", "BET-6")
	m := enginetest.At(t, explicit, `{"hands":["J","K"]}`)
	wantSeat(t, m, 0)
	enginetest.Do(t, m, "call") // a check does not end the round
	wantSeat(t, m, 1)
	enginetest.Do(t, m, "raise")
	wantSeat(t, m, 0)
	enginetest.Do(t, m, "call; public=Q")
	wantSeat(t, m, 0)
	enginetest.Do(t, m, "raise")
	wantSeat(t, m, 1)
	enginetest.Do(t, m, "call")
	wantSeat(t, m, engine.Over)
}

func TestRaisesAreTwoThenFour(t *testing.T) {
	enginetest.Clause(t, "SET-2", "BET-2", "BET-3")
	m := enginetest.At(t, explicit, `{"hands":["J","K"]}`)
	paid := func(a, b uint8) {
		t.Helper()
		if got := engine.State[leduc.State](m).Paid; got != [2]uint8{a, b} {
			t.Errorf("paid %v, want %d and %d", got, a, b)
		}
	}
	paid(1, 1)
	enginetest.Do(t, m, "call")
	paid(1, 1)
	enginetest.Do(t, m, "raise")
	paid(1, 3)
	enginetest.Do(t, m, "raise")
	paid(5, 3)
	enginetest.Do(t, m, "call; public=Q; raise")
	paid(9, 5)
	enginetest.Do(t, m, "raise")
	paid(9, 13)
	enginetest.Do(t, m, "call")
	paid(13, 13)
}

func TestARoundHasTwoRaisesAtMost(t *testing.T) {
	enginetest.Clause(t, "BET-4")
	m := enginetest.At(t, explicit, `{"hands":["J","K"],"rounds":[["raise","raise"]]}`)
	wantLegal(t, m, "fold", "call")
	enginetest.Do(t, m, "call; public=Q; raise")
	wantLegal(t, m, "fold", "call", "raise")
	enginetest.Do(t, m, "raise")
	wantLegal(t, m, "fold", "call")
}

func TestFoldingNeedsSomethingToPay(t *testing.T) {
	enginetest.Clause(t, "BET-5", "PAY-1")
	m := enginetest.At(t, explicit, `{"hands":["K","J"]}`)
	wantLegal(t, m, "call", "raise")
	enginetest.Do(t, m, "call")
	wantLegal(t, m, "call", "raise")
	enginetest.Do(t, m, "raise")
	wantLegal(t, m, "fold", "call", "raise")
	enginetest.Do(t, m, "fold")
	wantChips(t, m, -1)
	wantChips(t, enginetest.At(t, explicit, `{"hands":["K","J"],"public":"J","rounds":[["raise","call"],["raise","fold"]]}`), 3)
}

func TestPairThenHighCardWins(t *testing.T) {
	enginetest.Clause(t, "PAY-2", "PAY-3")
	for _, c := range []struct {
		cards string
		chips float64
	}{
		{`"hands":["J","K"],"public":"J"`, 5},
		{`"hands":["K","J"],"public":"J"`, -5},
		{`"hands":["Q","K"],"public":"J"`, -5},
		{`"hands":["Q","J"],"public":"K"`, 5},
		{`"hands":["Q","Q"],"public":"K"`, 0},
	} {
		m := enginetest.At(t, explicit, `{`+c.cards+`,"rounds":[["call","call"],["raise","call"]]}`)
		wantChips(t, m, c.chips)
	}
	m := enginetest.At(t, explicit, `{"hands":["K","Q"],"public":"J","rounds":[["raise","raise","call"],["raise","raise","call"]]}`)
	wantChips(t, m, 13)
	returns := make([]float32, 2)
	if m.Returns(returns); returns[0] != 1 || returns[1] != -1 {
		t.Errorf("the most that can be won is a return of %v", returns)
	}
}

func TestCardsAreShownAtShowdownOnly(t *testing.T) {
	enginetest.Clause(t, "PAY-2", "PAY-4")
	m := enginetest.At(t, explicit, `{"hands":["K","Q"],"public":"J","rounds":[["call","call"],["call","call"]]}`)
	wantView(t, m, 0, `{"hands":["K","Q"],"public":"J"}`)
	m = enginetest.At(t, explicit, `{"hands":["K","Q"],"public":"J","rounds":[["call","call"],["raise","fold"]]}`)
	wantView(t, m, 0, `{"hands":["K","?"],"public":"J"}`)
}

func TestRedealFollowsTheCardsLeft(t *testing.T) {
	enginetest.Clause(t, "SET-1", "SET-3")
	at := enginetest.At(t, explicit, `{"hands":["K","Q"],"public":"K","rounds":[["call","call"]]}`)
	m := enginetest.At(t, explicit, `{}`)
	r := engine.NewRand(1)
	var came [4]int
	for range 3000 {
		m.CopyFrom(at)
		m.Redeal(0, &r) // sees both K: J or Q, two each
		came[engine.State[leduc.State](m).Hands[1]]++
	}
	if came[1]+came[2] != 3000 || came[1] < 1350 || came[1] > 1650 {
		t.Errorf("redealt %v times each of -, J, Q, K: want half J, half Q", came)
	}
	came = [4]int{}
	for range 3000 {
		m.CopyFrom(at)
		m.Redeal(1, &r) // sees Q and K: one Q, one K, two J
		came[engine.State[leduc.State](m).Hands[0]]++
	}
	if came[1] < 1350 || came[1] > 1650 || came[2] < 630 || came[2] > 870 {
		t.Errorf("redealt %v times each of -, J, Q, K: want them as 2 : 1 : 1", came)
	}
}

func TestPositionsMayLeaveOutWhatASetUpHas(t *testing.T) {
	m := enginetest.At(t, explicit, `{"public":"K","hands":["K","-"],"rounds":[["call","call"]]}`)
	wantLegal(t, m, "deal=J", "deal=Q")
	enginetest.Do(t, m, "deal=Q; call; call")
	wantChips(t, m, 1)
	wantSeat(t, enginetest.At(t, "leduc", `{"rounds":[["raise","call"],["call"]]}`), 1)
}

func TestPositionsThatCannotBeAreRefusedByName(t *testing.T) {
	for position, naming := range map[string]string{
		`{"hands":["K","K"],"public":"K","rounds":[["call","call"]]}`: "public: a third K",
		`{"hands":["K"]}`:                              "1 cards for 2 seats",
		`{"hands":["A","K"]}`:                          `hands[0]: unknown name "A"`,
		`{"hands":["?","K"]}`:                          "hands[0]: \"?\" is only for a seat's view",
		`{"public":"K"}`:                               "public: the card is turned up after round 1",
		`{"rounds":[["bet"]]}`:                         `rounds[0][0]: unknown name "bet"`,
		`{"rounds":[["fold"]]}`:                        "rounds[0][0]: fold is illegal there: there is nothing to pay",
		`{"rounds":[["raise","raise","raise"]]}`:       "rounds[0][2]: raise is illegal there: the round has had its 2 raises",
		`{"rounds":[["call","call","call"]]}`:          "rounds[0][2]: the action before it ended round 1",
		`{"rounds":[["call"],["call"]]}`:               "rounds[1][0]: round 1 is not over",
		`{"rounds":[["raise","fold"],["call"]]}`:       "rounds[1][0]: the betting is over before it",
		`{"rounds":[[],[],[]]}`:                        "rounds: 3 entries: want at most 2",
		`{"paid":[1,1]}`:                               `paid: unknown field`,
		`{"generator":{"key":-1}}`:                     "generator.key",
		`{"generator":{"key":1,"counter":2,"seed":3}}`: `generator.seed: unknown field`,
		`[]`: "not the JSON of a position",
	} {
		enginetest.SetPositionRefuses(t, "leduc", position, naming)
	}
}
