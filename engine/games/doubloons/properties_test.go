package doubloons

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// deepest is how many frames the decision stack holds at most when somebody is
// to decide: what is left of a round (DoRoundEnd, DoPillage, two DoReveal), of a slot (DoInOrder) and of a
// turn (DoTurnEnd), five followers, and the two frames of a ship that a landmark
// moves. A black jewel can roll on top of that, in older editions twice.
const (
	deepest         = 4 + 1 + 1 + 5 + 2
	deepestOfJewels = deepest + 2
)

// finely are the words of actions that players may like for one value and not for another.
var finely = []string{"do", "die", "map", "seat"}

// drawGame draws a configuration: seats, edition and modules that the edition has.
func drawGame(rt *rapid.T, made map[string]engine.Match) engine.Match {
	e := &editions[rapid.IntRange(0, len(editions)-1).Draw(rt, "edition")]
	set := Modules(rapid.IntRange(0, 1<<NumModules-1).Draw(rt, "modules")) & e.Modules
	return enginetest.DrawMatch(rt, made, "doubloons", fmt.Sprintf("seats=%d,edition=%s,modules=%s",
		rapid.IntRange(MinSeats, e.Seats).Draw(rt, "seats"), e.Name, set))
}

// What holds for all players and all dice.
func TestNoPlayBreaksAnInvariant(t *testing.T) {
	games := map[string]engine.Match{}
	rapid.Check(t, func(rt *rapid.T) {
		m := drawGame(rt, games)
		s := engine.State[State](m)
		rules, _ := engine.RulesOf[State, *Rules](m)
		enginetest.PlayByTaste(rt, m, finely, func() {
			if s.Depth > deepestOfJewels {
				rt.Fatalf("%d frames on the stack at: %s", s.Depth, m.Decision())
			}
			for i := range m.Info().Seats {
				sh := &s.Ships[i]
				if sh.Ghost != (sh.Hull == 0) {
					rt.Fatalf("seat %d: hull %d, ghost ship %v, at: %s", i, sh.Hull, sh.Ghost, m.Decision())
				}
				if sh.Region >= 0 && !rests(s.Water[sh.Region]) && !rules.Edition.GhostsIgnoreWater {
					rt.Fatalf("the ship of seat %d rests in a Rip Current at: %s", i, m.Decision())
				}
			}
			if err := checkMatch(m); err != nil {
				rt.Fatalf("%v, at: %s", err, m.Decision())
			}
		})
	})
}

func TestTheDecisionStackIsDeepestUnderFollowers(t *testing.T) {
	sc := met(t, 6, VoodooHut, has(1, SymbolX, 1), has(2, SymbolX, 1), has(3, SymbolX, 1), has(4, SymbolX, 1), has(5, SymbolX, 1)).do("seat=+1")
	check(t, "frames", int(sc.Depth), deepest)
}
