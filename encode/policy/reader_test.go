package policy

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
)

// A policy is what was read: of several bots of a name none is another policy, though the file is overwritten or removed meanwhile.
func TestReaderHasOnePolicyOfAName(t *testing.T) {
	paths, of := saved(t, "doubloons(seats=4)", bundle.Greedy)
	for i, path := range paths {
		var err error
		if of[i], err = bundle.Load(path); err != nil {
			t.Fatal(err)
		}
	}
	g := newGame(t, "doubloons(seats=4)")
	both := Prefix + paths[0] + Joint + paths[1]
	search := "search(rollouts=4,prior=" + Prefix + paths[0] + ")"
	var read Reader
	want := map[string][]string{Prefix + paths[0]: {of[0].Digest()}, both: {of[0].Digest(), of[1].Digest()}, search: {of[0].Digest()}}
	for range 2 {
		for name, digests := range want {
			if got, err := read.Digests(name, g); err != nil || !slices.Equal(got, digests) {
				t.Errorf("%s: digests %v, error %v; want %v", name, got, err, digests)
			}
		}
		if err := of[1].Save(paths[0]); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(paths[1]); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// Names of runs have commas and parentheses: lr=0.1,seed=2.
func TestNamesOfFilesWithCommasAreWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lr=0.1,seed=2")
	if err := os.MkdirAll(filepath.Join(dir, "a,b(c"), 0o755); err != nil {
		t.Fatal(err)
	}
	file, odd := filepath.Join(dir, "x.bundle"), filepath.Join(dir, "a,b(c")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	own := zoo.Names()[0]
	for list, want := range map[string][]string{
		"":                                  {""},
		"random":                            {"random"},
		"random, heuristic":                 {"random", "heuristic"},
		"search(rollouts=2,horizon=1),past": {"search(rollouts=2,horizon=1)", "past"},
		file:                                {file},
		Prefix + file + ",random":           {Prefix + file, "random"},
		"random, " + Prefix + file:          {"random", Prefix + file},
		FloatPrefix + file + "," + odd:      {FloatPrefix + file, odd},
		Prefix + file + Joint + own + ",a":  {Prefix + file + Joint + own, "a"},
		Prefix + file + Joint + file:        {Prefix + file + Joint + file},
		Prefix + dir + "/no.bundle":         {Prefix + filepath.Dir(dir) + "/lr=0.1", "seed=2/no.bundle"},
		file + "," + file + "," + odd + ",": {file, file, odd, ""},
	} {
		if got := Names(list); !slices.Equal(got, want) {
			t.Errorf("%q: %q; want %q", list, got, want)
		}
	}
}
