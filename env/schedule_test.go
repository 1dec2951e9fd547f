package env_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// chooser picks actions by the masks of a batch, with a stream for each environment.
type chooser struct{ draws []engine.Rand }

func newChooser(n int) *chooser { return &chooser{newPlayer(n).draws} }

func (c *chooser) actions(b *env.Batch) []int32 {
	actions, a := make([]int32, len(b.Seat)), len(b.Mask)/len(b.Seat)
	for k := range actions {
		mask := b.Mask[k*a : (k+1)*a]
		nth := c.draws[b.EnvID[k]].Intn(bytes.Count(mask, []byte{1}))
		for i, legal := range mask {
			if nth -= int(legal); legal == 1 && nth < 0 {
				actions[k] = int32(i)
				break
			}
		}
	}
	return actions
}

// history is what each environment has shown, one line a step.
type history [][]string

func (h history) add(v *env.Vec, b *env.Batch) {
	for k, id := range b.EnvID {
		h[id] = append(h[id], row(v, b, k))
	}
}

// shortest is how many steps all environments have.
func (h history) shortest() int {
	n := len(h[0])
	for _, lines := range h {
		n = min(n, len(lines))
	}
	return n
}

func inStep(t testing.TB, v *env.Vec, steps int) history {
	h, c := make(history, v.Config().NumEnvs), newChooser(v.Config().NumEnvs)
	b := reset(t, v)
	h.add(v, b)
	for range steps {
		b, err := v.Step(c.actions(b))
		if err != nil {
			t.Fatal(err)
		}
		h.add(v, b)
	}
	return h
}

func inParts(t testing.TB, v *env.Vec, parts, steps int) history {
	h, c := make(history, v.Config().NumEnvs), newChooser(v.Config().NumEnvs)
	h.add(v, reset(t, v))
	all, err := v.Parts(parts)
	if err != nil {
		t.Fatal(err)
	}
	for step := range steps {
		for _, p := range all { // each continues while the others are under way
			b, err := p.Wait()
			if err != nil {
				t.Fatal(err)
			}
			if step > 0 {
				h.add(v, b)
			}
			if err := p.Start(c.actions(b)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, p := range all {
		b, err := p.Wait()
		if err != nil {
			t.Fatal(err)
		}
		h.add(v, b)
	}
	return h
}

func inAnyOrder(t testing.TB, v *env.Vec, steps int) history {
	h, c := make(history, v.Config().NumEnvs), newChooser(v.Config().NumEnvs)
	if err := v.SendReset(nil); err != nil {
		t.Fatal(err)
	}
	for h.shortest() <= steps {
		b, err := v.Recv()
		if err != nil {
			t.Fatal(err)
		}
		h.add(v, b)
		if err := v.Send(b.EnvID, c.actions(b)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range h {
		h[i] = h[i][:steps+1]
	}
	return h
}

// However the rows are split and in whatever order they are stepped, each shows
// the same bytes.
func TestRowsDependNeitherOnWorkersNorOnHowTheyAreStepped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := env.Config{
			Game:         rapid.SampledFrom(games).Draw(rt, "game"),
			NumEnvs:      rapid.IntRange(1, 9).Draw(rt, "envs"),
			Seed:         rapid.Uint64().Draw(rt, "seed"),
			Autoreset:    rapid.SampledFrom(modes).Draw(rt, "mode"),
			MaxDecisions: rapid.SampledFrom([]int{0, 3, 30}).Draw(rt, "cap"),
			Full:         rapid.Bool().Draw(rt, "full"),
			ShuffleSeats: rapid.Bool().Draw(rt, "shuffle"),
			Masks:        rapid.SampledFrom([]env.Masks{env.MaskBytes, env.MaskBoth}).Draw(rt, "masks"),
		}
		if rapid.Bool().Draw(rt, "company") {
			g, err := engine.NewGame(cfg.Game)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Players = make([]match.Player, g.Info().Seats)
			cfg.Players[0] = match.Named("random")
			if len(cfg.Players) > 2 {
				cfg.Players[2] = match.Batched("leaning", newLeaning())
			}
			cfg.ShuffleSeats = true // so that with a cap the caller is still asked sometimes
		}
		steps := rapid.IntRange(1, 25).Draw(rt, "steps")
		one := newVec(t, cfg)
		defer one.Close()
		want := inStep(t, one, steps)

		cfg.Workers = rapid.IntRange(1, 4).Draw(rt, "workers")
		cfg.BatchSize = rapid.IntRange(1, cfg.NumEnvs).Draw(rt, "batch")
		many, split, loose := newVec(t, cfg), newVec(t, cfg), newVec(t, cfg)
		defer many.Close()
		defer split.Close()
		defer loose.Close()
		for how, got := range map[string]history{
			"workers":      inStep(t, many, steps),
			"parts":        inParts(t, split, rapid.IntRange(1, cfg.NumEnvs).Draw(rt, "parts"), steps),
			"asynchronous": inAnyOrder(t, loose, steps),
		} {
			for i := range want {
				for k := range want[i] {
					if got[i][k] != want[i][k] {
						rt.Fatalf("%s: environment %d, step %d:\n%s\nalone:\n%s", how, i, k, got[i][k], want[i][k])
					}
				}
			}
		}
		if x, y := fmt.Sprint(one.Stats()), fmt.Sprint(many.Stats()); x != y {
			rt.Fatalf("statistics %s and %s", x, y)
		}
	})
}

func TestManyRowsInManyWorkers(t *testing.T) {
	cfg := env.Config{Game: "leduc", NumEnvs: 700, Autoreset: env.SameStep}
	want := inStep(t, newVec(t, cfg), 12)
	cfg.Workers, cfg.BatchSize = 2, 130
	for how, got := range map[string]history{
		"workers":      inStep(t, newVec(t, cfg), 12),
		"parts":        inParts(t, newVec(t, cfg), 2, 12),
		"asynchronous": inAnyOrder(t, newVec(t, cfg), 12),
	} {
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("%s: environment %d is another", how, i)
			}
		}
	}
}

