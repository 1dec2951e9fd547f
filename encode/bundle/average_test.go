package bundle

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/infer"
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
	if p := a.Provenance; p.Checkpoint != "a.ckpt, b.ckpt, b.ckpt" || p.Steps != 12 || p.Iteration != 3 {
		t.Errorf("provenance %+v", p)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
}

// What differs is named: two texts that are the same explain nothing.
func TestPoliciesOfOtherNetworksOrGamesHaveNoMean(t *testing.T) {
	a := drawnEntity(t, "leduc", "relu", []int{32}, 64)
	valued, err := Random("leduc", a.Network, true, 7)
	if err != nil {
		t.Fatal(err)
	}
	layout := func(change func(b *Bundle)) *Bundle {
		b := drawnEntity(t, "leduc", "relu", []int{32}, 64)
		b.Observation, b.Row = slices.Clone(b.Observation), slices.Clone(b.Row)
		change(b)
		return b
	}
	for want, other := range map[string]*Bundle{
		"it reads kuhn, and the first reads leduc": drawnEntity(t, "kuhn", "relu", []int{32}, 64),
		"RowHidden:[16]":           drawnEntity(t, "leduc", "relu", []int{16}, 64),
		"its network is {Name:mlp": drawn(t, "leduc", "relu", 64),
		"Activation:tanh":          drawnEntity(t, "leduc", "tanh", []int{32}, 64),
		"it has the weights value.weight, which the first lacks": valued,
		"its observation has other":                              layout(func(b *Bundle) { b.Schema, b.Observation[0].Name = "other", "other" }),
		"its row of an action has other":                         layout(func(b *Bundle) { b.RowSchema, b.Row[0].Name = "other", "other" }),
		"the largest values of some bytes differ":                layout(func(b *Bundle) { b.RowSchema = "other" }),
	} {
		if err := a.Average(other); !errors.Is(err, ErrMisfit) || !strings.Contains(err.Error(), "policy 2 to average") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := valued.Average(a); !errors.Is(err, ErrMisfit) || !strings.Contains(err.Error(), "it lacks the weights value.weight, which the first has") {
		t.Errorf("without a value head: error %v", err)
	}
	if err := a.Average(); err != nil {
		t.Errorf("of one: %v", err)
	}
}

// The format names the weights and leaves their order open; an empty list is also null there, and no norm has no epsilon.
func TestTheMeanGoesByTheNamesOfWeights(t *testing.T) {
	a, b := drawnBare(t, "leduc", "relu", 16), drawnBare(t, "leduc", "relu", 16)
	want := slices.Clone(a.Golden.Logits)
	slices.Reverse(b.Weights)
	b.Network.RowHidden, b.Network.NormEps = []int{}, 1e-5
	if err := a.Average(b); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Golden.Logits, want) {
		t.Errorf("the mean of twice the same has the logits %v, want %v", a.Golden.Logits, want)
	}
}

func TestWeightsThatAreTooLargeToComputeWithAreRefused(t *testing.T) {
	a := drawnBare(t, "leduc", "relu", 16)
	for i := range a.Weights {
		w := &a.Weights[i]
		x, err := w.Floats()
		if err != nil {
			t.Fatal(err)
		}
		for k := range x {
			x[k] = 3e38
		}
		*w = infer.NewTensor(w.Name, w.Shape, x)
	}
	a.Golden = Golden{} // as of a run that diverged
	b := *a
	if err := b.MakeGolden(newGame(t, "leduc"), 1); err == nil || !strings.Contains(err.Error(), "weights are too large") {
		t.Errorf("golden logits %v, error %v", b.Golden.Logits, err)
	}
	small := drawnBare(t, "leduc", "relu", 16)
	if err := small.Average(a); err == nil || !strings.Contains(err.Error(), "weights are too large") {
		t.Errorf("the mean has golden logits %v, error %v", small.Golden.Logits, err)
	}
	other := drawnBare(t, "leduc", "relu", 16)
	w := &other.Weights[0]
	x := make([]float32, w.Shape[0]*w.Shape[1])
	x[3] = float32(math.NaN())
	*w = infer.NewTensor(w.Name, w.Shape, x)
	if err := drawnBare(t, "leduc", "relu", 16).Average(other); err == nil || !strings.Contains(err.Error(), "number 3 is NaN") {
		t.Errorf("a weight that is no number: error %v", err)
	}
}

func TestAMeanHasTheTrainingOfEachOfItsPartsOnce(t *testing.T) {
	a, b, c := drawn(t, "leduc", "relu", 16), drawn(t, "leduc", "relu", 16), drawn(t, "leduc", "relu", 16)
	a.Provenance = Provenance{Checkpoint: "best.ckpt", Steps: 2048, Iteration: 4, Config: "game: leduc\nseed: 1"}
	b.Provenance = Provenance{Checkpoint: "best.ckpt", Steps: 2048, Iteration: 4, Config: "game: leduc\nseed: 2\n"}
	same := *a
	if err := a.Average(&same, b, c, b); err != nil {
		t.Fatal(err)
	}
	want := Provenance{Checkpoint: "best.ckpt, best.ckpt, best.ckpt, , best.ckpt", Steps: 4096, Iteration: 8,
		Config: "game: leduc\nseed: 1\n---\ngame: leduc\nseed: 2\n---\ngame: leduc\n"}
	if a.Provenance != want {
		t.Errorf("provenance %+v, want %+v", a.Provenance, want)
	}
}
