package pirate

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

func jollyRoger(t testing.TB, seats int, more string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(fmt.Sprintf("jolly_roger(seats=%d%s)", seats, more))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// pirateTables are configurations of every kind, spread over the seat counts.
var pirateTables = []struct {
	seats int
	more  string
}{
	{3, ""}, {4, ",bribes=talk"}, {5, ",variants=hidden_prizes"}, {6, ""}, {7, ",bribes=gifts,variants=hidden_prizes"},
	{8, ",variants=captains_gold"}, {9, ",variants=hidden_prizes+captains_gold"}, {10, ",bribes=talk,variants=hidden_prizes+captains_gold"},
}

func TestHeuristicPirateBeatsRandomAtEverySeatCount(t *testing.T) {
	for n := jollyroger.MinSeats; n <= jollyroger.MaxSeats; n++ {
		g := jollyRoger(t, n, "")
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "heuristic", g), botstest.Bot(t, "random", g), 240/n)
		t.Logf("%d seats: heuristic against random: %.3f ± %.3f (equal share %.3f)", n, rate, half, 1/float64(n))
		if rate-half < .6 {
			t.Errorf("%d seats: the heuristic wins %.3f ± %.3f of matches against random: want clearly over 0.6", n, rate, half)
		}
	}
}

// A table of pirates leaves a random player next to nothing: they get their prizes
// together.
func TestHeuristicPiratesTogetherBeatOneRandom(t *testing.T) {
	for n := jollyroger.MinSeats; n <= jollyroger.MaxSeats; n++ {
		g := jollyRoger(t, n, "")
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "random", g), botstest.Bot(t, "heuristic", g), 240/n)
		t.Logf("%d seats: random against heuristics: %.3f ± %.3f (equal share %.3f)", n, rate, half, 1/float64(n))
		if rate+half > .4/float64(n) {
			t.Errorf("%d seats: random wins %.3f ± %.3f of matches against heuristics: want clearly under 0.4 of its share", n, rate, half)
		}
	}
}

func TestHeuristicPirateBeatsRandomWithEachVariant(t *testing.T) {
	for _, c := range pirateTables {
		g := jollyRoger(t, c.seats, c.more)
		rate, half := botstest.WinRate(t, g, botstest.Bot(t, "heuristic", g), botstest.Bot(t, "random", g), 160/c.seats)
		t.Logf("%s: heuristic against random: %.3f ± %.3f", g.Info().Config, rate, half)
		if rate-half < .5 {
			t.Errorf("%s: the heuristic wins %.3f ± %.3f of matches against random: want clearly over 0.5", g.Info().Config, rate, half)
		}
	}
}

// heuristics are the bots whose choices are worked out here.
var heuristics = []string{"heuristic", "heuristic2"}

// Every decision has a rule, and the rule gives a legal action: Act has nothing to mend.
func TestHeuristicPiratesDecideEverythingLegally(t *testing.T) {
	for _, name := range heuristics {
		t.Run(name, func(t *testing.T) { decidesEverythingLegally(t, name) })
	}
}

