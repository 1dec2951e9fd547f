//go:build torch

package learner

import (
	"fmt"
	"unsafe"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"github.com/privateer-rl/privateer/train/learner/internal/aten"
)

// buffer is a gotch tensor on the CPU, with one row for each decision, that Go reads and writes in place.
type buffer[T uint8 | int32 | float32] struct {
	tensor *ts.Tensor
	data   []T
}

func newBuffer[T uint8 | int32 | float32](kind gotch.DType, shape ...int64) (buffer[T], error) {
	t, err := ts.Zeros(shape, kind, gotch.CPU)
	if err != nil {
		return buffer[T]{}, err
	}
	p, err := t.DataPtr()
	if err != nil {
		t.MustDrop()
		return buffer[T]{}, err
	}
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	return buffer[T]{t, unsafe.Slice((*T)(p), n)}, nil
}

// rows are the buffers of a learner. They grow to the largest batch seen.
type rows struct {
	capacity int // decisions
	legal    int // legal actions of all of them

	obs, critic, mask                            buffer[uint8]
	action                                       buffer[int32]
	oldLogp, advantage, ret, weight, logp, value buffer[float32]

	actions buffer[uint8]   // a row for each legal action
	offsets buffer[int32]   // whose they are
	target  buffer[float32] // a probability for each
}

// grow makes room for n rows with a number of legal actions in all. Buffers that grow lose their content.
func (r *rows) grow(c Config, n, legal int) error {
	if n <= r.capacity && legal <= r.legal {
		return nil
	}
	n, legal = max(n, r.capacity), max(legal, r.legal)
	r.free()
	var failed error
	bytes := func(b *buffer[uint8], height, width int) {
		if failed == nil && width > 0 {
			*b, failed = newBuffer[uint8](gotch.Uint8, int64(height), int64(width))
		}
	}
	ints := func(b *buffer[int32], n int) {
		if failed == nil {
			*b, failed = newBuffer[int32](gotch.Int, int64(n))
		}
	}
	floats := func(b *buffer[float32], shape ...int64) {
		if failed == nil {
			*b, failed = newBuffer[float32](gotch.Float, shape...)
		}
	}
	bytes(&r.obs, n, c.ObsDim)
	bytes(&r.mask, n, c.NumActions)
	bytes(&r.critic, n, c.CriticDim)
	bytes(&r.actions, legal, c.RowDim)
	ints(&r.action, n)
	ints(&r.offsets, n+1)
	for _, b := range []*buffer[float32]{&r.oldLogp, &r.advantage, &r.ret, &r.weight, &r.value} {
		floats(b, int64(n))
	}
	floats(&r.target, int64(legal))
	floats(&r.logp, int64(n), int64(c.NumActions))
	if failed != nil {
		r.free()
		return fmt.Errorf("learner: buffers for %d rows: %w", n, failed)
	}
	r.capacity, r.legal = n, legal
	return nil
}

func (r *rows) free() {
	for _, t := range r.tensors() {
		if t != nil {
			t.MustDrop()
		}
	}
	*r = rows{}
}

func (r *rows) tensors() []*ts.Tensor {
	return []*ts.Tensor{
		r.obs.tensor, r.critic.tensor, r.mask.tensor, r.action.tensor, r.oldLogp.tensor, r.advantage.tensor,
		r.ret.tensor, r.weight.tensor, r.logp.tensor, r.value.tensor,
		r.actions.tensor, r.offsets.tensor, r.target.tensor,
	}
}

// fill copies decisions in.
func (r *rows) fill(d Decisions) {
	copy(r.obs.data, d.Obs)
	copy(r.critic.data, d.Critic)
	copy(r.mask.data, d.Mask)
	copy(r.actions.data, d.Rows)
	copy(r.offsets.data, d.Offsets)
}

func (r *rows) fillBatch(b Batch) {
	copy(r.action.data, b.Action)
	copy(r.oldLogp.data, b.OldLogp)
	copy(r.advantage.data, b.Advantage)
	copy(r.ret.data, b.Return)
	r.weigh(b.N, nil)
}

func (r *rows) fillImitation(l ImitationBatch) {
	copy(r.target.data, l.Target)
	copy(r.ret.data, l.Return)
	r.weigh(l.N, l.Weight)
}

func (r *rows) weigh(n int, weight []float32) {
	copy(r.weight.data, weight)
	for i := range r.weight.data[:n] {
		if weight == nil {
			r.weight.data[i] = 1
		}
	}
}

func (r *rows) pointers() aten.Rows {
	return aten.Rows{
		Obs: pointer(r.obs.tensor), Critic: pointer(r.critic.tensor), Mask: pointer(r.mask.tensor),
		Action: pointer(r.action.tensor), OldLogp: pointer(r.oldLogp.tensor), Advantage: pointer(r.advantage.tensor),
		Return: pointer(r.ret.tensor), Weight: pointer(r.weight.tensor),
		Logp: pointer(r.logp.tensor), Values: pointer(r.value.tensor),
		ActionRows: pointer(r.actions.tensor), Offsets: pointer(r.offsets.tensor), Target: pointer(r.target.tensor),
	}
}

func pointer(t *ts.Tensor) aten.Tensor {
	if t == nil {
		return nil
	}
	return t.Ctensor()
}
