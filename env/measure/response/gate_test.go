package response_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/response"
)

var gate = flag.Bool("gate", false, "challenge the policies that ship by all that is to be had, which takes minutes")

// most is how many times an equal share anybody may win alone against a policy that ships.
const most = 1.3

// smaller are tables of fewer seats than the one that a bundle names: a policy that nobody beats at one is beaten at another.
var smaller = map[string][]string{"doubloons": {"doubloons(seats=2)"}, "jolly_roger": {"jolly_roger(seats=3)", "jolly_roger(seats=4)"}}

// No rule that nobody trained against, no hand-written player and no other policy beats one that ships. Without -gate few try, and what they
// win must be beyond chance.
func TestNoStrangerBeatsAPolicyThatShips(t *testing.T) {
	for _, family := range []string{"doubloons", "jolly_roger"} {
		g, err := engine.NewGame(family)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range policy.Zoo(g) {
			b, err := policy.BundleOf(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, game := range append([]string{b.Game}, smaller[family]...) {
				challenge(t, name, b, game)
			}
		}
	}
}

// challenge fails the test if anybody wins too much alone against a policy.
func challenge(t *testing.T, name string, b *bundle.Bundle, game string) {
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	cfg := response.Config{Game: game, Frozen: match.Bundled(name, b), Trials: 24, Matches: 60, Seed: 1, Rules: 3}
	var others []string
	if *gate {
		cfg.Trials, cfg.Matches, cfg.Rules = 240, 600, 30
		others = slices.DeleteFunc(append(bots.Names(g), policy.All(g)...), func(other string) bool { return other == name })
	}
	r := find(t, named(others...), cfg)
	wins := r.Best.Standing.Wins.Low
	if *gate {
		wins = r.Best.Standing.Wins.Mean
	}
	t.Logf("%s, %s: %s wins %v, equal is %.3f", name, game, r.Best.Name, r.Best.Standing.Wins, r.EqualShare)
	if wins > most*r.EqualShare {
		t.Errorf("%s, %s: %s wins %v alone against it: want at most %.3f, %g times an equal share", name, game, r.Best.Name, r.Best.Standing.Wins, most*r.EqualShare, most)
	}
}