func decidesEverythingLegally(t *testing.T, name string) {
	var asked [jollyroger.NumAsks]int
	for _, c := range pirateTables {
		for _, more := range []string{"", ",chance=explicit", ",forced=show,objective=margin"} {
			g := jollyRoger(t, c.seats, c.more+more)
			p, random := botstest.Bot(t, name, g).(*pirate), botstest.Bot(t, "random", g)
			r := engine.NewRand(1)
			m := g.NewMatch()
			for seed := range uint64(12) {
				m.Reset(seed)
				seats := make([]bots.Bot, c.seats)
				for i := range seats {
					seats[i] = random
					if (i+int(seed))%2 == 0 {
						seats[i] = lawful{p, t, &asked}
					}
				}
				if err := bots.Play(m, seats, &r); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for k, n := range asked {
		if k := jollyroger.Kind(k); n == 0 && k != jollyroger.AskNothing {
			t.Errorf("%s never came up", k)
		}
	}
}

// lawful is a pirate whose choices are looked at before they are mended.
type lawful struct {
	*pirate
	t     *testing.T
	asked *[jollyroger.NumAsks]int
}

func (l lawful) Act(m engine.Match, r *engine.Rand) engine.Action {
	s := engine.State[jollyroger.State](m)
	l.asked[s.Top().Kind]++
	l.look(s, m.Legal())
	if a := l.choose(s.Top()); !l.legal.Has(a) && l.legal.Count() > 1 {
		l.t.Errorf("%s, %s: %s is not legal", m.Info().Config, m.Decision(), m.Info().ActionName(a))
	}
	return l.pirate.Act(m, r)
}

func TestHeuristicPiratesDoNotAllocate(t *testing.T) {
	for _, name := range heuristics {
		botstest.WantNoAllocations(t, name, jollyRoger(t, 6, ""))
	}
}

// BenchmarkHeuristicPirate is the time of one decision, the match's own step included.
func BenchmarkHeuristicPirate(b *testing.B) {
	for _, n := range []int{4, 6, 10} {
		b.Run(fmt.Sprintf("seats=%d", n), func(b *testing.B) {
			botstest.BenchDecisions(b, "heuristic", jollyRoger(b, n, ""))
		})
	}
}

func TestHeuristicPirateKnowsItsTrade(t *testing.T) {
	for _, c := range []struct {
		rule, position string
		before         []string // choices up to the decision
		want           string
	}{{
		rule: "the Captain sails for a target that the crew can conquer",
		position: `"phase": "voyage", "mutiny_tried": true,
			"players": [{"hand": {"mel31": 2, "mel23": 1, "nav22": 1, "gun22": 1, "mel22": 1}}, {"hand": {"mel22": 1, "nav21": 1, "gun21": 1}}, {"hand": {"nav22": 1, "mel12": 2}}, {"hand": {"mel21": 2}}]`,
		want: "sail=settlement",
	}, {
		rule: "it sails to the port with a crew that has no cards",
		position: `"phase": "voyage", "mutiny_tried": true,
			"players": [{"hand": {"mel12": 1}}, {"hand": {"gun12": 1}}, {"hand": {"nav13": 1}}, {"hand": {"gun13": 1}}]`,
		want: "sail=pirate_port",
	}, {
		rule: "it sails to Treasure Island with a map and gold to bury",
		position: `"phase": "voyage", "round": 5, "mutiny_tried": true,
			"players": [{"hand": {"old_sailor": 1, "mel12": 2}, "prizes": {"gold_3": 3}}, {"hand": {"gun12": 1}}, {"hand": {"nav13": 1}}, {"hand": {"gun13": 1}}]`,
		want: "sail=treasure_island",
	}, {
		rule:     "a pirate buries all its gold",
		position: `"phase": "island", "round": 9, "map": true, "players": [{"hand": {}, "prizes": {"gold_3": 1, "gold_1": 2}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		want:     "bury=all",
	}, {
		rule:     "the Captain chooses the best prize",
		position: `"phase": "prizes", "stacks": {"fort": ["fort_1", "fort_2", "fort_3", "fort_4"]}, "spoils": {"gold_3": 1, "gold_1": 1, "rum": 2}, "players": [{"hand": {}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		want:     "prize=gold_3",
	}, {
		rule:     "as Quartermaster it gives itself the best of the rest",
		position: `"phase": "prizes", "stacks": {"fort": ["fort_1", "fort_2", "fort_3", "fort_4"]}, "spoils": {"gold_3": 1, "gold_2": 1, "rum": 2}, "players": [{"hand": {}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		before:   []string{"prize=gold_3"}, want: "give=gold_2,self",
	}, {
		rule: "and then the better prizes to those who are behind",
		position: `"phase": "prizes", "stacks": {"fort": ["fort_1", "fort_2", "fort_3", "fort_4"]}, "spoils": {"gold_3": 2, "gold_2": 1, "rum": 1},
			"players": [{"hand": {}}, {"hand": {}}, {"hand": {}, "buried": {"gold_3": 4}}, {"hand": {}}]`,
		before: []string{"prize=gold_3", "give=gold_3,self"}, want: "give=gold_2,+2",
	}, {
		rule: "the Cutthroat opens a mutiny against a Captain who has much to lose",
		position: `"phase": "voyage", "round": 5, "players": [{"hand": {"gun15": 1, "nav15": 1}, "prizes": {"gold_3": 3}},
			{"hand": {"cutthroat": 1, "nav12": 1}}, {"hand": {"nav12": 1}}, {"hand": {"gun12": 1}}]`,
		before: []string{"sail=fort"}, want: "cutthroat=captain",
	}, {
		rule: "as Captain it defends itself if it can win",
		position: `"phase": "voyage", "round": 5, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1}},
			"players": [{"hand": {"gun15": 1, "gun31": 1}, "prizes": {"gold_3": 3}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		want: "support=gun15",
	}, {
		rule: "and keeps its cards if it cannot",
		position: `"phase": "voyage", "round": 5, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun15": 1, "nav15": 1, "mel15": 1}},
			"players": [{"hand": {"gun12": 1, "gun31": 1}, "prizes": {"gold_3": 3}}, {"hand": {}}, {"hand": {}}, {"hand": {"any": 1}}]`,
		want: "pass",
	}, {
		rule: "a neutral pirate with gold to lose stays out of a mutiny that is all but decided",
		position: `"phase": "voyage", "round": 5, "captain": 1, "quartermaster": 2, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun15": 1, "nav15": 1}},
			"players": [{"hand": {"gun12": 1, "gun31": 1}, "prizes": {"gold_3": 3}}, {"hand": {}}, {"hand": {}}, {"hand": {"any": 1}}]`,
		want: "pass",
	}, {
		rule:     "the Quartermaster reveals when the crew has what any card of the stack needs",
		position: `"phase": "attack", "destination": "merchant_ship", "played": {"nav31": 2, "gun31": 1, "mel31": 1}, "players": [{"hand": {}}, {"hand": {"gun31": 1}}, {"hand": {}}, {"hand": {}}]`,
		want:     "reveal",
	}, {
		rule:     "it gives itself a card of a mutiny that does not go round",
		position: `"phase": "voyage", "round": 5, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1}}, "players": [{"hand": {}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		before:   []string{"pass", "seat=+2"}, want: "seat=self",
	}, {
		rule: "and has the worst rival go without",
		position: `"phase": "voyage", "round": 5, "destination": "fort", "mutiny": {"mutineer": 3, "for_mutineer": {"gun12": 1, "gun13": 1, "gun14": 1}},
			"players": [{"hand": {}}, {"hand": {}}, {"hand": {}, "buried": {"gold_3": 3}}, {"hand": {}}]`,
		before: []string{"pass", "seat=+2"}, want: "seat=+1",
	}, {
		rule:     "it plays what the attack lacks",
		position: `"phase": "attack", "destination": "merchant_ship", "played": {"nav31": 2, "gun31": 1}, "players": [{"hand": {}}, {"hand": {"gun31": 1, "mel21": 1, "nav22": 1}}, {"hand": {}}, {"hand": {}}]`,
		want:     "play=mel21",
	}, {
		rule:     "a hostage is ransomed in the port",
		position: `"phase": "port", "target": "pirate_port_1", "destination": "pirate_port", "players": [{"hand": {}, "prizes": {"hostage": 1}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]`,
		before:   []string{"pass"}, want: "ransom",
	}} {
		g := jollyRoger(t, 4, ",forced=show")
		m := g.NewMatch()
		if err := m.SetPosition([]byte("{" + c.position + "}")); err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		botstest.WantChoice(t, "heuristic", g, m, c.rule, c.before, c.want)
	}
}
