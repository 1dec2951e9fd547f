package portable

import "math"

// circleTerms are enough terms of the series in Sincos for angles up to 45°.
const circleTerms = 9

// Sincos is the sine and the cosine of an angle in degrees, to a few units in the last place of 1; both are
// NaN for what is not finite.
func Sincos(degrees float64) (sin, cos float64) {
	if math.IsNaN(degrees) || math.IsInf(degrees, 0) {
		return math.NaN(), math.NaN()
	}
	quarter := math.Round(degrees / 90)
	x := float64((degrees - float64(90*quarter)) * (math.Pi / 180)) // from −π/4 to π/4
	square := float64(x * x)
	// Both series of Taylor, from the last term.
	s, c := 0.0, 0.0
	for n := circleTerms; n >= 1; n-- {
		k := float64(2 * n)
		s = float64(-square / float64(k*(k+1)) * (1 + s))
		c = float64(-square / float64(k*(k-1)) * (1 + c))
	}
	s, c = float64(x*(1+s)), 1+c
	switch int64(math.Mod(quarter, 4)+4) % 4 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}
