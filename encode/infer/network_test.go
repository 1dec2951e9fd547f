package infer_test

import (
	"math"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
)

// reference is the logits of the legal actions, and the values, as the network's description says, in float64 and without any
// of network.go's shortcuts.
func reference(b *bundle.Bundle, obs []uint8, legal []int32, rows []uint8) (logits, values []float64) {
	linear := func(x []float64, weight, bias string) []float64 {
		w := tensorOf(b, weight)
		y := make([]float64, len(w)/len(x))
		for j := range y {
			if bias != "" {
				y[j] = float64(tensorOf(b, bias)[j])
			}
			for i, v := range x {
				y[j] += v * float64(w[j*len(x)+i])
			}
		}
		return y
	}
	activate := func(x []float64) {
		for i, v := range x {
			switch b.Network.Activation {
			case "silu":
				x[i] = v / (1 + math.Exp(-v))
			case "tanh":
				x[i] = math.Tanh(v)
			default:
				x[i] = max(v, 0)
			}
		}
	}
	scaled := func(bytes []uint8, groups []infer.Slice) []float64 {
		x := make([]float64, len(bytes))
		for _, o := range groups {
			for i := o.Offset; i < o.Offset+o.Size; i++ {
				x[i] = float64(bytes[i]) * float64(o.Scale)
			}
		}
		return x
	}
	x := scaled(obs, b.Observation)
	for k := range b.Network.Hidden {
		prefix := "trunk." + string(rune('0'+k)) + "."
		x = linear(x, prefix+"linear.weight", prefix+"linear.bias")
		if b.Network.Norm == infer.NoNorm {
			activate(x)
			continue
		}
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		gain, shift := tensorOf(b, prefix+"norm.weight"), tensorOf(b, prefix+"norm.bias")
		for i, v := range x {
			x[i] = (v-mean)/math.Sqrt(variance+b.Network.NormEps)*float64(gain[i]) + float64(shift[i])
		}
		activate(x)
	}
	if b.Values() > 0 {
		values = linear(x, "value.weight", "value.bias")
	}
	logits = make([]float64, len(legal))
	if !b.ReadsActions() {
		all := linear(x, "policy.weight", "policy.bias")
		for i, a := range legal {
			logits[i] = all[a]
		}
		return logits, values
	}
	var embedded [][]float64
	width := b.Network.RowHidden[len(b.Network.RowHidden)-1]
	common := slices.Concat(make([]float64, width), slices.Repeat([]float64{math.Inf(-1)}, width))
	f := len(rows) / len(legal)
	for i := range legal {
		e := scaled(rows[i*f:(i+1)*f], b.Row)
		for k := range b.Network.RowHidden {
			prefix := "rows." + string(rune('0'+k)) + "."
			e = linear(e, prefix+"weight", prefix+"bias")
			activate(e)
		}
		embedded = append(embedded, e)
		for j, v := range e {
			common[j] += v / float64(len(legal))
			common[width+j] = max(common[width+j], v)
		}
	}
	query, direct := linear(x, "query.weight", "query.bias"), linear(x, "direct.weight", "")
	for j, v := range linear(common, "context.weight", "") {
		query[j] += v
	}
	for i, e := range embedded {
		met := linear(e, "embed.weight", "")
		for j := range met {
			met[j] += query[j]
			logits[i] += e[j] * direct[j]
		}
		activate(met)
		logits[i] += linear(met, "score.weight", "")[0]
	}
	return logits, values
}

func tensorOf(b *bundle.Bundle, name string) []float32 {
	i := slices.IndexFunc(b.Weights, func(t infer.Tensor) bool { return t.Name == name })
	data, err := b.Weights[i].Floats()
	if err != nil {
		panic(err)
	}
	return data
}

// asked are decisions of a match played at random: what a policy is asked.
type asked struct {
	obs, mask, rows []uint8
	offsets         []int32
}

// legal are the actions that decision i allows, and their rows.
func (q *asked) legal(b *bundle.Bundle, i int) (legal []int32, rows []uint8) {
	a, f := len(b.Actions), b.RowSize()
	for k, ok := range q.mask[i*a : (i+1)*a] {
		if ok != 0 {
			legal = append(legal, int32(k))
		}
	}
	return legal, q.rows[int(q.offsets[i])*f : int(q.offsets[i+1])*f]
}

