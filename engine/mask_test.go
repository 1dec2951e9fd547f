package engine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
)

// A mask behaves as a sorted set of actions, whatever is done to it.
func TestMaskIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		action := rapid.Map(rapid.IntRange(0, engine.MaxActions-1), func(i int) engine.Action { return engine.Action(i) })
		var m engine.Mask
		set := map[engine.Action]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				a := action.Draw(t, "a")
				m.Set(a)
				set[a] = true
			},
			"clear": func(t *rapid.T) {
				a := action.Draw(t, "a")
				m.Clear(a)
				delete(set, a)
			},
			"": func(t *rapid.T) { wantMask(t, &m, set) },
		})
	})
}

func wantMask(t *rapid.T, m *engine.Mask, set map[engine.Action]bool) {
	var want []engine.Action
	for a := range set {
		want = append(want, a)
	}
	slices.Sort(want)
	if m.Count() != len(want) {
		t.Fatalf("Count is %d for %v", m.Count(), want)
	}
	var got []engine.Action
	for a := m.First(); a >= 0; a = m.Next(a) {
		got = append(got, a)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("First and Next walk %v, want %v", got, want)
	}
	for k, a := range want {
		if m.Nth(k) != a {
			t.Fatalf("Nth(%d) is %d, want %d", k, m.Nth(k), a)
		}
	}
	if m.Nth(len(want)) != -1 {
		t.Fatalf("Nth beyond the last is %d", m.Nth(len(want)))
	}
	var bytes [engine.MaxActions]uint8
	m.Expand(bytes[:])
	for a, b := range bytes {
		if has := set[engine.Action(a)]; m.Has(engine.Action(a)) != has || (b == 1) != has || b > 1 {
			t.Fatalf("action %d: Has is %t, its byte %d", a, m.Has(engine.Action(a)), b)
		}
	}
	for _, a := range []engine.Action{-1, -64, engine.MaxActions, 1 << 30} {
		if m.Has(a) {
			t.Fatalf("Has(%d), out of range", a)
		}
	}
}

func TestMaskSamplesUniformly(t *testing.T) {
	for _, actions := range [][]engine.Action{{0, 63, 64, 200, 511}, {0, 1, 7, 40, 63}} {
		var m engine.Mask
		count := map[engine.Action]int{}
		for _, a := range actions {
			m.Set(a)
		}
		r := engine.NewRand(1)
		for range 5000 {
			before := r
			a := m.Sample(&r)
			if want := m.Nth(before.Intn(len(actions))); a != want {
				t.Fatalf("of %v, %d is drawn: want %d", actions, a, want)
			}
			count[a]++
		}
		for a := m.First(); a >= 0; a = m.Next(a) {
			if count[a] < 850 || count[a] > 1150 {
				t.Errorf("of %v, action %d is drawn %d times in 5000", actions, a, count[a])
			}
		}
		if len(count) != len(actions) {
			t.Errorf("drawn: %v", count)
		}
	}
}

func TestUnpackWritesEveryLengthAndNothingBeyond(t *testing.T) {
	r := engine.NewRand(12)
	for n := range 65 {
		set := r.Uint64()
		dst := make([]uint8, 70)
		for i := range dst {
			dst[i] = 9
		}
		engine.Unpack(dst[:n], set)
		for i, b := range dst {
			want := uint8(9)
			if i < n {
				want = uint8(set >> i & 1)
			}
			if b != want {
				t.Fatalf("%d bytes of %#x: byte %d is %d, want %d", n, set, i, b, want)
			}
		}
	}
}
