//go:build torch

package learner

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sugarme/gotch"
)

func tinyConfig() Config {
	return Config{ObsDim: 5, NumActions: 4, ObsScale: []float32{1, .5, .25, .1, .01}, Hidden: []int{6, 3}, Seed: 7, Threads: 1}
}

func criticConfig() Config {
	c := tinyConfig()
	c.CriticDim = 7
	return c
}

// wideConfig has more features than a layer takes at a time, and some left over.
func wideConfig() Config {
	return Config{ObsDim: 2*64 + 13, NumActions: 4, Hidden: []int{6}, Seed: 7, Threads: 1}
}

// entityConfig is the network that reads rows.
func entityConfig() Config {
	c := criticConfig()
	c.Network, c.RowDim, c.RowScale, c.RowHidden = "entity", 3, []float32{.5, .1, 1}, []int{4, 5}
	return c
}

var tinyHyper = Hyper{LR: 1e-2, ClipCoef: 0.2, EntCoef: 0.05, VfCoef: 0.5, MaxGradNorm: 0.5, NormAdv: true}

// fuzzBatch makes decisions of no meaning; the first row has one legal action.
func fuzzBatch(c Config, n int, seed uint64) Batch {
	rng := rand.New(rand.NewPCG(seed, 1))
	bytes := func(n int) []uint8 {
		b := make([]uint8, n)
		for i := range b {
			b[i] = uint8(rng.IntN(10))
		}
		return b
	}
	floats := func(n int) []float32 {
		b := make([]float32, n)
		for i := range b {
			b[i] = float32(rng.NormFloat64())
		}
		return b
	}
	b := Batch{Decisions: Decisions{N: n, Obs: bytes(n * c.ObsDim), Critic: bytes(n * c.CriticDim), Mask: make([]uint8, n*c.NumActions)},
		Action: make([]int32, n), OldLogp: floats(n), Advantage: floats(n), Return: floats(n)}
	for i := range n {
		b.Action[i] = int32(rng.IntN(c.NumActions))
		row := b.Mask[i*c.NumActions : (i+1)*c.NumActions]
		for j := range row {
			row[j] = uint8(rng.IntN(2))
		}
		if i == 0 {
			clear(row)
		}
		row[b.Action[i]] = 1
		b.OldLogp[i] = -0.7 - 0.3*b.OldLogp[i]*b.OldLogp[i]
	}
	if c.RowDim > 0 {
		describe(&b.Decisions, c)
	}
	return b
}

// describe gives every legal action a row, and the rows their offsets.
func describe(d *Decisions, c Config) {
	d.Rows, d.Offsets = nil, []int32{0}
	total := int32(0)
	for i := range d.N {
		for j, legal := range d.Mask[i*c.NumActions : (i+1)*c.NumActions] {
			total += int32(legal)
			for k := range c.RowDim * int(legal) {
				d.Rows = append(d.Rows, uint8((7*i+5*j+3*k)%11*int(d.Obs[0])%9))
			}
		}
		d.Offsets = append(d.Offsets, total)
	}
}

// unused clears features: the policy's first, third and last, and all that the
// critic sees in the first half of the rows.
func unused(c Config, b Batch) Batch {
	for i := range b.N {
		row := b.Obs[i*c.ObsDim : (i+1)*c.ObsDim]
		row[0], row[2], row[c.ObsDim-1] = 0, 0, 0
	}
	clear(b.Critic[:b.N/2*c.CriticDim])
	return b
}

// sparse leaves one feature in nine, wherever it lies, with numbers up to the largest.
func sparse(b Batch) Batch {
	for i := range b.Obs {
		b.Obs[i] = 0
		if i%9 == i/7%9 {
			b.Obs[i] = uint8(255 - i%255)
		}
	}
	return b
}

// devices are those of this machine on which networks must say and learn the same.
func devices() []string {
	if gotch.CUDA.IsAvailable() {
		return []string{"cpu", "cuda"}
	}
	return []string{"cpu"}
}