func questions(t testing.TB, g engine.Game, n int) *asked {
	t.Helper()
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(3)
	d, a := e.Schema().Size, len(g.Info().Actions)
	q := &asked{obs: make([]uint8, n*d), mask: make([]uint8, n*a), offsets: []int32{0}}
	for i, seed := 0, uint64(0); i < n; i++ {
		for m.Seat() < 0 {
			m.Reset(seed)
			seed++
		}
		e.Encode(m, m.Seat(), q.obs[i*d:(i+1)*d])
		m.Legal().Expand(q.mask[i*a : (i+1)*a])
		at := len(q.rows)
		q.rows = append(q.rows, make([]uint8, m.Legal().Count()*e.ActionSize())...)
		e.EncodeActions(m, q.rows[at:])
		q.offsets = append(q.offsets, q.offsets[i]+int32(m.Legal().Count()))
		if err := m.Apply(m.Legal().Sample(&r)); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

func TestNetworkComputesWhatItsDescriptionSays(t *testing.T) {
	for _, b := range []*bundle.Bundle{
		drawn(t, "kuhn", "relu", 5), drawn(t, "leduc", "silu", 16, 7), drawn(t, "doubloons(seats=3)", "relu", 33, 18, 21),
		drawnEntity(t, "kuhn", "relu", []int{5}, 6), drawnEntity(t, "leduc", "relu", []int{21, 9}, 16, 7), drawnEntity(t, "leduc", "silu", []int{4, 9, 40}, 8),
		drawn(t, "leduc", "tanh", 16, 7), drawnBare(t, "leduc", "tanh", 16, 7), drawnBare(t, "kuhn", "relu", 9), drawnEntity(t, "kuhn", "tanh", []int{5}, 6),
	} {
		q, p := questions(t, newGame(t, b.Game), 20), b.Inference(1)
		d := b.ObservationSize()
		for i := range 20 {
			legal, rows := q.legal(b, i)
			logits := make([]float32, len(legal))
			p.Scores(q.obs[i*d:(i+1)*d], legal, rows, logits)
			wantLogits, wantValues := reference(b, q.obs[i*d:(i+1)*d], legal, rows)
			values := make([]float32, len(wantValues))
			p.Values(q.obs[i*d:(i+1)*d], values)
			got := slices.Concat(logits, values)
			for k, want := range slices.Concat(wantLogits, wantValues) {
				if math.Abs(float64(got[k])-want) > 1e-4*max(1, math.Abs(want)) {
					t.Fatalf("%s of %s, decision %d: number %d of %d logits and %d values is %v; want %v", b.Network.Name, b.Game, i, k, len(logits), len(values), got[k], want)
				}
			}
		}
	}
}

func TestProbabilitiesAreTheSoftmaxOfLegalLogits(t *testing.T) {
	const n = 50
	for _, b := range []*bundle.Bundle{drawn(t, "doubloons(seats=2)", "relu", 16), drawnEntity(t, "leduc", "relu", []int{8}, 16)} {
		q := questions(t, newGame(t, b.Game), n)
		d, a := b.ObservationSize(), len(b.Actions)
		probs, again := make([]float32, n*a), make([]float32, n*a)
		one, three := b.Inference(1).Probs, b.Parallel(3).Probs
		offsets := q.offsets
		if !b.ReadsActions() {
			offsets = nil
		}
		if err := one(n, q.obs, q.mask, q.rows, offsets, probs); err != nil {
			t.Fatal(err)
		}
		if err := three(n, q.obs, q.mask, q.rows, offsets, again); err != nil || !slices.Equal(probs, again) {
			t.Errorf("three inferences compute other probabilities than one (%v)", err)
		}
		for i := range n {
			legal, rows := q.legal(b, i)
			logits := make([]float32, len(legal))
			b.Inference(1).Scores(q.obs[i*d:(i+1)*d], legal, rows, logits)
			sum := 0.0
			for _, x := range logits {
				sum += math.Exp(float64(x))
			}
			k := 0
			for action, ok := range q.mask[i*a : (i+1)*a] {
				got, want := probs[i*a+action], 0.0
				if ok != 0 {
					want = math.Exp(float64(logits[k])) / sum
					k++
				}
				if math.Abs(float64(got)-want) > 1e-5 || ok == 0 && got != 0 {
					t.Fatalf("decision %d, action %d (legal %d): probability %v; want %v", i, action, ok, got, want)
				}
			}
		}
		if err := one(1, q.obs[:d], make([]uint8, a), nil, offsets[:min(len(offsets), 2)], make([]float32, a)); err == nil {
			t.Error("a row without a legal action has probabilities")
		}
		if err := three(2, q.obs[:d], q.mask[:a], q.rows, offsets[:min(len(offsets), 3)], probs[:a]); err == nil {
			t.Error("half of the tensors are enough")
		}
	}
}

func inWholes(t testing.TB, b *bundle.Bundle) *bundle.Bundle {
	t.Helper()
	whole, err := b.InWholeNumbers()
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func TestWholeNumbersAreNearTheNetwork(t *testing.T) {
	for _, b := range []*bundle.Bundle{
		drawn(t, "leduc", "silu", 16, 7), drawn(t, "doubloons(seats=3)", "relu", 64, 32),
		drawnEntity(t, "leduc", "silu", []int{21, 9}, 16, 7), drawnEntity(t, "doubloons(seats=4)", "relu", []int{64, 32}, 128, 64),
	} {
		const n = 40
		q, p, w := questions(t, newGame(t, b.Game), n), b.Inference(1), inWholes(t, b).Inference(1)
		for i := range n {
			legal, rows := q.legal(b, i)
			want, got := make([]float32, len(legal)), make([]float32, len(legal))
			obs := q.obs[i*b.ObservationSize() : (i+1)*b.ObservationSize()]
			p.Scores(obs, legal, rows, want)
			w.Scores(obs, legal, rows, got)
			for k := range want {
				if d := math.Abs(float64(got[k] - want[k])); d > .02*max(1, math.Abs(float64(want[k]))) {
					t.Fatalf("%s of %s, decision %d: logit %d is %v in whole numbers, %v without", b.Network.Name, b.Game, i, k, got[k], want[k])
				}
			}
		}
	}
}

// What an inference read before does not show in what it computes.
func TestSumsThatFollowChangesAreThoseOfAFreshInference(t *testing.T) {
	b := inWholes(t, drawnEntity(t, "doubloons(seats=4)", "relu", []int{24, 16}, 96, 32))
	const n = 60
	q, p := questions(t, newGame(t, b.Game), n), b.Inference(1)
	for i := range 2 * n {
		i = i * 7 % n // there and back
		legal, rows := q.legal(b, i)
		obs := q.obs[i*b.ObservationSize() : (i+1)*b.ObservationSize()]
		got, want := make([]float32, len(legal)), make([]float32, len(legal))
		p.Scores(obs, legal, rows, got)
		b.Inference(1).Scores(obs, legal, rows, want)
		if !slices.Equal(got, want) {
			t.Fatalf("decision %d: logits %v after others, %v alone", i, got, want)
		}
	}
}
