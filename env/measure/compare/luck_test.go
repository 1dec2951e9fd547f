package compare

import (
	"context"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/env/match"
)

// nonsense is a value function that has nothing to do with the match.
type nonsense struct{}

func (nonsense) Value(m engine.Match, dst []float64) {
	for i := range dst {
		h := fnv.New64a()
		h.Write(m.Bytes())
		h.Write([]byte{byte(i)})
		dst[i] = float64(h.Sum64()>>11)/(1<<53) - float64(3*i)
	}
}

// leaning bets or raises with a chance of three quarters, and says so.
type leaning struct{}

func (leaning) Name() string { return "leaning" }

func (b leaning) Act(m engine.Match, r *engine.Rand) engine.Action {
	var chances [8]float64
	b.Chances(m, chances[:m.Legal().Count()])
	x, k := r.Float64(), 0
	for a := m.Legal().First(); ; a, k = m.Legal().Next(a), k+1 {
		if x -= chances[k]; x < 0 || m.Legal().Next(a) < 0 {
			return a
		}
	}
}

// Chances give the last legal action most of the weight.
func (leaning) Chances(m engine.Match, dst []float64) {
	for i := range dst {
		dst[i] = .25 / float64(len(dst)-1)
	}
	dst[len(dst)-1] = .75
}

