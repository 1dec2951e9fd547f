package benchmark

import (
	"cmp"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/measure"
)

// Runs are scores of one recipe of training: [task][run], with runs that differ by the seed of training.
type Runs struct {
	Recipe string
	Scores [][]float64
}

// all is every score, in ascending order.
func (r *Runs) all() []float64 {
	sorted := slices.Concat(r.Scores...)
	slices.Sort(sorted)
	return sorted
}

// IQM is the interquartile mean of all scores, the mean of the middle half, with its 95 % interval by the bootstrap over the runs of each
// task (Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice", NeurIPS 2021, arXiv 2108.13264; as the library
// rliable of the authors has it).
func (r *Runs) IQM(seed uint64) measure.Estimate {
	return bootstrap(seed, func(scores []Runs) float64 { return trimmed(scores[0].all()) }, *r)
}

// trimmed is the mean without the lowest and the highest quarter, each rounded down to whole scores.
func trimmed(sorted []float64) float64 {
	cut := len(sorted) / 4
	sum := 0.0
	for _, x := range sorted[cut : len(sorted)-cut] {
		sum += x
	}
	return sum / float64(len(sorted)-2*cut)
}

// Improves is the probability that a run of this recipe scores higher than one of another at the same task, the mean over tasks, ties half.
func (r *Runs) Improves(other Runs, seed uint64) measure.Estimate {
	return bootstrap(seed, func(scores []Runs) float64 { return improves(scores[0].Scores, scores[1].Scores) }, *r, other)
}

func improves(a, b [][]float64) float64 {
	total := 0.0
	for task := range a {
		for _, x := range a[task] {
			for _, y := range b[task] {
				total += float64(cmp.Compare(x, y)+1) / 2 / float64(len(a[task])*len(b[task]))
			}
		}
	}
	return total / float64(len(a))
}

// Profile is the share of runs and tasks with a score above a threshold.
func (r *Runs) Profile(threshold float64) float64 {
	sorted := r.all()
	above := 0
	for _, x := range sorted {
		above += int(engine.Bit(x > threshold))
	}
	return float64(above) / float64(len(sorted))
}

// resamples is how often a bootstrap draws.
const resamples = 2000

// bootstrap estimates a statistic of recipes by drawing runs anew, with replacement, task by task.
func bootstrap(seed uint64, of func(scores []Runs) float64, recipes ...Runs) measure.Estimate {
	random := engine.NewRand(seed)
	drawn := make([]Runs, len(recipes))
	for i, one := range recipes {
		drawn[i].Scores = make([][]float64, len(one.Scores))
		for task := range one.Scores {
			drawn[i].Scores[task] = make([]float64, len(one.Scores[task]))
		}
	}
	values := make([]float64, resamples)
	for k := range values {
		for i, one := range recipes {
			for task, runs := range one.Scores {
				for j := range runs {
					drawn[i].Scores[task][j] = runs[random.Intn(len(runs))]
				}
			}
		}
		values[k] = of(drawn)
	}
	slices.Sort(values)
	return measure.Estimate{Mean: of(recipes), Low: values[resamples*25/1000], High: values[resamples*975/1000]}
}
