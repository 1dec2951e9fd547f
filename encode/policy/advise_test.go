package policy

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
)

var (
	_ search.Prior   = (*Bot)(nil)
	_ bots.Explainer = (*Bot)(nil)
)

func TestABundleTellsTheProbabilitiesByWhichItChooses(t *testing.T) {
	for _, b := range []*bundle.Bundle{drawn(t, "leduc", "relu", 8), drawnEntity(t, "leduc", "relu", []int{8}, 8)} {
		bot, err := Of("pirate", b, newGame(t, "leduc"))
		if err != nil {
			t.Fatal(err)
		}
		m := newGame(t, "leduc").NewMatch()
		m.Reset(2)
		weights, r := make([]float64, m.Legal().Count()), engine.NewRand(4)
		before := r
		bot.Weights(m, weights, &r)
		if r != before {
			t.Error("weights cost chance")
		}
		count, sum := make([]float64, len(b.Actions)), 0.0
		const n = 20000
		for range n {
			count[bot.Act(m, &r)]++
		}
		account := bot.Explain(m, &r)
		for i, c := range account.Actions {
			sum += weights[i]
			if c.Weight != weights[i] || c.Prob != weights[i] || math.Abs(count[c.Action]/n-weights[i]) > 0.015 {
				t.Errorf("%s: action %d has weight %v and probability %v, is chosen in %v of cases; the prior is %v", b.Network.Name, c.Action, c.Weight, c.Prob, count[c.Action]/n, weights[i])
			}
		}
		if math.Abs(sum-1) > 1e-9 || !m.Legal().Has(account.Choice) {
			t.Errorf("weights sum to %v, the choice is %d", sum, account.Choice)
		}
		b.Choice = bundle.Greedy
		if bot, err = Of("greedy", b, newGame(t, "leduc")); err != nil {
			t.Fatal(err)
		}
		for _, c := range bot.Explain(m, &r).Actions {
			if want := engine.Bit(c.Action == bot.Act(m, &r)); c.Prob != float64(want) {
				t.Errorf("the greedy bot takes action %d with probability %v, want %d", c.Action, c.Prob, want)
			}
		}
	}
}

func TestABundleIsThePriorAndTheRolloutPlayerOfASearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pirate"+bundle.Ext)
	if err := drawnEntity(t, "leduc", "relu", []int{8}, 8).Save(path); err != nil {
		t.Fatal(err)
	}
	g := newGame(t, "leduc")
	name := "search(rollouts=8,prior=" + Prefix + path + ",rollout=" + Prefix + path + ")"
	bot, err := NewBot(name, g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	for seed := range uint64(5) {
		for m.Reset(seed); m.Seat() >= 0; {
			if err := m.Apply(bot.Act(m, &r)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
