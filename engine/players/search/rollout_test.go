package search_test

import (
	"strings"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
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

// witness plays at random and writes down who was asked, and whether the others would not see what is chosen.
type witness struct {
	asked  [4]int
	veiled int
}

func (*witness) Name() string { return "witness" }

func (w *witness) Act(m engine.Match, r *engine.Rand) engine.Action {
	w.asked[m.Seat()]++
	if m.Sight((m.Seat()+1)%4, m.Legal().First()) != engine.Open {
		w.veiled++
	}
	return m.Legal().Sample(r)
}

// A policy makes the secret decisions of rollouts, which are asked for once in a world, and the other ones of the seat that searches.
func TestAPolicyPlaysItsSeatAndWhatIsDecidedInSecret(t *testing.T) {
	g := makeGame(t, "doubloons(seats=4)")
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(3)
	for !strings.Contains(m.Decision(), "card") {
		mustApply(t, m, m.Legal().Sample(&r))
	}
	seat, actions := m.Seat(), m.Legal().Count()
	const worlds, draws = 5, 3
	policy, rest := &witness{}, &witness{}
	s := withPlayers(t, "search(policy=policy,prior=uniform,rivals=uniform,best=0,rollout=rest)", g, map[string]bots.Bot{"policy": policy, "rest": rest})
	_, tried := s.Appraise(m, worlds*draws, &r, nil)
	for _, c := range tried {
		if c.Visits != worlds*draws {
			t.Errorf("action %d was rolled out %d times, want %d", c.Action, c.Visits, worlds*draws)
		}
	}
	for at := range 4 {
		if at != seat && policy.asked[at] != 3*worlds { // three cards each
			t.Errorf("seat %d was asked %d times what to do in secret, want %d", at, policy.asked[at], 3*worlds)
		}
		if (rest.asked[at] > 0) == (at == seat) {
			t.Errorf("seat %d: the others' player was asked %d times; seat %d searches", at, rest.asked[at], seat)
		}
	}
	// Two cards of the seat that searches are left, which may depend on the first.
	if want := 3*3*worlds + 2*worlds*draws*actions; policy.veiled != want || rest.veiled != 0 || policy.asked[seat] <= 2*worlds*draws*actions {
		t.Errorf("the policy made %d secret decisions, want %d, the others' player %d; the policy made %d decisions of the seat that searches", policy.veiled, want, rest.veiled, policy.asked[seat])
	}
}

// A decision in a rollout against a decision of the same player in a match of its own: what dealing worlds,
// copying them and evaluating them adds. Both are timed in turn, so that other processes slow both down alike.
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
