package search_test

import (
	"fmt"
	"strings"
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

func TestSecretDecisionsOfRolloutsHaveAPlayerOfTheirOwnWhoIsAskedOnceForAWorld(t *testing.T) {
	g := makeGame(t, "doubloons(seats=4)")
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(3)
	for !strings.Contains(m.Decision(), "card") {
		mustApply(t, m, m.Legal().Sample(&r))
	}
	seat, actions := m.Seat(), m.Legal().Count()
	const worlds, lucks = 5, 3
	secret, open := &witness{}, &witness{}
	s := withPlayers(t, fmt.Sprintf("search(rollouts=%d,prior=uniform,schedule=equal,rollout=open,secret=secret,lucks=%d)", worlds*lucks*actions, lucks),
		g, map[string]bots.Bot{"secret": secret, "open": open})
	account := s.Explain(m, &r)
	for _, c := range account.Actions {
		if c.Visits != worlds*lucks {
			t.Errorf("action %d was played on %d times, want %d", c.Action, c.Visits, worlds*lucks)
		}
	}
	total := 0
	for at, n := range secret.asked {
		total += n
		// Three cards each: of the seat that searches two are left, which may depend on the first.
		want := 3 * worlds
		if at == seat {
			want = 2 * worlds * lucks * actions
		}
		if n != want {
			t.Errorf("seat %d was asked %d times what to do in secret, want %d", at, n, want)
		}
	}
	if secret.veiled != total || open.veiled != 0 || open.asked == [4]int{} {
		t.Errorf("of %d decisions in secret others see %d; of all others %d are in secret, %v", total, total-secret.veiled, open.veiled, open.asked)
	}
}

func TestTheSeatThatSearchesHasAPlayerOfItsOwnInRollouts(t *testing.T) {
	g := makeGame(t, "doubloons(seats=4)")
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(3)
	for !strings.Contains(m.Decision(), "card") || m.Seat() == 0 {
		mustApply(t, m, m.Legal().Sample(&r))
	}
	mine, rest, secret := &witness{}, &witness{}, &witness{}
	players := map[string]bots.Bot{"mine": mine, "rest": rest, "secret": secret}
	withPlayers(t, "search(rollouts=300,prior=uniform,rollout=rest,mine=mine)", g, players).Act(m, &r)
	for seat := range rest.asked {
		if (mine.asked[seat] > 0) != (seat == m.Seat()) || (rest.asked[seat] > 0) == (seat == m.Seat()) {
			t.Errorf("seat %d: its own player was asked %d times, that of the rest %d times; seat %d searches", seat, mine.asked[seat], rest.asked[seat], m.Seat())
		}
	}
	*mine = witness{}
	withPlayers(t, "search(rollouts=300,prior=uniform,rollout=rest,mine=mine,secret=secret)", g, players).Act(m, &r)
	if mine.veiled != 0 || mine.asked[m.Seat()] == 0 || secret.asked[m.Seat()] == 0 {
		t.Errorf("of %d decisions of its own %d are in secret, which has a player who was asked %d times", mine.asked[m.Seat()], mine.veiled, secret.asked[m.Seat()])
	}
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
