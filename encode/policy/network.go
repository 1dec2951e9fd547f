package policy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/privateer-rl/privateer/engine/portable"
)

// network is the weights of a bundle in the order in which they are read. It does
// not change, and any number of inferences may share it.
//
// Observations are mostly zeros, and so is what relu leaves, so that layers are
// computed input by input: an input of zero costs nothing. The head is computed
// action by action, and only legal actions are asked for.
type network struct {
	layers     []layer
	activation func(x []float32)
	eps        float64
	head       []float32 // [A, last]
	bias       []float32 // [A]
}

// layer is Linear and LayerNorm.
type layer struct {
	in, out     int
	weight      []float32 // [in, out]; the first layer's are multiplied by the inputs' scales
	bias        []float32 // [out]
	gain, shift []float32 // [out], of the norm
}

// arrange checks a bundle's weights and puts them in order.
func arrange(b *Bundle) (*network, error) {
	n := &network{eps: b.Network.NormEps, activation: relu}
	if b.Network.Activation == "silu" {
		n.activation = silu
	}
	byName := make(map[string]Tensor, len(b.Weights))
	for _, t := range b.Weights {
		byName[t.Name] = t
	}
	if want := 4*len(b.Network.Hidden) + 2; len(b.Weights) != want || len(byName) != want {
		return nil, fmt.Errorf("%d tensors: want %d of different names", len(b.Weights), want)
	}
	var failed error
	take := func(name string, shape ...int) []float32 {
		t, ok := byName[name]
		if failed != nil {
			return nil
		}
		if !ok {
			failed = fmt.Errorf("the weights %s are missing", name)
			return nil
		}
		data, err := t.floats(shape)
		if err != nil {
			failed = fmt.Errorf("the weights %s: %w", name, err)
		}
		return data
	}
	in := b.ObservationSize()
	for i, out := range b.Network.Hidden {
		prefix := fmt.Sprintf("trunk.%d.", i)
		l := layer{
			in: in, out: out,
			weight: transposed(take(prefix+"linear.weight", out, in), in),
			bias:   take(prefix+"linear.bias", out),
			gain:   take(prefix+"norm.weight", out), shift: take(prefix+"norm.bias", out),
		}
		n.layers = append(n.layers, l)
		in = out
	}
	a := len(b.Actions)
	n.head, n.bias = take("policy.weight", a, in), take("policy.bias", a)
	if failed != nil {
		return nil, failed
	}
	first := &n.layers[0]
	for _, o := range b.Observation {
		for k := o.Offset * first.out; k < (o.Offset+o.Size)*first.out; k++ {
			first.weight[k] = float32(first.weight[k] * o.Scale)
		}
	}
	return n, nil
}

// floats are the numbers of a tensor that must have that shape.
func (t *Tensor) floats(shape []int) ([]float32, error) {
	size := 1
	for _, n := range shape {
		size *= n // each is at most mostWidth, and there are two
	}
	if !slices.Equal(t.Shape, shape) || len(t.Data) != 4*size {
		return nil, fmt.Errorf("shape %v with %d bytes: want %v with %d", t.Shape, len(t.Data), shape, 4*size)
	}
	out := make([]float32, size)
	for i := range out {
		x := math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:]))
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("number %d is %v", i, x)
		}
		out[i] = x
	}
	return out, nil
}

// NewTensor makes a tensor of numbers.
func NewTensor(name string, shape []int, data []float32) Tensor {
	t := Tensor{Name: name, Shape: slices.Clone(shape), Data: make([]byte, 0, 4*len(data))}
	for _, x := range data {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(x))
	}
	return t
}

// transposed turns [n, in] into [in, n].
func transposed(w []float32, in int) []float32 {
	out, n := make([]float32, len(w)), len(w)/in
	for i := range n {
		for k, x := range w[i*in : (i+1)*in] {
			out[k*n+i] = x
		}
	}
	return out
}

// Inference computes a bundle's network, for one goroutine at a time. It is an env.Policy.
type Inference struct {
	bundle *Bundle
	x, y   []float32 // inputs and outputs of a layer
	used   []int32   // inputs that are not zero
}

// Inference makes one for the bundle.
func (b *Bundle) Inference() *Inference {
	most := b.ObservationSize()
	for _, h := range b.Network.Hidden {
		most = max(most, h)
	}
	return &Inference{bundle: b, x: make([]float32, most), y: make([]float32, most), used: make([]int32, most)}
}

// Logits writes the logits of all actions, [A], for an observation, [D]. Which
// actions are legal is the caller's to know.
func (p *Inference) Logits(obs []uint8, logits []float32) {
	x := p.trunk(obs)
	for a := range logits {
		logits[a] = p.logit(x, a)
	}
}

