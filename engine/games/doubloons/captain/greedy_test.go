package captain

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

func TestGreedyCaptainBeatsRandom(t *testing.T) {
	for i, more := range modulesAndEditions {
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

// BenchmarkGreedyCaptain is the time of one decision, the match's own step included.
func BenchmarkGreedyCaptain(b *testing.B) {
	for n := doubloons.MinSeats; n <= doubloons.MaxSeats; n++ {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			botstest.BenchDecisions(b, "greedy", doubloonsGame(b, n, ""))
		})
	}
}
