package enginetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// Explained plays matches of a game at random, and fails the test where events do not explain how a match has changed: rebuild, which does to a state
// what an event says, makes of the state before a step, from the events of that step, the state after it. hide clears what nothing is said
// of: generators, the decision stack, what follows from the rest.
func Explained[S comparable](t testing.TB, game string, decisions int, rebuild func(s *S, e engine.Event), hide func(s *S)) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	log, r, heard := engine.Listen(m), engine.NewRand(1), 0
	if log == nil {
		t.Fatalf("%s does not say what happens", game)
	}
	for seed := uint64(1); decisions > 0; seed++ {
		m.Reset(seed)
		for heard = log.Count(); m.Seat() != engine.Over && decisions > 0; decisions-- {
			built, at := *engine.State[S](m), m.Decision()
			a := choose(m, &r)
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
			events := log.Since(heard)
			for _, e := range events {
				rebuild(&built, e)
			}
			now := *engine.State[S](m)
			hide(&built)
			if hide(&now); built != now {
				t.Fatalf("%s, seed %d: %q, then %s: no event explains %s\n%s", game, seed, at, m.Info().ActionName(a), differences(reflect.ValueOf(built), reflect.ValueOf(now), ""),
					strings.Join(engine.Tell(m, events, engine.Full), "\n"))
			}
			heard = log.Count()
		}
	}
}

// differences says which fields of two values differ.
func differences(a, b reflect.Value, path string) string {
	switch {
	case a.Equal(b):
		return ""
	case a.Kind() == reflect.Struct:
		var all string
		for i := range a.NumField() {
			all += differences(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)
		}
		return all
	case a.Kind() == reflect.Array:
		var all string
		for i := range a.Len() {
			all += differences(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
		return all
	}
	return fmt.Sprintf("%s: it is %v now, not %v; ", path[1:], b, a)
}
