package learner

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
)

// The checks stand between callers and libtorch: what they let through cannot
// read outside a buffer or turn into NaN by way of an empty mask.

func checkForward(c Config, n int, obs, critic, mask []uint8, logp, values []float32) error {
	if n < 1 {
		return fmt.Errorf("learner: Forward: n is %d, want at least 1", n)
	}
	if err := cmp.Or(
		checkLen("Forward", "obs", len(obs), n, c.ObsDim, "ObsDim"),
		checkLen("Forward", "mask", len(mask), n, c.NumActions, "NumActions"),
		checkLen("Forward", "logp", len(logp), n, c.NumActions, "NumActions"),
	); err != nil {
		return err
	}
	if values != nil {
		if err := cmp.Or(
			checkLen("Forward", "values", len(values), n, 1, "1"),
			checkLen("Forward", "critic", len(critic), n, c.CriticDim, "CriticDim"),
		); err != nil {
			return err
		}
	}
	for row := range n {
		if bytes.IndexByte(mask[row*c.NumActions:(row+1)*c.NumActions], 1) < 0 {
			return fmt.Errorf("learner: Forward: row %d has no legal action in its mask; give finished rows a mask of ones", row)
		}
	}
	return nil
}

func checkUpdate(c Config, b Batch, h Hyper) error {
	if b.N < 1 {
		return fmt.Errorf("learner: Update: Batch.N is %d, want at least 1", b.N)
	}
	if err := cmp.Or(
		checkLen("Update", "Batch.Obs", len(b.Obs), b.N, c.ObsDim, "ObsDim"),
		checkLen("Update", "Batch.Critic", len(b.Critic), b.N, c.CriticDim, "CriticDim"),
		checkLen("Update", "Batch.Mask", len(b.Mask), b.N, c.NumActions, "NumActions"),
		checkLen("Update", "Batch.Action", len(b.Action), b.N, 1, "1"),
		checkLen("Update", "Batch.OldLogp", len(b.OldLogp), b.N, 1, "1"),
		checkLen("Update", "Batch.Advantage", len(b.Advantage), b.N, 1, "1"),
		checkLen("Update", "Batch.Return", len(b.Return), b.N, 1, "1"),
		checkHyper(h),
	); err != nil {
		return err
	}
	if h.ClipVLoss || b.OldValue != nil {
		if err := checkLen("Update", "Batch.OldValue", len(b.OldValue), b.N, 1, "1"); err != nil {
			return err
		}
	}
	for row, a := range b.Action {
		if a < 0 || int(a) >= c.NumActions {
			return fmt.Errorf("learner: Update: row %d has action %d, want 0 to %d", row, a, c.NumActions-1)
		}
		if b.Mask[row*c.NumActions+int(a)] == 0 {
			return fmt.Errorf("learner: Update: row %d has action %d, which its mask forbids", row, a)
		}
	}
	return checkWeight(b)
}

func checkWeight(b Batch) error {
	if b.Weight == nil {
		return nil
	}
	if err := checkLen("Update", "Batch.Weight", len(b.Weight), b.N, 1, "1"); err != nil {
		return err
	}
	sum := 0.0
	for row, w := range b.Weight {
		if !(w >= 0) {
			return fmt.Errorf("learner: Update: row %d has weight %v, want 0 or more", row, w)
		}
		sum += float64(w)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("learner: Update: Batch.Weight sums to %v, want a positive finite sum", sum)
	}
	return nil
}

func checkHyper(h Hyper) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"LR", h.LR}, {"EntCoef", h.EntCoef}, {"VfCoef", h.VfCoef}, {"MaxGradNorm", h.MaxGradNorm}} {
		if !(f.value >= 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("learner: Update: Hyper.%s is %v, want a finite number, 0 or more", f.name, f.value)
		}
	}
	if !(h.ClipCoef > 0) || math.IsInf(h.ClipCoef, 0) {
		return fmt.Errorf("learner: Update: Hyper.ClipCoef is %v, want a finite number above 0 such as 0.1", h.ClipCoef)
	}
	return nil
}

func checkLen(call, name string, got, rows, width int, unit string) error {
	if got == rows*width {
		return nil
	}
	return fmt.Errorf("learner: %s: %s has length %d, want %d rows of %s = %d, which is %d", call, name, got, rows, unit, width, rows*width)
}
