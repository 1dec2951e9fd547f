package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Who passes when he could have reacted has shown nothing, so nobody sees that he was asked.
func TestReactionsAreSeenOnlyIfTheyAreMade(t *testing.T) {
	enginetest.Clause(t, "KNOW-2")
	sc := attack(t, Fort, []string{"nav12 nav13", "nav14", "any", "cook"}).do("1 play=nav14")
	sc.asks(2, AskAttack)
	for view, want := range []engine.Sight{engine.Unseen, engine.Unseen, engine.Open, engine.Unseen} {
		if got := sc.m.Sight(view, ToPass); got != want {
			t.Errorf("seat %d sees %d of a pass; want %d", view, got, want)
		}
	}
	play, err := sc.m.Info().ParseAction("play=any")
	if err != nil {
		t.Fatal(err)
	}
	if got := sc.m.Sight(0, play); got != engine.Open {
		t.Errorf("seat 0 sees %d of a card that is played; want all", got)
	}
}
