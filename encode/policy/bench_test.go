package policy

import (
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// BenchmarkDecision is a decision of a match with all that it takes: the observation, what the legal actions do, the
// network, the choice and the rules. /played are matches that the policy plays in all seats, with all that they take: what a core does of
// actors or rollouts. The others are matches of greedy captains: /rules with nothing else, /parts adds all but the network, /whole that too.
func BenchmarkDecision(b *testing.B) {
	const game = "doubloons(seats=4)"
	entity := func(rows []int, hidden ...int) *bundle.Bundle { return drawnEntity(b, game, "relu", rows, hidden...) }
	for _, c := range []struct {
		name   string
		bundle func() *bundle.Bundle
	}{
		{"mlp", func() *bundle.Bundle { return drawn(b, game, "relu", 256, 256) }},
		{"small", func() *bundle.Bundle { return entity([]int{64, 32}, 128, 64) }},
		{"small-int16", func() *bundle.Bundle { return inWholes(b, entity([]int{64, 32}, 128, 64)) }},
		{"captain", func() *bundle.Bundle { return found(b, "captain") }},
		{"captain-int16", func() *bundle.Bundle { return inWholes(b, found(b, "captain")) }},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkDecision(b, c.bundle(), newGame(b, game)) })
	}
}

func found(b *testing.B, name string) *bundle.Bundle {
	of, err := Find(name)
	if err != nil {
		b.Fatal(err)
	}
	return of
}

func benchmarkDecision(b *testing.B, of *bundle.Bundle, g engine.Game) {
	bot, err := Of("x", of, g)
	if err != nil {
		b.Fatal(err)
	}
	// Positions of good play: a random captain gets nowhere.
	play, err := bots.New("greedy", g)
	if err != nil {
		b.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	for _, c := range []struct {
		name string
		act  func() engine.Action
	}{
		{"played", func() engine.Action { return bot.Act(m, &r) }},
		{"whole", func() engine.Action {
			bot.Act(m, &r)
			return play.Act(m, &r)
		}},
		{"rules", func() engine.Action { return play.Act(m, &r) }},
		{"parts", func() engine.Action {
			bot.encoder.Encode(m, m.Seat(), bot.obs)
			if of.ReadsActions() {
				bot.encoder.EncodeActions(m, bot.rows)
			}
			return play.Act(m, &r)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			m.Reset(1)
			for b.Loop() {
				if m.Seat() < 0 {
					m.Reset(r.Uint64())
				}
				if err := m.Apply(c.act()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
