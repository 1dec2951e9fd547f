package captain

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

// The odd one out does better, so both directions are played.
func TestCaptain2IsStrongerThanTheHeuristicCaptain(t *testing.T) {
	g := doubloonsGame(t, 4, "")
	old, mended := botstest.Bot(t, "heuristic", g), botstest.Bot(t, "heuristic2", g)
	alone, half := botstest.WinRate(t, g, mended, old, 40)
	against, _ := botstest.WinRate(t, g, old, mended, 40)
	t.Logf("captain 2 alone: %.3f ± %.3f, the heuristic captain alone: %.3f", alone, half, against)
	if alone-half < .25 || against+half > alone {
		t.Errorf("captain 2 wins %.3f ± %.3f of matches alone against heuristic captains, and one of them %.3f against it", alone, half, against)
	}
}

func TestCaptain2PlaysForPointsWhereTheWinIsNotAllThatCounts(t *testing.T) {
	for _, c := range []struct {
		more string
		odds bool
	}{{"", true}, {",objective=win", true}, {",objective=margin", false}, {",objective=rank", false}} {
		b := botstest.Bot(t, "heuristic2", doubloonsGame(t, 3, c.more)).(*captain)
		if odds := b.tariff != nil; odds != c.odds {
			t.Errorf("%q: it counts in odds: %v, want %v", c.more, odds, c.odds)
		}
	}
}

// A rival's ship makes the regions that it lies in and faces dangerous, and no others while it has not moved.
func TestCautionFearsWhereRivalsLieAndFace(t *testing.T) {
	g := doubloonsGame(t, 2, "")
	b := botstest.Bot(t, "heuristic2", g).(*captain)
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(4)
	s := engine.State[doubloons.State](m)
	for s.Top().Kind != doubloons.AskProgram || int(s.Top().Seat) != int(s.Initiative) {
		if err := m.Apply(b.Act(m, &r)); err != nil {
			t.Fatal(err)
		}
	}
	me := int(s.Top().Seat)
	b.look(s, me)
	rival := &s.Ships[1-me]
	ahead := b.rules.Ahead(rival, 1)
	for region, danger := range b.plan.danger[0][:b.regions] {
		reached := region == int(rival.Region) || region == ahead
		if danger > 0 != reached {
			t.Errorf("region %d: danger %.3f in the first slot; the rival, who sails later, lies in %d and faces %d", region, danger, rival.Region, ahead)
		}
	}
}

// BenchmarkCaptain2 is the time of one decision, the match's own step included.
func BenchmarkCaptain2(b *testing.B) {
	for _, n := range []int{2, 4, 6} {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			botstest.BenchDecisions(b, "heuristic2", doubloonsGame(b, n, ""))
		})
	}
}
