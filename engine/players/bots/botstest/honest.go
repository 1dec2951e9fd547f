package botstest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// WantHonest fails if a bot chooses otherwise, or accounts for its choice otherwise, in one of two matches that its seat cannot tell apart
// (enginetest.Twins). It stops after that many choices have been taken twice; each bot takes one in oneIn of the decisions that come up.
func WantHonest(t testing.TB, g engine.Game, seed uint64, choices, oneIn int, table ...bots.Bot) {
	t.Helper()
	quick := bots.Names(g)
	guide := Bot(t, quick[min(1, len(quick)-1)], g) // the quickest that is not random
	twins := enginetest.Twins{Game: g, Seed: seed, Play: func(m engine.Match, r *engine.Rand) engine.Action {
		if r.Intn(5) == 0 { // now and then leave the paths that it knows
			return m.Legal().Sample(r)
		}
		return guide.Act(m, r)
	}}
	differ, few := false, choices < 100
	for p := range twins.All() {
		if !p.Asked() {
			continue
		}
		differ = differ || !p.A.Equal(p.B)
		for _, b := range table {
			if p.Rand.Intn(oneIn) > 0 {
				continue
			}
			first := p.Rand.Split()
			again := first
			if p.Rand.Intn(2) == 0 {
				if a, other := b.Act(p.A, &first), b.Act(p.B, &again); a != other {
					t.Fatalf("seed %d: %v: %s chooses %s, but %s in the other match", seed, p, b.Name(), g.Info().ActionName(a), g.Info().ActionName(other))
				}
			} else if a, other := bots.Explain(b, p.A, &first), bots.Explain(b, p.B, &again); fmt.Sprint(a) != fmt.Sprint(other) {
				t.Fatalf("seed %d: %v: %s says of its choice\n%+v\nbut in the other match\n%+v", seed, p, b.Name(), a, other)
			}
			choices--
		}
		if choices <= 0 {
			break
		}
	}
	if !differ && !few {
		t.Fatalf("%s: no two matches were different ones", g.Info().Config)
	}
}

// word is one that the help for a setting names, which may be a value.
var word = regexp.MustCompile(`[a-z]+`)

// Settings are names of bots of a kind that have each value of each setting between them: all values if the setting lists them, else the numbers
// and the words of its help and the quick bots that it takes. A slow bot gets a small budget, which is its first setting.
func Settings(g engine.Game, k bots.Kind) []string {
	if len(k.Params) == 0 {
		return []string{k.Name}
	}
	base, params := "", k.Params
	if k.Slow {
		base, params = k.Params[0].Name+"=16", k.Params[1:]
	}
	names, listed := []string{k.Name + "(" + base + ")"}, []string{base}
	for _, p := range params {
		values := slices.Concat(p.Choices, p.Words)
		if len(p.Words) > 1 {
			values = append(values, strings.Join(p.Words, "+"))
		}
		if len(values) == 0 && !strings.Contains(p.Help, "not reproducible") {
			values = slices.Concat(bots.Names(g), word.FindAllString(p.Help, -1), []string{"0", "1", "2"})
			slices.Sort(values)
			values = slices.Compact(values)
		}
		for _, v := range values {
			for _, with := range listed { // what it needs
				if v == p.Default {
					break
				}
				settings := strings.Trim(with+","+p.Name+"="+v, ",")
				if _, err := bots.New(k.Name+"("+settings+")", g); err != nil {
					continue
				}
				if names = append(names, k.Name+"("+settings+")"); len(p.Choices) > 0 {
					listed = append(listed, settings)
				}
				break
			}
		}
	}
	return names
}
