package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
)

// tastes is a way to play, for seats and chance alike: how much each action is liked.
// Play by tastes goes where play at random never comes: everybody attacks always,
// nobody ever passes, every die shows the same.
type tastes []int

// drawTastes draws how much actions are liked, by the word before "=" in their
// names, and for the words in fine also by their first value.
func drawTastes(rt *rapid.T, info *engine.Info, fine []string) tastes {
	liked := make(tastes, len(info.Actions)+len(info.Outcomes))
	words := map[string]int{}
	for i := range liked {
		word, value, _ := strings.Cut(info.ActionName(engine.Action(i)), "=")
		if slices.Contains(fine, word) {
			first, _, _ := strings.Cut(value, ",")
			word += "=" + first
		}
		if _, known := words[word]; !known {
			words[word] = rapid.IntRange(0, 3).Draw(rt, word)
		}
		liked[i] = words[word]
	}
	return liked
}

// best picks one of those that are liked most; without tastes, any.
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

// DrawMatch returns a match of a game with the parameters that a property test has drawn, after
// drawing chance= and objective=; forced moves are shown. made caches the games that were
// made before.
func DrawMatch(rt *rapid.T, made map[string]engine.Match, name, params string) engine.Match {
	game := fmt.Sprintf("%s(%s,chance=%s,forced=show,objective=%s)", name, params,
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

// PlayByTaste plays a new match to its end, with seed, tastes and a share of moves at
// random drawn by a property test; fine are the words before "=" in names of actions
// each of whose values is liked separately. It calls each before every decision and outcome, and
// fails if the match takes more decisions than Info.MaxDecisions.
func PlayByTaste(rt *rapid.T, m engine.Match, fine []string, each func()) {
	seed := rapid.Uint64().Draw(rt, "seed")
	whim := rapid.IntRange(0, 3).Draw(rt, "moves in four at random")
	liked := drawTastes(rt, m.Info(), fine)
	r := engine.NewRand(seed)
	m.Reset(seed)
	for decisions := 0; m.Seat() != engine.Over; {
		if m.Seat() >= 0 {
			decisions++
		}
		if decisions > m.Info().MaxDecisions {
			rt.Fatalf("the match is not over after %d decisions", decisions)
		}
		each()
		style := liked
		if r.Intn(4) < whim {
			style = nil
		}
		if err := m.Apply(style.best(m, &r)); err != nil {
			rt.Fatal(err)
		}
	}
}
