package policy

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// The short name of a search with a policy is the composition that it stands for: the same decisions.
func TestASearchWithAPolicyIsWhatItStandsFor(t *testing.T) {
	for _, c := range []struct{ game, short, long string }{
		{"doubloons(seats=4)", "policy=captain", "policy=policy:captain,prior=policy:captain,best=3,eta=500,draws=3,rivals=policy,value=network"},
		{"doubloons(seats=3)", "policy=captain", "policy=policy:captain,prior=policy:captain,best=3,eta=500,draws=3,rivals=policy:captain,value=auto"},
		{"jolly_roger(seats=4)", "policy=pirate", "prior=policy:pirate,best=3,z=2,draws=1,rivals=uniform"},
	} {
		g := newGame(t, c.game)
		short, err := NewBot("search(rollouts=40,"+c.short+")", g)
		if err != nil {
			t.Fatal(err)
		}
		long, err := NewBot("search(rollouts=40,"+c.long+")", g)
		if err != nil {
			t.Fatal(err)
		}
		m, r, compared := g.NewMatch(), engine.NewRand(5), 0
		for m.Reset(5); m.Seat() >= 0 && compared < 40; compared++ {
			same := r
			a := short.Act(m, &r)
			if b := long.Act(m, &same); a != b || r != same {
				t.Fatalf("%s, decision %d: %s plays %d, %s %d", c.game, compared, short.Name(), a, long.Name(), b)
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}
