package cli

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/train/imitation"
)

func TestShardsThatPodsOfAJobGatherAreOneGathering(t *testing.T) {
	folder := t.TempDir()
	one := func(shard string) string {
		return must(t, "", "gather", "--game", "leduc", "--imitation.teacher", "random", "--matches", "10", "--num-envs", "4", "--out", folder, "--shard", shard)
	}
	for index, name := range map[string]string{"0": "shard-00001-of-00002", "1": "shard-00002-of-00002"} {
		t.Setenv(indexOfJob, index)
		if out := one("job/2"); !strings.Contains(out, name) || !strings.Contains(out, "decisions") {
			t.Errorf("pod %s: %s", index, out)
		}
	}
	if out := one("2/2"); !strings.Contains(out, "is there already") {
		t.Errorf("again: %s", out)
	}
	if l, err := imitation.ReadLabels(folder); err != nil || len(l.Matches) != 10 {
		t.Errorf("%+v, error %v", l, err)
	}
}

func TestMistakesOfGatherAreNamed(t *testing.T) {
	t.Setenv(indexOfJob, "")
	for want, args := range map[string][]string{
		`JOB_COMPLETION_INDEX is ""`: {"--game", "kuhn", "--shard", "job/4"},
		"--shard 5/4":                {"--game", "kuhn", "--shard", "5/4"},
		"--shard three":              {"--game", "kuhn", "--shard", "three"},
		"no more shards than the 2":  {"--game", "kuhn", "--imitation.teacher", "random", "--shard", "1/4", "--matches", "2"},
		"imitation.teacher: ":        {"--game", "kuhn", "--imitation.teacher", "parrot"},
		"--game is missing":          {},
	} {
		r := privateer(t, "", append([]string{"gather", "--out", t.TempDir()}, args...)...)
		if r.code == exitOK || !strings.Contains(r.err, want) {
			t.Errorf("gather %v: %+v: want %q", args, r, want)
		}
	}
}
