package durable_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/durable"
)

func TestPartsMakeAWhole(t *testing.T) {
	const things, shards = 11, 4
	folder := filepath.Join(t.TempDir(), "a[1][") // no pattern
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Parts(folder, ".part", "somebody"); err == nil || !strings.Contains(err.Error(), "no file *.part in it: somebody makes them") {
		t.Errorf("of an empty folder: %v", err)
	}
	var all []int
	var want []string
	have := make([]bool, shards)
	for k := range shards {
		p := durable.Part{Shard: k + 1, Shards: shards}
		if err := p.Check(things, "things"); err != nil {
			t.Error(err)
		}
		all = append(all, p.Numbers(things)...)
		want = append(want, p.Path(folder, ".part"))
		if err := os.WriteFile(want[k], nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := durable.Whole(folder, have); err == nil || !strings.Contains(err.Error(), "is missing") {
			t.Errorf("without shard %d: %v", k+1, err)
		}
		have[k] = true
	}
	slices.Sort(all)
	for i, x := range all {
		if x != i || len(all) != things {
			t.Fatalf("the parts are of %v", all)
		}
	}
	if got, err := durable.Parts(folder, ".part", ""); err != nil || !slices.Equal(got, want) {
		t.Errorf("files %v, error %v; want %v", got, err, want)
	}
	if err := durable.Whole(folder, have); err != nil {
		t.Error(err)
	}
	for _, p := range []durable.Part{{}, {Shard: 0, Shards: 2}, {Shard: 3, Shards: 2}, {Shard: 1, Shards: 12}} {
		if err := p.Check(things, "things"); err == nil || !strings.Contains(err.Error(), "than the 11 things") {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
