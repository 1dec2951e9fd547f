//go:build torch

package learner

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestLoadContinuesBitForBit(t *testing.T) {
	for _, threads := range []int{1, 2} {
		c := Config{ObsDim: 64, NumActions: 20, CriticDim: 80, Hidden: []int{96, 96}, Seed: 1, Threads: threads}
		h := tinyHyper
		step := func(l Learner, i int) {
			t.Helper()
			if _, err := l.Update(fuzzBatch(c, 512, uint64(i)), h); err != nil {
				t.Fatal(err)
			}
		}
		var saved, end, resumed bytes.Buffer
		l := newLearner(t, c)
		for i := range 40 {
			if i == 20 {
				if err := l.Save(&saved); err != nil {
					t.Fatal(err)
				}
			}
			step(l, i)
		}
		c.Seed = 2 // nothing of the second learner's own start may survive
		m := newLearner(t, c)
		step(m, 99)
		if err := m.Load(bytes.NewReader(saved.Bytes())); err != nil {
			t.Fatal(err)
		}
		for i := 20; i < 40; i++ {
			step(m, i)
		}
		// The second learner also loaded the generator, so the first must have
		// been left with the same state for the files to be equal.
		if err := l.Save(&end); err != nil {
			t.Fatal(err)
		}
		if err := m.Save(&resumed); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(end.Bytes(), resumed.Bytes()) {
			t.Errorf("with %d threads, 20 resumed steps differ from 20 uninterrupted ones", threads)
		}
	}
}

func TestRefusedLoadChangesNothing(t *testing.T) {
	l, other := newLearner(t, tinyConfig()), newLearner(t, criticConfig())
	stir(t, l)
	var before, after, foreign, badRNG bytes.Buffer
	if err := l.Save(&before); err != nil {
		t.Fatal(err)
	}
	if err := other.Save(&foreign); err != nil {
		t.Fatal(err)
	}
	ws, _ := newLearner(t, tinyConfig()).Weights()
	if err := (&state{steps: 9, rng: []byte("short"), weights: ws, mean: ws, square: ws}).encode(&badRNG); err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(before.Bytes())
	flipped[len(flipped)/2] ^= 1
	for name, tc := range map[string]struct {
		data []byte
		want string
	}{
		"truncated":      {before.Bytes()[:before.Len()-1], "truncated"},
		"flipped bit":    {flipped, "checksum"},
		"other network":  {foreign.Bytes(), "another network"},
		"broken RNG":     {badRNG.Bytes(), "generator"},
		"other file":     {[]byte("not a state at all, but long enough"), "wrong magic"},
		"nothing at all": {nil, "unexpected EOF"},
	} {
		if err := l.Load(bytes.NewReader(tc.data)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, tc.want)
		}
	}
	if err := l.Save(&after); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Error("a refused Load changed the learner")
	}
}

func TestWeightsRoundTrip(t *testing.T) {
	l, m := newLearner(t, criticConfig()), newLearner(t, criticConfig())
	ws, err := l.Weights()
	if err != nil {
		t.Fatal(err)
	}
	if want := criticConfig().InitialWeights(); !reflect.DeepEqual(ws, want) {
		t.Error("a new learner does not start from InitialWeights")
	}
	ws = stir(t, l)
	slices.Reverse(ws) // the order must not matter
	if err := m.SetWeights(ws); err != nil {
		t.Fatal(err)
	}
	got, _ := m.Weights()
	slices.Reverse(ws)
	if !reflect.DeepEqual(got, ws) {
		t.Error("weights differ after SetWeights")
	}
	ws[3].Shape = []int{1}
	if err := m.SetWeights(ws); err == nil || !strings.Contains(err.Error(), ws[3].Name) {
		t.Errorf("wrong shape: error %v", err)
	}
}
