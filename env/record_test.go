package env_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// kept is a sink that keeps everything it is given.
type kept []env.Recorded

func (k *kept) sink(r env.Recorded) error { *k = append(*k, r); return nil }

func TestEveryMatchIsRecordedInTheOrderOfTheRows(t *testing.T) {
	for _, mode := range modes {
		var all kept
		v := newVec(t, env.Config{
			Game: "doubloons(seats=3)", NumEnvs: 4, Workers: 2, Seed: 9, Autoreset: mode, MaxDecisions: 60, ShuffleSeats: true,
			Record: env.Record{Share: 1, Sink: all.sink},
		})
		p := newPlayer(4)
		reset(t, v)
		for range 130 {
			before := len(all)
			b := p.step(t, v)
			k := before
			for i := range 4 {
				if !b.Ended[i] {
					continue
				}
				if k == len(all) {
					t.Fatalf("%s: the end of row %d is not recorded", mode, i)
				}
				r := all[k]
				if r.Row != i || r.Truncated != b.Truncated[i] || len(r.Transcript.Steps) != int(b.Length[i]) {
					t.Fatalf("%s: row %d: recorded %+v", mode, i, r)
				}
				k++
				m, err := r.Transcript.Replay(nil)
				if err != nil {
					t.Fatalf("%s: row %d: %v", mode, i, err)
				}
				if r.Transcript.Seed != engine.EpisodeSeed(engine.RowSeed(9, uint64(i)), uint64(r.Episode)) || (m.Seat() == engine.Over) != b.Terminated[i] {
					t.Fatalf("%s: row %d: another match is recorded", mode, i)
				}
			}
			if k != len(all) {
				t.Fatalf("%s: recorded %d matches, but %d ended", mode, len(all)-before, k-before)
			}
		}
		if len(all) < 4 {
			t.Errorf("%s: %d matches recorded", mode, len(all))
		}
	}
}

func TestSampleOfTheMatchesDependsOnTheirSeedsOnly(t *testing.T) {
	episodes := func(workers, batch int) map[[2]int64]bool {
		var all kept
		v := newVec(t, env.Config{
			Game: "leduc", NumEnvs: 20, Workers: workers, BatchSize: batch, Autoreset: env.SameStep,
			Record: env.Record{Share: 0.25, Sink: all.sink},
		})
		if batch == 0 {
			inStep(t, v, 200)
		} else {
			inAnyOrder(t, v, 200)
		}
		met := map[[2]int64]bool{}
		for _, r := range all {
			if r.Episode < 40 { // that far all have come
				met[[2]int64{int64(r.Row), r.Episode}] = true
			}
		}
		return met
	}
	want := episodes(1, 0)
	if len(want) < 150 || len(want) > 250 {
		t.Errorf("%d of 800 matches recorded; want about 200", len(want))
	}
	for _, got := range []map[[2]int64]bool{episodes(3, 0), episodes(2, 6)} {
		if len(got) != len(want) {
			t.Errorf("%d matches recorded by some workers, %d by others", len(got), len(want))
		}
		for e := range want {
			if !got[e] {
				t.Errorf("row %d, episode %d is recorded only sometimes", e[0], e[1])
			}
		}
	}
}

func TestTranscriptsAreSavedByRowAndEpisode(t *testing.T) {
	dir := t.TempDir()
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 2, Autoreset: env.SameStep, Record: env.Record{Share: 1, Sink: env.SaveTranscripts(dir)}})
	p := newPlayer(2)
	b := reset(t, v)
	for b.Episode[1] < 2 {
		b = p.step(t, v)
	}
	f, err := os.Open(filepath.Join(dir, "env-00001-episode-00000001.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := engine.ReadTranscript(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := text.Replay(nil); err != nil {
		t.Error(err)
	}
}

func TestSinkThatFailsEndsTheStepThatHasBeenMade(t *testing.T) {
	failures := 1
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 2, Autoreset: env.SameStep, Record: env.Record{Share: 1, Sink: func(env.Recorded) error {
		if failures--; failures >= 0 {
			return errors.New("disk full")
		}
		return nil
	}}})
	reset(t, v)
	_, first := v.Step([]int32{0, 0})
	b, err := v.Step([]int32{0, 0})
	if first != nil || err == nil || !strings.Contains(err.Error(), "row 0, episode 0: disk full") || !b.Terminated[1] {
		t.Fatalf("errors %v, %v", first, err)
	}
	if _, err := v.Step([]int32{0, 0}); err != nil || failures != -1 {
		t.Errorf("the next step: %v; %d calls of the sink", err, 1-failures)
	}
}

func TestRecordingThatCannotBeIsRefused(t *testing.T) {
	sink := (&kept{}).sink
	for _, r := range []env.Record{{Share: 0.5}, {Sink: sink}, {Share: 1.5, Sink: sink}, {Share: -1, Sink: sink}} {
		if _, err := env.New(env.Config{Game: "kuhn", NumEnvs: 1, Record: r}); err == nil || !strings.Contains(err.Error(), "record a share") {
			t.Errorf("share %v: %v", r.Share, err)
		}
	}
}
