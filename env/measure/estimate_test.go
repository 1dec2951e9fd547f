package measure

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestIntervalHoldsTheTrueMeanAboutAsOftenAsItSays(t *testing.T) {
	r := engine.NewRand(9)
	held := 0
	const experiments = 400
	for i := range experiments {
		samples := make([]float64, 60)
		for k := range samples {
			samples[k] = r.Float64()*r.Float64() - 0.25 // skewed, of mean 0
		}
		if e := Bootstrap(samples, -0.25, 0.75, uint64(i)); e.Low <= 0 && e.High >= 0 {
			held++
		}
	}
	if share := float64(held) / experiments; share < 0.91 || share > 0.98 {
		t.Errorf("intervals of 95 %% held the mean in %.1f %% of cases", 100*share)
	}
}

func TestIntervalOfLittleIsHonest(t *testing.T) {
	nothing := Bootstrap(nil, 0, 1, 1)
	if !math.IsNaN(nothing.Mean) || !math.IsNaN(nothing.Low) {
		t.Errorf("of nothing: %v", nothing)
	}
	if data, err := json.Marshal(nothing); err != nil || string(data) != `{"mean":null,"low":null,"high":null}` {
		t.Errorf("as JSON: %s, error %v", data, err)
	}
	// The upper bound of no success in n is 1 − 0.025^(1/n): in a hundred, 0.0362.
	none, all := Bootstrap(make([]float64, 100), 0, 1, 1), Bootstrap([]float64{1}, -1, 1, 1)
	if none.Mean != 0 || none.Low != 0 || math.Abs(none.High-0.0362) > 1e-4 {
		t.Errorf("of no win in a hundred: %v", none)
	}
	if all.Mean != 1 || all.High != 1 || math.Abs(all.Low+0.95) > 1e-9 {
		t.Errorf("of one match won: %v", all)
	}
}

// An interval of 95 % misses in one case of twenty, of few deals too: percentiles alone miss in a fifth of those of five deals.
func TestIntervalsOfFewDealsAreAsSureAsTheySay(t *testing.T) {
	const experiments = 400
	for name, c := range map[string]struct {
		mean float64
		draw func(r *engine.Rand) float64
	}{
		"six matches of a mixed table": {.45, func(r *engine.Rand) float64 {
			wins := 0.0
			for range 6 {
				if r.Float64() < .45 {
					wins++
				}
			}
			return wins / 6
		}},
		"deals that hardly differ": {.5, func(r *engine.Rand) float64 { return .4 + float64(.2*r.Float64()) }},
		// Two seats: most deals are even.
		"deals of two matches": {.44, func(r *engine.Rand) float64 {
			switch x := r.Float64(); {
			case x < .26:
				return 0
			case x < .40:
				return 1
			}
			return .5
		}},
	} {
		for _, n := range []int{2, 3, 5, 10, 20} {
			missed := 0
			for i := range experiments {
				r := engine.NewRand(13).At(uint64(i))
				samples := make([]float64, n)
				for k := range samples {
					samples[k] = c.draw(&r)
				}
				if e := Bootstrap(samples, 0, 1, uint64(i)); e.Low > c.mean || e.High < c.mean {
					missed++
				}
			}
			if share := float64(missed) / experiments; share > .08 {
				t.Errorf("%s: %.3f of the intervals of %d deals miss the mean", name, share, n)
			}
		}
	}
}

// Of a mean the jackknife is Student's interval; of a ratio of means it is near to that of the delta method.
func TestJackknife(t *testing.T) {
	samples := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}
	mean := func(without int) float64 {
		sum, n := 0.0, 0.0
		for i, x := range samples {
			if i != without {
				sum, n = sum+x, n+1
			}
		}
		return sum / n
	}
	e := Jackknife(len(samples), mean)
	half := 2.262157 * math.Sqrt(Variance(samples)/10)
	if math.Abs(e.Mean-3.9) > 1e-12 || math.Abs(e.High-e.Mean-half) > 2e-3 || math.Abs(e.Mean-e.Low-half) > 2e-3 {
		t.Errorf("%v, want 3.9 ± %.4f", e, half)
	}
	if one := Jackknife(1, func(int) float64 { return 2 }); one.Mean != 2 || !math.IsNaN(one.Low) || !math.IsNaN(one.High) {
		t.Errorf("of one part %v", one)
	}
}
