package bundle

import (
	"errors"
	"slices"
	"testing"
)

func TestTheMeanOfTwoPoliciesHasTheMeanOfTheirWeights(t *testing.T) {
	a, b := drawnEntity(t, "leduc", "relu", []int{32}, 64), drawnEntity(t, "leduc", "relu", []int{32}, 64)
	if err := b.Quantise(3); err != nil {
		t.Fatal(err)
	}
	a.Provenance, b.Provenance = Provenance{Checkpoint: "a.ckpt", Steps: 5, Iteration: 1}, Provenance{Checkpoint: "b.ckpt", Steps: 7, Iteration: 2}
	a.Evaluation = []Evaluation{{Bot: "random"}}
	var of [2][][]float32
	for k, one := range []*Bundle{a, b} {
		for i := range one.Weights {
			x, err := one.Weights[i].Floats()
			if err != nil {
				t.Fatal(err)
			}
			of[k] = append(of[k], slices.Clone(x))
		}
	}
	before := slices.Clone(a.Golden.Logits)
	if err := a.Average(b, b); err != nil {
		t.Fatal(err)
	}
	for i := range a.Weights {
		got, err := a.Weights[i].Floats()
		if err != nil {
			t.Fatal(err)
		}
		for j, x := range got {
			if want := float32((float64(of[0][i][j]) + 2*float64(of[1][i][j])) / 3); x != want {
				t.Fatalf("%s: weight %d is %v, want %v", a.Weights[i].Name, j, x, want)
			}
		}
	}
	if slices.Equal(before, a.Golden.Logits) || a.Evaluation != nil || a.Digest() != "" {
		t.Errorf("golden decisions, evaluation %v or digest %q are those of the first", a.Evaluation, a.Digest())
	}
	if p := a.Provenance; p.Checkpoint != "a.ckpt, b.ckpt, b.ckpt" || p.Steps != 19 || p.Iteration != 5 {
		t.Errorf("provenance %+v", p)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
}

func TestPoliciesOfOtherNetworksOrGamesHaveNoMean(t *testing.T) {
	a := drawnEntity(t, "leduc", "relu", []int{32}, 64)
	for name, other := range map[string]*Bundle{
		"game": drawnEntity(t, "kuhn", "relu", []int{32}, 64), "width": drawnEntity(t, "leduc", "relu", []int{16}, 64),
		"network": drawn(t, "leduc", "relu", 64), "activation": drawnEntity(t, "leduc", "tanh", []int{32}, 64),
	} {
		if err := a.Average(other); !errors.Is(err, ErrMisfit) {
			t.Errorf("another %s: error %v", name, err)
		}
	}
	if err := a.Average(); err != nil {
		t.Errorf("of one: %v", err)
	}
}
