package doubloons

import (
	"flag"
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

// Whole matches as text that a person can read along with the rulebook: each
// decision and what it changed. A change of the rules shows here as a difference in words.
func TestPlaythroughs(t *testing.T) {
	for seats, chance := range map[int]string{2: "explicit", 4: "sampled", 6: "sampled"} {
		game := fmt.Sprintf("doubloons(seats=%d,chance=%s)", seats, chance)
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 1), "generator")
		enginetest.Golden(t, fmt.Sprintf("testdata/%d_seats.txt", seats), text, *update)
	}
	for name, game := range map[string]string{
		"legendary_ghost_ship": "doubloons(seats=3,modules=legendary_ghost_ship)",
		"steal_ship":           "doubloons(seats=3,modules=steal_ship)",
	} {
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 1), "generator")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}

// A match with each module, and one with all of them on either island.
func TestPlaythroughsOfModules(t *testing.T) {
	golden := func(name string, set Modules, seed uint64) {
		game := fmt.Sprintf("doubloons(seats=3,modules=%s,chance=explicit)", set)
		text := enginetest.Playthrough(t, enginetest.Random(t, game, seed), "generator")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
	// The seeds are of matches in which the module does what it can.
	for m, seed := range map[Module]uint64{AdvancedScoring: 1, BlackJewels: 5, Compass: 3} {
		golden(m.String(), Modules(0).With(m), seed)
	}
	golden("alternate_island", Modules(0).With(AlternateIsland), 227)
	golden("all_modules", allModules, 211)
	golden("all_modules_standard_island", onStandardIsland, 6)
}

// A match of each edition before the final one.
func TestPlaythroughsOfEditions(t *testing.T) {
	for _, edition := range editionNames()[1:] {
		game := fmt.Sprintf("doubloons(seats=3,edition=%s,chance=explicit)", edition)
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 1), "generator")
		enginetest.Golden(t, "testdata/edition_"+edition+".txt", text, *update)
	}
}
