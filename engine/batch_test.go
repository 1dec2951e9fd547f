package engine_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/kuhn"
	"github.com/privateer-rl/privateer/engine/games/leduc"
)

func newBatch(t *testing.T, game string, n int) engine.Batch {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	b := g.NewBatch(n)
	for i, m := range b.Matches() {
		m.Reset(uint64(i))
	}
	return b
}

func TestBatchPlaysItsRowsAsMatchesAlone(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc", "leduc(forced=show)"} {
		const n = 5
		b := newBatch(t, game, n)
		alone := newBatch(t, game, n).Matches()
		draw := engine.NewRand(4)
		actions, over, returns, want := make([]int32, n), make([]bool, n), make([]float32, 2*n), make([]float32, 2)
		for range 12 {
			for i, m := range alone {
				if over[i] = m.Seat() == engine.Over; over[i] {
					continue
				}
				actions[i] = int32(m.Legal().Sample(&draw))
				if err := m.Apply(engine.Action(actions[i])); err != nil {
					t.Fatal(err)
				}
			}
			if end := b.Apply(0, n, actions, over); end != n {
				t.Fatalf("%s: row %d is refused", game, end)
			}
			b.Returns(0, n, returns)
			for i, m := range alone {
				m.Returns(want)
				if !m.Equal(b.Matches()[i]) || int(b.Seats()[i]) != m.Seat() || b.Legal()[i] != *m.Legal() || !slices.Equal(returns[2*i:2*i+2], want) {
					t.Fatalf("%s: row %d is another match", game, i)
				}
			}
		}
		if slices.Contains(over, false) {
			t.Fatalf("%s: not all matches have ended", game)
		}
	}
}

func TestBatchStopsAtAnActionThatIsNotLegal(t *testing.T) {
	b := newBatch(t, "leduc", 4)
	fresh := newBatch(t, "leduc", 4).Matches()
	call, fold := int32(leduc.Call), int32(leduc.Fold)
	if at := b.Apply(0, 4, []int32{call, call, fold, call}, make([]bool, 4)); at != 2 {
		t.Fatalf("stopped at row %d", at)
	}
	for i, m := range b.Matches() {
		if m.Equal(fresh[i]) != (i >= 2) {
			t.Errorf("row %d: changed or not, contrary to what was asked for", i)
		}
	}
	if at := b.Apply(2, 4, []int32{0, 0, fold, call}, []bool{false, false, true, false}); at != 4 || !b.Matches()[2].Equal(fresh[2]) {
		t.Errorf("a row to be skipped is not: stopped at %d", at)
	}
}

func TestStatesOfABatchAreThoseOfItsMatches(t *testing.T) {
	b := newBatch(t, "leduc", 3)
	states := engine.States[leduc.State](b)
	for i, m := range b.Matches() {
		if engine.State[leduc.State](m) != &states[i] {
			t.Errorf("row %d has another state", i)
		}
	}
	var all []byte
	for _, m := range b.Matches() {
		all = append(all, m.Bytes()...)
	}
	if !bytes.Equal(all, b.Bytes()) {
		t.Error("the memory of the batch is not that of its matches")
	}
	if engine.States[kuhn.State](b) != nil {
		t.Error("a batch of leduc has states of kuhn")
	}
}
