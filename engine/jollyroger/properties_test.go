package jollyroger

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
)

// tastes is a way to play, for seats and chance alike: how much each sort of action is
// liked, by the word before "=" in its name, for crew cards by the name itself. Play
// by tastes goes where play at random never comes: everybody mutinies always, nobody ever passes.
type tastes []int

func drawTastes(rt *rapid.T, info *engine.Info) tastes {
	liked := make(tastes, len(info.Actions)+len(info.Outcomes))
	words := map[string]int{}
	for i := range liked {
		word, value, _ := strings.Cut(info.ActionName(engine.Action(i)), "=")
		switch word {
		case "sail", "use", "crew", "drawn", "say":
			word, _, _ = strings.Cut(word+value, ",")
		}
		if _, known := words[word]; !known {
			words[word] = rapid.IntRange(0, 3).Draw(rt, word)
		}
		liked[i] = words[word]
	}
	return liked
}

// best picks one of those that are liked most.
func (liked tastes) best(m engine.Match, r *engine.Rand) engine.Action {
	best, most, n := engine.Action(-1), -1, 0
	consider := func(a engine.Action) {
		v := 0
		if liked != nil {
			v = liked[a]
		}
		switch {
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

// drawGame draws a configuration: seats, variants, bribes, chance and objective.
func drawGame(rt *rapid.T, made map[string]engine.Match) engine.Match {
	game := fmt.Sprintf("jolly_roger(seats=%d,variants=%s,bribes=%s,chance=%s,forced=show,objective=%s)",
		rapid.IntRange(MinSeats, MaxSeats).Draw(rt, "seats"),
		rapid.SampledFrom([]string{engine.NoWords, "hidden_prizes", "captains_gold", "hidden_prizes+captains_gold"}).Draw(rt, "variants"),
		rapid.SampledFrom(bribeNames).Draw(rt, "bribes"),
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

// What holds whoever plays and whatever chance brings: Check, that a match ends, and that returns
// are those of the objective.
func TestNoPlayBreaksAnInvariant(t *testing.T) {
	games := map[string]engine.Match{}
	deepest := uint8(0)
	rapid.Check(t, func(rt *rapid.T) {
		m := drawGame(rt, games)
		seed := rapid.Uint64().Draw(rt, "seed")
		whim := rapid.IntRange(0, 3).Draw(rt, "moves in four at random")
		liked := drawTastes(rt, m.Info())

		r := engine.NewRand(seed)
		m.Reset(seed)
		s := engine.State[State](m)
		rules, _ := engine.RulesOf[State, *Rules](m)
		captain, round, mutinies := s.Captain, s.Round, 0
		for decisions := 0; m.Seat() != engine.Over; {
			if m.Seat() >= 0 {
				decisions++
			}
			if decisions > m.Info().MaxDecisions {
				rt.Fatalf("the match is not over after %d decisions", decisions)
			}
			deepest = max(deepest, s.Depth)
			if s.Depth > mostFrames {
				rt.Fatalf("%d frames on the stack at: %s", s.Depth, m.Decision())
			}
			if s.Captain != captain && captain != noSeat {
				if mutinies++; mutinies > 1 {
					rt.Fatalf("seat %d is Captain by this round's second mutiny, at: %s", s.Captain, m.Decision())
				}
			}
			if captain = s.Captain; s.Round != round {
				round, mutinies = s.Round, 0
			}
			if m.Seat() >= 0 && m.Legal().Count() == 0 {
				rt.Fatalf("nothing is legal at: %s", m.Decision())
			}
			if err := rules.Check(s); err != nil {
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
		if err := rules.Check(s); err != nil {
			rt.Fatalf("%v, at the end", err)
		}
	})
	t.Logf("the deepest stack had %d frames", deepest)
}
