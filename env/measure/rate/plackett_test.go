package rate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
)

// drawn draws how players of given strengths finish at a table.
func drawn(r *engine.Rand, players []int, logs []float64) []int {
	places, left := make([]int, len(players)), make([]bool, len(players))
	for i := range left {
		left[i] = true
	}
	for place := 1; place <= len(players); place++ {
		total := 0.0
		for i, p := range players {
			if left[i] {
				total += math.Exp(logs[p])
			}
		}
		x := r.Float64() * total
		for i, p := range players {
			if !left[i] {
				continue
			}
			if x -= math.Exp(logs[p]); x < 0 {
				places[i], left[i] = place, false
				break
			}
		}
	}
	return places
}

func fit(t *testing.T, players int, rankings []Ranking, prior float64) Strengths {
	t.Helper()
	s, err := PlackettLuce(players, rankings, prior)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Of two players one wins 30 of 40 games: odds of three. The information on the logarithm of the odds is n p (1 − p).
func TestTwoPlayersAreRatedByTheirOdds(t *testing.T) {
	var all []Ranking
	for i := range 40 {
		places := []int{1, 2}
		if i%4 == 0 {
			places = []int{2, 1}
		}
		all = append(all, Ranking{[]int{0, 1}, places, i})
	}
	s := fit(t, 2, all, 0)
	if d := s.Log[0] - s.Log[1]; math.Abs(d-math.Log(3)) > 1e-8 {
		t.Errorf("a difference of %v; want ln 3", d)
	}
	if se, want := difference(s.Cov, 0, 1), math.Sqrt(1/(40*.75*.25)); math.Abs(se-want) > 1e-8 {
		t.Errorf("standard error %v; want %v", se, want)
	}
	if se := difference(s.ByLot, 0, 1); math.Abs(se-math.Sqrt(1/(40*.75*.25))) > 1e-8 {
		t.Errorf("by independent deals it is %v; want the same, as each deal is one game", se)
	}
}

func TestADrawIsHalfAWinAndATieIsAllItsOrders(t *testing.T) {
	draws := fit(t, 2, []Ranking{{[]int{0, 1}, []int{1, 1}, 0}, {[]int{0, 1}, []int{1, 2}, 1}}, 0)
	if d := draws.Log[0] - draws.Log[1]; math.Abs(d-math.Log(3)) > 1e-8 { // 1½ of 2
		t.Errorf("a win and a draw give %v; want ln 3", d)
	}
	tied := []Ranking{{[]int{0, 1, 2, 3}, []int{1, 2, 2, 2}, 0}, {[]int{3, 2, 1, 0}, []int{1, 1, 3, 4}, 1}}
	var orders []Ranking // each tie in all its orders, as often in all
	for _, p := range [][]int{{2, 3, 4}, {2, 4, 3}, {3, 2, 4}, {3, 4, 2}, {4, 2, 3}, {4, 3, 2}} {
		orders = append(orders, Ranking{[]int{0, 1, 2, 3}, append([]int{1}, p...), 0})
	}
	for _, p := range [][]int{{1, 2}, {2, 1}} {
		for range 3 {
			orders = append(orders, Ranking{[]int{3, 2, 1, 0}, []int{p[0], p[1], 3, 4}, 1})
		}
	}
	a, b := fit(t, 4, tied, 1), fit(t, 4, orders, 6)
	for i := range a.Log {
		if math.Abs(a.Log[i]-b.Log[i]) > 1e-8 {
			t.Errorf("player %d: %v; want %v", i, a.Log[i], b.Log[i])
		}
	}
}

func TestStrengthsAreFoundAgainWithinTheirErrors(t *testing.T) {
	truth := []float64{1.2, .6, .3, 0, -.4, -.7, -1}
	r := engine.NewRand(3)
	outside, pairs := 0, 0
	for range 20 {
		var all []Ranking
		for k := range 300 {
			players := r.Intn(len(truth))
			table := []int{players, (players + 1 + r.Intn(3)) % 7, (players + 4) % 7, (players + 5) % 7}
			all = append(all, Ranking{table, drawn(&r, table, truth), k})
		}
		s := fit(t, len(truth), all, DefaultPrior)
		for i := range truth {
			for j := range i {
				for _, cov := range [][][]float64{s.Cov, s.ByLot} {
					pairs++
					if miss := (s.Log[i] - s.Log[j]) - (truth[i] - truth[j]); math.Abs(miss) > 1.96*difference(cov, i, j) {
						outside++
					}
				}
			}
		}
	}
	if share := float64(outside) / float64(pairs); share > .085 || share < .02 {
		t.Errorf("%.3f of the intervals of 95 %% miss the truth", share)
	}
}

func TestASecondSeatOfAPlayerCounts(t *testing.T) {
	truth := []float64{.8, 0}
	r := engine.NewRand(5)
	var all []Ranking
	for k := range 4000 {
		table := []int{0, 0, 1, 1}
		all = append(all, Ranking{table, drawn(&r, table, truth), k})
	}
	s := fit(t, 2, all, 0)
	if d, se := s.Log[0]-s.Log[1], difference(s.Cov, 0, 1); math.Abs(d-.8) > 3*se || se > .04 {
		t.Errorf("a difference of %v ± %v; want 0.8", d, se)
	}
}

func TestWhoHasNeverLostHasAFiniteRatingByThePrior(t *testing.T) {
	all := []Ranking{{[]int{0, 1, 2}, []int{1, 2, 3}, 0}, {[]int{0, 2, 1}, []int{1, 2, 3}, 1}}
	s := fit(t, 3, all, DefaultPrior)
	if s.Log[0] < 1 || s.Log[0] > 4 || math.Abs(s.Log[1]-s.Log[2]) > 1e-8 || difference(s.Cov, 0, 1) < .5 {
		t.Errorf("%+v", s)
	}
	if _, err := PlackettLuce(3, all, 0); err == nil || !strings.Contains(err.Error(), "want a prior") {
		t.Errorf("without one the error is %v", err)
	}
	if _, err := PlackettLuce(4, []Ranking{{[]int{0, 1}, []int{1, 2}, 0}, {[]int{0, 1}, []int{2, 1}, 0}, {[]int{2, 3}, []int{2, 1}, 0}, {[]int{2, 3}, []int{1, 2}, 0}}, 0); err == nil || !strings.Contains(err.Error(), "never met") {
		t.Errorf("of players who never met the error is %v", err)
	}
	for _, bad := range []Ranking{{[]int{0, 1}, []int{1}, 0}, {[]int{0, 9}, []int{1, 2}, 0}, {make([]int, 20), slices.Repeat([]int{1}, 20), 0}} {
		if _, err := PlackettLuce(2, []Ranking{bad}, 1); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestRankingsThatHangTogetherAreLessSure(t *testing.T) {
	var once, often []Ranking
	r := engine.NewRand(8)
	for k := range 200 {
		x := Ranking{[]int{0, 1, 2}, drawn(&r, []int{0, 1, 2}, []float64{.5, 0, -.5}), k}
		once = append(once, x)
		often = append(often, x, x, x, x) // the same four times over says nothing more
	}
	a, b := fit(t, 3, once, 0), fit(t, 3, often, 0)
	if se, want := difference(b.ByLot, 0, 2), difference(a.ByLot, 0, 2); math.Abs(se-want) > 1e-8 {
		t.Errorf("by deals it is %v; want %v as before", se, want)
	}
	if se, want := difference(b.Cov, 0, 2), difference(a.Cov, 0, 2)/2; math.Abs(se-want) > 1e-8 {
		t.Errorf("by the information it is %v; want %v", se, want)
	}
}

func TestTheNormalDistribution(t *testing.T) {
	for _, z := range []float64{-4, -1.96, -.3, 0, .5, 1.645, 3} {
		if want := .5 * math.Erfc(-z/math.Sqrt2); math.Abs(normal(z)-want) > 1e-7 {
			t.Errorf("at %v it is %v; want %v", z, normal(z), want)
		}
	}
	if d := math.Abs(elo - 400/math.Ln10); d > 1e-12 || math.Abs(portable.Log(10)*elo-400) > 1e-9 {
		t.Errorf("Elo's unit is off by %v", d)
	}
}

// The more has been played the less the prior moves, and yet it alone holds the mean: it must not take the longer.
func TestAPriorHoldsHoweverMuchWasPlayed(t *testing.T) {
	for _, matches := range []int{100, 10_000, 1_000_000} {
		m := model{wins: []float64{.9 * float64(matches), .1 * float64(matches)}, prior: DefaultPrior}
		m.terms = []term{{count: []float64{1, 1}, weight: float64(matches)}}
		logs := make([]float64, 2)
		if err := m.climb(logs); err != nil {
			t.Errorf("%d matches: %v", matches, err)
			continue
		}
		if math.Abs(logs[0]+logs[1]) > 1e-9 || matches > 100 && math.Abs(logs[0]-logs[1]-math.Log(9)) > .01 {
			t.Errorf("%d matches: strengths %v; want ± half of log 9", matches, logs)
		}
	}
}
