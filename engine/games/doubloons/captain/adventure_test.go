package captain

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

func TestHeuristicCaptainKnowsTheAlternateIsland(t *testing.T) {
	const position = `{"round": 3, "phase": "action", "slot": 1, "turn": 0, "initiative": 0, "revealed": 1, %s,
		"water": ["coral_reef", "rip_current", "fog", "rip_current", "the_shallows"], "ships": [
		{"seat": 0, "captain": "voet", "table": [%s, "N14", "N33"], %s},
		{"seat": 1, "captain": "calico_jack", "region": 2, "table": ["N03", "N13", "N26"], %s},
		{"seat": 2, "captain": "hayreddin", "region": 2, "table": ["N07", "N21", "N28"], %s}]}`
	for _, c := range []struct {
		rule             string
		relics           string // where they are
		card             string // of one's own, of this slot
		own, next, third string
		before           []string
		want             string
	}{{
		rule: "it goes down into the crater when that is open", relics: `"crater": 0`, card: `"N04"`,
		own: `"captain_at": "T1", "region": 0`, next: `"captain_at": "C3"`, third: `"captain_at": "C4"`,
		before: []string{"stay", "do=hunt"}, want: "to=X",
	}, {
		rule: "it takes the totem that makes a set of three", relics: `"beach_totems": {"B1": {"x": 1, "moon": 1}}`, card: `"N04"`,
		own: `"captain_at": "C1", "fragments": {"x": 1, "sun": 1}, "region": 0`, next: `"captain_at": "C3"`, third: `"captain_at": "C4"`,
		before: []string{"stay", "do=hunt", "to=B1"}, want: "symbol=moon",
	}, {
		rule: "it takes the shell that makes a set of four", relics: `"region_shells": [{"x": 1, "sun": 1, "wave": 1}, {}, {}, {}, {}]`, card: `"N04"`,
		own: `"captain_at": "C1", "fragments": {"x": 1, "sun": 1}, "totems": {"moon": 1}, "region": 0`, next: `"captain_at": "C3"`, third: `"captain_at": "C4"`,
		before: []string{"stay", "do=pillage"}, want: "symbol=wave",
	}, {
		rule: "it places a totem on the beach beside its own captain", relics: `"crater": 9`, card: `"N04"`,
		own: `"captain_at": "P1", "fragments": {"x": 1, "sun": 1}, "region": 0`, next: `"captain_at": "P3", "fragments": {"x": 1, "sun": 1}`, third: `"captain_at": "P4", "fragments": {"x": 1, "moon": 1}`,
		before: []string{"stay", "do=hunt", "to=T4", "landmark=burial_grounds", "relic=shell_x", "relic=totem_moon"}, want: "to=B1",
	}, {
		rule: "it places a shell where its own ship is", relics: `"crater": 9`, card: `"N04"`,
		own: `"captain_at": "P1", "region": 0`, next: `"captain_at": "P3"`, third: `"captain_at": "P4"`,
		before: []string{"stay", "do=hunt", "to=T4", "landmark=burial_grounds", "relic=shell_x", "relic=shell_moon"}, want: "region=0",
	}, {
		rule: "it swaps a totem for one that makes a set", relics: `"dug": true, "crater": 0`, card: `"N04"`,
		own:    `"captain_at": "P1", "fragments": {"x": 1, "sun": 1}, "totems": {"x": 1}, "region": 0`,
		next:   `"captain_at": "C3", "totems": {"x": 1}, "fragments": {"x": 1, "moon": 1}`,
		third:  `"captain_at": "C4", "totems": {"moon": 2}, "fragments": {"wave": 2}`,
		before: []string{"stay", "do=hunt", "to=T4", "landmark=decaying_temple"}, want: "seat=+2",
	}, {
		rule: "it steals the shell that makes a set", relics: `"crater": 9`, card: `"N11"`,
		own:  `"captain_at": "C1", "fragments": {"x": 1, "sun": 1}, "region": 2`,
		next: `"captain_at": "C3", "shells": {"sun": 1, "wave": 1}`, third: `"captain_at": "C4"`,
		before: []string{"stay", "do=broadsides", "die=voodoo"}, want: "symbol=wave",
	}} {
		g := doubloonsGame(t, 3, ",modules=alternate_island,chance=explicit,forced=show")
		m := g.NewMatch()
		if err := m.SetPosition([]byte(fmt.Sprintf(position, c.relics, c.card, c.own, c.next, c.third))); err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		botstest.WantChoice(t, "heuristic", g, m, c.rule, c.before, c.want)
	}
}

// A captain who waits for others to open the crater waits for ever when they do too.
func TestHeuristicCaptainsEndTheirMatchesOnTheAlternateIsland(t *testing.T) {
	for n := doubloons.MinSeats; n <= doubloons.MaxSeats; n++ {
		for _, edition := range []string{"final", "v2.0", "v1.9.8"} {
			g := doubloonsGame(t, n, ",modules=alternate_island,edition="+edition)
			seats := make([]bots.Bot, n)
			for i := range seats {
				seats[i] = botstest.Bot(t, "heuristic", g)
			}
			m := g.NewMatch()
			for seed := range uint64(3) {
				m.Reset(seed)
				r := engine.NewRand(seed)
				if err := bots.Play(m, seats, &r); err != nil {
					t.Fatal(err)
				}
				if s := engine.State[doubloons.State](m); !s.Dug || s.Round > 30 {
					t.Errorf("%s, seed %d: after %d rounds the match is over, jewels dug up: %v", g.Info().Config, seed, s.Round, s.Dug)
				}
			}
		}
	}
}
