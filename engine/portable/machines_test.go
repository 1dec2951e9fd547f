package portable_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"maps"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/balance"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

var update = flag.Bool("update", false, "write the golden digests")

// What is in the golden file was computed on one machine. `engine/portable/check.sh` runs this
// test as other machines would.
func TestEveryMachineChoosesAndComputesTheSame(t *testing.T) {
	var text bytes.Buffer
	for _, part := range []func(*testing.T, func(what string, compute func(hash.Hash))){functions, matches, evaluators, policies, figures} {
		part(t, func(what string, compute func(hash.Hash)) {
			h := sha256.New()
			compute(h)
			fmt.Fprintf(&text, "%.16x  %s\n", h.Sum(nil), what)
		})
	}
	enginetest.Golden(t, "testdata/digests.txt", text.Bytes(), *update)
}

// played are games in which the bots meet every kind of decision.
var played = []string{
	"doubloons(seats=2)", "doubloons(seats=3,objective=margin)", "doubloons(seats=4)", "doubloons(seats=6,objective=rank)",
	"doubloons(seats=4,edition=v1.9.7)", "doubloons(seats=3,edition=v1.9.8,modules=steal_ship+alternate_island)",
	"doubloons(seats=3,modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship)",
	"doubloons(seats=2,modules=alternate_island,edition=v2.0,chance=explicit)", "doubloons(seats=4,modules=black_jewel+compass+alternate_island)",
	"jolly_roger(seats=3)", "jolly_roger(seats=6)", "jolly_roger(seats=10,objective=rank)",
	"jolly_roger(seats=5,variants=hidden_prizes+captains_gold)", "jolly_roger(seats=4,bribes=gifts,objective=margin)",
	"jolly_roger(seats=4,bribes=talk,variants=hidden_prizes,chance=explicit)",
	"leduc", "kuhn(seats=3)", "leduc(chance=explicit)", "liars_dice(seats=3)",
}

// matches are all choices of all bots, and the returns.
func matches(t *testing.T, digest func(string, func(hash.Hash))) {
	const each = 12
	for _, name := range played {
		g := newGame(t, name)
		for _, bot := range bots.Names(g) {
			digest(fmt.Sprintf("%d matches of %s, %s", each, name, bot), func(h hash.Hash) {
				seats := make([]bots.Bot, g.Info().Seats)
				for i := range seats {
					b, err := bots.New(bot, g)
					if err != nil {
						t.Fatal(err)
					}
					seats[i] = witnessed{b, h}
				}
				m, returns := g.NewMatch(), make([]float32, len(seats))
				for seed := range uint64(each) {
					m.Reset(seed)
					r := engine.NewRand(seed)
					if err := bots.Play(m, seats, &r); err != nil {
						t.Fatal(err)
					}
					m.Returns(returns)
					write(h, returns)
				}
			})
		}
	}
}

