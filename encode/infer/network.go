package infer

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/privateer-rl/privateer/engine/portable"
)

// Net is a network arranged for computing. It does not change, and any number of inferences may share it.
//
// Observations and outputs of relu are mostly zeros, so layers are computed input by input: an input of zero costs nothing. Only legal
// actions are scored.
type Net struct {
	model      Model   // without weights
	layers     []layer // of the trunk
	activation func(x []float32)
	floor      bool // it is relu, which layers do at once
	eps        float64
	policy     scorer
	value      outputs // of no outputs without a value head
}

// scorer is the part of a network that scores actions. Network.Name names one, each in a file.
type scorer interface {
	// scores writes the scores of the legal actions, in ascending order, into out, [len(legal)]. x is what the
	// trunk makes of the observation; rows, [len(legal), F], say what the actions do, if the scorer reads that.
	scores(p *Inference, x []float32, legal []int32, rows []uint8, out []float32)
	// room is how many numbers scores needs for n actions.
	room(actions int) int
}

// layer is Linear and, unless gain is nil, LayerNorm.
type layer struct {
	in, out     int
	weight      []float32   // [in, out]; the first layer's are multiplied by the inputs' scales
	bias        []float32   // [out]; nil: zero
	gain, shift []float32   // [out], of the norm
	whole       *wholeLayer // instead of weight, in whole numbers
}

// New arranges a model whose layout and actions were checked. It refuses a malformed network, and weights that are not the network's.
func New(m Model) (*Net, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	n := &Net{model: m, eps: m.NormEps, activation: activations[m.Activation], floor: m.Activation == "relu"}
	n.model.Weights = nil
	w := &weights{byName: make(map[string]Tensor, len(m.Weights))}
	for _, t := range m.Weights {
		w.byName[t.Name] = t
	}
	if len(w.byName) != len(m.Weights) {
		return nil, fmt.Errorf("%d tensors with %d different names", len(m.Weights), len(w.byName))
	}
	in := Size(m.Observation)
	for i, out := range m.Hidden {
		prefix := fmt.Sprintf("trunk.%d.", i)
		l := w.layer(prefix+"linear.weight", prefix+"linear.bias", in, out)
		if m.Norm == LayerNorm {
			l.gain, l.shift = w.take(prefix+"norm.weight", out), w.take(prefix+"norm.bias", out)
		}
		n.layers = append(n.layers, l)
		in = out
	}
	if n.ReadsActions() {
		n.policy = newEntity(&m, n, w, in)
	} else {
		n.policy = newMLP(&m, w, in)
	}
	if _, ok := w.byName["value.bias"]; ok {
		n.value = outputs{w.take("value.weight", 1, in), w.take("value.bias", 1)}
	}
	if w.failed != nil {
		return nil, w.failed
	}
	if len(m.Weights) != w.taken {
		return nil, fmt.Errorf("%d tensors: want %d", len(m.Weights), w.taken)
	}
	n.layers[0].rescale(m.Observation)
	return n, nil
}

// ReadsActions reports whether the network reads what the legal actions do.
func (n *Net) ReadsActions() bool { return n.model.Name == Entity }

// Values is how many values a decision has: 1 with a value head, else 0.
func (n *Net) Values() int { return len(n.value.bias) }

// weights hands out tensors by name and keeps the first error.
type weights struct {
	byName map[string]Tensor
	taken  int
	failed error
}

func (w *weights) take(name string, shape ...int) []float32 {
	t, ok := w.byName[name]
	if w.failed != nil {
		return nil
	}
	w.taken++
	if !ok {
		w.failed = fmt.Errorf("%d tensors, of which the weights %s are missing", len(w.byName), name)
		return nil
	}
	data, err := t.floats(shape)
	if err != nil {
		w.failed = fmt.Errorf("the weights %s: %w", name, err)
	}
	return data
}

// layer takes a linear layer; bias "" is none.
func (w *weights) layer(weight, bias string, in, out int) layer {
	l := layer{in: in, out: out, weight: transposed(w.take(weight, out, in), in)}
	if bias != "" {
		l.bias = w.take(bias, out)
	}
	return l
}

