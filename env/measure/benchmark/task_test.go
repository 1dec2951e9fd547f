package benchmark

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
)

var update = flag.Bool("update", false, "write the digests of tasks that have none yet; those of a version never change")

func named(name string) (match.Player, error) { return match.Named(name), nil }

// A version never changes: neither the rules nor the opponents are others than when it was made.
func TestTasksAreWhatTheirVersionsSay(t *testing.T) {
	for _, task := range Tasks() {
		t.Run(task.Name, func(t *testing.T) {
			g, done, err := task.open()
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			if *update {
				task.fill(t)
				return
			}
			if err := task.check(context.Background(), g); err != nil {
				t.Error(err)
			}
			for _, m := range task.Pool {
				if m.Digest == "" {
					t.Errorf("opponent %s has no digest: run the test with -update", m.Player)
				}
				if _, err := m.seat(context.Background(), g, named); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// fill gives digests to what has none.
func (t *Task) fill(test *testing.T) {
	g, done, err := t.open()
	if err != nil {
		test.Fatal(err)
	}
	defer done()
	if t.Rules == "" {
		if t.Rules, err = DigestRules(context.Background(), g); err != nil {
			test.Fatal(err)
		}
	}
	for i := range t.Pool {
		if _, err := t.Pool[i].seat(context.Background(), g, named); err != nil {
			test.Fatal(err)
		}
	}
	data, err := yaml.Marshal(t)
	if err != nil {
		test.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("tasks", t.Name+".yaml"), data, 0o644); err != nil {
		test.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	for query, want := range map[string]int{"doubloons-4": 1, "doubloons-4@1": 1, "doubloons": 6, "jolly_roger": 5, "doubloons-4,doubloons": 6, "": len(Tasks())} {
		found, err := Find(strings.FieldsFunc(query, func(r rune) bool { return r == ',' }))
		if err != nil || len(found) != want {
			t.Errorf("%q finds %d tasks (%v), want %d", query, len(found), err, want)
		}
	}
	for query, want := range map[string]string{"doubloons-4@2": "this privateer has doubloons-4@1", "chess": "want one of doubloons-2@1, "} {
		if _, err := Find([]string{query}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", query, err, want)
		}
	}
}

// The example positions that tasks begin at are those that others measure by.
func TestTheEndgamesAreThoseOfTheExamples(t *testing.T) {
	for file, example := range map[string]string{"doubloons-duel": "doubloons/testdata/examples/duel", "jolly-cards": "jollyroger/testdata/examples/three_cards"} {
		got, err := files.ReadFile("tasks/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("../../../engine/games/" + example + ".json")
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not %s (%v)", file, example, err)
		}
	}
}
