package compare

import (
	"context"
	"testing"

	"github.com/privateer-rl/privateer/env/match"
)

func TestAFieldComparesAsCompareDoes(t *testing.T) {
	const game, matches = "doubloons(seats=3)", 6
	players := []match.Player{match.Named("greedy"), match.Named("random"), match.Named("heuristic")}
	f, err := NewField(game, 2, players...)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, pair := range [][2]int{{0, 1}, {2, 0}, {0, 1}} { // the first again: nothing is carried over
		for seed := range uint64(2) {
			got, err := f.Compare(context.Background(), pair[0], pair[1], matches, seed)
			if err != nil {
				t.Fatal(err)
			}
			want := compare(t, players[pair[0]], players[pair[1]], Config{Game: game, Matches: matches, Seed: seed, Workers: 1})
			if got, want := withoutTime(t, []Comparison{got}), withoutTime(t, []Comparison{want}); got != want {
				t.Errorf("%s against %s:\n%s\nwant\n%s", players[pair[0]].Name, players[pair[1]].Name, got, want)
			}
		}
	}
}
