package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/kuhn"
	"github.com/privateer-rl/privateer/engine/games/leduc"
)

func newMatch(t *testing.T, game string) engine.Match {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	return m
}

func TestIllegalActionErrorNamesActionSeatAndWhatIsLegal(t *testing.T) {
	for _, c := range []struct {
		game   string
		action engine.Action
		want   string
	}{
		{"leduc", leduc.Fold, `leduc: illegal action "fold" for seat 0: seat 0 acts in round 1, with 0 to call and 0 of 2 raises made; legal are: call, raise`},
		{"leduc", 99, `leduc: illegal action "action(99)" for seat 0: `},
		{"leduc(chance=explicit)", leduc.Call, `leduc(chance=explicit): illegal action "call" for chance: a card is dealt to seat 0; possible are: deal=J, deal=Q, deal=K`},
	} {
		err := newMatch(t, c.game).Apply(c.action)
		var illegal *engine.IllegalActionError
		if !errors.As(err, &illegal) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
	m := newMatch(t, "kuhn")
	for m.Seat() != engine.Over {
		if err := m.Apply(kuhn.Pass); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Apply(kuhn.Pass); err == nil || !strings.HasSuffix(err.Error(), `"pass" for over: the match is over; reset it first`) {
		t.Errorf("after the end: %v", err)
	}
}

func TestStateAndRulesAreThoseOfTheirGameOnly(t *testing.T) {
	m := newMatch(t, "kuhn")
	if s := engine.State[kuhn.State](m); s == nil || s.Hands[0] == kuhn.None {
		t.Errorf("the state of a match of kuhn is %v", s)
	}
	if s := engine.State[leduc.State](m); s != nil {
		t.Errorf("a match of kuhn has a state of leduc: %v", s)
	}
	if _, ok := engine.RulesOf[kuhn.State, engine.Rules[kuhn.State]](m); !ok {
		t.Error("a match of kuhn has no rules of kuhn")
	}
	if _, ok := engine.RulesOf[leduc.State, engine.Rules[leduc.State]](m); ok {
		t.Error("a match of kuhn has rules of leduc")
	}
	if m.Equal(newMatch(t, "leduc")) {
		t.Error("matches of two games are equal")
	}
	defer func() {
		if recover() == nil {
			t.Error("a match of leduc is copied to one of kuhn")
		}
	}()
	m.CopyFrom(newMatch(t, "leduc"))
}

func TestSnapshotsOfAnotherGameAreRefused(t *testing.T) {
	err := newMatch(t, "kuhn").SetBytes(newMatch(t, "leduc").Bytes())
	if err == nil || !strings.Contains(err.Error(), "kuhn: a state of 32 bytes; want 24") {
		t.Errorf("the error is %v", err)
	}
}

func TestRefusedPositionLeavesTheMatch(t *testing.T) {
	m, before := newMatch(t, "leduc"), newMatch(t, "leduc")
	err := m.SetPosition([]byte(`{"rounds":[["raise"],["call"]]}`))
	if err == nil || !strings.HasPrefix(err.Error(), "leduc: position: rounds[1][0]") {
		t.Errorf("the error is %v", err)
	}
	if !m.Equal(before) || m.Seat() != before.Seat() || *m.Legal() != *before.Legal() {
		t.Error("the match has changed")
	}
}

func TestExplicitChanceIsDrawnFromTheMatchItself(t *testing.T) {
	explicit, sampled := newMatch(t, "kuhn(chance=explicit)"), newMatch(t, "kuhn")
	for explicit.Seat() == engine.Chance {
		if err := explicit.Apply(explicit.SampleChance()); err != nil {
			t.Fatal(err)
		}
	}
	if string(explicit.Bytes()) != string(sampled.Bytes()) {
		t.Error("the cards are others than with chance=sampled")
	}
	if a := explicit.SampleChance(); a != -1 {
		t.Errorf("with a seat to act, chance decides on action %d", a)
	}
}

func TestStepsOfExplicitChanceDoNotAllocate(t *testing.T) {
	m := newMatch(t, "leduc(chance=explicit)")
	seed := uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		a := m.SampleChance()
		switch m.Seat() {
		case engine.Over:
			seed++
			m.Reset(seed)
			return
		case engine.Chance:
		default:
			a = m.Legal().First()
		}
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a step: want none", n)
	}
}
