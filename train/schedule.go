package train

import (
	"fmt"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
)

// How a run changes on its way: what has a value for its start and one for its end, and what is otherwise in its late part.

// What Config.Schedule may be.
const (
	linearly      = "linear"
	geometrically = "geometric"
)

// between is a value on its way from start, at done 0, to end, at done 1.
func (c *Config) between(start, end, done float64) float64 {
	if c.Schedule == geometrically && start > 0 && end > 0 {
		return geometric(start, end, done)
	}
	return start + float64(done*(end-start))
}

// geometric is such a value that changes by the same factor in equal steps.
func geometric(start, end, done float64) float64 {
	return float64(start * portable.Exp(float64(done*portable.Log(end/start))))
}

// done is how far on its way a run is in the iteration that follows so many: 0 in the first, 1 in the last.
func (c *Config) done(iterations int) float64 {
	return min(float64(iterations)/max(1, float64(c.Iterations())-1), 1)
}

// validateSchedule checks how values get to their ends, and the late part.
func (c *Config) validateSchedule(g engine.Game) error {
	switch c.Schedule {
	case linearly:
	case geometrically:
		for _, v := range []struct {
			name       string
			start, end float64
		}{{"ent_coef", c.EntCoef, c.EntCoefFinal}, {"magnet_coef", c.MagnetCoef, c.MagnetCoefFinal}} {
			if (v.start == 0) != (v.end == 0) {
				return fmt.Errorf("schedule: %s: %s goes from %v to %v: want both above 0, or both 0", c.Schedule, v.name, v.start, v.end)
			}
		}
	default:
		return fmt.Errorf("schedule: %q: want %s or %s", c.Schedule, linearly, geometrically)
	}
	return c.validateLate(g)
}

// validateLate checks what changes in the late part of a run, and completes the game string.
func (c *Config) validateLate(g engine.Game) error {
	if c.Algorithm != "ppo" && (c.LateGame != "" || c.LateSteps > 0 || c.LateMinibatchSize > 0) {
		return fmt.Errorf("late_game, late_steps, late_minibatch_size: algorithm %s has no late part: want ppo", c.Algorithm)
	}
	if c.LateGame == "" {
		return nil
	}
	late, err := engine.NewGame(c.LateGame)
	if err != nil {
		return fmt.Errorf("late_game: %w", err)
	}
	switch info := late.Info(); {
	case len(c.Games) > 1:
		return fmt.Errorf("late_game: %s: there are %d games: want one", c.LateGame, len(c.Games))
	case info.Game != g.Info().Game || info.Seats != g.Info().Seats || info.Explicit:
		return fmt.Errorf("late_game: %s: want a configuration of %s with %d seats, whose chance is sampled", c.LateGame, g.Info().Game, g.Info().Seats)
	}
	c.LateGame = late.Info().Config
	if err := sameLayout(g, late); err != nil {
		return fmt.Errorf("late_game: %w", err)
	}
	return nil
}

// late reports whether a run is in its late part after so many decisions.
func (c *Config) late(steps int64) bool {
	return float64(steps) >= float64(c.LateFrom*float64(c.TotalTimesteps))
}

// playsLate reports whether a run plays its late game after so many decisions.
func (c *Config) playsLate(steps int64) bool { return c.LateGame != "" && c.late(steps) }

// gameAfter is the game string that a run plays after so many decisions, whose returns its value head tells.
func (c *Config) gameAfter(steps int64) string {
	if c.playsLate(steps) {
		return c.LateGame
	}
	return c.Game
}

// steps is num_steps of the update that begins after so many decisions.
func (c *Config) steps(after int64) int {
	if c.LateSteps > 0 && c.late(after) {
		return c.LateSteps
	}
	return c.NumSteps
}

// Iterations is how many times the run collects and updates.
func (c Config) Iterations() int {
	updates := func(decisions int64, steps int) int64 {
		per := int64(c.NumEnvs) * int64(steps)
		return (decisions + per - 1) / per
	}
	if c.LateSteps == 0 {
		return int(updates(c.TotalTimesteps, c.NumSteps))
	}
	early := updates(int64(math.Ceil(float64(c.LateFrom*float64(c.TotalTimesteps)))), c.NumSteps)
	left := max(0, c.TotalTimesteps-early*int64(c.NumEnvs)*int64(c.NumSteps))
	return int(early + updates(left, c.LateSteps))
}
