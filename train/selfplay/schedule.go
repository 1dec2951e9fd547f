package selfplay

import (
	"math"

	"github.com/privateer-rl/privateer/engine/portable"
)

// At is the value in an iteration, counted from 0, of a schedule from start, in the first, to end, in the last.
func (c *Config) At(iteration int, start, end float64) float64 {
	done := min(float64(iteration)/max(1, float64(c.Iterations())-1), 1)
	if c.Geometric() && start > 0 && end > 0 {
		return Geometric(start, end, done)
	}
	return start + float64(done*(end-start))
}

// Geometric is a value between start and end, at done = 0 and 1, that changes by the same factor in equal steps of done.
func Geometric(start, end, done float64) float64 {
	return float64(start * portable.Exp(float64(done*portable.Log(end/start))))
}

// Geometric reports whether schedules are geometric: between a value of 0 and one above 0 there is no such schedule.
func (c *Config) Geometric() bool { return c.Schedule == geometrically }

// LearningRateAt is the learning rate in an iteration, counted from 0. One that falls to 0 is still above 0 in the last.
func (c *Config) LearningRateAt(iteration int) float64 {
	if c.LearningRateFinal > 0 {
		return c.At(iteration, c.LearningRate, c.LearningRateFinal)
	}
	return float64(c.LearningRate * (1 - min(float64(iteration)/float64(c.Iterations()), 1)))
}

// late reports whether a run is in its late part after that many decisions.
func (c *Config) late(steps int64) bool {
	return float64(steps) >= float64(c.Late.From*float64(c.TotalTimesteps))
}

// Steps is num_steps of the update that begins after that many decisions.
func (c *Config) Steps(after int64) int {
	if c.Late.Steps > 0 && c.late(after) {
		return c.Late.Steps
	}
	return c.NumSteps
}

// minibatches is the number of minibatches of that many rows, in an update that begins after that many decisions.
func (c *Config) minibatches(rows int, after int64) int {
	if c.MinibatchSize == 0 {
		return min(4, rows)
	}
	size := c.MinibatchSize * c.Steps(after) / c.NumSteps
	return (rows + size - 1) / size
}

// largestMinibatch is the most rows that a minibatch of a buffer of that many rows has.
func (c *Config) largestMinibatch(rows int) int {
	if c.MinibatchSize == 0 {
		return (rows + 3) / 4
	}
	return min(max(c.MinibatchSize, c.MinibatchSize*c.Late.Steps/c.NumSteps), rows)
}

// Iterations is how many times the run collects and updates.
func (c *Config) Iterations() int {
	updates := func(decisions int64, steps int) int64 {
		per := int64(c.NumEnvs) * int64(steps)
		return (decisions + per - 1) / per
	}
	if c.Late.Steps == 0 {
		return int(updates(c.TotalTimesteps, c.NumSteps))
	}
	early := updates(int64(math.Ceil(float64(c.Late.From*float64(c.TotalTimesteps)))), c.NumSteps)
	left := max(0, c.TotalTimesteps-early*int64(c.NumEnvs)*int64(c.NumSteps))
	return int(early + updates(left, c.Late.Steps))
}
