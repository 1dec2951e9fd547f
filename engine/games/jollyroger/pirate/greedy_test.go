package pirate

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

func TestGreedyPirateBeatsRandomWithEachVariant(t *testing.T) {
	for _, c := range pirateTables {
		g := jollyRoger(t, c.seats, c.more)
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "greedy", g), botstest.Bot(t, "random", g), 240/c.seats)
		t.Logf("%s: greedy against random: %.3f ± %.3f (equal share %.3f)", g.Info().Config, rate, half, 1/float64(c.seats))
		if rate-half < 1.5/float64(c.seats) {
			t.Errorf("%s: the greedy pirate wins %.3f ± %.3f of matches against random: want clearly over 1.5 equal shares", g.Info().Config, rate, half)
		}
	}
}

func TestGreedyPirateLosesToHeuristics(t *testing.T) {
	g := jollyRoger(t, 6, "")
	rate, half := botstest.WinRate(t, g, botstest.Bot(t, "greedy", g), botstest.Bot(t, "heuristic", g), 200)
	if rate+half > 1./6 {
		t.Errorf("the greedy pirate wins %.3f ± %.3f of matches against heuristics: bots are listed from the weakest to the strongest", rate, half)
	}
}

func TestGreedyPirateDoesNotAllocate(t *testing.T) {
	for _, c := range pirateTables {
		botstest.WantNoAllocations(t, "greedy", jollyRoger(t, c.seats, c.more))
	}
}

// Every rule gives a legal action or says that any will do: Act falls back on nothing but that, or a pass where
// there is none.
func TestGreedyPirateDecidesEverythingLegally(t *testing.T) {
	var asked [jollyroger.NumAsks]int
	for _, c := range pirateTables {
		g := jollyRoger(t, c.seats, c.more+",chance=explicit")
		p, random := botstest.Bot(t, "greedy", g).(*greedy), botstest.Bot(t, "random", g)
		r := engine.NewRand(1)
		m := g.NewMatch()
		for seed := range uint64(30) {
			m.Reset(seed)
			seats := make([]bots.Bot, c.seats)
			for i := range seats {
				seats[i] = random
				if (i+int(seed))%2 == 0 {
					seats[i] = watched{p, &asked}
				}
			}
			if err := bots.Play(m, seats, &r); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, n := range asked {
		if k := jollyroger.Kind(k); n == 0 && k != jollyroger.AskNothing {
			t.Errorf("%s never came up", k)
		}
	}
}

// watched is a greedy pirate that counts what it is asked.
type watched struct {
	*greedy
	asked *[jollyroger.NumAsks]int
}

func (w watched) Act(m engine.Match, r *engine.Rand) engine.Action {
	w.asked[engine.State[jollyroger.State](m).Top().Kind]++
	return w.greedy.Act(m, r)
}

// BenchmarkGreedyPirate is the time of one decision, the match's own step included.
func BenchmarkGreedyPirate(b *testing.B) {
	for _, n := range []int{4, 6, 10} {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			botstest.BenchDecisions(b, "greedy", jollyRoger(b, n, ""))
		})
	}
}
