package games_test

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// told is what seat view is told, step by step, of what happened from one number of decisions to another.
func told(t *testing.T, game string, seed uint64, from, to, view int) string {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	w := engine.NewWitness(g, view)
	playOn(t, game, seed, to, func(step int, m engine.Match) {
		if step == from {
			w.Begin(m)
		} else if step > from {
			now, _ := w.See(m)
			all = append(all, now.Told...)
		}
	})
	return strings.Join(all, " ")
}

// What is told to whom is held by enginetest.
func TestGamesTellWhatHappenedInWords(t *testing.T) {
	for _, tc := range []struct {
		game     string
		from, to int
		view     int
		want     []string
		hides    []string
	}{
		{"doubloons(seats=4)", 0, 8, 1, []string{"Seat 0 takes ", "begins at ", "faces "}, nil},
		{"doubloons(seats=4)", 8, 11, 3, []string{" lays card 1 face down."}, []string{" lays N", " lays C"}},
		{"doubloons(seats=4)", 8, 110, 0, []string{"Round 2 begins.", "The captain of ", " walks from B1 to ", " sails from ", " reveals N", " loses ", " gains ", " rolls the attack die: "}, nil},
		{"doubloons(seats=4)", 110, 100000, 0, []string{"The buried treasure is dug up.", "this round is the last.", "end-game track", " points: jewels ", "Seat ", " wins with "}, nil},
		{"jolly_roger(seats=6)", 0, 400, 2, []string{"Round 2 begins.", " calls a mutiny.", " for the Captain.", "The mutiny ", " is Captain.", " sails for the ", " crew cards"}, nil},
		{"jolly_roger(seats=6)", 400, 100000, 2, []string{"Seat 5 has ", " gold", " wins."}, nil},
	} {
		got := told(t, tc.game, 4, tc.from, tc.to, tc.view)
		for _, part := range tc.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s, decisions %d to %d: %q is not told", tc.game, tc.from, tc.to, part)
			}
		}
		for _, part := range tc.hides {
			if strings.Contains(got, part) {
				t.Errorf("%s, decisions %d to %d: %q is told to seat %d", tc.game, tc.from, tc.to, part, tc.view)
			}
		}
	}
	if got := told(t, "leduc", 2, 0, 100, 0); !strings.Contains(got, "Seat 0 ") || !strings.Contains(got, " wins the pot of ") {
		t.Errorf("of a match of Leduc poker it is told: %s", got)
	}
}
