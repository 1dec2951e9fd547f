package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/match"
)

// played plays shards of a comparison into a folder, in an odd order.
func played(t *testing.T, a match.Player, cfg Config, shards int) string {
	t.Helper()
	folder := t.TempDir()
	for k := shards; k >= 1; k-- {
		if _, written, err := PlayShard(context.Background(), a, []match.Player{match.Named("random"), a}, cfg, durable.Part{Shard: k, Shards: shards}, folder); err != nil || !written {
			t.Fatalf("shard %d/%d: written %v, error %v", k, shards, written, err)
		}
	}
	return folder
}

// withoutTime is what is the same in every run.
func withoutTime(t *testing.T, of []Comparison) string {
	t.Helper()
	for i := range of {
		of[i].CostA.Micros, of[i].CostA.Timed, of[i].CostB.Micros, of[i].CostB.Timed = 0, 0, 0, 0
	}
	data, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestShardsOfAnEvaluationComeToTheWholeWhateverTheirNumber(t *testing.T) {
	for _, c := range []struct {
		a match.Player
		Config
	}{
		{always1, Config{Game: "kuhn", Matches: 40, Seed: 7, Control: true}},
		{match.Named("greedy"), Config{Game: "doubloons(seats=3)", Matches: 7, Seed: 7}},
		{match.Named("greedy"), Config{Game: "doubloons(seats=3)", Matches: 7, Seed: 8, Alone: true}},
	} {
		a, cfg := c.a, c.Config
		cfg.Workers = 2
		whole := []Comparison{compare(t, a, match.Named("random"), cfg), compare(t, a, a, cfg)}
		want := withoutTime(t, whole)
		for _, shards := range []int{1, 3, 7} {
			merged, err := MergeShards(played(t, a, cfg, shards))
			if err != nil {
				t.Fatal(err)
			}
			if got := withoutTime(t, merged); got != want {
				t.Errorf("%s in %d shards:\n%s\nwant\n%s", cfg.Game, shards, got, want)
			}
		}
	}
}

func TestAShardThatIsThereIsNotPlayedAgain(t *testing.T) {
	cfg := Config{Game: "kuhn", Matches: 10, Seed: 1}
	folder := played(t, always1, cfg, 2)
	again := func(cfg Config) (bool, error) {
		_, written, err := PlayShard(context.Background(), always1, []match.Player{match.Named("random"), always1}, cfg, durable.Part{Shard: 2, Shards: 2}, folder)
		return written, err
	}
	if written, err := again(cfg); written || err != nil {
		t.Errorf("again: written %v, error %v", written, err)
	}
	cfg.Seed = 2
	if _, err := again(cfg); err == nil || !strings.Contains(err.Error(), "want another folder") {
		t.Errorf("another seed: error %v", err)
	}
}

func TestShardsThatDoNotMakeAWholeAreNamed(t *testing.T) {
	cfg := Config{Game: "kuhn", Matches: 10, Seed: 1}
	last := filepath.Base(durable.Part{Shard: 2, Shards: 2}.Path("", shardSuffix))
	for want, spoil := range map[string]func(folder string) error{
		"shard 2 of 2 is missing: --shard 2/2 makes it": func(folder string) error { return os.Remove(filepath.Join(folder, last)) },
		last + " is no shard of privateer eval, or it is damaged": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, last), []byte(`[{"game": "ku`), 0o644)
		},
		last + " is no shard of privateer eval: it holds nothing": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, last), []byte(`[]`), 0o644)
		},
		last + " is damaged": func(folder string) error {
			return edit(filepath.Join(folder, last), `"shards":2`, `"shards":3`)
		},
		last + " is damaged: remove it and play that shard again": func(folder string) error {
			return edit(filepath.Join(folder, last), `"decisions":2`, `"decisions":3`)
		},
		"these are of two comparisons": func(folder string) error {
			other := cfg
			other.Seed = 2
			return os.Rename(filepath.Join(played(t, always1, other, 2), last), filepath.Join(folder, last))
		},
		"there is no file *.matches in it": os.RemoveAll,
	} {
		folder := played(t, always1, cfg, 2)
		if err := spoil(folder); err != nil {
			t.Fatal(err)
		}
		if _, err := MergeShards(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %q", err, want)
		}
	}
	for _, p := range []durable.Part{{Shard: 0, Shards: 2}, {Shard: 3, Shards: 2}, {Shard: 1, Shards: 11}} {
		if _, _, err := PlayShard(context.Background(), match.Named("random"), []match.Player{match.Named("random")}, cfg, p, t.TempDir()); err == nil || !strings.Contains(err.Error(), "want K/N") {
			t.Errorf("%+v: error %v", p, err)
		}
	}
}

// edit replaces all of a text in a file.
func edit(path, old, new string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes.ReplaceAll(data, []byte(old), []byte(new)), 0o644)
}
