package policy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
	"github.com/privateer-rl/privateer/engine/players/search"
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
		b, err := Of("policy:drawn", bundle, g)
		if err != nil {
			t.Fatal(err)
		}
		botstest.WantHonest(t, g, 1, 1000, 1, b)
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
			return Of(name, bundle, g)
		}
		return nil, nil
	}
	made, err := bots.Maker{Others: others}.New("search(rollouts=60,prior=policy:drawn,rollout=policy:drawn,eta=10)", g)
	if err != nil {
		t.Fatal(err)
	}
	policy, _ := Of("policy:drawn", bundle, g)
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

// drawnEvaluator is a bundle of the network entity with a value head.
func drawnEvaluator(t testing.TB, game string) *bundle.Bundle {
	b := drawnEntity(t, game, "relu", []int{24, 16}, 32)
	b.Weights = slices.DeleteFunc(b.Weights, func(t infer.Tensor) bool { return strings.HasPrefix(t.Name, "value.") })
	r, data := engine.NewRand(9), make([]float32, 32)
	for i := range data {
		data[i] = float32(r.Float64() - 0.5)
	}
	b.Weights = append(b.Weights, infer.NewTensor("value.weight", []int{1, 32}, data), infer.NewTensor("value.bias", []int{1}, data[:1]))
	if err := b.MakeGolden(newGame(t, game), 4); err != nil {
		t.Fatal(err)
	}
	return b
}

// makerOf makes bots, of which policy:drawn are a bundle's.
func makerOf(b *bundle.Bundle) bots.Maker {
	return bots.Maker{Others: func(name string, g engine.Game) (bots.Bot, error) {
		if strings.HasPrefix(name, Prefix) {
			return Of(name, b, g)
		}
		return nil, nil
	}}
}

// asNetwork is a search whose prior, players, evaluator and rivals are one network.
const asNetwork = "search(rollouts=12,prior=policy:drawn,rollout=policy:drawn,value=policy:drawn,rivals=policy)"

func TestSearchesThatNetworksEvaluateChooseTheSameWhateverIsHidden(t *testing.T) {
	for _, game := range []string{"leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		g := newGame(t, game)
		name := asNetwork
		if game == "jolly_roger(seats=4)" {
			name = strings.Replace(strings.Replace(name, "rivals=policy", "rivals=uniform", 1), "search(", "search(horizon=end,", 1)
		}
		b, err := makerOf(drawnEvaluator(t, game)).New(name, g)
		if err != nil {
			t.Fatal(err)
		}
		botstest.WantHonest(t, g, 3, 40, 6, b)
	}
}

func TestValueIsWhatTheSeatExpectsWhenItIsAskedNext(t *testing.T) {
	const game = "doubloons(seats=3)"
	g, bundle := newGame(t, game), drawnEvaluator(t, game)
	bot, err := Of("policy:drawn", bundle, g)
	if err != nil {
		t.Fatal(err)
	}
	dst, told, returns, before := make([]float64, 3), make([]float32, 1), make([]float32, 3), g.NewMatch()
	last := g.NewMatch()
	each(t, g, 2, func(m engine.Match, r engine.Rand) {
		before.CopyFrom(m)
		bot.Value(m, dst)
		if !before.Equal(m) {
			t.Fatal("the match was changed")
		}
		bot.encoder.Encode(m, m.Seat(), bot.obs)
		bot.net.Values(bot.obs, told)
		if want := float64(told[0]); dst[m.Seat()] != want {
			t.Errorf("%s: %v for the seat that decides; its network says %v", m.Decision(), dst[m.Seat()], want)
		}
		last.CopyFrom(m)
		for last.Seat() >= 0 {
			if err := last.Apply(last.Legal().Sample(&r)); err != nil {
				t.Fatal(err)
			}
		}
	})
	bot.Value(last, dst)
	last.Returns(returns)
	for seat, x := range returns {
		if dst[seat] != float64(x) {
			t.Errorf("seat %d of a match that is over: %v, not the return %v", seat, dst[seat], x)
		}
	}
}

// Whether matches have advice is about what is shown: a bundle sees to what it needs itself.
func TestABundlePlaysTheSameWithAdviceInTheGameStringAndWithout(t *testing.T) {
	games := []string{"doubloons(seats=2)", "doubloons(seats=2,advice=foresight)"}
	sizes := map[int]bool{}
	for _, game := range games {
		bundle := drawnEntity(t, game, "relu", []int{8}, 8)
		sizes[bundle.RowSize()] = true
		own, err := Of("policy:drawn", bundle, newGame(t, game))
		if err != nil {
			t.Fatal(err)
		}
		for _, asked := range games {
			other, err := Of("policy:drawn", bundle, newGame(t, asked))
			if err != nil {
				t.Fatal(err)
			}
			each(t, newGame(t, games[0]), 1, func(m engine.Match, r engine.Rand) {
				again := r
				if a, b := own.Act(m, &r), other.Act(m, &again); a != b {
					t.Errorf("a bundle of %s chooses %d, and in the matches of %s %d", game, a, asked, b)
				}
			})
		}
	}
	if len(sizes) != len(games) {
		t.Errorf("rows of %v bytes", sizes)
	}
}

func TestBundlesWithoutAValueAreNoEvaluators(t *testing.T) {
	const game = "doubloons(seats=2)"
	bundle := drawn(t, game, "relu", 8)
	bundle.Weights = slices.DeleteFunc(bundle.Weights, func(t infer.Tensor) bool { return strings.HasPrefix(t.Name, "value.") })
	g := newGame(t, game)
	if err := bundle.MakeGolden(g, 2); err != nil {
		t.Fatal(err)
	}
	mk := makerOf(bundle)
	for name, want := range map[string]string{
		"search(value=policy:drawn)": "has no value head",
		"search(value=random)":       "evaluates no positions",
	} {
		if _, err := mk.New(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v; want %q in it", name, err, want)
		}
	}
}
