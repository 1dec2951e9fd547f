package liarsdice_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/games/liarsdice"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

const explicit = "liars_dice(chance=explicit)"

func TestConformance(t *testing.T) {
	enginetest.Flat[liarsdice.State](t)
	for _, game := range []string{"liars_dice(faces=3)", "liars_dice", "liars_dice(seats=3,dice=2,bidding=reset_quantity)", "liars_dice(seats=6,dice=5)"} {
		t.Run(game, func(t *testing.T) { enginetest.Run(t, game, enginetest.Options{Seeds: 10, Conserve: conserve}) })
	}
}

// conserve: dice are sorted, of faces that there are, and no seat rolls before those that precede it.
func conserve(m engine.Match) error {
	s := engine.State[liarsdice.State](m)
	r, _ := engine.RulesOf[liarsdice.State, *liarsdice.Rules](m)
	for seat, dice := range s.Dice {
		for i, face := range dice {
			switch outside := seat >= r.Seats || i >= r.Dice; {
			case outside && face != 0 || int(face) > r.Faces:
				return fmt.Errorf("seat %d has a die %d in place %d", seat, face, i)
			case i > 0 && face != 0 && face < dice[i-1], i > 0 && face != 0 && dice[i-1] == 0:
				return fmt.Errorf("the dice of seat %d are %v", seat, dice)
			case seat > 0 && face != 0 && s.Dice[seat-1][r.Dice-1] == 0:
				return fmt.Errorf("seat %d has rolled before seat %d", seat, seat-1)
			}
		}
	}
	bids := r.History(s, nil)
	if unrolled := s.Dice[r.Seats-1][r.Dice-1] == 0; unrolled && (len(bids) > 0 || s.Called != 0) || s.Called != 0 && len(bids) == 0 {
		return errors.New("somebody has acted too early")
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
	for name, game := range map[string]string{"two": explicit, "three": "liars_dice(seats=3,dice=2,bidding=reset_quantity)"} {
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 5), "generator")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}

func wantReturns(t *testing.T, m engine.Match, want ...float32) {
	t.Helper()
	got := make([]float32, m.Info().Seats)
	if m.Returns(got); m.Seat() != engine.Over || !slices.Equal(got, want) {
		t.Errorf("%s: returns %v, want %v", m.Decision(), got, want)
	}
}

func TestEachSeatRollsItsDiceInSecret(t *testing.T) {
	enginetest.Clause(t, "SET-1", "SET-2")
	m := enginetest.At(t, "liars_dice(seats=3,dice=2,faces=4,chance=explicit)", `{}`)
	for k := range 6 {
		outcomes := m.Outcomes(nil)
		if m.Seat() != engine.Chance || len(outcomes) != 4 || outcomes[0].Prob != .25 || m.Decision() != fmt.Sprintf("seat %d rolls a die", k/2) {
			t.Fatalf("die %d: %s, %v", k, m.Decision(), outcomes)
		}
		enginetest.Do(t, m, fmt.Sprintf("roll=%d", 4-k%3))
	}
	// 4 3, 2 4, 3 2: in whatever order they were rolled.
	same := enginetest.At(t, "liars_dice(seats=3,dice=2,faces=4,chance=explicit)", `{"dice":[["3","4"],["4","2"],["2","3"]]}`)
	for view := -1; view < 3; view++ {
		a, _ := m.Position(view)
		b, _ := same.Position(view)
		if diff, err := engine.Changes(a, b, "generator"); err != nil || len(diff) > 0 {
			t.Errorf("view %d: %v %v", view, diff, err)
		}
	}
	p, err := m.Position(1)
	if err != nil {
		t.Fatal(err)
	}
	if diff, err := engine.Changes([]byte(`{"dice":[["?","?"],["2","4"],["?","?"]],"bids":[],"called":false}`), p); err != nil || len(diff) > 0 {
		t.Errorf("seat 1 sees %s: %v %v", p, diff, err)
	}
}

func TestTheTurnGoesRound(t *testing.T) {
	enginetest.Clause(t, "BID-1", "BID-2")
	m := enginetest.At(t, "liars_dice(seats=3,chance=explicit)", `{"dice":[["1"],["2"],["3"]]}`)
	legal := enginetest.Legal(m)
	if len(legal) != 18 || legal[0] != "bid=1x1" || legal[17] != "bid=3x6" || m.Seat() != 0 {
		t.Errorf("%s: %v", m.Decision(), legal)
	}
	for seat, bid := range []string{"bid=1x2", "bid=1x5", "bid=2x1", "bid=3x3"} {
		if m.Seat() != seat%3 {
			t.Errorf("%s", m.Decision())
		}
		enginetest.Do(t, m, bid)
	}
}

