package env_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// buffers are like those that a batch has.
func buffers(b *env.Batch) env.Buffers {
	room := func(like []uint8) []uint8 {
		if like == nil {
			return nil
		}
		return bytes.Repeat([]uint8{0xee}, len(like))
	}
	return env.Buffers{Obs: room(b.Obs), Full: room(b.Full), Mask: room(b.Mask), Packed: room(b.Packed)}
}

func TestBatchesInTheCallersMemoryAreTheSame(t *testing.T) {
	for _, cfg := range []env.Config{
		{Game: "leduc", NumEnvs: 300, Workers: 2, Autoreset: env.SameStep, Masks: env.MaskBoth},
		{Game: "doubloons(seats=3)", NumEnvs: 6, Workers: 2, Autoreset: env.NextStep, Full: true, MaxDecisions: 30},
		{Game: "jolly_roger(seats=4)", NumEnvs: 5, Autoreset: env.Disabled, Masks: env.MaskPacked, Players: []match.Player{{}, match.Named("random"), {}, match.Named("heuristic")}},
	} {
		here, there := newVec(t, cfg), newVec(t, cfg)
		turns := [2]env.Buffers{buffers(there.Batch()), buffers(there.Batch())}
		into := func(k int) {
			if err := there.Into(turns[k%2]); err != nil {
				t.Fatal(err)
			}
		}
		same := func(k int) {
			a, b := here.Batch(), there.Batch()
			if &b.Obs[0] != &turns[k%2].Obs[0] {
				t.Fatalf("%s: step %d is shown elsewhere", cfg.Game, k)
			}
			if !bytes.Equal(a.Obs, b.Obs) || !bytes.Equal(a.Full, b.Full) || !bytes.Equal(a.Mask, b.Mask) || !bytes.Equal(a.Packed, b.Packed) {
				t.Fatalf("%s: step %d shows something else", cfg.Game, k)
			}
		}
		into(0)
		reset(t, here)
		reset(t, there)
		same(0)
		var saved bytes.Buffer
		if err := there.Snapshot(&saved); err != nil {
			t.Fatal(err)
		}
		p, chosen := newPlayer(cfg.NumEnvs), make([]bool, cfg.NumEnvs)
		chosen[1] = true
		for k := 1; k < 60; k++ {
			last := bytes.Clone(turns[(k+1)%2].Obs)
			into(k)
			p.step(t, here)
			if _, err := there.Step(p.actions); err != nil {
				t.Fatal(err)
			}
			same(k)
			if !bytes.Equal(last, turns[(k+1)%2].Obs) {
				t.Fatalf("%s: step %d writes into the batch before it", cfg.Game, k)
			}
		}
		// Rows that are not begun anew are shown in new memory too.
		into(60)
		for _, v := range []*env.Vec{here, there} {
			if _, err := v.ResetRows(chosen); err != nil {
				t.Fatal(err)
			}
		}
		same(60)
		into(61)
		for _, v := range []*env.Vec{here, there} {
			if err := v.Restore(bytes.NewReader(saved.Bytes())); err != nil {
				t.Fatal(err)
			}
		}
		same(61)
	}
}

func TestBuffersOfAnotherSizeAreRefused(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 3})
	for name, spoil := range map[string]func(*env.Buffers){
		"Obs":    func(b *env.Buffers) { b.Obs = b.Obs[1:] },
		"Mask":   func(b *env.Buffers) { b.Mask = nil },
		"Packed": func(b *env.Buffers) { b.Packed = []uint8{0} },
		"Full":   func(b *env.Buffers) { b.Full = []uint8{0} },
	} {
		to := buffers(v.Batch())
		spoil(&to)
		if err := v.Into(to); err == nil || !strings.Contains(err.Error(), "for "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := v.Parts(1); err != nil {
		t.Fatal(err)
	}
	if err := v.Into(buffers(v.Batch())); err == nil || !strings.Contains(err.Error(), "Parts") {
		t.Errorf("with parts: %v", err)
	}
}
