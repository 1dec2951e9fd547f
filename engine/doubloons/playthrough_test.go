package doubloons

import (
	"flag"
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

var update = flag.Bool("update", false, "write the golden playthroughs")

// Whole matches as text that a person can read beside the rulebook: each
// decision and what it changed. A change of the rules shows here as a difference in words.
func TestPlaythroughs(t *testing.T) {
	for seats, chance := range map[int]string{2: "explicit", 4: "sampled", 6: "sampled"} {
		game := fmt.Sprintf("doubloons(seats=%d,chance=%s)", seats, chance)
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 1), "generator", "stack", "deck", "old")
		enginetest.Golden(t, fmt.Sprintf("testdata/%d_seats.txt", seats), text, *update)
	}
	for name, game := range map[string]string{
		"legendary_ghost_ship": "doubloons(seats=3,modules=legendary_ghost_ship)",
		"steal_ship":           "doubloons(seats=3,modules=steal_ship)",
	} {
		text := enginetest.Playthrough(t, enginetest.Random(t, game, 1), "generator", "stack", "deck", "old")
		enginetest.Golden(t, "testdata/"+name+".txt", text, *update)
	}
}
