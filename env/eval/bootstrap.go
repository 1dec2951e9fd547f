package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Estimate is a mean with its 95 % interval.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func (e Estimate) String() string {
	return fmt.Sprintf("%.3f [%.3f, %.3f]", e.Mean, e.Low, e.High)
}

// MarshalJSON writes null for a bound that is not finite, which JSON cannot
// express.
func (e Estimate) MarshalJSON() ([]byte, error) {
	number := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Mean *float64 `json:"mean"`
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
	}{number(e.Mean), number(e.Low), number(e.High)})
}

// resamples is how often a bootstrap draws: enough for two digits of a
// percentile.
const resamples = 2000

// Bootstrap estimates the mean of independent samples, each between low and
// high, and its 95 % interval by the percentile bootstrap (Efron and Tibshirani,
// "An introduction to the bootstrap", 1993, chapter 13). The same samples and
// seed give the same interval. Without samples everything is NaN.
//
// Samples that are all the same, such as no win in ten matches, say nothing of
// what else there may be, and a bootstrap of them has no width. They get the exact interval of a
// binomial share instead (Clopper and Pearson, Biometrika 26, 1934): n draws without the other
// outcomes leave these a share of up to 1 − 0.025^(1/n), at either end of the range.
func Bootstrap(samples []float64, low, high float64, seed uint64) Estimate {
	n := len(samples)
	if n == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	total := 0.0
	for _, x := range samples {
		total += x
	}
	mean := total / float64(n)
	if slices.Min(samples) == slices.Max(samples) {
		const log = -3.688879454113936302852 // of 0.025
		unseen := 1 - portable.Exp(log/float64(n))
		return Estimate{mean, mean - float64(unseen*(mean-low)), mean + float64(unseen*(high-mean))}
	}
	r := engine.NewRand(seed)
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range n {
			sum += samples[r.Intn(n)]
		}
		means[i] = sum / float64(n)
	}
	slices.Sort(means)
	at := func(q float64) float64 { return means[int(math.Round(float64(q*(resamples-1))))] }
	return Estimate{mean, at(0.025), at(0.975)}
}
