package engine_test

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestOneOfAThingIsSingular(t *testing.T) {
	for want, got := range map[string]string{
		"1 card": engine.Count(1, "card", ""), "0 cards": engine.Count(0, "card", ""), "2 matches": engine.Count(2, "match", "matches"), "-1 point": engine.Count(-1, "point", ""),
	} {
		if got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}
