package kuhn_test

import (
	"errors"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/games/kuhn"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

const (
	two   = "kuhn(chance=explicit)"
	three = "kuhn(seats=3,chance=explicit)"
)

func TestConformance(t *testing.T) {
	enginetest.Flat[kuhn.State](t)
	for _, game := range []string{"kuhn", "kuhn(seats=3)"} {
		t.Run(game, func(t *testing.T) {
			enginetest.Run(t, game, enginetest.Options{Seeds: 25, Conserve: cardsAreDistinct})
		})
	}
}

func cardsAreDistinct(m engine.Match) error {
	s := engine.State[kuhn.State](m)
	var held [5]bool
	for _, card := range s.Hands {
		if card != kuhn.None && held[card] {
			return errors.New("a card is in two hands")
		}
		held[card] = true
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
	for name, game := range map[string]string{"two": "kuhn", "three": three} {
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 5), "generator")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}

func fresh(t *testing.T, game string) engine.Match {
	t.Helper()
	return enginetest.At(t, game, `{}`)
}

func wantChips(t *testing.T, m engine.Match, want ...float64) {
	t.Helper()
	if m.Seat() != engine.Over {
		t.Fatalf("the match is not over: %s", m.Decision())
	}
	if got := enginetest.Chips(m); !slices.Equal(got, want) {
		t.Errorf("chips won: %v, want %v", got, want)
	}
}

func TestDeckHasOneCardMoreThanSeats(t *testing.T) {
	enginetest.Clause(t, "SET-1")
	for game, want := range map[string][]string{
		two:   {"deal=J", "deal=Q", "deal=K"},
		three: {"deal=J", "deal=Q", "deal=K", "deal=A"},
	} {
		if got := enginetest.Legal(fresh(t, game)); !slices.Equal(got, want) {
			t.Errorf("%s deals the first card from %v, want %v", game, got, want)
		}
	}
	for _, seats := range []string{"1", "4", "two"} {
		if _, err := engine.NewGame("kuhn(seats=" + seats + ")"); err == nil {
			t.Errorf("a game of %s seats is made", seats)
		}
	}
}

func TestDealIsUniformOverTheCardsLeft(t *testing.T) {
	enginetest.Clause(t, "SET-3")
	m := fresh(t, three)
	for seat, card := range []string{"deal=Q", "deal=A", "deal=J"} {
		if want := []string{"a card is dealt to seat 0", "a card is dealt to seat 1", "a card is dealt to seat 2"}[seat]; m.Decision() != want {
			t.Errorf("card %d: %s", seat, m.Decision())
		}
		outcomes := m.Outcomes(nil)
		for _, o := range outcomes {
			if len(outcomes) != 4-seat || o.Prob != 1/float64(4-seat) {
				t.Errorf("card %d: outcomes %v, want %d alike", seat, outcomes, 4-seat)
			}
		}
		enginetest.Do(t, m, card)
	}
	if m.Seat() != 0 {
		t.Errorf("%s acts after the deal, want seat 0", engine.SeatName(m.Seat()))
	}
}

func TestOnlyTheOwnerSeesACard(t *testing.T) {
	enginetest.Clause(t, "SET-3")
	m := enginetest.At(t, three, `{"hands":["K","A","J"]}`)
	for seat, want := range []string{`{"hands":["K","?","?"],"history":[]}`, `{"hands":["?","A","?"],"history":[]}`, `{"hands":["?","?","J"],"history":[]}`} {
		wantView(t, m, seat, want)
	}
}

func wantView(t *testing.T, m engine.Match, seat int, want string) {
	t.Helper()
	got, err := m.Position(seat)
	if err != nil {
		t.Fatal(err)
	}
	if diff, err := engine.Changes([]byte(want), got); err != nil || len(diff) > 0 {
		t.Errorf("seat %d sees something other than %s: %v %v", seat, want, diff, err)
	}
}

func TestSeatsActInTurnUntilAllHavePassed(t *testing.T) {
	enginetest.Clause(t, "BET-1", "BET-4", "PAY-1", "SET-2")
	m := enginetest.At(t, three, `{"hands":["K","A","J"]}`)
	for seat := range 3 {
		if m.Seat() != seat {
			t.Fatalf("%s is to act, want seat %d", engine.SeatName(m.Seat()), seat)
		}
		enginetest.Do(t, m, "pass")
	}
	wantChips(t, m, -1, 2, -1)

	m = enginetest.At(t, two, `{"hands":["K","Q"],"history":["pass","pass"]}`)
	wantChips(t, m, 1, -1)
}

func TestSeatMayPassOrBet(t *testing.T) {
	enginetest.Clause(t, "BET-2", "BET-3")
	for _, history := range []string{`[]`, `["pass"]`, `["bet"]`, `["pass","bet"]`} {
		m := enginetest.At(t, two, `{"hands":["K","Q"],"history":`+history+`}`)
		if got := enginetest.Legal(m); !slices.Equal(got, []string{"pass", "bet"}) {
			t.Errorf("after %s the legal actions are %v", history, got)
		}
	}
}

func TestEachOtherSeatAnswersABetOnce(t *testing.T) {
	enginetest.Clause(t, "BET-1", "BET-3", "BET-4")
	m := enginetest.At(t, three, `{"hands":["K","A","J"]}`)
	enginetest.Do(t, m, "pass; bet")
	for _, seat := range []int{2, 0} {
		if m.Seat() != seat {
			t.Fatalf("%s answers the bet of seat 1, want seat %d", engine.SeatName(m.Seat()), seat)
		}
		enginetest.Do(t, m, "bet")
	}
	wantChips(t, m, -2, 4, -2)
}

func TestHighestCardInWinsAfterABet(t *testing.T) {
	enginetest.Clause(t, "PAY-2", "PAY-3")
	for _, c := range []struct {
		game, position string
		chips          []float64
	}{
		{two, `{"hands":["J","K"],"history":["bet","pass"]}`, []float64{1, -1}},
		{two, `{"hands":["J","K"],"history":["bet","bet"]}`, []float64{-2, 2}},
		{two, `{"hands":["Q","J"],"history":["pass","bet","pass"]}`, []float64{-1, 1}},
		{two, `{"hands":["Q","J"],"history":["pass","bet","bet"]}`, []float64{2, -2}},
		{three, `{"hands":["A","J","Q"],"history":["pass","bet","bet","pass"]}`, []float64{-1, -2, 3}},
		{three, `{"hands":["A","J","Q"],"history":["pass","pass","bet","pass","pass"]}`, []float64{-1, -1, 2}},
		{three, `{"hands":["K","A","Q"],"history":["bet","pass","bet"]}`, []float64{3, -1, -2}},
	} {
		wantChips(t, enginetest.At(t, c.game, c.position), c.chips...)
	}
	for game, scale := range map[string]float64{two: 2, three: 4} {
		if got := fresh(t, game).Info().ReturnScale; got != scale {
			t.Errorf("%s: returns are scaled by %v, want %v", game, got, scale)
		}
	}
}

func TestShowdownShowsCardsOfThoseInOnly(t *testing.T) {
	enginetest.Clause(t, "PAY-4")
	m := enginetest.At(t, three, `{"hands":["K","A","J"],"history":["bet","pass","bet"]}`)
	wantView(t, m, 2, `{"hands":["K","?","J"],"history":["bet","pass","bet"]}`)
	m = enginetest.At(t, three, `{"hands":["K","A","J"],"history":["bet","pass","pass"]}`)
	wantView(t, m, 2, `{"hands":["?","?","J"],"history":["bet","pass","pass"]}`)
	m = enginetest.At(t, two, `{"hands":["K","J"],"history":["pass","pass"]}`)
	wantView(t, m, 1, `{"hands":["K","J"],"history":["pass","pass"]}`)
}

func TestRedealIsUniformOverWhatASeatCannotKnow(t *testing.T) {
	enginetest.Clause(t, "SET-3")
	at := enginetest.At(t, three, `{"hands":["K","A","J"],"history":["bet","pass","bet"]}`)
	m := enginetest.At(t, three, `{}`)
	r := engine.NewRand(1)
	const draws = 3000
	var came [5]int
	for range draws {
		m.CopyFrom(at)
		m.Redeal(2, &r) // sees K and J: seat 1 has folded Q or A
		came[engine.State[kuhn.State](m).Hands[1]]++
	}
	if q, a := came[2], came[4]; q+a != draws || q < 1350 || q > 1650 {
		t.Errorf("seat 1 is redealt %v times each of -, J, Q, K, A: want half Q, half A", came)
	}
}

func TestPositionsMayLeaveOutWhatASetUpHas(t *testing.T) {
	m := enginetest.At(t, two, `{"hands":["-","K"],"history":["bet"]}`)
	if got := enginetest.Legal(m); !slices.Equal(got, []string{"deal=J", "deal=Q"}) {
		t.Errorf("the card left out is dealt from %v", got)
	}
	enginetest.Do(t, m, "deal=Q; pass")
	wantChips(t, m, 1, -1)
	if m := enginetest.At(t, "kuhn", `{"history":["pass"]}`); m.Seat() != 1 {
		t.Errorf("%s is to act after one pass", engine.SeatName(m.Seat()))
	}
}

func TestPositionsThatCannotBeAreRefusedByName(t *testing.T) {
	for position, naming := range map[string]string{
		`{"hands":["K","K"]}`:                    "hands[1]: K is in another hand",
		`{"hands":["K"]}`:                        "1 cards for 2 seats",
		`{"hands":["K","A"]}`:                    `hands[1]: unknown name "A": want one of -, J, Q, K`,
		`{"hands":["K","?"]}`:                    "seat's view",
		`{"history":["raise"]}`:                  `history[0]: unknown name "raise"`,
		`{"history":["pass","pass","bet"]}`:      "history[2]: the betting is over",
		`{"hand":["K","Q"]}`:                     `hand: unknown field: did you mean hands?`,
		`{"history":["bet","bet","bet","pass"]}`: "history[2]: the betting is over",
		`{} {}`:                                  "text after",
		`{"ha`:                                   "ends too early",
	} {
		enginetest.SetPositionRefuses(t, "kuhn", position, naming)
	}
}
