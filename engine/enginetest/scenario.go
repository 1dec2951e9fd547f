package enginetest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// At returns a match of a game, named by a game string, in a position.
func At(t testing.TB, game, position string) engine.Match {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	if err := m.SetPosition([]byte(position)); err != nil {
		t.Fatal(err)
	}
	return m
}

// Do applies actions and outcomes of chance, given by name and separated by semicolons.
func Do(t testing.TB, m engine.Match, actions string) {
	t.Helper()
	for _, name := range strings.Split(actions, ";") {
		a, err := m.Info().ParseAction(name)
		if err == nil {
			err = m.Apply(a)
		}
		if err != nil {
			t.Fatalf("after the actions before it in %q: %v", actions, err)
		}
	}
}

// Legal returns the names of the legal actions, or of the possible outcomes
// if chance is to act.
func Legal(m engine.Match) []string {
	names := []string{}
	for _, o := range m.Outcomes(nil) {
		names = append(names, m.Info().ActionName(o.Action))
	}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		names = append(names, m.Info().ActionName(a))
	}
	return names
}

// Chips returns the returns of the seats in the game's own unit, to a
// millionth.
func Chips(m engine.Match) []float64 {
	returns := make([]float32, m.Info().Seats)
	m.Returns(returns)
	chips := make([]float64, len(returns))
	for i, r := range returns {
		chips[i] = math.Round(float64(float64(r)*m.Info().ReturnScale*1e6)) / 1e6
	}
	return chips
}

// SetPositionRefuses fails the test if the game accepts the position, or refuses
// it without saying what is wrong: the error must contain naming.
func SetPositionRefuses(t testing.TB, game, position, naming string) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	switch err := m.SetPosition([]byte(position)); {
	case err == nil:
		t.Errorf("%s accepts the position %s", game, position)
	case !strings.Contains(err.Error(), naming):
		t.Errorf("%s refuses the position %s with %q: want it to say %q", game, position, err, naming)
	}
}

// configured is a test whose scenarios are of another configuration than the standard one.
type configured struct {
	testing.TB
	params string
}

// In makes Explicit use more parameters for its matches.
func In(t testing.TB, params string) testing.TB { return configured{t, params} }

// Explicit returns a match in which chance is explicit and forced moves are shown, so that
// a test says everything that happens, and its rules. name is the game's in game
// strings, S its state, R its rules.
func Explicit[S comparable, R engine.Rules[S]](t testing.TB, name string, seats int) (engine.Match, R) {
	t.Helper()
	game := fmt.Sprintf("%s(seats=%d,chance=explicit,forced=show", name, seats)
	if c, ok := t.(configured); ok {
		game += "," + c.params
	}
	g, err := engine.NewGame(game + ")")
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	r, ok := engine.RulesOf[S, R](m)
	if !ok {
		t.Fatalf("%s: not its rules", game)
	}
	return m, r
}
