package captain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

func doubloonsGame(t testing.TB, seats int, more string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(fmt.Sprintf("doubloons(seats=%d%s)", seats, more))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestHeuristicCaptainBeatsRandomAtEverySeatCount(t *testing.T) {
	for n := doubloons.MinSeats; n <= doubloons.MaxSeats; n++ {
		g := doubloonsGame(t, n, "")
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "heuristic", g), botstest.Bot(t, "random", g), 40)
		t.Logf("%d seats: heuristic against random: %.3f ± %.3f (equal share %.3f)", n, rate, half, 1/float64(n))
		if rate-half < .75 {
			t.Errorf("%d seats: the heuristic wins %.3f ± %.3f of matches against random: want clearly over 0.75", n, rate, half)
		}
	}
}

func TestHeuristicCaptainBeatsRandomWithEachModuleAndEdition(t *testing.T) {
	for _, module := range []string{
		"modules=advanced_scoring", "modules=black_jewel", "modules=compass", "modules=legendary_ghost_ship", "modules=steal_ship",
		"modules=alternate_island", "modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship+alternate_island", "edition=v2.0,modules=alternate_island",
		"edition=v2.0", "edition=v1.9.8", "edition=v1.9.7",
	} {
		for _, n := range []int{2, 4} {
			g := doubloonsGame(t, n, ","+module)
			matches := 120
			if strings.Contains(module, "alternate_island") { // long ones, in which random players seldom end what they began
				matches = 48
			}
			rate, half := botstest.WinRate(t, g, botstest.Bot(t, "heuristic", g), botstest.Bot(t, "random", g), matches/n)
			t.Logf("%s, %d seats: heuristic against random: %.3f ± %.3f (equal share %.3f)", module, n, rate, half, 1/float64(n))
			if rate-half < 1.5/float64(n) && rate-half < .75 {
				t.Errorf("%s, %d seats: the heuristic wins %.3f ± %.3f of matches against random", module, n, rate, half)
			}
		}
	}
}

// modulesAndEditions are what captains are tried with, and options what else they must cope with: decisions that have one choice,
// chance in the caller's hands, other rewards.
var (
	modulesAndEditions = []string{
		"", ",modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship", ",modules=alternate_island",
		",modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship+alternate_island", ",edition=v2.0", ",edition=v1.9.7",
	}
	options = []string{
		",forced=show", ",chance=explicit", ",objective=margin", ",edition=v1.9.8,modules=black_jewel", ",modules=steal_ship,chance=explicit,forced=show",
		",modules=alternate_island,chance=explicit,forced=show", ",edition=v1.9.8,modules=steal_ship+alternate_island",
	}
)

// captains are the bots of the game, with the matches of each configuration that their time allows.
var captains = []struct {
	name   string
	played int
}{{"greedy", 20}, {"heuristic", 8}, {"heuristic2", 3}}

func TestCaptainsDoNotAllocate(t *testing.T) {
	for _, c := range captains {
		for _, more := range modulesAndEditions {
			botstest.WantNoAllocations(t, c.name, doubloonsGame(t, 4, more))
		}
	}
}

func TestCaptainsPlayEveryConfiguration(t *testing.T) {
	for _, c := range captains {
		for i, more := range slices.Concat(modulesAndEditions, options) {
			g := doubloonsGame(t, 5, more)
			b, random := botstest.Bot(t, c.name, g), botstest.Bot(t, "random", g)
			r := engine.NewRand(1)
			m := g.NewMatch()
			for seed := range uint64(c.played) {
				m.Reset(seed + uint64(i))
				if err := bots.Play(m, []bots.Bot{b, random, b, random, b}, &r); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// BenchmarkHeuristicCaptain is the time of one decision, the match's own step
// included.
func BenchmarkHeuristicCaptain(b *testing.B) {
	for n := doubloons.MinSeats; n <= doubloons.MaxSeats; n++ {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			botstest.BenchDecisions(b, "heuristic", doubloonsGame(b, n, ""))
		})
	}
}

func TestHeuristicCaptainKnowsItsTrade(t *testing.T) {
	const ships = `"ships": [
		{"seat": 0, "captain": "voet", "region": 0, "facing": "clockwise", "table": %s, %s},
		{"seat": 1, "captain": "calico_jack", "region": %d, "facing": "clockwise", "table": ["N03", "N13", "N26"], %s},
		{"seat": 2, "captain": "hayreddin", "region": 3, "facing": "clockwise", "table": ["N07", "N21", "N28"], %s}]`
	for _, c := range []struct {
		rule       string
		dug        bool
		table, own string
		region     int
		near, far  string   // the rival that the case is about, and the other
		before     []string // choices up to the decision
		want       string
	}{{
		rule: "it advances with the symbol that no rival has", table: `["N04", "N14", "N33"]`,
		own: `"fragments": {"x": 1, "moon": 1}`, near: `"fragments": {"x": 1}`, far: `"fragments": {"x": 1}`,
		before: []string{"stay", "do=hunt"}, want: "symbol=moon",
	}, {
		rule: "it sinks a ship that is about to go down", table: `["N23", "N14", "N33"]`,
		region: 1, own: `"fragments": {"x": 1}`, near: `"fragments": {"sun": 1}, "hull": 2`, far: `"fragments": {"sun": 1}`,
		before: []string{"sail"}, want: "do=broadsides",
	}, {
		rule: "it gives a curse to the rival in the lead", dug: true, table: `["N04", "N14", "N33"]`,
		own:    `"fragments": {"x": 2}`,
		near:   `"fragments": {"sun": 1}, "hull": 4`,
		far:    `"fragments": {"sun": 1}, "hull": 4, "jewels": {"diamond": 3}`,
		before: []string{"stay", "do=hunt", "stack=red", "landmark=cursed_idol"}, want: "seat=+2",
	}, {
		rule: "it keeps a level of reputation to itself", dug: true, table: `["N04", "N14", "N33"]`,
		own: `"fragments": {"x": 2}`, near: `"fragments": {"sun": 1}`, far: `"fragments": {"sun": 1}`,
		before: []string{"stay", "do=hunt", "stack=blue", "landmark=adventurers_tavern"}, want: "seat=self",
	}, {
		rule: "it boards for its second map fragment", table: `["N40", "N14", "N33"]`, region: 1,
		own: `"fragments": {"x": 1}`, near: `"fragments": {"sun": 1}, "hull": 6`, far: `"fragments": {"sun": 1}`,
		before: []string{"sail", "come_about"}, want: "do=board",
	}} {
		g := doubloonsGame(t, 3, ",chance=explicit,forced=show")
		m := g.NewMatch()
		position := fmt.Sprintf(`{"round": 3, "phase": "action", "slot": 1, "turn": 0, "initiative": 0, "revealed": 1, "dug": %v,
			"water": ["fog", "river_merfolk", "rip_current", "high_water"], `+ships+`}`, c.dug, c.table, c.own, c.region, c.near, c.far)
		if err := m.SetPosition([]byte(position)); err != nil {
			t.Fatal(err)
		}
		botstest.WantChoice(t, "heuristic", g, m, c.rule, c.before, c.want)
	}
}
