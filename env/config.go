package env

import (
	"fmt"
	"strings"
)

// Mode says what happens to a row whose episode has ended. The names and their
// meaning are Gymnasium's.
type Mode uint8

const (
	// NextStep shows the end of the episode, and the next step, whatever its
	// action, begins a new one with zero rewards.
	NextStep Mode = iota
	// SameStep begins a new episode in the step that ended the old one: Obs shows its
	// first decision, beside the rewards and flags of the ended one, whose
	// last observations are in FinalObs.
	SameStep
	// Disabled leaves the row at its end until Vec.ResetRows or Vec.Reset.
	Disabled
	numModes = iota
)

var modeNames = [numModes]string{"NEXT_STEP", "SAME_STEP", "DISABLED"}

func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// ParseMode is the inverse of Mode.String; case does not matter.
func ParseMode(name string) (Mode, error) {
	for i, n := range modeNames {
		if strings.EqualFold(name, n) {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("autoreset mode %q: want one of %s", name, strings.Join(modeNames[:], ", "))
}

// Config is what New makes a vector from.
type Config struct {
	Game         string // game string, as in "doubloons(seats=4)"; chance=explicit cannot be vectorised
	NumEnvs      int    // rows
	Workers      int    // goroutines that share the rows, the caller's included; 0 means 1
	Seed         uint64 // row i is seeded with Seed+i, its episode k with engine.EpisodeSeed(Seed+i, k)
	Autoreset    Mode   // what happens at the end of an episode
	MaxDecisions int    // an episode is truncated after so many decisions; 0: never
	Full         bool   // fill Batch.Full and FinalFull
	ShuffleSeats bool   // draw for each episode which player has which seat; otherwise player s has seat s
}

func (c *Config) check() error {
	switch {
	case c.NumEnvs < 1:
		return fmt.Errorf("env: %d environments: want at least 1", c.NumEnvs)
	case c.Workers < 0:
		return fmt.Errorf("env: %d workers: want at least 1, or 0 for 1", c.Workers)
	case c.Autoreset >= numModes:
		return fmt.Errorf("env: autoreset %s: want one of %s", c.Autoreset, strings.Join(modeNames[:], ", "))
	case c.MaxDecisions < 0:
		return fmt.Errorf("env: at most %d decisions in an episode: want a positive number, or 0 for no limit", c.MaxDecisions)
	}
	c.Workers = max(c.Workers, 1)
	c.Workers = min(c.Workers, c.NumEnvs)
	return nil
}
