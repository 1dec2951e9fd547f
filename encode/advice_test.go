package encode_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
)

func TestAdviceEndsRowsAndChangesNothingElse(t *testing.T) {
	adviceEndsRows(t, "doubloons(seats=3)", "doubloons(seats=3,advice=foresight)")
	adviceEndsRows(t, "jolly_roger(seats=4)", "jolly_roger(seats=4,advice=reign)")
}

func adviceEndsRows(t *testing.T, game, advised string) {
	t.Helper()
	_, plain := encodetest.Make(t, game)
	_, told := encodetest.Make(t, advised)
	if told.Schema().Hash() != plain.Schema().Hash() || told.FullSchema().Hash() != plain.FullSchema().Hash() || told.ActionSchema().Hash() == plain.ActionSchema().Hash() {
		t.Error("advice changes more than the rows of actions, or nothing")
	}
	at, w, size := 0, plain.ActionSize(), told.ActionSize()
	for _, g := range told.ActionSchema().Groups {
		if g.Offset != at {
			t.Errorf("group %s is at %d; those before it end at %d", g.Name, g.Offset, at)
		}
		at += g.Size
	}
	said, bare, full := 0, make([]uint8, 1<<18), make([]uint8, 1<<18)
	encodetest.Play(t, advised, 2, func(m engine.Match) {
		n := plain.EncodeActions(m, bare)
		if told.EncodeActions(m, full) != n {
			t.Fatal("other rows")
		}
		for k := range n {
			row := full[k*size : (k+1)*size]
			if !bytes.Equal(row[:w], bare[k*w:(k+1)*w]) {
				t.Fatalf("row %d begins otherwise than without advice, at: %s", k, m.Decision())
			}
			said += int(engine.Bit(bytes.Count(row[w:], []byte{0}) < size-w))
		}
	})
	if said < 100 {
		t.Errorf("%d rows end with advice", said)
	}
}

func TestAdviceIsRefusedWhereThereIsNone(t *testing.T) {
	for game, want := range map[string]string{
		"leduc(advice=foresight)":     "no parameter",
		"doubloons(advice=heuristic)": "known are foresight",
	} {
		if _, err := engine.NewGame(game); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v; want %q in it", game, err, want)
		}
	}
}
