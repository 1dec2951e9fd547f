package env_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

func TestAnySeatAndTheFullViewCanBeSeenOnDemand(t *testing.T) {
	const n, seats = 3, 4
	v := newVec(t, env.Config{Game: "doubloons(seats=4)", NumEnvs: n, Workers: 2, Autoreset: env.SameStep, Full: true})
	p := newPlayer(n)
	reset(t, v)
	d, f := v.Encoder().Schema().Size, v.Encoder().FullSchema().Size
	obs, full, all, viewers := make([]uint8, d), make([]uint8, f), make([]uint8, n*d), make([]int32, n)
	for range 40 {
		b := p.step(t, v)
		for turn := range seats {
			for i := range viewers {
				viewers[i] = (b.Seat[i] + int32(turn)) % seats
			}
			if err := v.ObserveAll(viewers, all); err != nil {
				t.Fatal(err)
			}
			if turn == 0 && !bytes.Equal(all, b.Obs) {
				t.Fatal("the seats to act see something else than the batch says")
			}
			for i, seat := range viewers {
				if err := v.Observe(i, int(seat), obs); err != nil {
					t.Fatal(err)
				}
				if err := v.ObserveFull(i, int(seat), full); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(obs, all[i*d:(i+1)*d]) || !bytes.Equal(obs, full[:d]) || turn == 0 && !bytes.Equal(full, b.Full[i*f:(i+1)*f]) {
					t.Fatalf("row %d, seat %d: the views do not agree", i, seat)
				}
			}
		}
	}
}

// What the hidden cards of the others are, and what the dice will be, a row does not show.
func TestRowsShowNothingThatTheirSeatMayNotKnow(t *testing.T) {
	for _, game := range games {
		v := newVec(t, env.Config{Game: game, NumEnvs: 3, Autoreset: env.SameStep})
		p := newPlayer(3)
		b := reset(t, v)
		m, r := v.Game().NewMatch(), engine.NewRand(8)
		obs, mask := make([]uint8, len(b.Obs)/3), make([]uint8, len(b.Mask)/3)
		others := 0
		for range 60 {
			for i := range 3 {
				if err := v.Redeal(i, int(b.Seat[i]), &r, m); err != nil {
					t.Fatal(err)
				}
				v.Encoder().Encode(m, int(b.Seat[i]), obs)
				m.Legal().Expand(mask)
				if !bytes.Equal(obs, b.Obs[i*len(obs):(i+1)*len(obs)]) || !bytes.Equal(mask, b.Mask[i*len(mask):(i+1)*len(mask)]) {
					t.Fatalf("%s: row %d shows what seat %d cannot know", game, i, b.Seat[i])
				}
				if !m.Equal(v.Match(i)) {
					others++
				}
			}
			b = p.step(t, v)
		}
		if others == 0 {
			t.Errorf("%s: nothing was dealt anew", game)
		}
	}
}

func TestNothingIsLostOrMadeInTheRows(t *testing.T) {
	for _, players := range [][]match.Player{nil, {{}, match.Named("random"), match.Named("heuristic")}} {
		v := newVec(t, env.Config{Game: "doubloons(seats=3)", NumEnvs: 4, Workers: 2, BatchSize: 2, Autoreset: env.SameStep, Players: players})
		rules, ok := engine.RulesOf[doubloons.State, *doubloons.Rules](v.Match(0))
		if !ok {
			t.Fatal("other rules")
		}
		c := newChooser(4)
		if err := v.SendReset(nil); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			b, err := v.Recv()
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range b.EnvID {
				if err := rules.Check(engine.State[doubloons.State](v.Match(int(id)))); err != nil {
					t.Fatalf("environment %d: %v", id, err)
				}
			}
			if err := v.Send(b.EnvID, c.actions(b)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestPackedMasksAreTheMasks(t *testing.T) {
	for _, game := range []string{"kuhn", "doubloons(seats=2)"} {
		cfg := env.Config{Game: game, NumEnvs: 3, Autoreset: env.NextStep, Masks: env.MaskBoth}
		both := newVec(t, cfg)
		cfg.Masks = env.MaskPacked
		packed := newVec(t, cfg)
		p, q := newPlayer(3), newPlayer(3)
		b, c := reset(t, both), reset(t, packed)
		a, w := len(b.Mask)/3, len(b.Packed)/3
		expanded := make([]uint8, 3*a)
		for range 40 {
			for i := range 3 {
				for k := range 8 * w {
					bit := b.Packed[i*w+k/8] >> (k % 8) & 1
					if k < a && bit != b.Mask[i*a+k] || k >= a && bit != 0 {
						t.Fatalf("%s: row %d, action %d: bit %d", game, i, k, bit)
					}
				}
			}
			if err := packed.ExpandMasks(expanded); err != nil {
				t.Fatal(err)
			}
			if c.Mask != nil || !bytes.Equal(c.Packed, b.Packed) || !bytes.Equal(expanded, b.Mask) {
				t.Fatalf("%s: packed masks alone are others", game)
			}
			b, c = p.step(t, both), q.step(t, packed)
		}
	}
}

func TestViewsThatCannotBeAreRefused(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 2})
	d := v.Encoder().Schema().Size
	if err := v.Observe(0, 0, make([]uint8, d)); err == nil {
		t.Error("a view before reset")
	}
	reset(t, v)
	kuhn, err := engine.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	r := engine.NewRand(1)
	for want, err := range map[string]error{
		"row 2: want 0 to 1":                   v.Observe(2, 0, make([]uint8, d)),
		"seat 2: want 0 to 1":                  v.ObserveFull(0, 2, nil),
		"3 bytes for an observation":           v.Observe(0, 0, make([]uint8, 3)),
		"0 bytes for a full view":              v.ObserveFull(0, 0, nil),
		"1 seats and 0 bytes: want 2":          v.ObserveAll(make([]int32, 1), nil),
		"row 1: seat -1":                       v.ObserveAll([]int32{0, -1}, make([]uint8, 2*d)),
		"1 bytes for masks: want 6":            v.ExpandMasks(make([]uint8, 1)),
		"a match of kuhn is to be made one of": v.CopyMatch(0, kuhn.NewMatch()),
		"row -1":                               v.Redeal(-1, 0, &r, v.Game().NewMatch()),
		"masks 7":                              misconfigured(env.Config{Game: "kuhn", NumEnvs: 1, Masks: 7}),
		"batches of 3 rows: want 1 to 2":       misconfigured(env.Config{Game: "kuhn", NumEnvs: 2, BatchSize: 3}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want one with %q", err, want)
		}
	}
}

func misconfigured(cfg env.Config) error {
	_, err := env.New(cfg)
	return err
}

func TestCopiedMatchGoesItsOwnWay(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 2, Autoreset: env.SameStep})
	reset(t, v)
	m := v.Game().NewMatch()
	if err := v.CopyMatch(1, m); err != nil || !m.Equal(v.Match(1)) {
		t.Fatalf("the copy is another match: %v", err)
	}
	before := slices.Clone(v.Match(1).Bytes())
	if err := m.Apply(m.Legal().First()); err != nil {
		t.Fatal(err)
	}
	if m.Equal(v.Match(1)) || !bytes.Equal(before, v.Match(1).Bytes()) {
		t.Error("the copy and the row are one match")
	}
}
