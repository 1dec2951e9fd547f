package games_test

import (
	"flag"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

var pairs = flag.Int("told", 3000, "decisions in two matches that a seat cannot tell apart, after which it must have been told the same; `.ci/run honesty` takes a million")

// A seat sees the same events, in the same order and words, in matches that it cannot tell apart.
func TestASeatIsToldNothingThatItCannotKnow(t *testing.T) {
	var games []string
	for _, d := range engine.Definitions() {
		games = append(games, enginetest.Configurations(t, d.Name)...)
	}
	paired := 0
	for i, config := range games {
		g, err := engine.NewGameWith(config, "chance", "explicit")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for p := range (enginetest.Twins{Game: g, Seed: uint64(i) + 1, Grow: 2}).All() {
			if p.WasA == nil {
				continue // nothing has happened to them since they began
			}
			if err := enginetest.Told(p); err != nil {
				t.Errorf("%v: %v", p, err)
				break
			}
			if n++; n > *pairs/len(games) {
				break
			}
		}
		paired += n
	}
	t.Logf("%d decisions in pairs", paired)
}
