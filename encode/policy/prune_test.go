package policy

import (
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
)

func TestPrunedBundlesPlayTheSameWhereTheyWereTrained(t *testing.T) {
	for name, b := range map[string]*bundle.Bundle{"mlp": drawn(t, "leduc", "relu", 16), "entity": drawnEntity(t, "leduc", "relu", []int{8}, 16)} {
		before := slices.Clone(b.Golden.Logits)
		left, of, err := Prune(b, []string{b.Game}, 50)
		if err != nil {
			t.Fatal(err)
		}
		if left == 0 || left >= of {
			t.Errorf("%s: %d inputs of %d are left", name, left, of)
		}
		if !slices.Equal(b.Golden.Logits, before) {
			t.Errorf("%s: the golden logits changed", name)
		}
	}
}

// What only one of several games of a training shows is not taken from the network.
func TestPrunedBundlesPlayTheSameInAllGamesOfTheirTraining(t *testing.T) {
	const board, island = "doubloons(seats=2)", "doubloons(modules=alternate_island,seats=2)"
	there := func(games ...string) []float32 {
		b := drawnEntity(t, board, "relu", []int{8}, 16)
		if len(games) > 0 {
			if _, _, err := Prune(b, games, 20); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.MakeGolden(newGame(t, island), 8); err != nil {
			t.Fatal(err)
		}
		return b.Golden.Logits
	}
	whole := there()
	if !slices.Equal(there(board, island), whole) {
		t.Error("pruned by matches of both boards, it plays otherwise on the island")
	}
	if slices.Equal(there(board), whole) {
		t.Error("pruned by matches of one board, it plays the same on the other: want a test that tells them apart")
	}
}