// Probs is that of env.Policy: for n decisions with obs [n, D]
// and mask [n, A] it writes probs [n, A], which is exactly 0 where the mask is.
func (p *Inference) Probs(n int, obs, mask []uint8, probs []float32) error {
	d, a := p.bundle.ObservationSize(), len(p.bundle.Actions)
	if len(obs) != n*d || len(mask) != n*a || len(probs) != n*a {
		return fmt.Errorf("policy: %d decisions with %d bytes of observations, %d of masks and room for %d probabilities: want [n, %d], [n, %d] and [n, %d]", n, len(obs), len(mask), len(probs), d, a, a)
	}
	for i := range n {
		x, out := p.trunk(obs[i*d:(i+1)*d]), probs[i*a:(i+1)*a]
		most := float32(math.Inf(-1))
		for k, legal := range mask[i*a : (i+1)*a] {
			if legal == 0 {
				out[k] = float32(math.Inf(-1))
				continue
			}
			out[k] = p.logit(x, k)
			most = max(most, out[k])
		}
		if math.IsInf(float64(most), -1) {
			return fmt.Errorf("policy: row %d has no legal action", i)
		}
		softmax(out, most)
	}
	return nil
}

// Parallel splits the rows of a call among its inferences, a goroutine each. It is
// an env.Policy, for one caller at a time.
type Parallel []*Inference

// Parallel makes n inferences that work side by side; 0: one a core.
func (b *Bundle) Parallel(n int) Parallel {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	all := make(Parallel, n)
	for i := range all {
		all[i] = b.Inference()
	}
	return all
}

// Probs gives what Inference.Probs gives.
func (all Parallel) Probs(n int, obs, mask []uint8, probs []float32) error {
	d, a := all[0].bundle.ObservationSize(), len(all[0].bundle.Actions)
	if n < len(all) || len(obs) != n*d || len(mask) != n*a || len(probs) != n*a {
		return all[0].Probs(n, obs, mask, probs)
	}
	failed := make([]error, len(all))
	var wg sync.WaitGroup
	for w, p := range all {
		from, to := n*w/len(all), n*(w+1)/len(all)
		wg.Add(1)
		go func() {
			defer wg.Done()
			failed[w] = p.Probs(to-from, obs[from*d:to*d], mask[from*a:to*a], probs[from*a:to*a])
		}()
	}
	wg.Wait()
	return errors.Join(failed...)
}

// softmax turns logits, of which the largest is most, into probabilities.
func softmax(x []float32, most float32) {
	sum := 0.0
	for i, v := range x {
		e := portable.Exp(float64(v - most))
		x[i] = float32(e)
		sum += e
	}
	for i := range x {
		x[i] /= float32(sum)
	}
}

// trunk is what the head reads, [last]; it is valid until the next call.
func (p *Inference) trunk(obs []uint8) []float32 {
	x, y := p.x, p.y
	used := p.used[:0]
	for i, v := range obs {
		if v != 0 {
			x[i] = float32(v)
			used = append(used, int32(i))
		}
	}
	n := p.bundle.net
	for k := range n.layers {
		l := &n.layers[k]
		out := y[:l.out]
		l.linear(x, used, out)
		l.norm(out, n.eps)
		n.activation(out)
		used = p.used[:0]
		for i, v := range out {
			if v != 0 {
				used = append(used, int32(i))
			}
		}
		x, y = y, x
	}
	return x[:n.layers[len(n.layers)-1].out]
}

func (p *Inference) logit(x []float32, action int) float32 {
	n := p.bundle.net
	w := n.head[action*len(x):][:len(x)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s0 += float32(w[i] * x[i])
		s1 += float32(w[i+1] * x[i+1])
		s2 += float32(w[i+2] * x[i+2])
		s3 += float32(w[i+3] * x[i+3])
	}
	for ; i < len(x); i++ {
		s0 += float32(w[i] * x[i])
	}
	return s0 + s1 + (s2 + s3) + n.bias[action]
}

// linear adds up the columns of the inputs that are not zero, four at a time so
// that the sums are read and written less often.
func (l *layer) linear(x []float32, used []int32, out []float32) {
	copy(out, l.bias)
	for ; len(used) >= 4; used = used[4:] {
		a, b, c, d := x[used[0]], x[used[1]], x[used[2]], x[used[3]]
		wa, wb := l.column(used[0], len(out)), l.column(used[1], len(out))
		wc, wd := l.column(used[2], len(out)), l.column(used[3], len(out))
		for j := range out {
			out[j] += float32(wa[j]*a) + float32(wb[j]*b) + (float32(wc[j]*c) + float32(wd[j]*d))
		}
	}
	for _, i := range used {
		a, wa := x[i], l.column(i, len(out))
		for j := range out {
			out[j] += float32(wa[j] * a)
		}
	}
}

func (l *layer) column(i int32, out int) []float32 { return l.weight[int(i)*l.out:][:out] }

func (l *layer) norm(x []float32, eps float64) {
	var sum, squares float64
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(len(x))
	for _, v := range x {
		squares += float64((float64(v) - mean) * (float64(v) - mean))
	}
	scale := float32(1 / math.Sqrt(squares/float64(len(x))+eps))
	for i, v := range x {
		x[i] = float32((v-float32(mean))*scale*l.gain[i]) + l.shift[i]
	}
}

func relu(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

func silu(x []float32) {
	for i, v := range x {
		x[i] = float32(float64(v) / (1 + portable.Exp(-float64(v))))
	}
}