func luckOf(t *testing.T, game string) *Luck {
	t.Helper()
	l, err := NewLuck(game, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// If the value function is exact and all chances are known, the result is what a match is worth from the start, and luck:
// in every single match.
func TestAResultLessLuckIsExactlyWhatAMatchIsWorth(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc"} {
		var worth []float64
		r, err := match.NewRunner(game, 2, match.Named("random"))
		if err != nil {
			t.Fatal(err)
		}
		luckOf(t, game).follow(r)
		var all []match.Match
		for deal := range uint64(30) {
			all = append(all, match.Deal(3, deal, []int{0, 0}))
		}
		finals, err := r.Play(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		varied := false
		for _, f := range finals {
			varied = varied || f.Wins[0] != finals[0].Wins[0]
			left := []float64{f.Wins[0] - f.Luck[0], f.Wins[1] - f.Luck[1]}
			if worth == nil {
				worth = left
			}
			if math.Abs(left[0]-worth[0]) > 1e-12 || math.Abs(left[1]-worth[1]) > 1e-12 || math.Abs(left[0]+left[1]-1) > 1e-12 {
				t.Fatalf("%s: less luck %v; want %v", game, left, worth)
			}
		}
		if !varied {
			t.Errorf("%s: all matches end alike", game)
		}
	}
}

// exactMargin is what one A leads by against one B, by the whole tree, on average over the seats.
func exactMargin(t *testing.T, game string, a, b func(exploit.InfoSet) []float64) float64 {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := exploit.Build(g)
	if err != nil {
		t.Fatal(err)
	}
	lead := 0.0
	for seat := range 2 {
		p := exploit.Policy{}
		for _, set := range tree.InfoSets() {
			who := b
			if set.Seat == seat {
				who = a
			}
			chances := who(set)
			p[set.Key] = make([]float64, len(g.Info().Actions))
			for x, i := set.Legal.First(), 0; x >= 0; x, i = set.Legal.Next(x), i+1 {
				p[set.Key][x] = chances[i]
			}
		}
		r, err := tree.NashConv(p)
		if err != nil {
			t.Fatal(err)
		}
		lead += (r.Values[seat] - r.Values[1-seat]) / 2
	}
	return lead
}

// Whatever the value function says, the estimate is right, and a good one needs far fewer matches.
func TestControlIsUnbiasedWhateverTheValueFunction(t *testing.T) {
	lean := func(s exploit.InfoSet) []float64 {
		dst := make([]float64, s.Legal.Count())
		leaning{}.Chances(s.Match, dst)
		return dst
	}
	uniform := func(s exploit.InfoSet) []float64 {
		dst := make([]float64, s.Legal.Count())
		for i := range dst {
			dst[i] = 1 / float64(len(dst))
		}
		return dst
	}
	for _, c := range []struct {
		game    string
		matches int
		saved   float64
	}{{"kuhn", 4000, 5}, {"leduc", 800, 5}} {
		want := exactMargin(t, c.game, lean, uniform)
		for _, value := range []string{"exact", "nonsense"} {
			r, err := match.NewRunner(c.game, 2, player("leaning", leaning{}), match.Named("random"))
			if err != nil {
				t.Fatal(err)
			}
			l := luckOf(t, c.game)
			if value == "nonsense" {
				l.new = func() (search.Value, error) { return nonsense{}, nil }
			}
			l.follow(r)
			kind := []contest{{of: true, seatings: evenly(2, 5)}}
			all, _ := meetings(kind, c.matches)
			played, err := meet(context.Background(), r, 0, 1, 5, all)
			if err != nil {
				t.Fatal(err)
			}
			sumUp(kind, c.matches, played)
			s := kind[0].standing(1)
			m := s.MarginControlled
			if slack := (m.High - m.Low) / 2; math.Abs(m.Mean-want) > 1.5*slack { // three standard errors
				t.Errorf("%s, %s values: margin %v; want %v", c.game, value, m, want)
			}
			control := kind[0].control[0]
			if mean, se := control.luck/control.n, math.Sqrt(control.sq)/control.n; math.Abs(mean) > 3.5*se {
				t.Errorf("%s, %s values: luck of %v ± %v on average", c.game, value, mean, se)
			}
			if value == "exact" && (s.WinsControlled.Saved < c.saved || m.High-m.Low > s.Margin.High-s.Margin.Low) {
				t.Errorf("%s: control saves %.2f; want %.2f at least", c.game, s.WinsControlled.Saved, c.saved)
			}
			if value == "nonsense" && (s.WinsControlled.Saved < .9 || s.WinsControlled.Saved > 1.1) {
				t.Errorf("%s: nonsense saves %.2f; want 1", c.game, s.WinsControlled.Saved)
			}
		}
	}
}

func TestLuckIsFollowedInTheGamesThemselves(t *testing.T) {
	for _, game := range []string{"doubloons(seats=4)", "doubloons(seats=3,modules=alternate_island)", "jolly_roger(seats=5)", "doubloons(seats=3,max_rounds=2)"} {
		if g, err := engine.NewGame(game); err != nil {
			t.Fatal(err)
		} else if v, err := evaluation(g); err != nil || v == nil {
			t.Fatalf("%s has no evaluation: %v", game, err)
		}
		c := compare(t, match.Named("heuristic"), match.Named("random"), Config{Game: game, Matches: 12, Seed: 2, Control: true})
		w := c.Mixed.WinsControlled
		if w == nil || c.Control == nil || c.Control.Digest == "" || w.Mean != c.Mixed.Wins.Mean {
			t.Errorf("%s: %+v of %+v", game, c.Control, w)
		}
	}
}

// Rollouts depend on nothing but the position, and say the same every time. In kuhn there is nothing to predict.
func TestRolloutsMayEvaluateForControl(t *testing.T) {
	const game = "doubloons(seats=3)"
	cfg := Config{Game: game, Matches: 6, Seed: 2, Control: true, Rollouts: 2}
	c, again := compare(t, match.Named("greedy"), match.Named("random"), cfg), compare(t, match.Named("greedy"), match.Named("random"), cfg)
	if c.Control.Value != "the game's evaluation of the results of 2 rollouts" || c.Control.Digest == luckOf(t, game).Digest || c.Control.Digest != again.Control.Digest {
		t.Errorf("%+v, again %+v", c.Control, again.Control)
	}
	l, err := NewLuck("kuhn", 2)
	if err != nil || l.Value != luckOf(t, "kuhn").Value {
		t.Errorf("%+v, %v", l, err)
	}
}

// Whatever rollouts predict, luck is zero on average.
func TestLuckByRolloutsIsZeroOnAverage(t *testing.T) {
	r, err := match.NewRunner("doubloons(seats=2)", 2, match.Named("greedy"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLuck("doubloons(seats=2)", 1)
	if err != nil {
		t.Fatal(err)
	}
	l.follow(r)
	var all []match.Match
	for deal := range uint64(60) {
		all = append(all, match.Deal(5, deal, []int{0, 0}))
	}
	finals, err := r.Play(context.Background(), all)
	if err != nil {
		t.Fatal(err)
	}
	sum, square := 0.0, 0.0
	for _, f := range finals {
		if math.Abs(f.Luck[0]+f.Luck[1]) > 1e-9 {
			t.Fatalf("luck %v: what one seat has, the other has not", f.Luck)
		}
		sum += f.Luck[0]
		square += f.Luck[0] * f.Luck[0]
	}
	if math.Abs(sum) > 3.5*math.Sqrt(square) || square == 0 {
		t.Errorf("luck of %v in %d matches, its squares %v", sum, len(finals), square)
	}
}

func TestAGateMayTakeLuckOut(t *testing.T) {
	cfg := GateConfig{Config: Config{Game: "leduc", Seed: 4, Control: true}, Points: 5}
	with := gate(t, player("leaning", leaning{}), match.Named("random"), cfg)
	cfg.Control = false
	without := gate(t, player("leaning", leaning{}), match.Named("random"), cfg)
	if with.Decision != without.Decision || with.Mixed.Matches > without.Mixed.Matches || with.Control.Value != "random play from here, exactly" || without.Control != nil {
		t.Errorf("with control %s, without %s", with.Text, without.Text)
	}
}

func TestAValueFunctionIsFrozen(t *testing.T) {
	if a, b := luckOf(t, "leduc"), luckOf(t, "leduc"); a.Digest != b.Digest || len(a.Digest) != 16 {
		t.Errorf("digests %q and %q", a.Digest, b.Digest)
	}
	if luckOf(t, "leduc").Digest == luckOf(t, "kuhn").Digest {
		t.Error("two games have one digest")
	}
	if _, err := NewLuck("doubloons(seats=2,objective=margin)", 4); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("of a game without an evaluation: %v", err)
	}
}
