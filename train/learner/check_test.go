package learner

import (
	"math"
	"strings"
	"testing"
)

func goodBatch() Batch {
	return Batch{
		N: 2, Obs: make([]uint8, 10), Mask: []uint8{1, 0, 0, 1, 1, 1, 1, 1}, Action: []int32{3, 1},
		OldLogp: make([]float32, 2), Advantage: make([]float32, 2), Return: make([]float32, 2), OldValue: make([]float32, 2),
	}
}

func TestUpdateRefusesWhatWouldReadOutsideABufferOrMakeNaN(t *testing.T) {
	good := Hyper{LR: 1e-3, ClipCoef: 0.1, ClipVLoss: true}
	if err := checkUpdate(small, goodBatch(), good); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Batch, *Hyper){
		"Batch.N":                            func(b *Batch, h *Hyper) { b.N = 0 },
		"Batch.Obs has length 9":             func(b *Batch, h *Hyper) { b.Obs = b.Obs[:9] },
		"Batch.Critic":                       func(b *Batch, h *Hyper) { b.Critic = []uint8{1} },
		"Batch.Mask":                         func(b *Batch, h *Hyper) { b.Mask = b.Mask[1:] },
		"Batch.Action":                       func(b *Batch, h *Hyper) { b.Action = nil },
		"Batch.OldLogp":                      func(b *Batch, h *Hyper) { b.OldLogp = nil },
		"Batch.Advantage":                    func(b *Batch, h *Hyper) { b.Advantage = nil },
		"Batch.Return":                       func(b *Batch, h *Hyper) { b.Return = nil },
		"Batch.OldValue":                     func(b *Batch, h *Hyper) { b.OldValue = nil },
		"row 1 has action 4, want 0 to 3":    func(b *Batch, h *Hyper) { b.Action[1] = 4 },
		"row 1 has action -1":                func(b *Batch, h *Hyper) { b.Action[1] = -1 },
		"row 0 has action 2, which its mask": func(b *Batch, h *Hyper) { b.Action[0] = 2 },
		"Batch.Weight has length 1":          func(b *Batch, h *Hyper) { b.Weight = []float32{1} },
		"row 1 has weight":                   func(b *Batch, h *Hyper) { b.Weight = []float32{1, float32(math.NaN())} },
		"Batch.Weight sums to 0":             func(b *Batch, h *Hyper) { b.Weight = []float32{0, 0} },
		"Hyper.LR":                           func(b *Batch, h *Hyper) { h.LR = math.Inf(1) },
		"Hyper.MaxGradNorm":                  func(b *Batch, h *Hyper) { h.MaxGradNorm = -1 },
		"Hyper.ClipCoef":                     func(b *Batch, h *Hyper) { h.ClipCoef = 0 },
	} {
		b, h := goodBatch(), good
		spoil(&b, &h)
		if err := checkUpdate(small, b, h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestForwardRefusesShortBuffersAndEmptyMasks(t *testing.T) {
	mask := []uint8{1, 0, 0, 1, 0, 0, 0, 0}
	logp, obs := make([]float32, 8), make([]uint8, 10)
	critic := small
	critic.CriticDim = 3
	for want, err := range map[string]error{
		"n is 0":                 checkForward(small, 0, nil, nil, nil, nil, nil),
		"obs has length 9":       checkForward(small, 2, obs[:9], nil, mask, logp, nil),
		"mask has length 7":      checkForward(small, 2, obs, nil, mask[:7], logp, nil),
		"logp has length 7":      checkForward(small, 2, obs, nil, mask, logp[:7], nil),
		"values has length 1":    checkForward(small, 2, obs, nil, mask, logp, make([]float32, 1)),
		"critic has length 0":    checkForward(critic, 2, obs, nil, mask, logp, make([]float32, 2)),
		"row 1 has no legal act": checkForward(small, 2, obs, nil, mask, logp, nil),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	mask[4] = 1
	if err := checkForward(critic, 2, obs, nil, mask, logp, nil); err != nil {
		t.Errorf("acting without values: %v", err)
	}
}
