package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env/dataset"
)

func TestShardsOfADataSetAreOneDataSet(t *testing.T) {
	folder, policy := t.TempDir(), exported(t, "leduc")
	write := func(shard string) string {
		return must(t, "", "dataset", "leduc", "--players", "random,policy:"+policy, "--matches", "10", "--part", "3", "-o", folder, "--shard", shard)
	}
	for index, want := range map[string]string{"0": "2 files written: 6 matches", "1": "2 files written: 4 matches"} {
		t.Setenv(indexOfJob, index)
		if out := write("job/2"); !strings.Contains(out, want) {
			t.Errorf("pod %s: %s", index, out)
		}
	}
	if out := write("1/1"); !strings.Contains(out, "0 files written: 0 matches, 0 decisions; 4 of its files were there already") {
		t.Errorf("again: %s", out)
	}
	h, err := dataset.ReadHead(filepath.Join(folder, "part-00004-of-00004.parquet"))
	if err != nil || len(h.Players) != 2 || h.Players[0].Digest != "" || h.Players[1].Digest == "" {
		t.Errorf("%+v, error %v", h, err)
	}
}

func TestAProgramsFaultsAreToldWithTheDataSet(t *testing.T) {
	out := must(t, "", "dataset", "kuhn", "--players", "exec(ms=60000,start_ms=60000):"+script(t, wrong)+",random", "--matches", "4", "-o", t.TempDir())
	if !strings.Contains(out, "4 matches") || !strings.Contains(out, "illegal") {
		t.Errorf("%s", out)
	}
}

func TestMistakesOfDatasetAreNamed(t *testing.T) {
	t.Setenv(indexOfJob, "")
	folder := filepath.Join(t.TempDir(), "data")
	for want, args := range map[string][]string{
		"--out is missing":                {"kuhn", "--players", "random"},
		"--players is missing":            {"kuhn", "-o", folder},
		`JOB_COMPLETION_INDEX is ""`:      {"kuhn", "--players", "random", "-o", folder, "--shard", "job/4"},
		"no more shards than the 4 files": {"kuhn", "--players", "random", "-o", folder, "--shard", "5/5"},
		"--shard 5/4":                     {"kuhn", "--players", "random", "-o", folder, "--shard", "5/4"},
		"--shard three":                   {"kuhn", "--players", "random", "-o", folder, "--shard", "three"},
		"random moves: 2":                 {"kuhn", "--players", "random", "-o", folder, "--random-moves", "2"},
		"parrot":                          {"kuhn", "--players", "parrot", "-o", folder},
		"unknown game":                    {"chess", "--players", "random", "-o", folder},
		"--part":                          {"kuhn", "--players", "random", "-o", folder, "--part", "0"},
	} {
		r := privateer(t, "", append([]string{"dataset"}, args...)...)
		if r.code == exitOK || !strings.Contains(r.err, want) {
			t.Errorf("dataset %v: %+v: want %q", args, r, want)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("mistakes left %v", left)
	}
}
