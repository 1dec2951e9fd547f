package counterfactual

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/selfplay"
)

var inf = float32(math.Inf(1))

func TestAStepOfMirrorDescentMultipliesByWhatLeadsAreWorth(t *testing.T) {
	third := float32(math.Log(1. / 3))
	to := make([]float32, 3)
	// Known without doubt: the second leads the first by one scale, the third is behind by one.
	label := []float32{third, 0, 0, third, 0.5, 0, third, -0.5, 0}
	step(label, 0.25, 1, 0, to)
	for i, want := range []float64{1, math.E, 1 / math.E} {
		if want /= 1 + math.E + 1/math.E; math.Abs(float64(to[i])-want) > 1e-6 {
			t.Errorf("probability %d is %v, want %v", i, to[i], want)
		}
	}
	// A lead whose standard error is as large as leads are counts for half; what was not tried keeps its share beside the first.
	label = []float32{third, 0, 0, third, 0.5, 0.5, third, 0, inf}
	step(label, 0.25, 1, 0, to)
	if got := float64(to[1] / to[0]); math.Abs(got-math.Exp(0.5)) > 1e-5 || to[2] != to[0] {
		t.Errorf("probabilities %v", to)
	}
	// The magnet alone.
	label = []float32{float32(math.Log(0.9)), 0, 0, float32(math.Log(0.1)), 0, 0}
	step(label, 0.25, 1, 1, to[:2])
	if got, want := float64(to[0]/to[1]), 3.; math.Abs(got-want) > 1e-4 { // √9
		t.Errorf("pulled towards equal chances it is %v to 1, want %v", got, want)
	}
	// No label rules anything out for good.
	label = []float32{float32(math.Log(0.5)), 0, 0, float32(math.Log(0.5)), -1e6, 0}
	step(label, 0.25, 1, 0, to[:2])
	if got := float64(to[0] / to[1]); math.Abs(got-math.Exp(mostStep)) > 1 {
		t.Errorf("the worst is %v times less likely", got)
	}
}

// In a third of the worlds a call wins 8 chips, in the others it loses 5: on average it is behind by 2/3. The network learns the mean of
// the targets, which must be the target of the mean, and not a call in a third of the cases.
func TestStepsInTheActualWorldAreRightOnAverage(t *testing.T) {
	const eta, tau, scale2 = 0.15, 0.02, 16
	for _, call := range []float64{0.02, 0.3, 0.5, 0.9} {
		c := &Counterfactual{settings: Settings{Eta: eta, Hidden: actualWorld}, labels: selfplay.NewRagged[float32](labelWidth), target: make([]float32, 2), tau: tau}
		c.spread = spread{Square: scale2, Weight: 1}
		for _, lead := range []float32{8, -5, -5, -2. / 3} {
			c.labels.Add([]float32{float32(math.Log(1 - call)), 0, 0, float32(math.Log(call)), lead, 0})
		}
		target := func(row int) float64 { to := c.targetOf(row); return float64(to[1] - to[0]) }
		mean, want := (target(0)+target(1)+target(2))/3, target(3)
		if math.Abs(mean-want) > 1e-6 {
			t.Errorf("who calls with %v should have %v next, and is taught %v", call, want, mean)
		}
		odds := math.Log(call / (1 - call))
		if mirror := (odds - eta*2./3/math.Sqrt(scale2)) / (1 + eta*tau); math.Abs(want-mirror) > 1e-6 {
			t.Errorf("with %v the step is to %v, that of mirror descent to %v", call, want, mirror)
		}
	}
}

func TestTheScaleIsHowLargeLeadsAreBeyondTheirNoise(t *testing.T) {
	r := engine.NewRand(1)
	c := &Counterfactual{Play: &selfplay.Play{Buffer: &selfplay.Buffer{}}, settings: Settings{Eta: 1}, labels: selfplay.NewRagged[float32](labelWidth), target: make([]float32, 2)}
	normal := func() float64 {
		x := -6.
		for range 12 {
			x += r.Float64()
		}
		return x
	}
	for i := range 20000 {
		even := float32(math.Log(0.5))
		c.labels.Add([]float32{even, 0, 0, even, float32(0.3*normal() + 0.4*normal()), 0.4})
		c.Buffer.Complete = append(c.Buffer.Complete, int32(i))
	}
	got := c.sumUp()
	if math.Abs(got["rollouts/scale"]-0.3) > 0.02 || math.Abs(got["rollouts/label_stderr"]-0.4) > 1e-6 || got["rollouts/labels"] != 20000 {
		t.Errorf("%+v", got)
	}
	if gain := got["rollouts/gain"]; !(gain > 0 && gain < got["rollouts/regret"] && got["rollouts/step_kl"] > 0) {
		t.Errorf("%+v", got)
	}
	// Nothing but noise: little is believed of any lead.
	c.spread = spread{Square: 1, Noise: 1, Weight: 1}
	if s := c.spread.scale2(); s != spreadLeast {
		t.Errorf("of noise alone the scale is √%v", s)
	}
}
