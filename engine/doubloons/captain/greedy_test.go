package captain

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/bots/botstest"
	"github.com/privateer-rl/privateer/engine/doubloons"
)

// greedyTables are the modules and editions that greedy captains are tried with.
var greedyTables = []string{
	"", ",modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship", ",modules=alternate_island",
	",modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship+alternate_island", ",edition=v2.0", ",edition=v1.9.7",
}

func TestGreedyCaptainBeatsRandom(t *testing.T) {
	for i, more := range greedyTables {
		n := doubloons.MinSeats + 2*(i%2)
		g := doubloonsGame(t, n, more)
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "greedy", g), botstest.Bot(t, "random", g), 120/n)
		t.Logf("%s: greedy against random: %.3f ± %.3f (equal share %.3f)", g.Info().Config, rate, half, 1/float64(n))
		if rate-half < 1.5/float64(n) && rate-half < .65 {
			t.Errorf("%s: the greedy captain wins %.3f ± %.3f of matches against random", g.Info().Config, rate, half)
		}
	}
}

func TestGreedyCaptainLosesToHeuristics(t *testing.T) {
	g := doubloonsGame(t, 4, "")
	rate, half := botstest.WinRate(t, g, botstest.Bot(t, "greedy", g), botstest.Bot(t, "heuristic", g), 60)
	if rate+half > .25 {
		t.Errorf("the greedy captain wins %.3f ± %.3f of matches against heuristics: bots are listed from the weakest to the strongest", rate, half)
	}
}

func TestGreedyCaptainDoesNotPeek(t *testing.T) {
	for i, more := range greedyTables {
		botstest.WantNoPeeking(t, "greedy", doubloonsGame(t, doubloons.MinSeats+i%5, more), uint64(i), 6, 4)
	}
}

func TestGreedyCaptainDoesNotAllocate(t *testing.T) {
	for _, more := range greedyTables {
		botstest.WantNoAllocations(t, "greedy", doubloonsGame(t, 4, more))
	}
}

func TestGreedyCaptainPlaysEveryConfiguration(t *testing.T) {
	for _, more := range append(greedyTables, ",forced=show", ",chance=explicit", ",modules=steal_ship,chance=explicit,forced=show", ",edition=v1.9.8,modules=black_jewel") {
		g := doubloonsGame(t, 5, more)
		greedy, random := botstest.Bot(t, "greedy", g), botstest.Bot(t, "random", g)
		r := engine.NewRand(1)
		m := g.NewMatch()
		for seed := range uint64(20) {
			m.Reset(seed)
			if err := bots.Play(m, []bots.Bot{greedy, random, greedy, random, greedy}, &r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// BenchmarkGreedyCaptain is the time of one decision, the match's own step included.
func BenchmarkGreedyCaptain(b *testing.B) {
	for n := doubloons.MinSeats; n <= doubloons.MaxSeats; n++ {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			botstest.BenchDecisions(b, "greedy", doubloonsGame(b, n, ""))
		})
	}
}
