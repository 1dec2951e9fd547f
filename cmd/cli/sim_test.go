package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
)

// The samples in order are the model of their counts, whatever parts they are added up from.
func TestLengthsAreThoseOfTheSamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var whole counts
		var all []int
		var sum moments
		for _, part := range rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 60), 1, 30), 1, 5).Draw(rt, "parts") {
			var more moments
			for _, x := range part {
				whole.add(x)
				more.add(float64(x))
			}
			sum.merge(more)
			all = append(all, part...)
		}
		slices.Sort(all)
		at := func(p int) int { return all[(p*len(all)+99)/100-1] } // nearest rank
		want := lengths{sum.normal(), all[0], at(5), at(50), at(95), all[len(all)-1], int64(sum.sum)}
		if got := whole.lengths(); got != want {
			rt.Fatalf("%v: %+v, want %+v", all, got, want)
		}
	})
}

func TestSimDealsNoMatchThatAnEnvironmentOfItsSeedDeals(t *testing.T) {
	dir := t.TempDir()
	must(t, "", "sim", "kuhn", "--matches", "50", "--seed", "3", "--record", dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 50 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	dealt := map[uint64]bool{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		match, err := engine.ReadTranscript(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		dealt[match.Seed] = true
	}
	for seed := range uint64(6) {
		for row := range uint64(20) {
			for k := range uint64(50) {
				if dealt[engine.EpisodeSeed(engine.RowSeed(seed, row), k)] {
					t.Fatalf("sim with seed 3 deals episode %d of row %d of an environment of seed %d", k, row, seed)
				}
			}
		}
	}
}
