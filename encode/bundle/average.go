package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode/infer"
)

// Average replaces the weights by the mean of its own and of others', weight by weight, and makes the golden decisions again. The same
// bundle twice counts twice. Policies that began with the same weights and learnt from different matches or opponents are often stronger
// so than each of them, at the cost of one (Wortsman et al. 2022, Model soups); of those that began with other weights nothing is left. The choice stays
// its own; the provenance is that of all. It is an error, ErrMisfit, if one has another game, layout or network.
func (b *Bundle) Average(others ...*Bundle) error {
	if len(others) == 0 {
		return nil
	}
	if err := b.Check(); err != nil {
		return err
	}
	parts := append([]*Bundle{b}, others...)
	sums := make([][]float64, len(b.Weights))
	for k, one := range parts {
		if err := b.misfit(one); err != nil {
			return fmt.Errorf("policy %d to average: %w", k+1, err)
		}
		for i, t := range b.Weights {
			x, err := one.tensor(t.Name).Floats()
			if err != nil {
				return fmt.Errorf("policy %d to average: the weights %s: %w", k+1, t.Name, err)
			}
			if sums[i] == nil {
				sums[i] = make([]float64, len(x))
			}
			for j, v := range x {
				sums[i][j] += float64(v)
			}
		}
	}
	for i, sum := range sums {
		mean := make([]float32, len(sum))
		for j, v := range sum {
			mean[j] = float32(v / float64(len(parts)))
		}
		b.Weights[i] = infer.NewTensor(b.Weights[i].Name, b.Weights[i].Shape, mean)
	}
	b.Provenance = origin(parts)
	b.Evaluation, b.levels = nil, 0
	return b.playGoldenAgain()
}

// origin is the provenance of a mean. What is named twice has twice the weight, but was trained once.
func origin(parts []*Bundle) Provenance {
	sum := parts[0].Provenance
	sum.Iteration, sum.Steps = 0, 0
	var counted []Provenance
	var files, configs []string
	for _, one := range parts {
		p := one.Provenance
		files = append(files, p.Checkpoint)
		config := strings.TrimSuffix(cmp.Or(p.Config, "game: "+one.Game), "\n") + "\n"
		if !slices.Contains(configs, config) {
			configs = append(configs, config)
		}
		if !slices.Contains(counted, p) {
			counted = append(counted, p)
			sum.Iteration += p.Iteration
			sum.Steps += p.Steps
		}
	}
	sum.Checkpoint, sum.Config = strings.Join(files, ", "), strings.Join(configs, "---\n")
	return sum
}

// misfit says why the mean of two policies' weights would mean nothing.
func (b *Bundle) misfit(other *Bundle) error {
	if why := b.unlike(other); why != "" {
		return fmt.Errorf("%w: %s", ErrMisfit, why)
	}
	return nil
}

// unlike names the first thing in which another's weights are not for the same; "" if none is.
func (b *Bundle) unlike(other *Bundle) string {
	const firsts = "that of the first"
	switch n, o := b.Network, other.Network; {
	case other.Name != b.Name:
		return fmt.Sprintf("it reads %s, and the first reads %s", other.Game, b.Game)
	case o.Name != n.Name || !slices.Equal(o.Hidden, n.Hidden) || !slices.Equal(o.RowHidden, n.RowHidden) || o.Activation != n.Activation || o.Norm != n.Norm || o.NormEps != n.NormEps && n.Norm != infer.NoNorm:
		return fmt.Sprintf("its network is %+v, and that of the first %+v", o, n)
	case other.Schema != b.Schema:
		return other.difference(b.Observation, b.Actions, firsts)
	case other.RowSchema != b.RowSchema:
		return cmp.Or(groupDifference("row of an action", other.Row, b.Row, firsts), otherLimits)
	}
	for _, t := range b.Weights {
		if own := other.tensor(t.Name); own == nil {
			return fmt.Sprintf("it lacks the weights %s, which the first has", t.Name)
		} else if !slices.Equal(own.Shape, t.Shape) {
			return fmt.Sprintf("its weights %s have the shape %v, those of the first %v", t.Name, own.Shape, t.Shape)
		}
	}
	for _, t := range other.Weights {
		if b.tensor(t.Name) == nil {
			return fmt.Sprintf("it has the weights %s, which the first lacks", t.Name)
		}
	}
	return ""
}

// tensor is the one of a name, in whatever order they are; nil if there is none.
func (b *Bundle) tensor(name string) *infer.Tensor {
	for i := range b.Weights {
		if b.Weights[i].Name == name {
			return &b.Weights[i]
		}
	}
	return nil
}
