// Package portable computes the same bits on every machine, which much of package math
// does not: math.Exp, Log and Pow are written in assembly for some processors, and are
// otherwise compiled from Go.
//
// The compiler, too, may compute x*y + z in one operation that rounds once where the
// processor has one (arm64, GOAMD64=v3, …), across statements and inlined calls, unless the
// product is converted: float64(x*y) + z. Programs whose results must not depend on the machine
// therefore convert every product of floating-point numbers. The test of this package finds those
// that do not, in the whole module.
package portable

import "math"

const (
	// ln 2 in two parts; the first has so few bits that its product with the
	// exponent of a number is exact.
	ln2High = 0x162e42fefa3 * 1.0 / (1 << 41)
	ln2Low  = math.Ln2 - ln2High

	terms = 14
)

// inverse are 1/n!, the coefficients of the exponential.
var inverse = func() (c [terms]float64) {
	c[0] = 1
	for n := 1; n < terms; n++ {
		c[n] = c[n-1] / float64(n)
	}
	return c
}()

// Exp is e to the power of x to about a unit in the last place; like math.Exp it
// gives 0 or infinity if a float64 cannot hold the result.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	// x = k ln 2 + r, and |r| is about ln 2 / 2 at most.
	k := math.Floor(float64(x*math.Log2E) + .5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	sum := 0.0
	for n := terms - 1; n >= 0; n-- {
		sum = float64(sum*r) + inverse[n]
	}
	return math.Ldexp(sum, int(k))
}

// Tanh is the hyperbolic tangent of x to a few units in the last place.
func Tanh(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 20:
		return 1
	case x < -20:
		return -1
	}
	y := float64(2 * x)
	if math.Abs(y) > 1 {
		return 1 - 2/(Exp(y)+1)
	}
	// e^y - 1 without the difference of numbers that are nearly the same.
	sum := 0.0
	for n := tanhTerms; n >= 1; n-- {
		sum = float64((sum + 1) * y / float64(n))
	}
	return sum / (sum + 2)
}

// tanhTerms are enough terms of the series in Tanh for a float64.
const tanhTerms = 18
