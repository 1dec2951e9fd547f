package learner

import (
	"math"
	"strings"
	"testing"
)

func goodBatch() Batch {
	return Batch{
		Decisions: Decisions{N: 2, Obs: make([]uint8, 10), Mask: []uint8{1, 0, 0, 1, 1, 1, 1, 1}}, Action: []int32{3, 1},
		OldLogp: make([]float32, 2), Advantage: make([]float32, 2), Return: make([]float32, 2),
	}
}

func TestUpdateRefusesWhatWouldReadOutsideABufferOrMakeNaN(t *testing.T) {
	good := Hyper{LR: 1e-3, ClipCoef: 0.1}
	if err := checkUpdate(small, goodBatch(), good); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Batch, *Hyper){
		"Batch.N":                            func(b *Batch, h *Hyper) { b.N = 0 },
		"Obs has length 9":                   func(b *Batch, h *Hyper) { b.Obs = b.Obs[:9] },
		"Critic":                             func(b *Batch, h *Hyper) { b.Critic = []uint8{1} },
		"Mask":                               func(b *Batch, h *Hyper) { b.Mask = b.Mask[1:] },
		"Batch.Action":                       func(b *Batch, h *Hyper) { b.Action = nil },
		"Batch.OldLogp":                      func(b *Batch, h *Hyper) { b.OldLogp = nil },
		"Batch.Advantage":                    func(b *Batch, h *Hyper) { b.Advantage = nil },
		"Batch.Return":                       func(b *Batch, h *Hyper) { b.Return = nil },
		"row 1 has action 4, want 0 to 3":    func(b *Batch, h *Hyper) { b.Action[1] = 4 },
		"row 1 has action -1":                func(b *Batch, h *Hyper) { b.Action[1] = -1 },
		"row 0 has action 2, which its mask": func(b *Batch, h *Hyper) { b.Action[0] = 2 },
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
	whole := []uint8{1, 0, 0, 1, 1, 0, 0, 0}
	logp, obs := make([]float32, 8), make([]uint8, 10)
	critic := small
	critic.CriticDim = 3
	reader := small
	reader.Network, reader.RowDim, reader.RowHidden = "entity", 2, []int{3}
	rows, offsets := make([]uint8, 6), []int32{0, 2, 3}
	for want, err := range map[string]error{
		"N is 0":                 checkForward(small, Decisions{}, nil, nil),
		"Obs has length 9":       checkForward(small, Decisions{N: 2, Obs: obs[:9], Mask: mask}, logp, nil),
		"Mask has length 7":      checkForward(small, Decisions{N: 2, Obs: obs, Mask: mask[:7]}, logp, nil),
		"logp has length 7":      checkForward(small, Decisions{N: 2, Obs: obs, Mask: mask}, logp[:7], nil),
		"values has length 1":    checkForward(small, Decisions{N: 2, Obs: obs}, nil, make([]float32, 1)),
		"Critic has length 0":    checkForward(critic, Decisions{N: 2, Obs: obs}, nil, make([]float32, 2)),
		"row 1 has no legal act": checkForward(small, Decisions{N: 2, Obs: obs, Mask: mask}, logp, nil),
		"Offsets has length 2":   checkForward(reader, Decisions{N: 2, Obs: obs, Mask: whole, Rows: rows, Offsets: offsets[:2]}, logp, nil),
		"row 1 has 1 legal":      checkForward(reader, Decisions{N: 2, Obs: obs, Mask: whole, Rows: rows, Offsets: []int32{0, 2, 4}}, logp, nil),
		"Rows has length 5":      checkForward(reader, Decisions{N: 2, Obs: obs, Mask: whole, Rows: rows[:5], Offsets: offsets}, logp, nil),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for what, err := range map[string]error{
		"acting without values": checkForward(critic, Decisions{N: 2, Obs: obs, Mask: whole}, logp, nil),
		"values alone":          checkForward(reader, Decisions{N: 2, Obs: obs}, nil, make([]float32, 2)),
		"scores of rows":        checkForward(reader, Decisions{N: 2, Obs: obs, Mask: whole, Rows: rows, Offsets: offsets}, logp, nil),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestImitateRefusesWhatIsNoImitationBatch(t *testing.T) {
	good := func() ImitationBatch {
		return ImitationBatch{
			Decisions: Decisions{N: 2, Obs: make([]uint8, 10), Mask: []uint8{1, 0, 0, 1, 1, 0, 0, 0}, Offsets: []int32{0, 2, 3}},
			Target:    []float32{.5, .5, 1}, Return: []float32{0, 1},
		}
	}
	if err := checkImitation(small, good(), Hyper{LR: 1e-3}); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*ImitationBatch){
		"ImitationBatch.N":      func(l *ImitationBatch) { l.N = 0 },
		"Obs has length":        func(l *ImitationBatch) { l.Obs = nil },
		"Offsets has length 0":  func(l *ImitationBatch) { l.Offsets = nil },
		"row 0 has 2 legal":     func(l *ImitationBatch) { l.Offsets[1] = 1 },
		"Target has length 2":   func(l *ImitationBatch) { l.Target = l.Target[1:] },
		"Target[2] is NaN":      func(l *ImitationBatch) { l.Target[2] = float32(math.NaN()) },
		"Target[0] is 1.5":      func(l *ImitationBatch) { l.Target[0] = 1.5 },
		"Return has length 0":   func(l *ImitationBatch) { l.Return = nil },
		"row 0 has weight -1":   func(l *ImitationBatch) { l.Weight = []float32{-1, 1} },
		"Critic has length 1, ": func(l *ImitationBatch) { l.Critic = []uint8{1} },
	} {
		l := good()
		spoil(&l)
		if err := checkImitation(small, l, Hyper{LR: 1e-3}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	logs := good()
	logs.Target[0] = -7
	if err := checkImitation(small, logs, Hyper{LR: 1e-3, Squared: true}); err != nil {
		t.Error(err)
	}
	logs.Target[0] = float32(math.Inf(-1))
	if err := checkImitation(small, logs, Hyper{LR: 1e-3, Squared: true}); err == nil || !strings.Contains(err.Error(), "Target[0] is -Inf") {
		t.Errorf("error %v, want one with the target that is not finite", err)
	}
}
