package captain_test

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// The choice is what Act chooses, and nothing is worth more by the captain's own account.
func TestWhatTheCaptainChoosesIsWorthMostByItsOwnAccount(t *testing.T) {
	for _, c := range []struct{ name, bot string }{
		{"doubloons(seats=4)", "heuristic"}, {"doubloons(seats=3,modules=alternate_island)", "heuristic"}, {"doubloons(seats=4)", "heuristic2"},
	} {
		name := c.name
		g, err := engine.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		explains, err := bots.New(c.bot, g)
		if err != nil {
			t.Fatal(err)
		}
		plays, _ := bots.New(c.bot, g)
		m, r := g.NewMatch(), engine.NewRand(5)
		m.Reset(3)
		programmed, tried := 0, 0
		for m.Seat() != engine.Over {
			draw := r
			account := explains.(bots.Explainer).Explain(m, &draw)
			if a := plays.Act(m, &r); a != account.Choice || draw != r {
				t.Fatalf("%s: at %s it chooses %d, and %d where it explains", name, m.Decision(), a, account.Choice)
			}
			if len(account.Actions) != m.Legal().Count() {
				t.Fatalf("an account of %d actions, of which %d are legal", len(account.Actions), m.Legal().Count())
			}
			chosen := 0.0
			for _, c := range account.Actions {
				if c.Action == account.Choice {
					chosen = c.Mean
				}
			}
			for _, c := range account.Actions {
				if !m.Legal().Has(c.Action) || c.Visits > 0 && c.Mean > chosen+1e-9 {
					t.Errorf("%s: at %s action %d is worth %v, the choice %v", name, m.Decision(), c.Action, c.Mean, chosen)
				}
			}
			if account.Actions[0].Visits > 0 {
				tried++
				if engine.State[doubloons.State](m).Top().Kind == doubloons.AskProgram {
					programmed++
				}
			}
			if err := m.Apply(account.Choice); err != nil {
				t.Fatal(err)
			}
		}
		if programmed < 10 || tried < 2*programmed {
			t.Errorf("%s: %d decisions have values, of which %d are of programming", name, tried, programmed)
		}
	}
}
