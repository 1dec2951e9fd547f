package bidder

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games/liarsdice/observe"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

func game(t *testing.T, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTheHeuristicPlayerBeatsTheRandomOne(t *testing.T) {
	for _, name := range []string{"liars_dice", "liars_dice(seats=3,dice=2)", "liars_dice(seats=6,dice=5,bidding=reset_quantity)"} {
		g := game(t, name)
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "heuristic", g), botstest.Bot(t, "random", g), 1200/g.Info().Seats)
		if least := 1.2 / float64(g.Info().Seats); rate-half < least {
			t.Errorf("%s: it wins %.3f ± %.3f, want more than %.3f", name, rate, half, least)
		}
	}
}

func TestTheHeuristicPlayerChoosesTheSameWhateverIsHidden(t *testing.T) {
	for _, name := range enginetest.Configurations(t, "liars_dice") {
		g := game(t, name)
		botstest.WantHonest(t, g, 1, 200, 1, botstest.Bot(t, "heuristic", g))
	}
}

func TestTheHeuristicPlayerDoesNotAllocate(t *testing.T) {
	botstest.WantNoAllocations(t, "heuristic", game(t, "liars_dice(seats=4,dice=5)"))
}

func TestTheHeuristicPlayerCallsWhatIsUnlikely(t *testing.T) {
	for position, want := range map[string]string{
		`{"dice":[["3"],["2"]]}`:                "bid=1x3",
		`{"dice":[["3"],["2"]],"bids":["1x4"]}`: "bid=1x5", // the other is believed
		`{"dice":[["3"],["2"]],"bids":["1x2"]}`: "bid=1x3",
		`{"dice":[["3"],["2"]],"bids":["2x6"]}`: "liar",
	} {
		m := enginetest.At(t, "liars_dice(forced=show)", position)
		var r engine.Rand
		if got := m.Info().ActionName((bidder{}).Act(m, &r)); got != want {
			t.Errorf("%s: %s, want %s", position, got, want)
		}
	}
}
