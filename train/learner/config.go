package learner

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// NormEps is the epsilon of every LayerNorm, which an exporter needs too.
const NormEps = 1e-5

// Param names one parameter of the network and gives its shape.
type Param struct {
	Name  string
	Shape []int

	gain float64 // of the orthogonal draw that it starts from; 0: it starts at 0, or at 1 if it is a norm's weight
}

// The networks that Config.Network names. Each adds the parameters of its policy to the layout; last is the width of the trunk.
var networks = map[string]func(c Config, last int, add adder){"mlp": mlp, "entity": entity}

// adder adds a parameter to a layout.
type adder func(name string, gain float64, shape ...int)

// name is the network's, with its default.
func (c Config) name() string { return cmp.Or(c.Network, "mlp") }

// Layout lists the parameters of the network, sorted by name:
//
//	trunk.I.linear.weight [Hidden[I], in]   trunk.I.linear.bias [Hidden[I]]
//	trunk.I.norm.weight   [Hidden[I]]       trunk.I.norm.bias   [Hidden[I]]
//	critic.I...           the same for the critic's trunk, only if CriticDim > 0
//	value.weight  [1, last]                 value.bias  [1]
//
// and those of the network's policy, which mlp.go and entity.go list.
//
// A linear layer computes x·weightᵀ + bias; hidden layers apply it, then LayerNorm with [NormEps], then ReLU. Inputs are the bytes times
// ObsScale or CriticScale.
func (c Config) Layout() []Param {
	var ps []Param
	add := func(name string, gain float64, shape ...int) { ps = append(ps, Param{name, shape, gain}) }
	trunk := func(name string, in int) int {
		for i, h := range c.Hidden {
			prefix := fmt.Sprintf("%s.%d.", name, i)
			add(prefix+"linear.weight", math.Sqrt2, h, in)
			add(prefix+"linear.bias", 0, h)
			add(prefix+"norm.weight", 0, h)
			add(prefix+"norm.bias", 0, h)
			in = h
		}
		return in
	}
	last := trunk("trunk", c.ObsDim)
	networks[c.name()](c, last, add)
	if c.CriticDim > 0 {
		last = trunk("critic", c.CriticDim)
	}
	add("value.weight", 1, 1, last)
	add("value.bias", 0, 1)
	slices.SortFunc(ps, func(a, b Param) int { return strings.Compare(a.Name, b.Name) })
	return ps
}

// Size is the number of weights that a parameter holds.
func (p Param) Size() int { return product(p.Shape) }

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Validate returns an error that names the first invalid field of a Config, or nil.
func (c Config) Validate() error {
	switch {
	case networks[c.name()] == nil:
		return fmt.Errorf("learner: Config.Network is %q, want one of mlp, entity", c.Network)
	case c.ObsDim < 1:
		return fmt.Errorf("learner: Config.ObsDim is %d, want at least 1", c.ObsDim)
	case c.CriticDim < 0:
		return fmt.Errorf("learner: Config.CriticDim is %d, want 0 (shared trunk) or more", c.CriticDim)
	case c.NumActions < 1:
		return fmt.Errorf("learner: Config.NumActions is %d, want at least 1", c.NumActions)
	case c.ObsScale != nil && len(c.ObsScale) != c.ObsDim:
		return fmt.Errorf("learner: Config.ObsScale has %d entries, want ObsDim = %d or nil", len(c.ObsScale), c.ObsDim)
	case c.CriticScale != nil && len(c.CriticScale) != c.CriticDim:
		return fmt.Errorf("learner: Config.CriticScale has %d entries, want CriticDim = %d or nil", len(c.CriticScale), c.CriticDim)
	case c.name() == "entity" && c.RowDim < 1:
		return fmt.Errorf("learner: Config.RowDim is %d, want at least 1: the network entity reads rows that describe the actions", c.RowDim)
	case c.name() == "entity" && len(c.RowHidden) == 0:
		return fmt.Errorf("learner: Config.RowHidden is empty, want at least one width such as 64")
	case c.RowScale != nil && len(c.RowScale) != c.RowDim:
		return fmt.Errorf("learner: Config.RowScale has %d entries, want RowDim = %d or nil", len(c.RowScale), c.RowDim)
	case len(c.Hidden) == 0:
		return fmt.Errorf("learner: Config.Hidden is empty, want at least one width such as 256")
	case c.Device != "" && c.Device != "cpu" && c.Device != "cuda":
		return fmt.Errorf("learner: Config.Device is %q, want \"cpu\" or \"cuda\"", c.Device)
	case c.Threads < 0:
		return fmt.Errorf("learner: Config.Threads is %d, want 0 (as many as GOMAXPROCS) or more", c.Threads)
	case !(c.AdamEps >= 0) || math.IsInf(c.AdamEps, 0):
		return fmt.Errorf("learner: Config.AdamEps is %v, want it finite and not negative", c.AdamEps)
	}
	for name, widths := range map[string][]int{"Hidden": c.Hidden, "RowHidden": c.RowHidden} {
		for i, h := range widths {
			if h < 1 {
				return fmt.Errorf("learner: Config.%s[%d] is %d, want at least 1", name, i, h)
			}
		}
	}
	return nil
}

// withDefaults replaces zero fields by their defaults.
func (c Config) withDefaults() Config {
	c.Network = c.name()
	c.Hidden, c.RowHidden = slices.Clone(c.Hidden), slices.Clone(c.RowHidden)
	c.RowScale = scaleOrOnes(c.RowScale, c.RowDim)
	c.ObsScale = scaleOrOnes(c.ObsScale, c.ObsDim)
	c.CriticScale = scaleOrOnes(c.CriticScale, c.CriticDim)
	c.AdamEps = cmp.Or(c.AdamEps, 1e-5)
	return c
}

func scaleOrOnes(scale []float32, n int) []float32 {
	if scale != nil {
		return slices.Clone(scale)
	}
	return slices.Repeat([]float32{1}, n)
}

// arrange returns tensors in the order of the layout, which they must match; what names them in errors.
func arrange(layout []Param, tensors []Tensor, what string) ([]Tensor, error) {
	byName := make(map[string]Tensor, len(tensors))
	for _, t := range tensors {
		if _, dup := byName[t.Name]; dup {
			return nil, fmt.Errorf("learner: %s hold %q twice", what, t.Name)
		}
		byName[t.Name] = t
	}
	out := make([]Tensor, len(layout))
	for i, p := range layout {
		t, ok := byName[p.Name]
		if !ok {
			return nil, fmt.Errorf("learner: %s lack %q of shape %v: they belong to another network", what, p.Name, p.Shape)
		}
		if !slices.Equal(t.Shape, p.Shape) {
			return nil, fmt.Errorf("learner: %s hold %q of shape %v, want %v: they belong to another network", what, p.Name, t.Shape, p.Shape)
		}
		if len(t.Data) != p.Size() {
			return nil, fmt.Errorf("learner: %s hold %q of shape %v with %d numbers, want %d", what, p.Name, t.Shape, len(t.Data), p.Size())
		}
		delete(byName, p.Name)
		out[i] = t
	}
	if extra := slices.Sorted(maps.Keys(byName)); len(extra) > 0 {
		return nil, fmt.Errorf("learner: %s hold %q, which this network lacks: they belong to another network", what, extra[0])
	}
	return out, nil
}
