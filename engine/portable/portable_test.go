package portable_test

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
)

func TestExpIsRightToTheLastPlaces(t *testing.T) {
	r := engine.NewRand(1)
	for i := range 200000 {
		x := (r.Float64() - .5) * []float64{1e-9, 1, 40, 1400}[i%4]
		got, want := portable.Exp(x), math.Exp(x)
		if d := int64(math.Float64bits(got)) - int64(math.Float64bits(want)); d < -2 || d > 2 {
			t.Fatalf("Exp(%v) is %v, %d units from %v", x, got, d, want)
		}
	}
}

func TestExpAtItsEnds(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 1, math.Copysign(0, -1): 1, math.Inf(1): math.Inf(1), math.Inf(-1): 0,
		709.78: math.Exp(709.78), 709.79: math.Inf(1), 1e300: math.Inf(1),
		-745.13: 5e-324, -745.14: 0, -1e300: 0, 5e-324: 1,
	} {
		if got := portable.Exp(x); math.Abs(got-want) > 1e-15*want && got != want {
			t.Errorf("Exp(%v) is %v: want %v", x, got, want)
		}
	}
	if got := portable.Exp(math.NaN()); !math.IsNaN(got) {
		t.Errorf("Exp(NaN) is %v", got)
	}
}

func BenchmarkExp(b *testing.B) {
	x, sum := -3.0, 0.0
	for b.Loop() {
		sum += portable.Exp(x)
		x += 1e-7
	}
	if sum == 0 {
		b.Error("no sum")
	}
}

func BenchmarkMathExp(b *testing.B) {
	x, sum := -3.0, 0.0
	for b.Loop() {
		sum += math.Exp(x)
		x += 1e-7
	}
	if sum == 0 {
		b.Error("no sum")
	}
}

func TestLogIsRightToTheLastPlaces(t *testing.T) {
	r := engine.NewRand(2)
	for i := range 200000 {
		x := []float64{1 + (r.Float64()-.5)/8, 2 * r.Float64(), 1e-300 * r.Float64(), 1e300 * r.Float64()}[i%4]
		got, want := portable.Log(x), math.Log(x)
		if math.Abs(got-want) > 1e-15*math.Abs(want) && got != want {
			t.Fatalf("Log(%v) is %v: want %v", x, got, want)
		}
		if back := portable.Exp(got); math.Abs(back-x) > 1e-12*x {
			t.Fatalf("Exp(Log(%v)) is %v", x, back)
		}
	}
}

func TestLogAtItsEnds(t *testing.T) {
	for x, want := range map[float64]float64{
		1: 0, 0: math.Inf(-1), math.Inf(1): math.Inf(1), 5e-324: -744.4400719213812, math.MaxFloat64: math.Log(math.MaxFloat64),
	} {
		if got := portable.Log(x); got != want && math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("Log(%v) is %v: want %v", x, got, want)
		}
	}
	for _, x := range []float64{math.NaN(), -1, math.Inf(-1)} {
		if got := portable.Log(x); !math.IsNaN(got) {
			t.Errorf("Log(%v) is %v", x, got)
		}
	}
}

func TestSincosIsRightToTheLastPlaces(t *testing.T) {
	r := engine.NewRand(2)
	for range 100000 {
		degrees := float64((r.Float64() - .5) * 3000)
		sin, cos := portable.Sincos(degrees)
		wantSin, wantCos := math.Sincos(degrees * (math.Pi / 180))
		if math.Abs(sin-wantSin) > 1e-14 || math.Abs(cos-wantCos) > 1e-14 {
			t.Fatalf("Sincos(%v) is %v, %v: want %v, %v", degrees, sin, cos, wantSin, wantCos)
		}
	}
	for degrees, want := range map[float64][2]float64{0: {0, 1}, 90: {1, 0}, 180: {0, -1}, -90: {-1, 0}, 270: {-1, 0}, 720: {0, 1}} {
		if sin, cos := portable.Sincos(degrees); sin != want[0] || cos != want[1] {
			t.Errorf("Sincos(%v) is %v, %v: want %v", degrees, sin, cos, want)
		}
	}
	if sin, cos := portable.Sincos(math.Inf(1)); !math.IsNaN(sin) || !math.IsNaN(cos) {
		t.Errorf("Sincos(∞) is %v, %v", sin, cos)
	}
}

func TestTanhIsRightToTheLastPlaces(t *testing.T) {
	for _, x := range []float64{0, 1e-300, 1e-9, 1e-4, 0.1, 0.3, 0.4999999, 0.5, 0.5000001, 0.7, 1, 2, 5, 9, 18, 19.9, 20.1, 700, math.Inf(1)} {
		for _, x := range []float64{x, -x} {
			if got, want := portable.Tanh(x), math.Tanh(x); math.Abs(got-want) > 1e-15*math.Abs(want) {
				t.Errorf("Tanh(%v) = %v; want %v", x, got, want)
			}
		}
	}
	if !math.IsNaN(portable.Tanh(math.NaN())) {
		t.Error("the tangent of NaN is a number")
	}
}
