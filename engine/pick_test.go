package engine_test

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func maskOf(actions ...engine.Action) (m engine.Mask) {
	for _, a := range actions {
		m.Set(a)
	}
	return m
}

// frequencies counts what draw returns, 0 … n−1.
func frequencies(t *testing.T, n int, draw func(r *engine.Rand) engine.Action) []float64 {
	t.Helper()
	const times = 20000
	r, counts := engine.NewRand(3), make([]float64, n)
	for range times {
		counts[draw(&r)] += 1.0 / times
	}
	if r.Counter != times {
		t.Errorf("%d draws took %d numbers of the generator; want one each", times, r.Counter)
	}
	return counts
}

func TestPicksFollowTheWeights(t *testing.T) {
	legal := maskOf(0, 1, 3)
	weights := []float32{0.4, 1.2, 7, 0.4}
	outcomes := []engine.Outcome{{Action: 0, Prob: 0.2}, {Action: 1, Prob: 0.6}, {Action: 3, Prob: 0.2}}
	for name, draw := range map[string]func(r *engine.Rand) engine.Action{
		"of a mask":                func(r *engine.Rand) engine.Action { return legal.Pick(weights, 2, -1, r) },
		"of a mask, by a policy":   func(r *engine.Rand) engine.Action { return legal.PickProbable(weights, r) },
		"of what chance may bring": func(r *engine.Rand) engine.Action { return engine.PickOutcome(outcomes, r) },
	} {
		for a, got := range frequencies(t, 4, draw) {
			if want := []float64{0.2, 0.6, 0, 0.2}[a]; math.Abs(got-want) > 0.02 {
				t.Errorf("%s: %d is drawn with frequency %v; want %v", name, a, got, want)
			}
		}
	}
}

// Stored matches and runs depend on these: they may not change.
func TestPicksAreStable(t *testing.T) {
	r := engine.NewRand(11)
	legal := maskOf(2, 64, 65, 300)
	weights := make([]float32, 301)
	weights[2], weights[64], weights[65], weights[300] = 0.1, 0.7, 0, 0.2
	var got [12]engine.Action
	for i := range got {
		got[i] = legal.PickProbable(weights, &r)
	}
	if want := [12]engine.Action{64, 64, 64, 64, 64, 300, 64, 64, 64, 2, 64, 64}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWhatRoundingLeavesGoesToTheCallersChoice(t *testing.T) {
	legal := maskOf(1, 2)
	r := engine.NewRand(1)
	if a := legal.Pick([]float32{0, 0, 0}, 1, 2, &r); a != 2 {
		t.Errorf("drew %d; want 2", a)
	}
	if a := engine.PickOutcome([]engine.Outcome{{Action: 5}, {Action: 7}}, &r); a != 7 {
		t.Errorf("drew %d; want the last, 7", a)
	}
}

func TestWhatIsNoDistributionDrawsNothing(t *testing.T) {
	legal := maskOf(0, 1)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, probs := range [][]float32{{0, 0, 1}, {nan, 1, 0}, {1, nan, 0}, {inf, 1, 0}, {1, -0.1, 0}} {
		r := engine.NewRand(1)
		if a := legal.PickProbable(probs, &r); a != -1 || r.Counter != 0 {
			t.Errorf("%v: drew %d with %d numbers; want −1 with none", probs, a, r.Counter)
		}
	}
	r := engine.NewRand(1)
	if a := legal.PickProbable([]float32{0.5, 0, nan}, &r); a != 0 {
		t.Errorf("what is illegal counts: drew %d", a)
	}
}
