package bundle

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/privateer-rl/privateer/encode/infer"
)

// Average replaces the weights by the mean of its own and of others', weight by weight, and makes the golden decisions again. The same
// bundle twice counts twice. Policies that began with the same weights and learnt from different matches or opponents are often stronger
// so than each of them, at the cost of one (Wortsman et al. 2022, Model soups); of those that began with other weights nothing is left. The choice and the
// configuration stay its own; the provenance names all files. It is an error, ErrMisfit, if one has another game, layout or network.
func (b *Bundle) Average(others ...*Bundle) error {
	if len(others) == 0 {
		return nil
	}
	if err := b.Check(); err != nil {
		return err
	}
	sums := make([][]float64, len(b.Weights))
	for k, one := range append([]*Bundle{b}, others...) {
		if err := b.misfit(one); err != nil {
			return fmt.Errorf("policy %d to average: %w", k+1, err)
		}
		for i := range one.Weights {
			x, err := one.Weights[i].Floats()
			if err != nil {
				return fmt.Errorf("policy %d to average: the weights %s: %w", k+1, one.Weights[i].Name, err)
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
			mean[j] = float32(v / float64(1+len(others)))
		}
		b.Weights[i] = infer.NewTensor(b.Weights[i].Name, b.Weights[i].Shape, mean)
	}
	for _, one := range others {
		b.Provenance.Checkpoint += ", " + one.Provenance.Checkpoint
		b.Provenance.Iteration += one.Provenance.Iteration
		b.Provenance.Steps += one.Provenance.Steps
	}
	b.Evaluation, b.levels = nil, 0
	return b.playGoldenAgain()
}

// misfit says why the mean of two policies' weights would mean nothing.
func (b *Bundle) misfit(other *Bundle) error {
	if other.Schema != b.Schema || other.RowSchema != b.RowSchema {
		return fmt.Errorf("%w: it reads %s, and the first reads %s", ErrMisfit, other.Game, b.Game)
	}
	same := func(x, y infer.Tensor) bool { return x.Name == y.Name && slices.Equal(x.Shape, y.Shape) }
	if !reflect.DeepEqual(other.Network, b.Network) || !slices.EqualFunc(other.Weights, b.Weights, same) {
		return fmt.Errorf("%w: its network is %+v, and that of the first %+v", ErrMisfit, other.Network, b.Network)
	}
	return nil
}
