package measure

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
//
// Percentiles of few samples lie too near to the mean: of five deals they miss what is true in a fifth of the cases, of
// ten in a tenth. Of fewer than 100 samples the interval therefore reaches at least as far as Student's ("The probable error of
// a mean", Biometrika 6, 1908), within the range.
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
	e := Estimate{mean, at(0.025), at(0.975)}
	if n < enough {
		half := float64(studentT(n-1) * math.Sqrt(Variance(samples)/float64(n)))
		e.Low, e.High = min(e.Low, max(low, mean-half)), max(e.High, min(high, mean+half))
	}
	return e
}

// Jackknife estimates a statistic of n independent parts and its 95 % interval by leaving out one part at a time (Tukey, "Bias and
// confidence in not quite large samples", Annals of Mathematical Statistics 29, 1958), with Student's distribution. of is the statistic
// without a part, and of all parts for −1. Of one part nothing is known but the statistic: the bounds are NaN.
func Jackknife(n int, of func(without int) float64) Estimate {
	e := Estimate{Mean: of(-1), Low: math.NaN(), High: math.NaN()}
	if n < 2 {
		return e
	}
	without := make([]float64, n)
	for i := range without {
		without[i] = of(i)
	}
	se := float64(float64(n-1) * math.Sqrt(Variance(without)/float64(n)))
	half := float64(studentT(n-1) * se)
	e.Low, e.High = e.Mean-half, e.Mean+half
	return e
}

// enough is how many samples tell a standard error well enough: an interval by it is too narrow by less than a fiftieth.
const enough = 100

// Widen is how many times as wide as by the normal distribution an interval of 95 % must be whose standard error is estimated from n
// independent samples by their variance about their own mean, as that of a sandwich estimate is: it takes Student's distribution of
// n − 1 degrees of freedom, and the variance divided by n − 1. It is 1 of 100 samples and more. One sample counts as two, since it
// says nothing of an error.
func Widen(n int) float64 {
	if n >= enough {
		return 1
	}
	n = max(n, 2)
	return float64(studentT(n-1) / Normal975 * math.Sqrt(float64(n)/float64(n-1)))
}

// Normal975 is the quantile 0.975 of the normal distribution: an interval of 95 % reaches this many standard errors to either side.
const Normal975 = 1.959963984540054

// studentT is the quantile 0.975 of Student's distribution, to two thousandths: beyond four degrees of freedom by its expansion
// about the normal one (Abramowitz and Stegun, "Handbook of mathematical functions", 26.7.5).
func studentT(freedom int) float64 {
	if few := [...]float64{12.706, 4.303, 3.182, 2.776}; freedom <= len(few) {
		return few[freedom-1]
	}
	const (
		z    = Normal975
		once = (z*z*z + z) / 4
		two  = (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
		tri  = (3*z*z*z*z*z*z*z + 19*z*z*z*z*z + 17*z*z*z - 15*z) / 384
	)
	v := float64(freedom)
	return z + once/v + two/float64(v*v) + tri/float64(v*v*v)
}

// Variance is the unbiased one, 0 of fewer than two samples.
func Variance(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return sum / float64(len(x)-1)
}
