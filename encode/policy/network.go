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
// computed input by input: an input of zero costs nothing. Only legal actions are
// scored.
type network struct {
	layers     []layer // of the trunk
	activation func(x []float32)
	floor      bool // it is relu, which layers do at once
	eps        float64
	policy     scorer
	value      outputs // of no outputs if the bundle tells no values
}

// scorer is the part of a network that scores actions. Network.Name names one, each in a file.
type scorer interface {
	// scores writes the scores of the legal actions, in ascending order, into out, [len(legal)]. x is what the
	// trunk makes of the observation; rows, [len(legal), F], say what the actions do, if the scorer reads that.
	scores(p *Inference, x []float32, legal []int32, rows []uint8, out []float32)
	// room is how many numbers scores needs for n actions.
	room(actions int) int
}

// The networks by name, as in the configuration of a training.
const (
	MLP    = "mlp"    // a score for every action of the game
	Entity = "entity" // scores legal actions by rows that say what they do
)

// layer is Linear and, unless gain is nil, LayerNorm.
type layer struct {
	in, out     int
	weight      []float32   // [in, out]; the first layer's are multiplied by the inputs' scales
	bias        []float32   // [out]; nil: zero
	gain, shift []float32   // [out], of the norm
	whole       *wholeLayer // instead of weight, in whole numbers
}

// arrange checks a bundle's weights and puts them in order.
func arrange(b *Bundle) (*network, error) {
	n := &network{eps: b.Network.NormEps, activation: activations[b.Network.Activation], floor: b.Network.Activation == "relu"}
	w := &weights{byName: make(map[string]Tensor, len(b.Weights))}
	for _, t := range b.Weights {
		w.byName[t.Name] = t
	}
	if len(w.byName) != len(b.Weights) {
		return nil, fmt.Errorf("%d tensors with %d different names", len(b.Weights), len(w.byName))
	}
	in := b.ObservationSize()
	for i, out := range b.Network.Hidden {
		prefix := fmt.Sprintf("trunk.%d.", i)
		l := w.layer(prefix+"linear.weight", prefix+"linear.bias", in, out)
		if b.Network.Norm == LayerNorm {
			l.gain, l.shift = w.take(prefix+"norm.weight", out), w.take(prefix+"norm.bias", out)
		}
		n.layers = append(n.layers, l)
		in = out
	}
	if b.Network.Name == Entity {
		n.policy = newEntity(b, n, w, in)
	} else {
		n.policy = newMLP(b, w, in)
	}
	if v := b.Values(); v > 0 {
		n.value = outputs{w.take("value.weight", v, in), w.take("value.bias", v)}
	}
	if w.failed != nil {
		return nil, w.failed
	}
	if len(b.Weights) != w.taken {
		return nil, fmt.Errorf("%d tensors: want %d", len(b.Weights), w.taken)
	}
	n.layers[0].rescale(b.Observation)
	return n, nil
}

// weights hands out the tensors of a bundle by name and remembers what went wrong first.
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

