package portable

import "math"

// logTerms are enough terms of the series in Log for a float64.
const logTerms = 22

// Log is the natural logarithm of x to a few units in the last place; like math.Log it gives
// −∞ for 0, NaN for what is negative, and ∞ for ∞.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	// x = m 2^k with m from √½ to √2, and ln m = 2 artanh((m − 1)/(m + 1)).
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = float64(2*m), k-1
	}
	t := (m - 1) / (m + 1)
	square, sum := float64(t*t), 0.0
	for n := logTerms - 1; n >= 1; n-- {
		sum = float64(square * (sum + 1/float64(2*n+1)))
	}
	e := float64(k)
	return float64(e*ln2High) + (float64(2*t) + (float64(float64(2*t)*sum) + float64(e*ln2Low)))
}
