package policy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/bots/botstest"
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

// drawnJudge is a bundle of the network entity that tells the values of so many seats.
func drawnJudge(t testing.TB, game string, seats int) *Bundle {
	b := drawnEntity(t, game, "relu", []int{24, 16}, 32)
	b.Weights = slices.DeleteFunc(b.Weights, func(t Tensor) bool { return strings.HasPrefix(t.Name, "value.") })
	r, data := engine.NewRand(9), make([]float32, 32*seats)
	for i := range data {
		data[i] = float32(r.Float64() - 0.5)
	}
	b.Weights = append(b.Weights, NewTensor("value.weight", []int{seats, 32}, data), NewTensor("value.bias", []int{seats}, data[:seats]))
	if err := b.MakeGolden(newGame(t, game), 4); err != nil {
		t.Fatal(err)
	}
	return b
}

// makerOf makes bots, of which policy:drawn are a bundle's.
func makerOf(b *Bundle) bots.Maker {
	return bots.Maker{Others: func(name string, g engine.Game) (bots.Bot, error) {
		if strings.HasPrefix(name, Prefix) {
			return b.Bot(name, g)
		}
		return nil, nil
	}}
}

// asNetwork is a search whose prior, players, judge and rivals are one network.
const asNetwork = "search(rollouts=12,prior=policy:drawn,rollout=policy:drawn,value=policy:drawn,rivals=policy)"

func TestSearchesThatNetworksJudgeChooseTheSameWhateverIsHidden(t *testing.T) {
	for _, game := range []string{"leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		g := newGame(t, game)
		name := asNetwork
		if game == "jolly_roger(seats=4)" {
			name = strings.Replace(strings.Replace(name, "rivals=policy", "rivals=uniform", 1), "search(", "search(decisions=5,", 1)
		}
		b, err := makerOf(drawnJudge(t, game, 1)).New(name, g)
		if err != nil {
			t.Fatal(err)
		}
		botstest.WantHonest(t, g, 3, 40, 6, b)
	}
}

