package policy

import (
	"strings"
	"testing"
)

func TestNetworkThatReadsActionsIsNotAskedWithoutThem(t *testing.T) {
	b := drawnEntity(t, "leduc", "relu", []int{8}, 16)
	obs, rows, mask := b.Golden.Observation, b.Golden.Rows, make([]uint8, 4*len(b.Actions))
	probs, offsets := make([]float32, len(mask)), []int32{0}
	for i, count := range b.Golden.Counts {
		for a := range count {
			mask[i*len(b.Actions)+int(a)] = 1
		}
		offsets = append(offsets, offsets[i]+count)
	}
	for _, p := range []interface {
		Probs(n int, obs, mask []uint8, probs []float32) error
	}{NewBatch(b, 2), NewBatch(b, 2).(ActionBatch).Batch} {
		if err := p.Probs(4, obs, mask, probs); err == nil || !strings.Contains(err.Error(), "ActionProbs") {
			t.Errorf("%T: error %v", p, err)
		}
	}
	p, ok := NewBatch(b, 2).(ActionBatch)
	if !ok {
		t.Fatalf("the policy is a %T", NewBatch(b, 2))
	}
	if err := p.ActionProbs(4, obs, mask, rows, offsets, probs); err != nil {
		t.Error(err)
	}
	if err := p.ActionProbs(4, obs, mask, rows, nil, probs); err == nil {
		t.Error("rows without offsets are enough")
	}
	if err := p.ActionProbs(4, obs, mask, rows[1:], offsets, probs); err == nil {
		t.Error("a byte too few is enough")
	}
	if _, ok := NewBatch(drawn(t, "leduc", "relu", 3), 1).(Batch); !ok {
		t.Error("a network that does not read actions would be asked with them")
	}
}
