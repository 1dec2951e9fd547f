package learner

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var small = Config{ObsDim: 5, NumActions: 4, Hidden: []int{6, 3}, Seed: 7}

func TestLayoutIsSortedAndNamesEveryParameter(t *testing.T) {
	c := small
	if got := len(c.Layout()); got != 2*4+4 {
		t.Errorf("a shared trunk has %d parameters, want 12", got)
	}
	c.CriticDim = 7
	var names []string
	shapes := map[string][]int{}
	for _, p := range c.Layout() {
		names = append(names, p.Name)
		shapes[p.Name] = p.Shape
	}
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
	for name, want := range map[string][]int{
		"trunk.0.linear.weight": {6, 5}, "trunk.1.linear.weight": {3, 6}, "trunk.1.norm.bias": {3},
		"critic.0.linear.weight": {6, 7}, "policy.weight": {4, 3}, "value.weight": {1, 3}, "value.bias": {1},
	} {
		if !slices.Equal(shapes[name], want) {
			t.Errorf("%s has shape %v, want %v", name, shapes[name], want)
		}
	}
}

func TestInitialWeightsAreOrthogonalAndDependOnTheSeedAlone(t *testing.T) {
	ws := small.InitialWeights()
	if !reflect.DeepEqual(ws, small.InitialWeights()) {
		t.Error("two draws from one seed differ")
	}
	gains := map[string]float64{"trunk.0.linear.weight": math.Sqrt2, "trunk.1.linear.weight": math.Sqrt2, "policy.weight": 0.01, "value.weight": 1}
	for _, w := range ws {
		gain, matrix := gains[w.Name]
		if !matrix {
			want := float32(0)
			if strings.HasSuffix(w.Name, "norm.weight") {
				want = 1
			}
			if slices.ContainsFunc(w.Data, func(x float32) bool { return x != want }) {
				t.Errorf("%s is %v, want all %v", w.Name, w.Data, want)
			}
			continue
		}
		rows, cols := w.Shape[0], w.Shape[1]
		at := func(i, j int) float64 { // element j of the i-th of the fewer vectors
			if rows <= cols {
				return float64(w.Data[i*cols+j])
			}
			return float64(w.Data[j*cols+i])
		}
		for a := range min(rows, cols) {
			for b := range a + 1 {
				sum, want := 0.0, 0.0
				for j := range max(rows, cols) {
					sum += at(a, j) * at(b, j)
				}
				if a == b {
					want = gain * gain
				}
				if math.Abs(sum-want) > 1e-6 {
					t.Errorf("%s: product of %d and %d is %v, want %v", w.Name, a, b, sum, want)
				}
			}
		}
	}
	other := small
	other.Seed++
	if reflect.DeepEqual(ws, other.InitialWeights()) {
		t.Error("another seed gives the same weights")
	}
}

func TestValidateNamesTheField(t *testing.T) {
	for field, spoil := range map[string]func(*Config){
		"ObsDim":      func(c *Config) { c.ObsDim = 0 },
		"CriticDim":   func(c *Config) { c.CriticDim = -1 },
		"NumActions":  func(c *Config) { c.NumActions = 0 },
		"ObsScale":    func(c *Config) { c.ObsScale = []float32{1} },
		"CriticScale": func(c *Config) { c.CriticScale = []float32{1} },
		"Hidden":      func(c *Config) { c.Hidden = nil },
		"Hidden[1]":   func(c *Config) { c.Hidden = []int{4, 0} },
		"Device":      func(c *Config) { c.Device = "tpu" },
		"Threads":     func(c *Config) { c.Threads = -1 },
		"AdamEps":     func(c *Config) { c.AdamEps = math.NaN() },
	} {
		c := small
		spoil(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: error %v", field, err)
		}
	}
	if err := small.Validate(); err != nil {
		t.Error(err)
	}
}

func TestZeroFieldsStandForTheirDefaults(t *testing.T) {
	c := small
	c.CriticScale = []float32{}
	d := c.withDefaults()
	if !slices.Equal(d.ObsScale, []float32{1, 1, 1, 1, 1}) || len(d.CriticScale) != 0 {
		t.Errorf("scales are %v and %v", d.ObsScale, d.CriticScale)
	}
	if d.AdamEps != 1e-5 {
		t.Errorf("Adam has ε %v", d.AdamEps)
	}
	d.Hidden[0] = 99
	if c.Hidden[0] == 99 {
		t.Error("the learner shares its caller's slice")
	}
}

func TestWeightsOfAnotherNetworkAreRefused(t *testing.T) {
	ws := small.InitialWeights()
	for name, spoil := range map[string]func([]Tensor) []Tensor{
		"lack \"policy.bias\"":     func(ws []Tensor) []Tensor { return ws[1:] },
		"twice":                    func(ws []Tensor) []Tensor { return append(ws, ws[2]) },
		"network lacks":            func(ws []Tensor) []Tensor { return append(ws, Tensor{Name: "more"}) },
		"of shape [2 2], want [4]": func(ws []Tensor) []Tensor { ws[0].Shape = []int{2, 2}; return ws },
		"with 1 numbers, want 4":   func(ws []Tensor) []Tensor { ws[0].Data = ws[0].Data[:1]; return ws },
	} {
		if _, err := arrange(small.Layout(), spoil(slices.Clone(ws)), "weights"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
}
