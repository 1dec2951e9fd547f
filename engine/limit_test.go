package engine_test

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/kuhn"
)

// short is kuhn that is cut short after the first bet or pass.
type short struct {
	engine.Rules[kuhn.State]
	after int
}

func (r short) Limit(s *kuhn.State) string {
	if r.Seat(s) == r.after {
		return "max_bets=1"
	}
	return ""
}

func TestALimitEndsAMatchWhereTheNextSeatWouldDecide(t *testing.T) {
	whole := newMatch(t, "kuhn")
	rules, _ := engine.RulesOf[kuhn.State, engine.Rules[kuhn.State]](whole)
	info := *whole.Info()
	g, err := engine.Make(&info, engine.Rules[kuhn.State](short{rules, 1}))
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	if limit, next := m.Truncated(); limit != "" || next != engine.Over || m.Seat() != 0 {
		t.Fatalf("at the first decision: limit %q, next %d, %s", limit, next, engine.SeatName(m.Seat()))
	}
	if err := m.Apply(kuhn.Pass); err != nil {
		t.Fatal(err)
	}
	returns := []float32{9, 9}
	m.Returns(returns)
	limit, next := m.Truncated()
	if m.Seat() != engine.Over || limit != "max_bets=1" || next != 1 || m.Legal().Count() != 0 || returns[0] != 0 || returns[1] != 0 {
		t.Errorf("after a pass: %s, limit %q, next %d, %d legal actions, returns %v", engine.SeatName(m.Seat()), limit, next, m.Legal().Count(), returns)
	}
	if text := m.Decision(); !strings.Contains(text, "max_bets=1 has ended it, not the rules") {
		t.Errorf("the decision is %q", text)
	}
	if err := m.Apply(kuhn.Pass); err == nil || !strings.Contains(err.Error(), "max_bets=1") {
		t.Errorf("an action after the end: error %v", err)
	}
	// It stays so in a copy, a snapshot, a redeal and a batch.
	copied, b := g.NewMatch(), g.NewBatch(2)
	copied.CopyFrom(m)
	if err := b.Matches()[0].SetBytes(m.Bytes()); err != nil {
		t.Fatal(err)
	}
	r := engine.NewRand(2)
	m.Redeal(0, &r)
	b.Matches()[1].Reset(5)
	if at := b.Apply(1, 2, []int32{0, int32(kuhn.Pass)}, make([]bool, 2)); at != 2 {
		t.Fatalf("row %d refuses the action", at)
	}
	for i, m := range []engine.Match{m, copied, b.Matches()[0], b.Matches()[1]} {
		if limit, next := m.Truncated(); limit == "" || next != 1 || m.Seat() != engine.Over {
			t.Errorf("match %d: limit %q, next %d, %s", i, limit, next, engine.SeatName(m.Seat()))
		}
	}
	// Another game has no limit, and what its rules end is not truncated.
	for whole.Seat() >= 0 {
		if err := whole.Apply(kuhn.Pass); err != nil {
			t.Fatal(err)
		}
	}
	if limit, next := whole.Truncated(); limit != "" || next != engine.Over {
		t.Errorf("a match that is over by the rules: limit %q, next %d", limit, next)
	}
}
