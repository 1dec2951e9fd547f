package env_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// checkActionRows compares the rows of a batch with what the encoder says of each match.
func checkActionRows(t *testing.T, at string, v *env.Vec, b *env.Batch) {
	t.Helper()
	e := v.Encoder()
	var rows []uint8
	var ids, offsets []int32
	for _, i := range b.EnvID {
		offsets = append(offsets, int32(len(ids)))
		if v.Finished(int(i)) {
			continue
		}
		m := v.Match(int(i))
		one := make([]uint8, m.Legal().Count()*e.ActionSize())
		e.EncodeActions(m, one)
		rows = append(rows, one...)
		for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
			ids = append(ids, int32(a))
		}
	}
	offsets = append(offsets, int32(len(ids)))
	if !bytes.Equal(b.ActionRows, rows) || !slices.Equal(b.ActionIDs, ids) || !slices.Equal(b.ActionOffsets, offsets) {
		t.Fatalf("%s: rows of actions %v, %v at %v; want %v, %v at %v", at, b.ActionRows, b.ActionIDs, b.ActionOffsets, rows, ids, offsets)
	}
}

func sampled(t *testing.T, v *env.Vec, b *env.Batch, streams []engine.Rand) []int32 {
	t.Helper()
	actions := make([]int32, len(b.EnvID))
	for k, i := range b.EnvID {
		if ids := b.ActionIDs[b.ActionOffsets[k]:b.ActionOffsets[k+1]]; len(ids) > 0 {
			actions[k] = ids[streams[i].Intn(len(ids))]
		}
	}
	return actions
}

func actionVec(t *testing.T, mode env.Mode, workers int) (*env.Vec, []engine.Rand) {
	t.Helper()
	v, err := env.New(env.Config{Game: "leduc", NumEnvs: 10, Workers: workers, Seed: 5, Autoreset: mode, ActionRows: true, BatchSize: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	streams := make([]engine.Rand, 10)
	for i := range streams {
		streams[i] = engine.NewRand(uint64(i))
	}
	return v, streams
}

func TestBatchesSayWhatActionsDo(t *testing.T) {
	for _, mode := range []env.Mode{env.NextStep, env.SameStep, env.Disabled} {
		for _, workers := range []int{1, 3} {
			v, streams := actionVec(t, mode, workers)
			b, err := v.Reset()
			if err != nil {
				t.Fatal(err)
			}
			for step := range 60 {
				checkActionRows(t, mode.String(), v, b)
				if step%20 == 19 {
					chosen := make([]bool, 10)
					chosen[step%10], chosen[3] = true, true
					if b, err = v.ResetRows(chosen); err != nil {
						t.Fatal(err)
					}
					checkActionRows(t, "rows begun anew", v, b)
				}
				if b, err = v.Step(sampled(t, v, b, streams)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestPartsAndReceivedBatchesSayWhatActionsDo(t *testing.T) {
	v, streams := actionVec(t, env.SameStep, 2)
	parts, err := v.Parts(3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Reset(); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		for _, p := range parts {
			checkActionRows(t, "part", v, p.Batch())
			if err := p.Start(sampled(t, v, p.Batch(), streams)); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range parts {
			if _, err := p.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	}
	var saved bytes.Buffer
	if err := v.Snapshot(&saved); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Reset(); err != nil {
		t.Fatal(err)
	}
	if err := v.Restore(&saved); err != nil {
		t.Fatal(err)
	}
	checkActionRows(t, "restored", v, v.Batch())
	for _, p := range parts {
		checkActionRows(t, "restored part", v, p.Batch())
	}

	if err := v.SendReset(nil); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		b, err := v.Recv()
		if err != nil {
			t.Fatal(err)
		}
		checkActionRows(t, "received", v, b)
		if err := v.Send(b.EnvID, sampled(t, v, b, streams)); err != nil {
			t.Fatal(err)
		}
	}
}

// byRows is a policy that reads what actions do and always takes the dearest.
type byRows struct {
	schema *encode.Schema
	asked  *int
}

func (p byRows) Probs(int, []uint8, []uint8, []float32) error { panic("asked without rows") }

func (p byRows) ActionProbs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	cost, err := p.schema.Group("action.cost")
	if err != nil {
		return err
	}
	clear(probs)
	for i := range n {
		*p.asked++
		best, dearest, at := 0, -1, offsets[i]
		for a := range 3 {
			if mask[i*3+a] == 0 {
				continue
			}
			if c := int(rows[int(at)*p.schema.Size+cost.Offset]); c > dearest {
				best, dearest = a, c
			}
			at++
		}
		if at != offsets[i+1] {
			panic("as many rows as legal actions")
		}
		probs[i*3+best] = 1
	}
	return nil
}

func TestPoliciesInTheLoopReadWhatActionsDo(t *testing.T) {
	asked := 0
	v, err := env.New(env.Config{Game: "leduc", NumEnvs: 4, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		t.Fatal(err)
	}
	schema := v.Encoder().ActionSchema()
	v.Close()
	v, err = env.New(env.Config{Game: "leduc", NumEnvs: 4, Seed: 1, Autoreset: env.SameStep,
		Players: []match.Player{{}, match.Batched("dear", byRows{schema, &asked})}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	b, err := v.Reset()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if b, err = v.Step([]int32{1, 1, 1, 1}); err != nil { // the caller calls
			t.Fatal(err)
		}
		for i := range 4 {
			if b.Terminated[i] && (b.Length[i] != 4 || !slices.Contains([]float32{0, 7. / 13, -7. / 13}, b.Return[i*2])) {
				t.Errorf("a match against one who always raises: %d decisions, return %v", b.Length[i], b.Return[i*2:i*2+2])
			}
		}
	}
	if asked == 0 || b.ActionRows != nil {
		t.Error("the policy was not asked, or the batch has rows that nobody asked for")
	}
}

func TestSteppingWithActionRowsAllocatesNothing(t *testing.T) {
	v, _ := actionVec(t, env.SameStep, 1)
	b, err := v.Reset()
	if err != nil {
		t.Fatal(err)
	}
	actions := make([]int32, 10)
	step := func() {
		for i := range actions {
			actions[i] = b.ActionIDs[b.ActionOffsets[i+1]-1]
		}
		if b, err = v.Step(actions); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// silent is a game of one action that nobody describes. It cannot be played.
const silent = "silent"

type silentRow struct {
	Seen uint8 `name:"seen" doc:"nothing"`
}

func init() {
	engine.Register(engine.Definition{Name: silent, Title: "a game that describes no actions", New: func(c engine.Config) (engine.Game, error) {
		info := c.Info()
		info.Seats, info.Actions = 1, []string{"a"}
		return engine.Make(info, engine.Rules[struct{}](nil))
	}})
	encode.Register(silent, func(g engine.Game) (*encode.Encoder, error) {
		return encode.New[silentRow, struct{ silentRow }](g, 1, nil, nil), nil
	})
}

func TestActionRowsOfAGameThatDescribesNoneAreRefused(t *testing.T) {
	_, err := env.New(env.Config{Game: silent, NumEnvs: 1, ActionRows: true})
	if err == nil || !strings.Contains(err.Error(), silent) || !strings.Contains(err.Error(), "describes no actions") {
		t.Errorf("error %v", err)
	}
}
