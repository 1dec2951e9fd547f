package env

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match"
)

// Mode is the treatment of a row whose episode has ended, with Gymnasium's names and meanings.
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

// Masks is the form of a batch's legal actions.
type Masks uint8

const (
	MaskBytes  Masks = iota // Batch.Mask: a byte, 0 or 1, for each action
	MaskPacked              // Batch.Packed: a bit for each action
	MaskBoth
	numMasks = iota
)

// Config describes a vector for New.
type Config struct {
	Game         string // game string, as in "doubloons(seats=4)"; chance=explicit cannot be vectorised
	NumEnvs      int    // rows
	Workers      int    // goroutines that share the rows if there is enough to do, the caller's included; 0 means 1
	Apart        bool   // the caller is another process, which needs a core as soon as this one is done: more work is left to one worker
	Seed         uint64 // row i is seeded with engine.RowSeed(Seed, i), its episode k with engine.EpisodeSeed of that
	Autoreset    Mode   // what happens at the end of an episode
	MaxDecisions int    // an episode is truncated when the caller would take more decisions than this; 0: never
	Full         bool   // fill Batch.Full and FinalFull, and let the caller see what bots and policies see
	Masks        Masks  // fill Batch.Mask, Batch.Packed or both
	ActionRows   bool   // fill Batch.ActionRows, for policies that score actions by their effects
	ShuffleSeats bool   // draw for each episode which player has which seat; otherwise player s has seat s

	BatchSize int            // rows of a batch of Vec.Recv, at most NumEnvs; 0 means NumEnvs
	Players   []match.Player // [P] the decider for each player; nil: the caller for all
	Record    Record         // which matches are recorded, and who gets the transcripts
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
	case c.Masks >= numMasks:
		return fmt.Errorf("env: masks %d: want MaskBytes, MaskPacked or MaskBoth", c.Masks)
	case c.BatchSize < 0 || c.BatchSize > c.NumEnvs:
		return fmt.Errorf("env: batches of %d rows: want 1 to %d, the number of environments, or 0 for all", c.BatchSize, c.NumEnvs)
	case !(c.Record.Share >= 0 && c.Record.Share <= 1):
		return fmt.Errorf("env: record a share of %v of the matches: want 0 to 1", c.Record.Share)
	case (c.Record.Share > 0) != (c.Record.Sink != nil):
		return fmt.Errorf("env: record a share of %v of the matches: want a share and a sink, or neither", c.Record.Share)
	}
	c.Workers = min(max(c.Workers, 1), c.NumEnvs)
	if c.BatchSize == 0 {
		c.BatchSize = c.NumEnvs
	}
	return nil
}

// checkPlayers is the part of check that needs to know the game.
func (c *Config) checkPlayers(info *engine.Info) error {
	if c.Players == nil {
		return nil
	}
	if len(c.Players) != info.Seats {
		return fmt.Errorf("env: %d players for %s: want %d, one for each seat", len(c.Players), info.Config, info.Seats)
	}
	callers := 0
	for i, p := range c.Players {
		switch {
		case p.Bot != nil && p.Policy != nil:
			return fmt.Errorf("env: player %d (%s) is both a bot and a policy", i, p.Name)
		case p.Bot == nil && p.Policy == nil:
			if p.Name != "" {
				return fmt.Errorf("env: player %d (%s) is neither a bot nor a policy: leave the name out for the caller, or use match.Named", i, p.Name)
			}
			callers++
		}
	}
	if callers == 0 {
		return fmt.Errorf("env: bots play every seat of %s: leave at least one player to the caller", info.Config)
	}
	return nil
}