// rescale lets the layer read bytes.
func (l *layer) rescale(groups []Slice) {
	for _, o := range groups {
		for k := o.Offset * l.out; k < (o.Offset+o.Size)*l.out; k++ {
			l.weight[k] = float32(l.weight[k] * o.Scale)
		}
	}
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

// Floats are the tensor's numbers.
func (t *Tensor) Floats() ([]float32, error) { return t.floats(t.Shape) }

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

// Inference computes a bundle's network, for one goroutine at a time.
type Inference struct {
	bundle *Bundle
	x, y   []float32  // inputs and outputs of a layer
	used   []int32    // inputs that are not zero
	whole  listing    // of inputs, in whole numbers
	sums   []int32    // of a layer, in whole numbers
	first  []follower // of the trunk's first layer, in whole numbers, by whose decisions they follow: an observer's change less than the table's
	whose  int        // decision it is
	none   []uint8    // a row of zeros
	legal  []int32    // actions
	scored []float32  // scores of them
	room   []float32  // of the scorer; grows with the number of legal actions
}

// Inference makes one for the bundle.
func (b *Bundle) Inference() *Inference { return b.inference(1) }

// inference makes one that follows the decisions of so many.
func (b *Bundle) inference(many int) *Inference {
	most := b.ObservationSize()
	for _, h := range slices.Concat(b.Network.Hidden, b.Network.RowHidden) {
		most = max(most, 2*h)
	}
	most = max(most, size(b.Row))
	return &Inference{
		bundle: b, x: make([]float32, most), y: make([]float32, most), used: make([]int32, most+8),
		whole: newListing(most), sums: make([]int32, most+block), first: newFollowers(&b.net.layers[0], many), none: make([]uint8, size(b.Row)),
		legal: make([]int32, 0, len(b.Actions)), scored: make([]float32, len(b.Actions)),
	}
}

// Scores writes the scores of legal actions, in ascending order, into out, [len(legal)], for an
// observation, [D]: a policy is their softmax. rows, [len(legal), F], are those of encode.Encoder.EncodeActions,
// and nil unless the bundle ReadsActions.
func (p *Inference) Scores(obs []uint8, legal []int32, rows []uint8, out []float32) {
	n := p.bundle.net
	if want := n.policy.room(len(legal)); len(p.room) < want {
		p.room = make([]float32, want)
	}
	n.policy.scores(p, p.trunk(obs), legal, rows, out)
}

// Values writes the values of an observation, [D], into out, [Bundle.Values].
func (p *Inference) Values(obs []uint8, out []float32) {
	if n := p.bundle.net; len(n.value.bias) > 0 {
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
	if want := len(p.legal) * size(p.bundle.Row); len(rows) != want || len(scored) == 0 {
		return fmt.Errorf("has %d legal actions and %d bytes that describe them: want at least 1, and %d bytes", len(scored), len(rows), want)
	}
	p.Scores(obs, p.legal, rows, scored)
	softmax(scored, slices.Max(scored))
	clear(out)
	for i, a := range p.legal {
		out[a] = scored[i]
	}
	return nil
}

// Probs is that of env.Policy, for bundles that do not read what actions do: for n decisions with obs [n, D]
// and mask [n, A] it writes probs [n, A], which is exactly 0 where the mask is.
func (p *Inference) Probs(n int, obs, mask []uint8, probs []float32) error {
	if p.bundle.ReadsActions() {
		return fmt.Errorf("policy: the network %s reads what actions do: ask it with their rows, ActionProbs", p.bundle.Network.Name)
	}
	return p.each(n, obs, mask, nil, nil, probs)
}

// each computes n decisions; offsets are nil unless rows are read.
func (p *Inference) each(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	d, a, f := p.bundle.ObservationSize(), len(p.bundle.Actions), size(p.bundle.Row)
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

// Parallel splits the rows of a call among its inferences, a goroutine each. It is
// an env.Policy, for one caller at a time, if its bundle does not read what actions do.
type Parallel []*Inference

// Reading is Parallel for bundles that read what actions do. It is an env.ActionPolicy.
type Reading struct{ Parallel }

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

// Policy is an env.Policy of n inferences that work side by side, 0: one a core; an env.ActionPolicy if the bundle
// reads what actions do.
func (b *Bundle) Policy(n int) interface {
	Probs(n int, obs, mask []uint8, probs []float32) error
} {
	if b.ReadsActions() {
		return Reading{b.Parallel(n)}
	}
	return b.Parallel(n)
}

// Probs gives what Inference.Probs gives.
func (all Parallel) Probs(n int, obs, mask []uint8, probs []float32) error {
	if all[0].bundle.ReadsActions() {
		return all[0].Probs(n, obs, mask, probs) // says why not
	}
	return all.split(n, obs, mask, nil, nil, probs)
}

// ActionProbs is that of env.ActionPolicy.
func (r Reading) ActionProbs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	if offsets == nil {
		return errors.New("policy: no offsets of the rows that describe actions")
	}
	return r.split(n, obs, mask, rows, offsets, probs)
}

func (all Parallel) split(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	b := all[0].bundle
	d, a, f := b.ObservationSize(), len(b.Actions), size(b.Row)
	whole := len(obs) == n*d && len(mask) == n*a && len(probs) == n*a && (offsets == nil || len(offsets) == n+1 && len(rows) >= int(offsets[n])*f)
	if n < len(all) || !whole {
		return all[0].each(n, obs, mask, rows, offsets, probs)
	}
	failed := make([]error, len(all))
	var wg sync.WaitGroup
	for w, p := range all {
		from, to := n*w/len(all), n*(w+1)/len(all)
		var own []int32
		if offsets != nil {
			own = offsets[from : to+1]
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			failed[w] = p.each(to-from, obs[from*d:to*d], mask[from*a:to*a], rows, own, probs[from*a:to*a])
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

// trunk is what the scorer reads, [last]; it is valid until the next call.
func (p *Inference) trunk(obs []uint8) []float32 {
	n := p.bundle.net
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

// linearOfBytes is the layer without its norm, of bytes, and with a floor 0 for what is less; room is for as many numbers.
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

// linear is the layer without its norm and bias, on top of base, and with a floor 0 for what is less.
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
