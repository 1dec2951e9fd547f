package policy

import (
	"math"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/search"
)

// each hands on the decisions of a match of random bots.
func each(t *testing.T, g engine.Game, seed uint64, take func(m engine.Match, r engine.Rand)) {
	t.Helper()
	m, r := g.NewMatch(), engine.NewRand(seed)
	m.Reset(seed)
	for m.Seat() >= 0 {
		take(m, r.Split())
		if err := m.Apply(m.Legal().Sample(&r)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPoliciesChooseTheSameWhateverIsHidden(t *testing.T) {
	for _, game := range []string{"leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		bundle := drawn(t, game, "relu", 32)
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Bot("policy:drawn", g)
		if err != nil {
			t.Fatal(err)
		}
		other := g.NewMatch()
		for seed := range uint64(3) {
			each(t, g, seed, func(m engine.Match, r engine.Rand) {
				other.CopyFrom(m)
				luck := r.At(1)
				other.Redeal(m.Seat(), &luck)
				again := r
				if a, got := b.Act(m, &r), b.Act(other, &again); a != got {
					t.Fatalf("%s: %s: %s, but %s when what the seat cannot know is dealt anew", game, m.Decision(), g.Info().ActionName(a), g.Info().ActionName(got))
				}
			})
		}
	}
}

func TestAPolicyWeighsActionsForSearches(t *testing.T) {
	const game = "leduc"
	bundle := drawn(t, game, "relu", 32)
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	others := func(name string, g engine.Game) (bots.Bot, error) {
		if strings.HasPrefix(name, Prefix) {
			return bundle.Bot(name, g)
		}
		return nil, nil
	}
	made, err := bots.Maker{Others: others}.New("search(rollouts=60,prior=policy:drawn,rollout=policy:drawn,rule=update)", g)
	if err != nil {
		t.Fatal(err)
	}
	policy, _ := bundle.Bot("policy:drawn", g)
	var _ search.Prior = policy
	each(t, g, 5, func(m engine.Match, r engine.Rand) {
		again := r
		account := made.(bots.Explainer).Explain(m, &r)
		own := policy.Explain(m, &again)
		total := 0.0
		for i, c := range account.Actions {
			total += c.Weight
			if len(account.Actions) > 1 && math.Abs(c.Weight-own.Actions[i].Prob) > 1e-12 {
				t.Errorf("%s: the search gives %s the weight %v; the policy %v", m.Decision(), g.Info().ActionName(c.Action), c.Weight, own.Actions[i].Prob)
			}
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("weights sum to %v", total)
		}
	})
}
