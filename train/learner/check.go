package learner

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
)

// The checks stand between callers and libtorch: arguments that pass cannot read outside a buffer, or give NaN by an empty mask.

func checkForward(c Config, d Decisions, logp, values []float32) error {
	if d.N < 1 {
		return fmt.Errorf("learner: Forward: N is %d, want at least 1", d.N)
	}
	if err := checkLen("Forward", "Obs", len(d.Obs), d.N, c.ObsDim, "ObsDim"); err != nil {
		return err
	}
	if logp != nil {
		if err := cmp.Or(
			checkLen("Forward", "logp", len(logp), d.N, c.NumActions, "NumActions"),
			checkLegal("Forward", c, d, c.name() == "entity"),
		); err != nil {
			return err
		}
	}
	if values == nil {
		return nil
	}
	return cmp.Or(
		checkLen("Forward", "values", len(values), d.N, 1, "1"),
		checkLen("Forward", "Critic", len(d.Critic), d.N, c.CriticDim, "CriticDim"),
	)
}

// checkLegal checks the masks, and with offsets that there is a row for each legal action.
func checkLegal(call string, c Config, d Decisions, offsets bool) error {
	if err := checkLen(call, "Mask", len(d.Mask), d.N, c.NumActions, "NumActions"); err != nil {
		return err
	}
	if offsets && (len(d.Offsets) != d.N+1 || d.Offsets[0] != 0) {
		return fmt.Errorf("learner: %s: Offsets has length %d, want N+1 = %d numbers from 0 on", call, len(d.Offsets), d.N+1)
	}
	for row := range d.N {
		mask := d.Mask[row*c.NumActions : (row+1)*c.NumActions]
		if bytes.IndexByte(mask, 1) < 0 {
			return fmt.Errorf("learner: %s: row %d has no legal action in its mask; give finished rows a mask of ones", call, row)
		}
		if !offsets {
			continue
		}
		if legal := len(mask) - bytes.Count(mask, []byte{0}); int(d.Offsets[row+1]-d.Offsets[row]) != legal {
			return fmt.Errorf("learner: %s: row %d has %d legal actions, but Offsets from %d to %d", call, row, legal, d.Offsets[row], d.Offsets[row+1])
		}
	}
	if c.name() != "entity" {
		return nil
	}
	return checkLen(call, "Rows", len(d.Rows), int(d.Offsets[d.N]), c.RowDim, "RowDim")
}

func checkImitation(c Config, l ImitationBatch, h Hyper) error {
	if l.N < 1 {
		return fmt.Errorf("learner: Imitate: ImitationBatch.N is %d, want at least 1", l.N)
	}
	if err := cmp.Or(
		checkLen("Imitate", "Obs", len(l.Obs), l.N, c.ObsDim, "ObsDim"),
		checkLen("Imitate", "Critic", len(l.Critic), l.N, c.CriticDim, "CriticDim"),
		checkLen("Imitate", "Return", len(l.Return), l.N, 1, "1"),
		checkLegal("Imitate", c, l.Decisions, true),
		checkHyper("Imitate", h),
	); err != nil {
		return err
	}
	if err := checkLen("Imitate", "Target", len(l.Target), int(l.Offsets[l.N]), 1, "1"); err != nil {
		return err
	}
	for i, p := range l.Target {
		switch {
		case h.Squared && (math.IsNaN(float64(p)) || math.IsInf(float64(p), 0)):
			return fmt.Errorf("learner: Imitate: Target[%d] is %v, want a finite number", i, p)
		case !h.Squared && !(p >= 0 && p <= 1):
			return fmt.Errorf("learner: Imitate: Target[%d] is %v, want a probability", i, p)
		}
	}
	return checkWeight(l.N, l.Weight)
}

func checkUpdate(c Config, b Batch, h Hyper) error {
	if b.N < 1 {
		return fmt.Errorf("learner: Update: Batch.N is %d, want at least 1", b.N)
	}
	if err := cmp.Or(
		checkLen("Update", "Obs", len(b.Obs), b.N, c.ObsDim, "ObsDim"),
		checkLen("Update", "Critic", len(b.Critic), b.N, c.CriticDim, "CriticDim"),
		checkLegal("Update", c, b.Decisions, c.name() == "entity"),
		checkLen("Update", "Batch.Action", len(b.Action), b.N, 1, "1"),
		checkLen("Update", "Batch.OldLogp", len(b.OldLogp), b.N, 1, "1"),
		checkLen("Update", "Batch.Advantage", len(b.Advantage), b.N, 1, "1"),
		checkLen("Update", "Batch.Return", len(b.Return), b.N, 1, "1"),
		checkHyper("Update", h),
		checkClip(h),
	); err != nil {
		return err
	}
	for row, a := range b.Action {
		if a < 0 || int(a) >= c.NumActions {
			return fmt.Errorf("learner: Update: row %d has action %d, want 0 to %d", row, a, c.NumActions-1)
		}
		if b.Mask[row*c.NumActions+int(a)] == 0 {
			return fmt.Errorf("learner: Update: row %d has action %d, which its mask forbids", row, a)
		}
	}
	return nil
}

func checkWeight(n int, weight []float32) error {
	if weight == nil {
		return nil
	}
	if err := checkLen("Imitate", "Weight", len(weight), n, 1, "1"); err != nil {
		return err
	}
	sum := 0.0
	for row, w := range weight {
		if !(w >= 0) {
			return fmt.Errorf("learner: Imitate: row %d has weight %v, want 0 or more", row, w)
		}
		sum += float64(w)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("learner: Imitate: Weight sums to %v, want a positive finite sum", sum)
	}
	return nil
}

func checkHyper(call string, h Hyper) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"LR", h.LR}, {"EntCoef", h.EntCoef}, {"VfCoef", h.VfCoef}, {"MaxGradNorm", h.MaxGradNorm}, {"MagnetCoef", h.MagnetCoef}} {
		if !(f.value >= 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("learner: %s: Hyper.%s is %v, want a finite number, 0 or more", call, f.name, f.value)
		}
	}
	return nil
}

func checkClip(h Hyper) error {
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