// each runs a test on every device.
func each(t *testing.T, name string, test func(t *testing.T, device string)) {
	for _, device := range devices() {
		t.Run(name+"/"+device, func(t *testing.T) { test(t, device) })
	}
}

// onDevices is every configuration on every device.
func onDevices(all ...Config) (on []Config) {
	for _, device := range devices() {
		for _, c := range all {
			c.Device = device
			on = append(on, c)
		}
	}
	return on
}

func newLearner(t testing.TB, c Config) Learner {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// stir moves the weights off their special first values.
func stir(t testing.TB, l Learner) []Tensor {
	t.Helper()
	ws, err := l.Weights()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, w := range ws {
		for i := range w.Data {
			w.Data[i] += float32(0.3 * rng.NormFloat64())
		}
	}
	if err := l.SetWeights(ws); err != nil {
		t.Fatal(err)
	}
	return ws
}

func close(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*(1+math.Abs(b)) }

func TestForwardMatchesTheReference(t *testing.T) {
	split, entity, shared := criticConfig(), entityConfig(), entityConfig()
	split.Threads, entity.Threads, shared.CriticDim = 3, 3, 0
	for name, tc := range map[string]struct {
		c Config
		b Batch
	}{
		"shared": {tinyConfig(), fuzzBatch(tinyConfig(), 9, 1)},
		"critic": {criticConfig(), fuzzBatch(criticConfig(), 9, 1)},
		"split":  {split, fuzzBatch(split, 101, 1)},
		"unused": {split, unused(split, fuzzBatch(split, 101, 1))},
		"sparse": {wideConfig(), sparse(fuzzBatch(wideConfig(), 9, 1))},
		"entity": {entity, fuzzBatch(entity, 101, 1)},
		"rows":   {shared, fuzzBatch(shared, 9, 1)},
	} {
		each(t, name, func(t *testing.T, device string) {
			c, b, n := tc.c, tc.b, tc.b.N
			c.Device = device
			l := newLearner(t, c)
			ref := newReference(c, stir(t, l))
			logp, values := make([]float32, n*c.NumActions), make([]float32, n)
			if err := l.Forward(b.Decisions, logp, values); err != nil {
				t.Fatal(err)
			}
			for row := range n {
				mask := b.Mask[row*c.NumActions : (row+1)*c.NumActions]
				want, value := ref.forward(b.Decisions, row)
				if got := values[row]; !close(float64(got), value, 1e-5) {
					t.Errorf("row %d: the value is %v, want %v", row, got, value)
				}
				for a, legal := range mask {
					got := float64(logp[row*c.NumActions+a])
					if legal == 1 && !close(got, want[a], 1e-5) {
						t.Errorf("row %d action %d: log-probability %v, want %v", row, a, got, want[a])
					}
					if legal == 0 && (math.Exp(got) != 0 || math.IsInf(got, 0)) {
						t.Errorf("row %d action %d is illegal, log-probability %v", row, a, got)
					}
				}
			}
			// Without values the policy is the same and the critic's view not needed.
			again := make([]float32, len(logp))
			d := b.Decisions
			d.Critic = nil
			if err := l.Forward(d, again, nil); err != nil || !slices.Equal(again, logp) {
				t.Errorf("Forward without values: %v, equal %v", err, slices.Equal(again, logp))
			}
			d = Decisions{N: n, Obs: b.Obs, Critic: b.Critic}
			if alone := make([]float32, len(values)); l.Forward(d, nil, alone) != nil || !slices.Equal(alone, values) {
				t.Errorf("values alone are %v, want %v", alone, values)
			}
		})
	}
}

func TestUpdateMatchesTheReference(t *testing.T) {
	drawn := tinyHyper
	drawn.MagnetCoef = 0.03
	plain := tinyHyper
	plain.NormAdv, plain.MaxGradNorm = false, 0
	for name, tc := range map[string]struct {
		c Config
		b Batch
		h Hyper
	}{
		"clipped": {tinyConfig(), fuzzBatch(tinyConfig(), 8, 2), tinyHyper},
		"plain":   {tinyConfig(), fuzzBatch(tinyConfig(), 8, 3), plain},
		"critic":  {criticConfig(), fuzzBatch(criticConfig(), 8, 4), tinyHyper},
		"split":   {criticConfig(), fuzzBatch(criticConfig(), 131, 5), tinyHyper},
		"entity":  {entityConfig(), fuzzBatch(entityConfig(), 8, 4), tinyHyper},
		"parts":   {entityConfig(), fuzzBatch(entityConfig(), 131, 5), tinyHyper},
		"unused":  {criticConfig(), unused(criticConfig(), fuzzBatch(criticConfig(), 67, 6)), tinyHyper},
		"sparse":  {wideConfig(), sparse(fuzzBatch(wideConfig(), 9, 6)), tinyHyper},
		"drawn":   {tinyConfig(), fuzzBatch(tinyConfig(), 9, 7), drawn},
		"apart":   {entityConfig(), fuzzBatch(entityConfig(), 131, 8), drawn},
	} {
		each(t, name, func(t *testing.T, device string) {
			tc.c.Device = device
			if tc.b.N > 64 {
				tc.c.Threads = 3 // 131 rows are three parts, 67 two
			}
			l := newLearner(t, tc.c)
			before := stir(t, l)
			ref := newReference(tc.c, before)
			gradient := ref.gradient(func() float64 { return ref.stats(tc.b, tc.h).Loss })
			want := ref.stats(tc.b, tc.h)
			sum := 0.0
			for _, g := range gradient {
				sum += dot(g, g)
			}
			want.GradNorm = math.Sqrt(sum)

			dry := tc.h
			dry.DryRun = true
			if _, err := l.Update(tc.b, dry); err != nil {
				t.Fatal(err)
			}
			if ws, _ := l.Weights(); !reflect.DeepEqual(ws, before) {
				t.Error("a dry run changed the weights")
			}
			got, err := l.Update(tc.b, tc.h)
			if err != nil {
				t.Fatal(err)
			}
			g, w := reflect.ValueOf(got), reflect.ValueOf(want)
			for i := range g.NumField() {
				if !close(g.Field(i).Float(), w.Field(i).Float(), 2e-5) {
					t.Errorf("%s is %v, want %v", g.Type().Field(i).Name, g.Field(i), w.Field(i))
				}
			}

			// The first step of Adam: both moments correct to the gradient itself.
			scale := 1.0
			if tc.h.MaxGradNorm > 0 {
				scale = min(1, tc.h.MaxGradNorm/want.GradNorm)
			}
			after, err := l.Weights()
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range after {
				for j, got := range p.Data {
					g := gradient[p.Name][j] * scale
					x := float64(before[i].Data[j])
					// If the gradient is about ε the quotient magnifies its rounding.
					if x -= tc.h.LR * g / (math.Abs(g) + 1e-5); math.Abs(g) > 1e-4 && !close(float64(got), x, 1e-5) {
						t.Errorf("%s[%d] became %v, want %v", p.Name, j, got, x)
					}
				}
			}
		})
	}
}

// Before the rewards have taught anything, a bonus for entropy is the only gradient that the policy has, and Adam
// makes a step of full size of any gradient: ten updates took a policy that was good from an entropy of 0.31 to 0.98.
// While the critic warms up, there is none.
func TestALoneBonusForEntropyCannotUndoAGoodPolicyWhileTheCriticWarmsUp(t *testing.T) {
	for name, c := range map[string]Config{"shared trunk": tinyConfig(), "critic": criticConfig(), "entity": entityConfig()} {
		for _, warming := range []bool{true, false} {
			steps := 20
			if !warming {
				c, steps = criticConfig(), 300 // what would happen otherwise
			}
			l := newLearner(t, c)
			sharp := stir(t, l)
			for _, w := range sharp {
				if name := w.Name; name == "policy.weight" || name == "score.weight" || name == "direct.weight" {
					for i := range w.Data {
						w.Data[i] *= 6
					}
				}
			}
			if err := l.SetWeights(sharp); err != nil {
				t.Fatal(err)
			}
			b := fuzzBatch(c, 48, 11)
			clear(b.Advantage)
			before, values := make([]float32, b.N*c.NumActions), make([]float32, b.N)
			if err := l.Forward(b.Decisions, before, values); err != nil {
				t.Fatal(err)
			}
			for i, a := range b.Action {
				b.OldLogp[i], b.Return[i] = before[i*c.NumActions+int(a)], values[i]+1
			}
			var first, last Stats
			for step := range steps {
				s, err := l.Update(b, Hyper{LR: 1e-2, ClipCoef: 0.2, EntCoef: 0.003, VfCoef: 0.5, MaxGradNorm: 0.5, CriticOnly: warming})
				if err != nil {
					t.Fatal(err)
				}
				if step == 0 {
					first = s
				}
				last = s
			}
			after := make([]float32, len(before))
			if err := l.Forward(b.Decisions, after, nil); err != nil {
				t.Fatal(err)
			}
			if warming && !slices.Equal(before, after) {
				t.Errorf("%s: the policy changed: entropy from %.3f to %.3f", name, first.Entropy, last.Entropy)
			}
			if !warming && last.Entropy < first.Entropy+0.1 {
				t.Errorf("%s: a lone bonus took entropy from %.3f to %.3f only: this test tests nothing", name, first.Entropy, last.Entropy)
			}
			if last.ValueLoss > 0.9*first.ValueLoss {
				t.Errorf("%s: the critic's error went from %.3f to %.3f", name, first.ValueLoss, last.ValueLoss)
			}
		}
	}
}

// A network that learns what it says already must stay as it is: restarted optimisers, noise in targets or decay of weights have
// cost others several points of strength at this.
func TestLearningItsOwnPredictionsCostsNothing(t *testing.T) {
	for _, c := range []Config{tinyConfig(), criticConfig(), entityConfig()} {
		l := newLearner(t, c)
		stir(t, l)
		b := fuzzBatch(c, 64, 12)
		describe(&b.Decisions, c)
		before, after := make([]float32, b.N*c.NumActions), make([]float32, b.N*c.NumActions)
		imitation := ImitationBatch{Decisions: b.Decisions, Return: make([]float32, b.N)}
		if err := l.Forward(b.Decisions, before, imitation.Return); err != nil {
			t.Fatal(err)
		}
		for i, legal := range b.Mask {
			if legal == 1 {
				imitation.Target = append(imitation.Target, float32(math.Exp(float64(before[i]))))
			}
		}
		copy(b.Return, imitation.Return)
		clear(b.Advantage)
		for i, a := range b.Action {
			b.OldLogp[i] = before[i*c.NumActions+int(a)]
		}
		for range 100 {
			if _, err := l.Imitate(imitation, Hyper{LR: 1e-3, VfCoef: 0.5, MaxGradNorm: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Update(b, Hyper{LR: 1e-3, ClipCoef: 0.2, VfCoef: 0.5, MaxGradNorm: 0.5}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Forward(b.Decisions, after, nil); err != nil {
			t.Fatal(err)
		}
		for i, legal := range b.Mask { // rounding moves them a little
			if p, q := math.Exp(float64(before[i])), math.Exp(float64(after[i])); legal == 1 && math.Abs(p-q) > 2e-3 {
				t.Fatalf("%s: a probability went from %.5f to %.5f", c.name(), p, q)
			}
		}
	}
}

// A bandit with four arms, of which the third pays and the fourth is forbidden.
func TestUpdatesLearnABandit(t *testing.T) {
	c := tinyConfig()
	l := newLearner(t, c)
	const n = 64
	rng := rand.New(rand.NewPCG(1, 2))
	b := fuzzBatch(c, n, 5)
	for i := range n {
		copy(b.Mask[i*4:], []uint8{1, 1, 1, 0})
		b.Return[i] = 1
	}
	logp, values := make([]float32, n*4), make([]float32, n)
	var first, last Stats
	for step := range 150 {
		if err := l.Forward(b.Decisions, logp, values); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			a, u := 0, rng.Float64()
			for ; a < 2; a++ {
				if u -= math.Exp(float64(logp[i*4+a])); u < 0 {
					break
				}
			}
			b.Action[i], b.OldLogp[i] = int32(a), logp[i*4+a]
			b.Advantage[i] = -0.5
			if a == 2 {
				b.Advantage[i] = 1
			}
		}
		s, err := l.Update(b, Hyper{LR: 1e-2, ClipCoef: 0.2, EntCoef: 0.001, VfCoef: 0.5, MaxGradNorm: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if step == 0 {
			first = s
		}
		last = s
	}
	if p := math.Exp(float64(logp[2])); p < 0.9 {
		t.Errorf("the paying arm has probability %.3f after training", p)
	}
	if last.Loss >= first.Loss || last.ValueLoss > first.ValueLoss/10 {
		t.Errorf("losses went from %+v to %+v", first, last)
	}
}

func TestGradientThatIsNotFiniteIsRefused(t *testing.T) {
	l := newLearner(t, tinyConfig())
	before, _ := l.Weights()
	b := fuzzBatch(tinyConfig(), 8, 1)
	b.Return[3] = float32(math.NaN())
	if _, err := l.Update(b, tinyHyper); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("error %v", err)
	}
	if after, _ := l.Weights(); !reflect.DeepEqual(before, after) {
		t.Error("the refused update changed the weights")
	}
}

func TestBadCallsAreErrors(t *testing.T) {
	c := tinyConfig()
	l := newLearner(t, c)
	b := fuzzBatch(c, 4, 1)
	b.Obs = b.Obs[1:]
	if _, err := l.Update(b, tinyHyper); err == nil {
		t.Error("Update took too few observations")
	}
	if err := l.Forward(b.Decisions, make([]float32, 16), nil); err == nil {
		t.Error("Forward took too few observations")
	}
	c.Hidden = nil
	if _, err := New(c); err == nil {
		t.Error("New took a network without layers")
	}
	l.Close()
	l.Close()
	if err := l.Forward(fuzzBatch(tinyConfig(), 4, 1).Decisions, make([]float32, 16), nil); err != errClosed {
		t.Errorf("Forward after Close: %v", err)
	}
	if _, err := l.Update(fuzzBatch(tinyConfig(), 4, 1), tinyHyper); err != errClosed {
		t.Errorf("Update after Close: %v", err)
	}
	if err := l.Save(&bytes.Buffer{}); err != errClosed {
		t.Errorf("Save after Close: %v", err)
	}
}

func TestCUDAWithoutADeviceIsAnError(t *testing.T) {
	c := tinyConfig()
	c.Device = "cuda"
	l, err := New(c)
	if err == nil { // on a machine that has one
		l.Close()
	} else if !strings.Contains(err.Error(), "sees no CUDA device") {
		t.Errorf("error %v", err)
	}
}

func TestLearnersMayBeCalledFromManyGoroutines(t *testing.T) {
	c := tinyConfig()
	learners := []Learner{newLearner(t, c), newLearner(t, criticConfig())}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			l, cfg := learners[g%2], []Config{c, criticConfig()}[g%2]
			for i := range 20 {
				b := fuzzBatch(cfg, 1+i, uint64(i))
				if err := l.Forward(b.Decisions, make([]float32, b.N*4), make([]float32, b.N)); err != nil {
					t.Error(err)
				}
				if _, err := l.Update(b, tinyHyper); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestTorchTimeCounts(t *testing.T) {
	l := newLearner(t, tinyConfig())
	if l.TorchTime() != 0 {
		t.Error("time passed before the first call")
	}
	start := time.Now()
	if _, err := l.Update(fuzzBatch(tinyConfig(), 64, 1), tinyHyper); err != nil {
		t.Fatal(err)
	}
	if d := l.TorchTime(); d <= 0 || d > time.Since(start) {
		t.Errorf("TorchTime %v of %v", d, time.Since(start))
	}
}
