package search_test

import (
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// counted counts the decisions of a bot.
type counted struct {
	bots.Bot
	n int
}

func (c *counted) Act(m engine.Match, r *engine.Rand) engine.Action {
	c.n++
	return c.Bot.Act(m, r)
}

// A decision in a rollout against a decision of the same player in a match of its own: what dealing worlds,
// copying them and judging them adds. Both are timed in turn, so that other processes slow both down alike.
func BenchmarkDecisionInRollouts(b *testing.B) {
	for _, c := range [][2]string{
		{"doubloons(seats=4)", "greedy"}, {"doubloons(seats=4)", "heuristic(quick=yes)"}, {"doubloons(seats=4)", "random"},
		{"jolly_roger(seats=6)", "heuristic"}, {"jolly_roger(seats=6)", "greedy"},
	} {
		b.Run(c[0]+"/"+c[1], func(b *testing.B) {
			g := makeGame(b, c[0])
			player := makeBot(b, c[1], g)
			in := &counted{Bot: makeBot(b, c[1], g)}
			mk := bots.Maker{Others: func(name string, _ engine.Game) (bots.Bot, error) {
				if name == "counted" {
					return in, nil
				}
				return nil, nil
			}}
			s, err := mk.New("search(rollouts=60,prior=uniform,rollout=counted)", g)
			if err != nil {
				b.Fatal(err)
			}
			m, r := g.NewMatch(), engine.NewRand(1)
			m.Reset(1)
			var plain, rolled time.Duration
			decisions := 0
			for b.Loop() {
				start := time.Now()
				s.Act(m, &r)
				rolled += time.Since(start)
				start = time.Now()
				for range 300 {
					if m.Seat() == engine.Over {
						m.Reset(r.Uint64())
					}
					if err := m.Apply(player.Act(m, &r)); err != nil {
						b.Fatal(err)
					}
				}
				plain += time.Since(start)
				decisions += 300
			}
			here := float64(rolled.Nanoseconds()) / float64(in.n)
			alone := float64(plain.Nanoseconds()) / float64(decisions)
			b.ReportMetric(here, "ns/rollout-decision")
			b.ReportMetric(alone, "ns/plain-decision")
			b.ReportMetric(here/alone, "ratio")
		})
	}
}