func TestABidIsHigherThanTheOneBefore(t *testing.T) {
	for _, c := range []struct{ clause, bidding, bids, want string }{
		{"BID-3", "reset_face", `["1x2"]`, "[bid=1x3 bid=2x1 bid=2x2 bid=2x3 liar]"},
		{"BID-4", "reset_quantity", `["1x2"]`, "[bid=1x3 bid=2x2 bid=2x3 liar]"},
		{"BID-4", "reset_quantity", `["2x2"]`, "[bid=1x3 bid=2x3 liar]"},
		{"BID-3", "reset_face", `["1x3"]`, "[bid=2x1 bid=2x2 bid=2x3 liar]"},
	} {
		enginetest.Clause(t, "BID-3", "BID-4")
		m := enginetest.At(t, "liars_dice(faces=3,chance=explicit,bidding="+c.bidding+")", `{"dice":[["1"],["2"]],"bids":`+c.bids+`}`)
		if got := fmt.Sprint(enginetest.Legal(m)); got != c.want {
			t.Errorf("%s, after %s: %s, want %s", c.bidding, c.bids, got, c.want)
		}
	}
}

func TestTheCallEndsTheMatch(t *testing.T) {
	enginetest.Clause(t, "BID-5", "PAY-1")
	m := enginetest.At(t, "liars_dice(chance=explicit,forced=show)", `{"dice":[["1"],["2"]]}`)
	if slices.Contains(enginetest.Legal(m), "liar") {
		t.Error("there is no bid to be called")
	}
	enginetest.Do(t, m, "bid=2x6")
	if got := enginetest.Legal(m); !slices.Equal(got, []string{"liar"}) {
		t.Errorf("after the highest bid: %v", got)
	}
	enginetest.Do(t, m, "liar")
	p, err := m.Position(0)
	if err != nil {
		t.Fatal(err)
	}
	if diff, err := engine.Changes([]byte(`{"dice":[["1"],["2"]],"bids":["2x6"],"called":true}`), p); err != nil || len(diff) > 0 {
		t.Errorf("seat 0 sees %s: %v %v", p, diff, err)
	}
	wantReturns(t, m, -1, 1)
}

func TestTheHighestFaceIsWild(t *testing.T) {
	enginetest.Clause(t, "PAY-1", "PAY-2", "PAY-3")
	for _, c := range []struct {
		game, position string
		want           []float32
	}{
		{"liars_dice", `{"dice":[["2"],["3"]],"bids":["1x3"],"called":true}`, []float32{1, -1}},
		{"liars_dice", `{"dice":[["2"],["4"]],"bids":["1x3"],"called":true}`, []float32{-1, 1}},
		{"liars_dice", `{"dice":[["2"],["6"]],"bids":["1x3"],"called":true}`, []float32{1, -1}},
		{"liars_dice(faces=5)", `{"dice":[["5"],["5"]],"bids":["1x1","2x3"],"called":true}`, []float32{-1, 1}},
		{"liars_dice", `{"dice":[["5"],["5"]],"bids":["2x6"],"called":true}`, []float32{-1, 1}}, // only the wild count for the wild
		{"liars_dice(seats=4,dice=2)", `{"dice":[["1","2"],["2","6"],["2","3"],["4","4"]],"bids":["2x2","4x2"],"called":true}`, []float32{0, 1, -1, 0}},
		{"liars_dice(seats=4,dice=2)", `{"dice":[["1","2"],["2","6"],["2","3"],["4","4"]],"bids":["2x2","4x2","5x2"],"called":true}`, []float32{0, 0, -1, 1}},
	} {
		wantReturns(t, enginetest.At(t, c.game, c.position), c.want...)
	}
}

func TestBidsHoldByTheBinomialDistribution(t *testing.T) {
	m := enginetest.At(t, "liars_dice(seats=3,dice=2)", `{}`)
	r, _ := engine.RulesOf[liarsdice.State, *liarsdice.Rules](m)
	for needed, want := range []float64{1, 1 - math.Pow(2./3, 4), 1 - math.Pow(2./3, 4) - 4*math.Pow(2./3, 3)/3} {
		if got := r.Holds(needed, 2); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d of others: %v, want %v", needed, got, want)
		}
	}
	if got := r.Holds(4, 6); math.Abs(got-math.Pow(6, -4)) > 1e-12 || r.Holds(5, 6) != 0 || r.Holds(-1, 6) != 1 {
		t.Errorf("four wild dice: %v", got)
	}
}

func TestPositionsThatCannotBeAreRefusedByName(t *testing.T) {
	for position, naming := range map[string]string{
		`{"dice":[["1"]]}`:                                  "dice of 1 seats: want those of 2",
		`{"dice":[["1","2"],["3"]]}`:                        "2 dice: want 1",
		`{"dice":[["7"],["3"]]}`:                            `unknown name "7"`,
		`{"dice":[["?"],["3"]]}`:                            `"?" is only for a seat's view`,
		`{"dice":[["-"],["3"]]}`:                            "seat 1 rolls before seat 0",
		`{"bids":["1x2"]}`:                                  "seat 0 has not rolled its dice: nobody bids before",
		`{"dice":[["1"],["3"]],"bids":["1x2","1x2"]}`:       "1x2 is not higher than 1x2",
		`{"dice":[["1"],["3"]],"bids":["3x2"]}`:             `unknown name "3x2"`,
		`{"dice":[["1"],["3"]],"called":true}`:              "there is no bid that could be called",
		`{"dice":[["1"],["3"]],"bids":["1x2"],"liar":true}`: "liar: unknown field",
	} {
		enginetest.SetPositionRefuses(t, "liars_dice", position, naming)
	}
}
