package train

import (
	"math"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// The policy learns from the largest advantages; what the value sees of the others stands for all of them.
func TestPolicyLearnsFromTheLargestAdvantagesAndTheValueFromAllOnAverage(t *testing.T) {
	const n = 1000
	r := newRollout(n, 1, 1, 1, 0, 1, 0)
	chance := engine.NewRand(3)
	for i := range n {
		r.closed = append(r.closed, int32(i))
		r.advantage[i] = float32(chance.Float64() - 0.3)
	}
	cfg := DefaultConfig()
	cfg.AdvantageFilter = 0.25
	var f focus
	seen := make([]int, n)
	const updates = 400
	for range updates {
		if f.choose(r, cfg, learner.Hyper{}, &chance) {
			t.Fatal("advantages that were chosen by size would be normalised again")
		}
		if len(f.acting) != 250 || len(f.others) != 250 || f.counts != 3 {
			t.Fatalf("%d rows for the policy, %d others that count %v times", len(f.acting), len(f.others), f.counts)
		}
		least := float32(math.Inf(1))
		for _, row := range f.acting {
			least = min(least, max(r.advantage[row], -r.advantage[row]))
			seen[row]++
		}
		for _, row := range f.others {
			if a := r.advantage[row]; max(a, -a) > least {
				t.Fatalf("the policy does not learn from an advantage of %v, but from %v", a, least)
			}
			seen[row]++
		}
	}
	for _, row := range f.acting {
		if seen[row] != updates {
			t.Fatalf("row %d was seen in %d of %d updates", row, seen[row], updates)
		}
		seen[row] = updates / 3
	}
	if low, high := slices.Min(seen), slices.Max(seen); low < updates/3-60 || high > updates/3+60 {
		t.Errorf("others were seen %d to %d times; want about %d", low, high, updates/3)
	}
}

func TestSmallAdvantagesStillMakeTheMean(t *testing.T) {
	r := newRollout(4, 1, 1, 1, 0, 1, 0)
	copy(r.advantage, []float32{10, 0, 0, -2})
	r.closed = append(r.closed, 0, 1, 2, 3)
	cfg := DefaultConfig()
	cfg.AdvantageFilter = 0.25
	var f focus
	chance := engine.NewRand(1)
	f.choose(r, cfg, learner.Hyper{NormAdv: true}, &chance)
	// The mean is 2, the deviation √22.
	if got := float64(r.advantage[f.acting[0]]); len(f.acting) != 1 || math.Abs(got-8/math.Sqrt(22)) > 1e-5 {
		t.Errorf("learnt from rows %v, an advantage of %v", f.acting, got)
	}
}

// What epochs draw stands for all decisions, on average; those with large advantages are drawn more often.
func TestDrawnDecisionsStandForAll(t *testing.T) {
	const n, share = 1000, 0.25
	r := newRollout(n, 1, 1, 1, 0, 1, 0)
	chance := engine.NewRand(3)
	for i := range n {
		r.closed = append(r.closed, int32(i))
		r.advantage[i] = float32(math.Pow(2*chance.Float64()-1, 5))
	}
	r.advantage[7] = 40 // so large that it is always drawn
	cfg := DefaultConfig()
	cfg.AdvantageSample, cfg.NumMinibatches = share, 1
	tr := &trainer{cfg: cfg, shuffling: engine.NewRand(4)}
	f := &tr.focus
	if f.choose(r, cfg, learner.Hyper{}, &chance) {
		t.Fatal("advantages would be normalised by minibatch, where each weighs otherwise")
	}
	sum := 0.0
	for i := range n {
		sum += float64(r.advantage[i]) + 1
	}
	const epochs = 2000
	var rows, drawn float64
	seen := make([]int, n)
	for range epochs {
		err := f.minibatches(tr, func(batch []int32, acting int) error {
			b := learner.Batch{Decisions: learner.Decisions{N: len(batch)}}
			f.weigh(&b, acting)
			if b.Acting != b.N {
				t.Fatalf("%d of %d rows bear on the policy", b.Acting, b.N)
			}
			for i, row := range batch {
				drawn += float64(b.Weight[i]) * (float64(r.advantage[row]) + 1)
				seen[row]++
			}
			rows += float64(len(batch))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := rows / epochs / n; math.Abs(got-share) > 0.005 {
		t.Errorf("%v of the rows are drawn; want %v", got, share)
	}
	if got := drawn / epochs / sum; math.Abs(got-1) > 0.01 {
		t.Errorf("what is drawn sums to %v of what all do", got)
	}
	if seen[7] != epochs {
		t.Errorf("the largest advantage is drawn in %d of %d epochs", seen[7], epochs)
	}
	smallest, large := 0, 0
	for i := range n {
		if a := math.Abs(float64(r.advantage[i])); a < math.Abs(float64(r.advantage[smallest])) {
			smallest = i
		} else if i != 7 && a > math.Abs(float64(r.advantage[large])) {
			large = i
		}
	}
	if seen[large] < 3*seen[smallest] || seen[smallest] == 0 {
		t.Errorf("advantages of %v and %v are drawn %d and %d times", r.advantage[large], r.advantage[smallest], seen[large], seen[smallest])
	}
}

func TestDecisionsOfNoAdvantageAreDrawnToo(t *testing.T) {
	r := newRollout(100, 1, 1, 1, 0, 1, 0)
	for i := range 100 {
		r.closed = append(r.closed, int32(i))
	}
	cfg := DefaultConfig()
	cfg.AdvantageSample = 0.5
	var f focus
	chance := engine.NewRand(1)
	f.choose(r, cfg, learner.Hyper{NormAdv: true}, &chance)
	f.draw(&chance)
	if n := len(f.acting); n < 30 || n > 70 {
		t.Errorf("%d of 100 are drawn", n)
	}
}

func TestSchedulesReachBothEnds(t *testing.T) {
	c := DefaultConfig()
	c.Game, c.TotalTimesteps, c.NumEnvs, c.NumSteps = "kuhn", 1000, 10, 1
	c.LearningRate, c.LearningRateFinal, c.EntCoef, c.EntCoefFinal, c.MagnetCoef, c.MagnetCoefFinal = 1e-2, 1e-4, 0.2, 0.05, 0.1, 0.001
	for _, schedule := range []string{linearly, geometrically} {
		c.Schedule = schedule
		t.Run(schedule, func(t *testing.T) {
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
			near := func(what string, got, want float64) {
				if math.Abs(got-want) > 1e-9 {
					t.Errorf("%s is %v, want %v", what, got, want)
				}
			}
			for at, want := range map[int][3]float64{0: {1e-2, 0.2, 0.1}, 99: {1e-4, 0.05, 0.001}} {
				var u Update
				h := (&trainer{cfg: c, iteration: at}).anneal(&u)
				near("learning rate", h.LR, want[0])
				near("entropy weight", h.EntCoef, want[1])
				near("pull of the magnet", h.MagnetCoef, want[2])
			}
		})
	}
}

func TestCriticLearnsAloneDuringWarmup(t *testing.T) {
	c := DefaultConfig()
	c.WarmupUpdates = 3
	for at, want := range []bool{true, true, true, false} {
		if got := (&trainer{cfg: c, iteration: at}).anneal(&Update{}).CriticOnly; got != want {
			t.Errorf("update %d: the critic learns alone: %v", at+1, got)
		}
	}
}
