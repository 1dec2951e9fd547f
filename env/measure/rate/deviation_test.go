package rate

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// shares are of players who come before each other by chance of their strengths, and by a cycle of three in a hundred.
func shares(n int, r *engine.Rand) [][]float64 {
	share := square(n)
	for a := range n {
		share[a][a] = .5
		for b := range a {
			x := min(1, max(0, .5+.3*(r.Float64()-.5)+.1*float64(b-a)))
			share[a][b], share[b][a] = x, 1-x
		}
	}
	return share
}

// copies adds players that do what one does.
func copies(share [][]float64, of, more int) [][]float64 {
	n := len(share)
	all := square(n + more)
	origin := func(i int) int {
		if i < n {
			return i
		}
		return of
	}
	for a := range all {
		for b := range all {
			all[a][b] = share[origin(a)][origin(b)]
		}
	}
	return all
}

func TestNoRatingMovesWhenTenCopiesJoin(t *testing.T) {
	r := engine.NewRand(4)
	for range 8 {
		n := 3 + r.Intn(5)
		share := shares(n, &r)
		before := Deviation(share)
		for of := range n {
			after := Deviation(copies(share, of, 10))
			for i := range after {
				want := before[of]
				if i < n {
					want = before[i]
				}
				if math.Abs(after[i]-want) > 2e-4 {
					t.Fatalf("with ten copies of %d the ratings %v become %v", of, before, after)
				}
			}
		}
	}
}

// The best mixture gains nothing against itself, nobody gains from it, and no mixture has a lesser greatest gain.
func TestDeviationsAreThoseFromAnEquilibrium(t *testing.T) {
	r := engine.NewRand(5)
	for range 50 {
		share := shares(2+r.Intn(7), &r)
		best := math.Inf(-1)
		for i, x := range Deviation(share) {
			if x > 2e-4 || x < -50 {
				t.Errorf("player %d has %v of %v", i, x, share)
			}
			best = max(best, x)
		}
		if best < -2e-4 {
			t.Errorf("the best has %v of %v", best, share)
		}
	}
}

func TestDeviationsOfGamesThatAreKnown(t *testing.T) {
	for name, c := range map[string]struct {
		share [][]float64
		want  []float64
	}{
		"of nothing":                   {[][]float64{{.5, .5}, {.5, .5}}, []float64{0, 0}},
		"one before all":               {[][]float64{{.5, .6, .9}, {.4, .5, 1}, {.1, 0, .5}}, []float64{0, -10, -40}},
		"a cycle, and one behind each": {[][]float64{{.5, 1, 0, .7}, {0, .5, 1, .7}, {1, 0, .5, .7}, {.3, .3, .3, .5}}, []float64{0, 0, 0, -20}},
		// The mixtures of a and b are all equilibria: the strictest is that which leaves c least.
		"two alike": {[][]float64{{.5, .5, .6}, {.5, .5, .9}, {.4, .1, .5}}, []float64{0, 0, -40}},
	} {
		got := Deviation(c.share)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 2e-4 {
				t.Errorf("%s: %v, want %v", name, got, c.want)
				break
			}
		}
	}
}