// rescale makes a layer of scaled inputs one of bytes.
func (l *layer) rescale(groups []Slice) {
	for _, o := range groups {
		for k := o.Offset * l.out; k < (o.Offset+o.Size)*l.out; k++ {
			l.weight[k] = float32(l.weight[k] * o.Scale)
		}
	}
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

// Inference computes a network, for one goroutine at a time.
type Inference struct {
	net    *Net
	x, y   []float32  // inputs and outputs of a layer
	used   []int32    // inputs that are not zero
	whole  listing    // of inputs, in whole numbers
	sums   []int32    // of a layer, in whole numbers
	first  []follower // of the trunk's first layer, in whole numbers, by seat: consecutive observations of a seat differ least
	whose  int        // seat of the next decision
	none   []uint8    // a row of zeros
	legal  []int32    // actions
	scored []float32  // scores of them
	room   []float32  // of the scorer; grows with the number of legal actions
}

// Inference makes one for decisions of the given number of seats (see Follow); 1 is enough for any.
func (n *Net) Inference(seats int) *Inference {
	most := Size(n.model.Observation)
	for _, h := range slices.Concat(n.model.Hidden, n.model.RowHidden) {
		most = max(most, 2*h)
	}
	row := Size(n.model.Row)
	most = max(most, row)
	return &Inference{
		net: n, x: make([]float32, most), y: make([]float32, most), used: make([]int32, most+8),
		whole: newListing(most), sums: make([]int32, most+block), first: newFollowers(&n.layers[0], seats), none: make([]uint8, row),
		legal: make([]int32, 0, n.model.Actions), scored: make([]float32, n.model.Actions),
	}
}

// Follow sets the seat of the next decision: in whole numbers an observation is computed from its difference to the seat's last one.
func (p *Inference) Follow(seat int) { p.whose = seat }

// Scores writes the scores of legal actions, in ascending order, into out, [len(legal)], for an observation, [D]: a policy is their
// softmax. rows, [len(legal), F], are those of encode.Encoder.EncodeActions, and nil unless the network ReadsActions.
func (p *Inference) Scores(obs []uint8, legal []int32, rows []uint8, out []float32) {
	n := p.net
	if want := n.policy.room(len(legal)); len(p.room) < want {
		p.room = make([]float32, want)
	}
	n.policy.scores(p, p.trunk(obs), legal, rows, out)
}

// Values writes the values of an observation, [D], into out, [Net.Values].
func (p *Inference) Values(obs []uint8, out []float32) {
	if n := p.net; len(n.value.bias) > 0 {
		n.value.all(p.trunk(obs), out)
	}
}

// probs writes the probabilities of one decision.
func (p *Inference) probs(obs, mask, rows []uint8, out []float32) error {
	p.legal = p.legal[:0]
	for a, legal := range mask {
		if legal != 0 {
			p.legal = append(p.legal, int32(a))
		}
	}
	scored := p.scored[:len(p.legal)]
	if want := len(p.legal) * len(p.none); len(rows) != want || len(scored) == 0 {
		return fmt.Errorf("has %d legal actions and %d bytes that describe them: want at least 1, and %d bytes", len(scored), len(rows), want)
	}
	p.Scores(obs, p.legal, rows, scored)
	Softmax(scored)
	clear(out)
	for i, a := range p.legal {
		out[a] = scored[i]
	}
	return nil
}

// Probs writes the probabilities of n decisions into probs, [n, A], which is exactly 0 where the mask is: obs is [n, D], mask [n, A] of
// 0 and 1, rows [total, F] those of the legal actions, of decision i from offsets[i] to offsets[i+1]; rows and offsets, [n+1], are nil
// unless the network ReadsActions.
func (p *Inference) Probs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	m := &p.net.model
	d, a, f := Size(m.Observation), m.Actions, len(p.none)
	if len(obs) != n*d || len(mask) != n*a || len(probs) != n*a {
		return fmt.Errorf("policy: %d decisions with %d bytes of observations, %d of masks and room for %d probabilities: want [n, %d], [n, %d] and [n, %d]", n, len(obs), len(mask), len(probs), d, a, a)
	}
	if offsets != nil && (len(offsets) != n+1 || len(rows) < int(offsets[n])*f) {
		return fmt.Errorf("policy: %d decisions with %d offsets and %d bytes that describe actions: want [n+1], and %d for each action", n, len(offsets), len(rows), f)
	}
	for i := range n {
		var described []uint8
		if offsets != nil {
			described = rows[int(offsets[i])*f : int(offsets[i+1])*f]
		}
		if err := p.probs(obs[i*d:(i+1)*d], mask[i*a:(i+1)*a], described, probs[i*a:(i+1)*a]); err != nil {
			return fmt.Errorf("policy: row %d %w", i, err)
		}
	}
	return nil
}