func TestValueIsWhatTheSeatExpectsWhenItIsAskedNext(t *testing.T) {
	const game = "doubloons(seats=3)"
	g, bundle := newGame(t, game), drawnJudge(t, game, 1)
	bot, err := bundle.Bot("policy:drawn", g)
	if err != nil {
		t.Fatal(err)
	}
	all, err := drawnJudge(t, game, 3).Bot("policy:all", g)
	if err != nil {
		t.Fatal(err)
	}
	dst, told, returns, before := make([]float64, 3), make([]float32, 3), make([]float32, 3), g.NewMatch()
	last := g.NewMatch()
	each(t, g, 2, func(m engine.Match, r engine.Rand) {
		before.CopyFrom(m)
		bot.Value(m, dst)
		if !before.Equal(m) {
			t.Fatal("the match was changed")
		}
		bot.encoder.Encode(m, m.Seat(), bot.obs)
		bot.net.Values(bot.obs, told[:1])
		if want := float64(told[0]); dst[m.Seat()] != want {
			t.Errorf("%s: %v for the seat that decides; its network says %v", m.Decision(), dst[m.Seat()], want)
		}
		all.Value(m, dst)
		all.encoder.Encode(m, m.Seat(), all.obs)
		all.net.Values(all.obs, told)
		for k, want := range told {
			if got := dst[(m.Seat()+k)%3]; got != float64(want) {
				t.Errorf("%s: %v for the seat %d on from the one that decides; the network says %v", m.Decision(), got, k, want)
			}
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

// drawnForeteller tells returns, chances to win and margins of so many seats.
func drawnForeteller(t testing.TB, game string, seats int) *Bundle {
	b := drawnJudge(t, game, 3*seats)
	b.Tells = []string{Return, Win, Margin}
	return b
}

func TestChancesToWinAreJudgedByTheNumbersThatTellThem(t *testing.T) {
	const game = "doubloons(seats=3)"
	g, bundle := newGame(t, game), drawnForeteller(t, game, 3)
	data, err := bundle.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if bundle, err = Decode(data); err != nil {
		t.Fatal(err)
	}
	bot, err := bundle.Bot("policy:drawn", g)
	if err != nil {
		t.Fatal(err)
	}
	made, err := makerOf(bundle).New("search(rollouts=20,horizon=round,value=policy:drawn)", g)
	if err != nil {
		t.Fatal(err)
	}
	all, returns, wins := make([]float32, 9), make([]float64, 3), make([]float64, 3)
	each(t, g, 2, func(m engine.Match, r engine.Rand) {
		bot.Value(m, returns)
		if !bot.WinChances(m, wins) {
			t.Fatal("it tells no chances")
		}
		bot.encoder.Encode(m, m.Seat(), bot.obs)
		bot.net.Values(bot.obs, all)
		account := bot.Explain(m, &r)
		for k := range 3 {
			seat := (m.Seat() + k) % 3
			if returns[seat] != float64(all[k]) || wins[seat] != float64(all[3+k]) || account.Value[seat] != wins[seat] || account.Unit != "chance to win" {
				t.Errorf("%s: seat %d has the return %v, chance %v and shows %v; the network says %v", m.Decision(), seat, returns[seat], wins[seat], account, all)
			}
		}
		made.Act(m, &r)
	})
	if bot, err = drawnJudge(t, game, 3).Bot("policy:drawn", g); err != nil || bot.WinChances(g.NewMatch(), wins) {
		t.Errorf("a bundle of returns alone tells chances to win: %v", err)
	}
}

func TestValuesOfSeveralKindsAreAsManyOfEach(t *testing.T) {
	for want, spoil := range map[string]func(b *Bundle){
		"6 values of the kinds [return win margin return]": func(b *Bundle) { b.Tells = append(b.Tells, Return) },
		"6 values of the kinds [return luck]":              func(b *Bundle) { b.Tells = []string{Return, "luck"} },
		"0 values of the kinds [return win margin]": func(b *Bundle) {
			b.Weights = slices.DeleteFunc(b.Weights, func(t Tensor) bool { return strings.HasPrefix(t.Name, "value.") })
		},
	} {
		b := drawnForeteller(t, "doubloons(seats=2)", 2)
		spoil(b)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v; want %q in it", err, want)
		}
	}
}

// Whether matches have advice is about what is shown: a bundle sees to what it needs itself.
func TestABundlePlaysTheSameWithAdviceInTheGameStringAndWithout(t *testing.T) {
	games := []string{"doubloons(seats=2)", "doubloons(seats=2,advice=heuristic)", "doubloons(seats=2,advice=foresight)", "doubloons(seats=2,advice=heuristic+foresight)"}
	sizes := map[int]bool{}
	for _, game := range games {
		bundle := drawnEntity(t, game, "relu", []int{8}, 8)
		sizes[bundle.RowSize()] = true
		own, err := bundle.Bot("policy:drawn", newGame(t, game))
		if err != nil {
			t.Fatal(err)
		}
		for _, asked := range games {
			other, err := bundle.Bot("policy:drawn", newGame(t, asked))
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
	plain, told := drawnEntity(t, games[0], "relu", []int{8}, 8), drawnEntity(t, games[1], "relu", []int{8}, 8)
	if told.RowSize() != plain.RowSize()+4 || told.Schema != plain.Schema || told.RowSchema == plain.RowSchema {
		t.Errorf("rows of %d bytes, and of %d with the heuristic's advice", plain.RowSize(), told.RowSize())
	}
}

func TestBundlesWithoutAValueAreNoJudges(t *testing.T) {
	const game = "doubloons(seats=2)"
	bundle := drawn(t, game, "relu", 8)
	bundle.Weights = slices.DeleteFunc(bundle.Weights, func(t Tensor) bool { return strings.HasPrefix(t.Name, "value.") })
	g := newGame(t, game)
	if err := bundle.MakeGolden(g, 2); err != nil {
		t.Fatal(err)
	}
	mk := makerOf(bundle)
	for name, want := range map[string]string{
		"search(value=policy:drawn)":                      "tells no values",
		"search(value=random)":                            "judges no positions",
		"search(mix=0.5)":                                 "nothing to mix",
		"search(prior=policy:drawn,value=policy:x,mix=2)": "mix",
	} {
		if _, err := mk.New(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v; want %q in it", name, err, want)
		}
	}
	if _, err := makerOf(drawnJudge(t, "jolly_roger(seats=3,objective=rank)", 1)).New("search(value=policy:x,mix=0.5)", newGame(t, "jolly_roger(seats=3,objective=rank)")); err == nil || !strings.Contains(err.Error(), "no judgement of its own") {
		t.Errorf("mixed with nothing: the error is %v", err)
	}
}
