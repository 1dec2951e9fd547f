package doubloons

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
)

// deepest is how many frames the decision stack holds at most when somebody is
// to decide: what is left of a round (DoRoundEnd, DoPillage, two DoReveal), of a slot (DoInOrder) and of a
// turn (DoTurnEnd), five followers, and the two frames of a ship that a landmark
// moves. A black jewel can roll on top of that, in older editions twice.
const (
	deepest         = 4 + 1 + 1 + 5 + 2
	deepestOfJewels = deepest + 2
)

// tastes is a way to play, for seats and chance alike: how much each sort of
// action is liked, by the word before "=" in its name. Play by tastes goes where
// play at random never comes: everybody Hunts always, nobody Sails who need not, every die shows voodoo.
type tastes map[string]int

func drawTastes(rt *rapid.T, info *engine.Info) tastes {
	liked := tastes{}
	for i := range len(info.Actions) + len(info.Outcomes) {
		name := info.ActionName(engine.Action(i))
		word, value, _ := strings.Cut(name, "=")
		if word == "do" || word == "die" || word == "map" || word == "seat" {
			word += value
		}
		if _, known := liked[word]; !known {
			liked[word] = rapid.IntRange(0, 3).Draw(rt, word)
		}
		liked[name] = liked[word]
	}
	return liked
}

// best picks one of those that are liked most.
func (liked tastes) best(m engine.Match, r *engine.Rand) engine.Action {
	best, most, n := engine.Action(-1), -1, 0
	consider := func(a engine.Action) {
		switch v := liked[m.Info().ActionName(a)]; {
		case v < most:
			return
		case v > most:
			most, n = v, 0
		}
		if n++; r.Intn(n) == 0 {
			best = a
		}
	}
	for _, o := range m.Outcomes(nil) {
		consider(o.Action)
	}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		consider(a)
	}
	return best
}

// drawGame draws a configuration: seats, edition, modules that the edition has,
// chance and objective.
func drawGame(rt *rapid.T, made map[string]engine.Match) engine.Match {
	e := &editions[rapid.IntRange(0, len(editions)-1).Draw(rt, "edition")]
	set := Modules(rapid.IntRange(0, 1<<NumModules-1).Draw(rt, "modules")) & e.Modules
	game := fmt.Sprintf("doubloons(seats=%d,edition=%s,modules=%s,chance=%s,forced=show,objective=%s)",
		rapid.IntRange(MinSeats, e.Seats).Draw(rt, "seats"), e.Name, set,
		rapid.SampledFrom([]string{"explicit", "sampled"}).Draw(rt, "chance"),
		rapid.SampledFrom([]string{"win", "rank", "margin"}).Draw(rt, "objective"))
	if made[game] == nil {
		g, err := engine.NewGame(game)
		if err != nil {
			rt.Fatal(err)
		}
		made[game] = g.NewMatch()
	}
	return made[game]
}

// What holds whoever plays and however the dice fall.
func TestNoPlayBreaksAnInvariant(t *testing.T) {
	games := map[string]engine.Match{}
	rapid.Check(t, func(rt *rapid.T) {
		m := drawGame(rt, games)
		seed := rapid.Uint64().Draw(rt, "seed")
		whim := rapid.IntRange(0, 3).Draw(rt, "moves in four at random")
		liked := drawTastes(rt, m.Info())

		r := engine.NewRand(seed)
		m.Reset(seed)
		s := engine.State[State](m)
		rules, _ := engine.RulesOf[State, *Rules](m)
		for decisions := 0; m.Seat() != engine.Over; {
			if m.Seat() >= 0 {
				decisions++
			}
			if decisions > m.Info().MaxDecisions {
				rt.Fatalf("the match is not over after %d decisions", decisions)
			}
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
			style := liked
			if r.Intn(4) < whim {
				style = nil // all alike
			}
			if err := m.Apply(style.best(m, &r)); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

func TestTheDecisionStackIsDeepestUnderFollowers(t *testing.T) {
	sc := met(t, 6, VoodooHut, has(1, SymbolX, 1), has(2, SymbolX, 1), has(3, SymbolX, 1), has(4, SymbolX, 1), has(5, SymbolX, 1)).do("seat=+1")
	check(t, "frames", int(sc.Depth), deepest)
}