func TestWhatCannotBeSentIsRefusedAndNothingIsSent(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 4, BatchSize: 2, Autoreset: env.SameStep})
	if err := v.Send([]int32{0}, []int32{1}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("send before reset: %v", err)
	}
	if err := v.SendReset([]int32{0}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("one row reset before all are: %v", err)
	}
	if _, err := v.Recv(); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("receive before reset: %v", err)
	}
	before := rows(v, reset(t, v))
	for want, c := range map[string]struct{ ids, actions []int32 }{
		"2 actions for 1 environments":   {[]int32{0}, []int32{1, 1}},
		"environment 4, number 1 of":     {[]int32{0, 4}, []int32{1, 1}},
		"environment -1, number 0":       {[]int32{-1, 1}, []int32{1, 1}},
		"environment 0, number 2":        {[]int32{0, 1, 0}, []int32{1, 1, 1}},
		`row 3: leduc: illegal action "`: {[]int32{2, 3}, []int32{1, 0}},
	} {
		if err := v.Send(c.ids, c.actions); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want one with %q", err, want)
		}
	}
	if _, err := v.Recv(); err == nil || !strings.Contains(err.Error(), "0 rows are under way and a batch has 2") {
		t.Errorf("nothing to receive: %v", err)
	}
	if !slices.Equal(before, rows(v, v.Batch())) {
		t.Error("something was sent")
	}
	if err := v.Send([]int32{3}, []int32{1}); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Step(make([]int32, 4)); !errors.Is(err, env.ErrUnderWay) {
		t.Errorf("step while a row is under way: %v", err)
	}
	if _, err := v.Parts(2); !errors.Is(err, env.ErrUnderWay) {
		t.Errorf("parts while a row is under way: %v", err)
	}
	if err := v.Send([]int32{1}, []int32{1}); err != nil {
		t.Fatal(err)
	}
	b, err := v.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if ids := slices.Sorted(slices.Values(b.EnvID)); !slices.Equal(ids, []int32{1, 3}) {
		t.Errorf("received %v", ids)
	}
	if _, err := v.Step([]int32{1, 1, 1, 1}); err != nil {
		t.Errorf("step after everything is received: %v", err)
	}
}

