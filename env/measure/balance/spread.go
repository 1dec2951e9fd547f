package balance

import (
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/measure"
)

// spread estimates how far the win rates of the best and the worst seat are
// apart. The largest of several differences is biased upwards: with few matches even
// a fair game shows some. The interval is the percentile bootstrap of the same statistic.
func spread(deals []deal, seats int, seed uint64) measure.Estimate {
	wins := make([][]float64, len(deals))
	for k, d := range deals {
		wins[k] = make([]float64, seats)
		for i := range d {
			for seat, w := range d[i].Wins {
				wins[k][seat] += w / float64(len(d))
			}
		}
	}
	of := func(pick func(k int) int) float64 {
		total := make([]float64, seats)
		for k := range wins {
			for seat, w := range wins[pick(k)] {
				total[seat] += w
			}
		}
		return (slices.Max(total) - slices.Min(total)) / float64(len(wins))
	}
	return resampled(len(wins), seed, of)
}

// resampled estimates a statistic of n deals, with the percentile bootstrap over them as its interval. The statistic looks up
// which deal stands at each place.
func resampled(n int, seed uint64, statistic func(pick func(k int) int) float64) measure.Estimate {
	const resamples = 500
	r := engine.NewRand(seed)
	drawn, picked := make([]float64, resamples), make([]int, n)
	for i := range drawn {
		for k := range picked {
			picked[k] = r.Intn(n)
		}
		drawn[i] = statistic(func(k int) int { return picked[k] })
	}
	slices.Sort(drawn)
	at := func(q float64) float64 { return drawn[int(math.Round(float64(q*(resamples-1))))] }
	return measure.Estimate{Mean: statistic(func(k int) int { return k }), Low: at(0.025), High: at(0.975)}
}