// Parallel splits the decisions of a call among its inferences, one goroutine each.
type Parallel []*Inference

// Parallel makes a number of inferences that work side by side; 0: one a core.
func (n *Net) Parallel(of int) Parallel {
	if of < 1 {
		of = runtime.GOMAXPROCS(0)
	}
	all := make(Parallel, of)
	for i := range all {
		all[i] = n.Inference(1)
	}
	return all
}

// Probs computes what Inference.Probs does.
func (all Parallel) Probs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	m := &all[0].net.model
	d, a, f := Size(m.Observation), m.Actions, Size(m.Row)
	whole := len(obs) == n*d && len(mask) == n*a && len(probs) == n*a && (offsets == nil || len(offsets) == n+1 && len(rows) >= int(offsets[n])*f)
	if n < len(all) || !whole {
		return all[0].Probs(n, obs, mask, rows, offsets, probs)
	}
	failed := make([]error, len(all))
	var wg sync.WaitGroup
	for w, p := range all {
		from, to := n*w/len(all), n*(w+1)/len(all)
		var own []int32
		if offsets != nil {
			own = offsets[from : to+1]
		}
		wg.Go(func() {
			failed[w] = p.Probs(to-from, obs[from*d:to*d], mask[from*a:to*a], rows, own, probs[from*a:to*a])
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// Softmax turns logits into probabilities.
func Softmax(x []float32) {
	most, sum := slices.Max(x), 0.0
	for i, v := range x {
		e := portable.Exp(float64(v - most))
		x[i] = float32(e)
		sum += e
	}
	for i := range x {
		x[i] /= float32(sum)
	}
}

// Largest is the index of the largest number, the first of equals.
func Largest[T float32 | float64](x []T) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

// trunk is the input of the scorer, [last]; it is valid until the next call.
func (p *Inference) trunk(obs []uint8) []float32 {
	n := p.net
	x, y := p.x, p.y
	for k := range n.layers {
		l := &n.layers[k]
		out := y[:l.out]
		floor := n.floor && l.gain == nil
		switch {
		case k > 0:
			p.linear(l, x[:l.in], l.bias, out, floor)
		case l.whole != nil:
			copy(out, l.bias)
			p.first[p.whose].linear(l.whole, obs, &p.whole, out, floor)
		default:
			p.linearOfBytes(l, obs, x, out, floor)
		}
		if l.gain != nil {
			norm(out, l.gain, l.shift, n.eps, n.floor)
		}
		if !n.floor {
			n.activation(out)
		}
		x, y = y, x
	}
	return x[:n.layers[len(n.layers)-1].out]
}

// linearOfBytes is the layer without its norm, of bytes, and with a floor nothing below 0; room is for as many numbers.
func (p *Inference) linearOfBytes(l *layer, from []uint8, room, out []float32, floor bool) {
	if l.whole != nil {
		p.whole.changes(from, p.none)
		l.whole.linear(&p.whole, 1, p.sums, l.bias, out, floor)
		return
	}
	copy(out, l.bias)
	addColumns(out, l.weight, room, unpack(from, room, p.used))
	if floor {
		relu(out)
	}
}

// linear is the layer without its norm and bias, on top of base, and with a floor nothing below 0.
func (p *Inference) linear(l *layer, x, base, out []float32, floor bool) {
	if l.whole != nil {
		unit := p.whole.round(x)
		l.whole.linear(&p.whole, unit, p.sums, base, out, floor)
		return
	}
	copy(out, base)
	addColumns(out, l.weight, x, nonzero(x, p.used))
	if floor {
		relu(out)
	}
}

func relu(x []float32) {
	for i := reluFast(x); i < len(x); i++ {
		x[i] = max(x[i], 0)
	}
}

func tanh(x []float32) {
	for i, v := range x {
		x[i] = float32(portable.Tanh(float64(v)))
	}
}

func silu(x []float32) {
	for i, v := range x {
		x[i] = float32(float64(v) / (1 + portable.Exp(-float64(v))))
	}
}
