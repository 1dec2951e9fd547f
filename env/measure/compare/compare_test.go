package compare

import (
	"context"
	"encoding/json"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// fixed is a player of Kuhn poker that always bets, or always passes.
type fixed struct{ action engine.Action }

func (fixed) Name() string                                       { return "fixed" }
func (b fixed) Act(_ engine.Match, _ *engine.Rand) engine.Action { return b.action }

func player(name string, b bots.Bot) match.Player {
	return match.Player{Name: name, Bot: func(engine.Game) (bots.Bot, error) { return b, nil }}
}

var always1, always0 = player("bets", fixed{1}), player("passes", fixed{0})

func TestMixedSeatingsAreEvenInEverySeat(t *testing.T) {
	for n := 2; n <= 10; n++ {
		for deal := range uint64(5) {
			ways := mixed(n, engine.NewRand(deal))
			if len(ways) > 20 {
				t.Errorf("%d seats: %d ways", n, len(ways))
			}
			bySeat, known := make([]int, n), map[sides]bool{}
			for _, s := range ways {
				if k := bits.OnesCount32(uint32(s)); k != n/2 && k != n-n/2 || s>>n != 0 || known[s] {
					t.Errorf("%d seats: %b, of %b", n, s, ways)
				}
				known[s] = true
				for seat := range n {
					if s.has(seat) {
						bySeat[seat]++
					}
				}
			}
			for _, count := range bySeat {
				if 2*count != len(ways) {
					t.Errorf("%d seats: A has them %v times of %d", n, bySeat, len(ways))
				}
			}
		}
	}
	if want := []sides{0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100}; !reflect.DeepEqual(mixed(4, engine.NewRand(1)), want) {
		t.Errorf("four seats: %b", mixed(4, engine.NewRand(1)))
	}
}

func compare(t *testing.T, a, b match.Player, cfg Config) Comparison {
	t.Helper()
	c, err := Compare(context.Background(), a, b, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAPlayerAgainstItselfIsEqualInEveryDeal(t *testing.T) {
	for game, matches := range map[string]int{"kuhn": 200, "kuhn(seats=3)": 200, "leduc": 200, "doubloons(seats=4)": 12, "jolly_roger(seats=7)": 20} {
		c := compare(t, match.Named("random"), match.Named("random"), Config{Game: game, Matches: matches, Seed: 4})
		for _, s := range []*Standing{&c.One, &c.Other, &c.Mixed} {
			if s.Duplicate > 100 {
				t.Errorf("%s: a match of deals that all come out the same says as much as %v others", game, s.Duplicate)
			}
		}
		if c.Mixed.Wins.Mean != .5 || math.Abs(c.Mixed.Margin.Mean) > 1e-9 || c.Verdict.Stronger != "" || c.Verdict.Sure {
			t.Errorf("%s: %+v", game, c)
		}
		if w := c.One.Wins; math.Abs(w.Mean-c.EqualShare) > 1e-9 || c.Directions.Mean != 0 {
			t.Errorf("%s: alone %v, directions %v; want the equal share %v and 0, as every seat is played", game, w, c.Directions, c.EqualShare)
		}
	}
}

func TestTheStrongerPlayerIsNamed(t *testing.T) {
	for _, game := range []string{"doubloons(seats=3)", "jolly_roger(seats=5)"} {
		c := compare(t, match.Named("random"), match.Named("heuristic"), Config{Game: game, Matches: 80, Seed: 1})
		if v := c.Verdict; v.Stronger != "heuristic" || !v.Sure || !strings.Contains(v.Text, "heuristic is stronger than random") {
			t.Errorf("%s: %+v", game, v)
		}
		if c.One.Wins.Mean > c.EqualShare || c.Other.Wins.Mean < c.EqualShare || c.Mixed.Margin.Mean > 0 || c.Directions.High > 0 {
			t.Errorf("%s: %+v", game, c)
		}
		if c.CostA.Decisions == 0 || c.CostB.Decisions == 0 || c.CostA.Timed == 0 || c.CostA.Timed > c.CostA.Decisions {
			t.Errorf("%s: costs %+v and %+v", game, c.CostA, c.CostB)
		}
	}
}

// As TestReturnIsTheValueThatCanBeWorkedOut has it, who always bets against the random bot wins 3/8 chips a match, so that it
// leads by 3/4.
func TestMarginIsTheValueThatCanBeWorkedOut(t *testing.T) {
	c := compare(t, always1, match.Named("random"), Config{Game: "kuhn", Matches: 10000, Seed: 3})
	for _, s := range []Standing{c.One, c.Mixed} {
		if s.Margin.Low > .75 || s.Margin.High < .75 || s.Matches != 10000 || s.Deals != 5000 {
			t.Errorf("%+v; want a margin of 0.75", s)
		}
	}
	if c.Other.Margin.Mean != -c.One.Margin.Mean {
		t.Errorf("with two seats both directions are the same matches: %v and %v", c.One.Margin, c.Other.Margin)
	}
}

func TestAComparisonIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	var first []byte
	for _, workers := range []int{1, 2, 7} {
		c := compare(t, match.Named("random"), always0, Config{Game: "kuhn(seats=3)", Matches: 600, Seed: 5, Workers: workers})
		c.CostA.Micros, c.CostB.Micros, c.CostA.Timed, c.CostB.Timed = 0, 0, 0, 0
		got, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if string(got) != string(first) {
			t.Errorf("%d workers: %s; want %s", workers, got, first)
		}
	}
}

func TestWhatTheVerdictRestsOn(t *testing.T) {
	at := func(mean, half float64) measure.Estimate {
		return measure.Estimate{Mean: mean, Low: mean - half, High: mean + half}
	}
	for _, c := range []struct {
		mixed, directions measure.Estimate
		stronger          string
		sure              bool
		says              string
	}{
		{at(.6, .05), at(.2, .1), "a", true, "a is stronger than b, that is sure"},
		{at(.6, .05), at(-.02, .1), "a", true, "sure"},
		{at(.6, .05), at(-.2, .1), "", false, "no verdict: mixed tables are a's, but a lone player does better against a"},
		{at(.4, .05), at(-.2, .1), "b", true, "b is stronger than a"},
		{at(.4, .05), at(.2, .1), "", false, "mixed tables are b's"},
		{at(.52, .05), at(.2, .1), "a", false, "a may be stronger than b, that is not sure"},
		{at(.5, .05), at(0, .1), "", false, "neither"},
	} {
		v := (&Comparison{A: "a", B: "b", Seats: 4, Mixed: Standing{Deals: 100, Matches: 600, Wins: c.mixed}, Directions: c.directions}).verdict(.2)
		if v.Stronger != c.stronger || v.Sure != c.sure || !strings.Contains(v.Text, c.says) {
			t.Errorf("mixed %v, directions %v: %+v", c.mixed, c.directions, v)
		}
	}
	// Deals of deviation 0.2, six matches each: ±0.02 takes (1.96 · 0.2 / 0.02)² = 384.16 of them.
	v := (&Comparison{A: "a", B: "b", Seats: 4, Mixed: Standing{Deals: 100, Matches: 600, Wins: at(.51, .1)}}).verdict(.2)
	if !strings.Contains(v.Text, "about 2310 matches") {
		t.Errorf("%s", v.Text)
	}
	// One deal, or deals that all came out the same, tell nothing of that.
	v = (&Comparison{A: "a", B: "b", Seats: 4, Mixed: Standing{Deals: 1, Matches: 6, Wins: at(1, .9)}}).verdict(0)
	if v.Stronger != "a" || v.Sure || strings.Contains(v.Text, "matches would show") {
		t.Errorf("%s", v.Text)
	}
}

func TestACutMatchIsSharedBySidesAndPlacesAreTied(t *testing.T) {
	c := compare(t, match.Named("heuristic"), match.Named("random"), Config{Game: "doubloons(seats=4,max_rounds=1)", Matches: 6, Seed: 2})
	if c.Mixed.Truncated != c.Mixed.Matches || c.Mixed.Wins.Mean != .5 || c.One.Wins.Mean != .25 {
		t.Errorf("%+v", c)
	}
	r, err := match.NewRunner("doubloons(seats=4,max_rounds=1)", 1, match.Named("random"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Play(context.Background(), []match.Match{match.Deal(1, 0, make([]int, 4))})
	if err != nil || !f[0].Truncated || !reflect.DeepEqual(f[0].Places, []int{1, 1, 1, 1}) {
		t.Errorf("%+v, error %v", f, err)
	}
}

func TestMistakesOfAComparisonAreNamed(t *testing.T) {
	for _, c := range []struct {
		a, b match.Player
		cfg  Config
		want string
	}{
		{match.Named("random"), match.Named("random"), Config{Game: "chess", Matches: 1}, "unknown game"},
		{match.Named("random"), match.Named("random"), Config{Game: "kuhn(chance=explicit)", Matches: 1}, "chance=explicit"},
		{match.Named("random"), match.Named("nobody"), Config{Game: "kuhn", Matches: 1}, `unknown bot "nobody"`},
		{match.Named("random"), match.Named("random"), Config{Game: "kuhn"}, "0 matches"},
		{player("cheat", fixed{-1}), match.Named("random"), Config{Game: "kuhn", Matches: 5}, "decision 1: cheat: kuhn: illegal action"},
	} {
		if _, err := Compare(context.Background(), c.a, c.b, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v; want %s", c.cfg, err, c.want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(done, always0, always1, Config{Game: "kuhn", Matches: 5}); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("after the end of its context: error %v", err)
	}
}
