package jollyroger

import (
	"flag"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

// Whole matches as text that a person can read along with the rulebook: each
// decision and what it changed. A change of the rules shows here as a difference in words.
func TestPlaythroughs(t *testing.T) {
	for name, of := range map[string]struct {
		game string
		seed uint64 // of a match in which much of the game happens, and which is short
	}{
		"3_seats":       {"jolly_roger(seats=3,chance=explicit)", 1},
		"4_seats":       {"jolly_roger(seats=4,chance=explicit)", 19},
		"7_seats":       {"jolly_roger(seats=7)", 18},
		"10_seats":      {"jolly_roger(seats=10)", 20},
		"hidden_prizes": {"jolly_roger(seats=4,variants=hidden_prizes,chance=explicit)", 19},
		"captains_gold": {"jolly_roger(seats=4,variants=captains_gold)", 13},
		"gifts":         {"jolly_roger(seats=3,bribes=gifts)", 1},
		"talk":          {"jolly_roger(seats=3,bribes=talk)", 5},
	} {
		text := enginetest.Playthrough(t, enginetest.Random(t, of.game, of.seed), "generator")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}