// evaluators are what searches expect of their choices, by each evaluator that Doubloons has.
func evaluators(t *testing.T, digest func(string, func(hash.Hash))) {
	g := newGame(t, "doubloons(seats=4)")
	for _, evaluator := range []string{"auto", "network"} {
		digest("a match of searches, value="+evaluator, func(h hash.Hash) {
			b, err := bots.New("search(rollouts=12,value="+evaluator+")", g)
			if err != nil {
				t.Fatal(err)
			}
			m, r := g.NewMatch(), engine.NewRand(4)
			for m.Reset(4); m.Seat() != engine.Over; {
				account := b.(bots.Explainer).Explain(m, &r)
				fmt.Fprintln(h, account.Choice)
				write(h, account.Value)
				if err := m.Apply(account.Choice); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// witnessed is a bot whose choices are written down.
type witnessed struct {
	bots.Bot
	h hash.Hash
}

func (w witnessed) Act(m engine.Match, r *engine.Rand) engine.Action {
	a := w.Bot.Act(m, r)
	fmt.Fprintln(w.h, m.Seat(), a)
	return a
}

// policies are logits, probabilities and choices of networks.
func policies(t *testing.T, digest func(string, func(hash.Hash))) {
	for _, name := range []string{"doubloons(seats=4)", "jolly_roger(seats=6)", "leduc"} {
		for _, activation := range []string{"relu", "silu", "tanh"} {
			b := drawn(t, name, activation)
			digest(fmt.Sprintf("a network of %s, %s", name, activation), func(h hash.Hash) {
				write(h, b.Golden.Logits)
				decided(t, h, b)
			})
			whole, err := b.InWholeNumbers()
			if err != nil {
				t.Fatal(err)
			}
			digest(fmt.Sprintf("a network of %s, %s, in whole numbers", name, activation), func(h hash.Hash) { decided(t, h, whole) })
		}
	}
}

// decided writes the probabilities and choices of a network at its golden decisions.
func decided(t *testing.T, h hash.Hash, b *bundle.Bundle) {
	d, a := b.ObservationSize(), len(b.Actions)
	n := len(b.Golden.Observation) / d
	mask, probs := bytes.Repeat([]byte{1}, n*a), make([]float32, n*a)
	if err := b.Inference(1).Probs(n, b.Golden.Observation, mask, nil, nil, probs); err != nil {
		t.Fatal(err)
	}
	write(h, probs)
	var all engine.Mask
	for i := range a {
		all.Set(engine.Action(i))
	}
	bot, err := policy.Of("drawn", b, newGame(t, b.Game))
	if err != nil {
		t.Fatal(err)
	}
	r := engine.NewRand(1)
	for i := range n {
		fmt.Fprintln(h, bot.Choose(b.Golden.Observation[i*d:(i+1)*d], nil, &all, &r, nil))
	}
}

// drawn is a bundle with random weights.
func drawn(t *testing.T, name, activation string) *bundle.Bundle {
	b, err := bundle.Random(name, infer.Network{Name: infer.MLP, Hidden: []int{33, 18}, Activation: activation, Norm: infer.LayerNorm, NormEps: 1e-5}, false, 7)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.MakeGolden(newGame(t, name), 40); err != nil {
		t.Fatal(err)
	}
	return b
}

// figures are what evaluations say.
func figures(t *testing.T, digest func(string, func(hash.Hash))) {
	digest("a network against a bot", func(h hash.Hash) {
		for _, greedy := range []bool{false, true} {
			r, err := compare.Evaluate(t.Context(), policy.NewBatch(drawn(t, "leduc", "silu"), 1), compare.Evaluation{Game: "leduc", Bot: "random", Matches: 300, Seed: 1, Greedy: greedy})
			if err != nil {
				t.Fatal(err)
			}
			writeJSON(t, h, r)
		}
	})
	digest("estimates of samples that are all the same", func(h hash.Hash) {
		for n := 1; n < 100; n++ {
			write(h, measure.Bootstrap(make([]float64, n), -1, 1, 1))
		}
	})
	digest("balance, with plots", func(h hash.Hash) {
		for _, name := range []string{"jolly_roger(seats=4)", "doubloons(seats=2,modules=compass)"} {
			r, err := balance.Run(t.Context(), name, balance.Config{Players: []match.Player{match.Named("random")}, Matches: 60, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			writeJSON(t, h, r)
			plots := balance.Plots([]*balance.Report{r})
			for _, name := range slices.Sorted(maps.Keys(plots)) {
				h.Write([]byte(plots[name]))
			}
		}
	})
	digest("how far play by lot is from an equilibrium, and an average", func(h hash.Hash) {
		for _, name := range []string{"kuhn(seats=3)", "leduc"} {
			tree, err := exploit.Build(newGame(t, name))
			if err != nil {
				t.Fatal(err)
			}
			average, r := tree.NewAverage(), engine.NewRand(3)
			for range 3 {
				p := tree.Uniform()
				for _, set := range tree.InfoSets() {
					total := 0.0
					for a := set.Legal.First(); a >= 0; a = set.Legal.Next(a) {
						p[set.Key][a] = r.Float64()
						total += p[set.Key][a]
					}
					for a := range p[set.Key] {
						p[set.Key][a] /= total
					}
				}
				if err := average.Add(p, 1+r.Float64()); err != nil {
					t.Fatal(err)
				}
			}
			for _, p := range []exploit.Policy{tree.Uniform(), average.Policy()} {
				found, err := tree.NashConv(p)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(h, found)
			}
		}
	})
	digest("rewards and features of a vector", func(h hash.Hash) {
		for _, name := range []string{"doubloons(seats=3,rewards=running)", "jolly_roger(seats=5,objective=margin,rewards=running)"} {
			v, err := env.New(env.Config{Game: name, NumEnvs: 16, Seed: 1, Autoreset: env.SameStep})
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if _, err := v.Reset(); err != nil {
				t.Fatal(err)
			}
			actions, draws := make([]int32, 16), make([]engine.Rand, 16)
			for i := range draws {
				draws[i] = engine.NewRand(uint64(i))
			}
			for range 500 {
				if err := v.SampleActions(actions, draws); err != nil {
					t.Fatal(err)
				}
				batch, err := v.Step(actions)
				if err != nil {
					t.Fatal(err)
				}
				write(h, batch.Reward)
				features := make([]float32, len(batch.Obs))
				if err := v.Encoder().Schema().Floats(features, batch.Obs); err != nil {
					t.Fatal(err)
				}
				write(h, features)
			}
		}
	})
}

// functions are those of this package.
func functions(_ *testing.T, digest func(string, func(hash.Hash))) {
	digest("exponentials", func(h hash.Hash) {
		r := engine.NewRand(1)
		for range 10000 {
			write(h, portable.Exp(float64(200*r.Float64())-100))
		}
		for x := -750.0; x < 750; x++ {
			write(h, portable.Exp(x))
		}
	})
}

func newGame(t *testing.T, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func write(h hash.Hash, numbers any) { _ = binary.Write(h, binary.LittleEndian, numbers) }

func writeJSON(t *testing.T, h hash.Hash, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	h.Write(text)
}