func TestPartsAtTheWrongTimeAreErrors(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 5, Workers: 2, Autoreset: env.SameStep})
	parts, err := v.Parts(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := parts[0].Start([]int32{0, 0}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("start before reset: %v", err)
	}
	if _, err := parts[0].Wait(); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("wait before reset: %v", err)
	}
	reset(t, v)
	if err := parts[1].Start([]int32{0}); err == nil || !strings.Contains(err.Error(), "1 actions for a part: want 3") {
		t.Errorf("one action for three rows: %v", err)
	}
	if err := parts[1].Start([]int32{0, 1, 9}); err == nil || !strings.Contains(err.Error(), "row 4") {
		t.Errorf("an illegal action: %v", err)
	}
	if err := parts[1].Start([]int32{0, 1, 0}); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"start": parts[1].Start([]int32{0, 1, 0}), "send": v.Send([]int32{0}, []int32{0}),
		"snapshot": v.Snapshot(&bytes.Buffer{}), "restore": v.Restore(&bytes.Buffer{}),
	} {
		if !errors.Is(err, env.ErrUnderWay) {
			t.Errorf("%s while the part is under way: %v", what, err)
		}
	}
	if _, err := v.Reset(); !errors.Is(err, env.ErrUnderWay) {
		t.Errorf("reset while the part is under way: %v", err)
	}
	b, err := parts[1].Wait()
	if err != nil || !slices.Equal(b.EnvID, []int32{2, 3, 4}) || &b.Obs[0] != &v.Batch().Obs[2*len(b.Obs)/3] {
		t.Errorf("environments %v, %v", b.EnvID, err)
	}
	for _, n := range []int{0, 6} {
		if _, err := v.Parts(n); err == nil {
			t.Errorf("5 rows in %d parts", n)
		}
	}
	v.Close()
	if _, err := parts[0].Wait(); !errors.Is(err, env.ErrClosed) {
		t.Errorf("wait in a closed vector: %v", err)
	}
	if err := parts[0].Start(nil); !errors.Is(err, env.ErrClosed) {
		t.Errorf("start in a closed vector: %v", err)
	}
	if err := v.Send(nil, nil); !errors.Is(err, env.ErrClosed) {
		t.Errorf("send in a closed vector: %v", err)
	}
}

func TestFailureOfABotReachesRecv(t *testing.T) {
	v := newVec(t, env.Config{
		Game: "leduc", NumEnvs: 6, Workers: 2, BatchSize: 3, Autoreset: env.SameStep,
		Players: []match.Player{{}, match.Batched("p", failing{7})},
	})
	b := reset(t, v) // player 0 acts first
	if err := v.Send(b.EnvID, []int32{1, 1, 1, 1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	_, err := v.Recv()
	if err == nil || !strings.Contains(err.Error(), "player 1 (p): out of rum") {
		t.Fatalf("error %v", err)
	}
	if err := v.Send([]int32{0}, []int32{1}); err == nil {
		t.Error("the vector continues as if nothing had happened")
	}
	if _, err := v.Reset(); err != nil {
		t.Errorf("reset: %v", err)
	}
	if err := v.Send([]int32{0}, []int32{1}); err != nil {
		t.Errorf("send after reset: %v", err)
	}
}

func TestStepsInPartsAndAsynchronousOnesAllocateNothing(t *testing.T) {
	const n = 8
	cfg := env.Config{
		Game: "doubloons(seats=4)", NumEnvs: n, Workers: 2, BatchSize: 4, Autoreset: env.SameStep,
		Players: []match.Player{{}, match.Named("random"), {}, match.Batched("same", same{})},
	}
	v := newVec(t, cfg)
	reset(t, v)
	parts, err := v.Parts(2)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayer(n)
	step := func() {
		if err := v.SampleActions(p.actions, p.draws); err != nil {
			t.Fatal(err)
		}
		for k, part := range parts {
			if err := part.Start(p.actions[k*n/2 : (k+1)*n/2]); err != nil {
				t.Fatal(err)
			}
		}
		for _, part := range parts {
			if _, err := part.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 50 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("parts: %v allocations a step", n)
	}
	ids := slices.Clone(v.Batch().EnvID)
	send := func() {
		if err := v.SampleActions(p.actions, p.draws); err != nil {
			t.Fatal(err)
		}
		if err := v.Send(ids, p.actions); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := v.Recv(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 50 {
		send()
	}
	if n := testing.AllocsPerRun(100, send); n != 0 {
		t.Errorf("asynchronous: %v allocations for all rows", n)
	}
}

// same is a policy that prefers nothing.
type same struct{}

func (same) Probs(_ int, _, _ []uint8, probs []float32) error {
	for i := range probs {
		probs[i] = 1
	}
	return nil
}
