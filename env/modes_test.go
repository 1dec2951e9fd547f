package env_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// until steps until row i ends.
func until(t *testing.T, v *env.Vec, p *player, i int) *env.Batch {
	t.Helper()
	for range 1000 {
		if b := p.step(t, v); b.Terminated[i] || b.Truncated[i] {
			return b
		}
	}
	t.Fatal("no end in 1000 steps")
	return nil
}

func TestNextStepShowsTheEndAndThenBeginsWhateverTheAction(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 1, Autoreset: env.NextStep})
	p := newPlayer(1)
	reset(t, v)
	b := until(t, v, p, 0)
	if v.Match(0).Seat() != engine.Over || b.Episode[0] != 0 || b.EpisodeStep[0] != b.Length[0] {
		t.Fatalf("the row does not show its end: %s", row(v, b, 0))
	}
	if bytes.Contains(b.Mask, []byte{0}) {
		t.Fatalf("mask at the end: %v; want all ones", b.Mask)
	}
	b, err := v.Step([]int32{-5})
	if err != nil {
		t.Fatalf("the action that begins the next episode is checked: %v", err)
	}
	if b.Terminated[0] || b.Episode[0] != 1 || b.EpisodeStep[0] != 0 || b.Reward[0] != 0 || b.Reward[1] != 0 || v.Match(0).Seat() != int(b.Seat[0]) {
		t.Fatalf("after the end: %s; want the first decision of episode 1", row(v, b, 0))
	}
}

func TestSameStepShowsTheNextEpisodeBesideTheEnd(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 1, Autoreset: env.SameStep})
	p := newPlayer(1)
	reset(t, v)
	b := until(t, v, p, 0)
	if b.Episode[0] != 1 || b.EpisodeStep[0] != 0 || v.Match(0).Seat() != int(b.Seat[0]) {
		t.Fatalf("%s; want the first decision of episode 1", row(v, b, 0))
	}
	if b.Reward[0]+b.Reward[1] != 0 || !slices.Equal(b.Reward, b.Return) || b.Length[0] < 2 {
		t.Fatalf("rewards %v, returns %v, length %d", b.Reward, b.Return, b.Length[0])
	}
}

func TestDisabledWaitsForResetRows(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 2, Autoreset: env.Disabled})
	reset(t, v)
	p := newPlayer(2)
	ended := until(t, v, p, 0)
	obs := bytes.Clone(ended.Obs[:len(ended.Obs)/2])
	for range 3 {
		b := p.step(t, v)
		if !b.Terminated[0] || b.Ended[0] || b.Reward[0] != 0 || !bytes.Equal(obs, b.Obs[:len(obs)]) || b.Mask[0] != 1 || b.Mask[1] != 1 {
			t.Fatalf("a finished row does something: %s", row(v, b, 0))
		}
	}
	other := v.Batch().Episode[1]
	b, err := v.ResetRows([]bool{true, false})
	if err != nil || b.Episode[0] != 1 || b.EpisodeStep[0] != 0 || b.Episode[1] != other {
		t.Fatalf("ResetRows: episodes %v, %v", b.Episode, err)
	}
	if b, err = v.ResetRows([]bool{false, false}); err != nil || b.Episode[0] != 1 {
		t.Fatalf("resetting no row: %v, %v", b.Episode, err)
	}
	if _, err := v.ResetRows([]bool{true}); err == nil {
		t.Fatal("a choice for one of two rows is accepted")
	}
}

func TestEpisodesAreTruncatedAtTheCapAndNotTerminated(t *testing.T) {
	for _, mode := range modes {
		v := newVec(t, env.Config{Game: "doubloons(seats=3)", NumEnvs: 2, Autoreset: mode, MaxDecisions: 25})
		p := newPlayer(2)
		reset(t, v)
		b := until(t, v, p, 1)
		if b.Terminated[1] || !b.Truncated[1] || b.Length[1] != 25 || slices.Max(b.Reward) != 0 {
			t.Fatalf("%s: %s", mode, row(v, b, 1))
		}
		d := len(b.Obs) / 2
		e := v.Encoder()
		if next := int(b.FinalSeat[1]); mode != env.SameStep {
			want := make([]uint8, d)
			e.Encode(v.Match(1), next, want)
			at := (1*3 + next) * d
			if v.Match(1).Seat() != next || !bytes.Equal(b.FinalObs[at:at+d], want) || !bytes.Equal(b.Obs[d:], want) {
				t.Fatalf("%s: the end is not shown to the seat that would have been next", mode)
			}
		}
		if s := v.Stats(); s.Truncated != 2 || s.Episodes != 2 || s.MeanLength != 25 || s.WinsBySeat[0] != 0 {
			t.Fatalf("%s: %+v", mode, s)
		}
	}
}

func TestCapAtTheVeryEndIsATermination(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 8, MaxDecisions: 2, Autoreset: env.Disabled})
	reset(t, v)
	actions := make([]int32, 8) // pass, pass
	for range 2 {
		if _, err := v.Step(actions); err != nil {
			t.Fatal(err)
		}
	}
	if b := v.Batch(); slices.Contains(b.Terminated, false) || slices.Contains(b.Truncated, true) {
		t.Fatalf("terminated %v, truncated %v", b.Terminated, b.Truncated)
	}
}
