//go:build torch

package learner

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"github.com/privateer-rl/privateer/train/learner/internal/aten"
)

// buffer is a gotch tensor on the CPU with one row for each decision, that Go
// reads and writes in place.
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
	capacity int

	obs, critic, mask                                      buffer[uint8]
	action                                                 buffer[int32]
	oldLogp, advantage, ret, oldValue, weight, logp, value buffer[float32]
}

// grow makes room for n rows; what the buffers held is lost if they grow.
func (r *rows) grow(c Config, n int) error {
	if n <= r.capacity {
		return nil
	}
	r.free()
	var failed error
	bytes := func(b *buffer[uint8], width int) {
		if failed == nil {
			*b, failed = newBuffer[uint8](gotch.Uint8, int64(n), int64(width))
		}
	}
	floats := func(b *buffer[float32], shape ...int64) {
		if failed == nil {
			*b, failed = newBuffer[float32](gotch.Float, shape...)
		}
	}
	bytes(&r.obs, c.ObsDim)
	bytes(&r.mask, c.NumActions)
	if c.CriticDim > 0 {
		bytes(&r.critic, c.CriticDim)
	}
	if failed == nil {
		r.action, failed = newBuffer[int32](gotch.Int, int64(n))
	}
	for _, b := range []*buffer[float32]{&r.oldLogp, &r.advantage, &r.ret, &r.oldValue, &r.weight, &r.value} {
		floats(b, int64(n))
	}
	floats(&r.logp, int64(n), int64(c.NumActions))
	if failed != nil {
		r.free()
		return fmt.Errorf("learner: buffers for %d rows: %w", n, failed)
	}
	r.capacity = n
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
		r.ret.tensor, r.oldValue.tensor, r.weight.tensor, r.logp.tensor, r.value.tensor,
	}
}

// fill copies a batch in. Rows beyond the batch keep what they held.
func (r *rows) fill(b Batch) {
	copy(r.obs.data, b.Obs)
	copy(r.critic.data, b.Critic)
	copy(r.mask.data, b.Mask)
	copy(r.action.data, b.Action)
	copy(r.oldLogp.data, b.OldLogp)
	copy(r.advantage.data, b.Advantage)
	copy(r.ret.data, b.Return)
	copy(r.oldValue.data, b.OldValue)
	if b.Weight != nil {
		copy(r.weight.data, b.Weight)
	} else {
		copy(r.weight.data, slices.Repeat([]float32{1}, b.N))
	}
}

func (r *rows) pointers() aten.Rows {
	return aten.Rows{
		Obs: pointer(r.obs.tensor), Critic: pointer(r.critic.tensor), Mask: pointer(r.mask.tensor),
		Action: pointer(r.action.tensor), OldLogp: pointer(r.oldLogp.tensor), Advantage: pointer(r.advantage.tensor),
		Return: pointer(r.ret.tensor), OldValue: pointer(r.oldValue.tensor), Weight: pointer(r.weight.tensor),
		Logp: pointer(r.logp.tensor), Values: pointer(r.value.tensor),
	}
}

func pointer(t *ts.Tensor) aten.Tensor {
	if t == nil {
		return nil
	}
	return t.Ctensor()
}
