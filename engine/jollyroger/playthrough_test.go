package jollyroger

import (
	"flag"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

// Whole matches as text that a person can read beside the rulebook: each
// decision and what it changed. A change of the rules shows here as a difference in words.
func TestPlaythroughs(t *testing.T) {
	for name, game := range map[string]string{
		"3_seats":       "jollyroger(seats=3,chance=explicit)",
		"4_seats":       "jollyroger(seats=4,chance=explicit)",
		"7_seats":       "jollyroger(seats=7)",
		"10_seats":      "jollyroger(seats=10)",
		"hidden_prizes": "jollyroger(seats=4,variants=hidden_prizes,chance=explicit)",
		"captains_gold": "jollyroger(seats=4,variants=captains_gold)",
		"gifts":         "jollyroger(seats=3,bribes=gifts)",
		"talk":          "jollyroger(seats=3,bribes=talk)",
	} {
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 1), "generator", "stack", "deck", "prize_deck")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}
