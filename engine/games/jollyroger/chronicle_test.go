package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestTheChronicleTellsWhatHappensToPlayers(t *testing.T) {
	const game = "jolly_roger(seats=4,chance=explicit)"
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := engine.ChronicleOf(g)
	if !ok {
		t.Fatal("the game has no chronicle")
	}
	for _, tc := range []struct {
		what, position, actions string
		want                    [4][4]int // by seat: became Captain, became Quartermaster, buried, lost prizes
	}{
		{
			"seat 0 buries one prize of two",
			`{"phase":"island","map":true,"players":[{"hand":{},"prizes":{"gold_1":1,"rum":1}},{"hand":{}},{"hand":{}},{"hand":{}}]}`,
			"bury=gold_1", [4][4]int{{0, 0, 1, 0}},
		},
		{
			"seat 2 kills the Captain, who loses a prize",
			`{"mutiny":{"mutineer":1},"players":[{"hand":{},"prizes":{"gold_1":1}},{"hand":{"any":1}},{"hand":{"cutthroat":1}},{"hand":{"any":1}}]}`,
			"cutthroat=captain", [4][4]int{{0, 0, 0, 1}, {1, 0, 0, 0}},
		},
		{
			"the Captain names seat 3",
			`{"round":2,"captain":0,"quartermaster":1}`,
			"seat=+3", [4][4]int{3: {0, 1, 0, 0}},
		},
	} {
		m, before := enginetest.At(t, game, tc.position), g.NewMatch()
		before.CopyFrom(m)
		enginetest.Do(t, m, tc.actions)
		var got [4][4]int
		for seat := range got {
			c.Note(before, m, seat, got[seat][:])
		}
		if got != tc.want {
			t.Errorf("%s: counted %v, want %v", tc.what, got, tc.want)
		}
	}
}

func TestTheChronicleMeasuresAFinishedMatch(t *testing.T) {
	m := enginetest.At(t, "jolly_roger(seats=3)", `{"phase":"over","round":4,"players":[{"prizes":{"gold_2":1}},{"buried":{"gold_3":2}},{"prizes":{"hostage":1}}],
		"prize_deck":{}, "prize_discard":{"gold_1":12,"gold_2":11,"gold_3":6,"rum":6,"jewels":4,"hostage":3},
		"stacks":{"fort":["fort_1"]}}`)
	r, _ := engine.RulesOf[State, *Rules](m)
	got := make([]float64, len(r.Measures()))
	r.Measure(m, got)
	for i, want := range []float64{4, 46, 9, 6} {
		if got[i] != want {
			t.Errorf("%s: %v, want %v", r.Measures()[i], got[i], want)
		}
	}
}
