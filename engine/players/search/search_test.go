package search_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// searches are small ones of each sort.
var searches = []string{
	"search(rollouts=24)", "search(rollouts=24,prior=uniform,eta=20)", "search(rollouts=24,rollout=random,z=0)", "search(rollouts=12,best=3,eta=20)",
	"search(rollouts=24,policy=random,rivals=uniform,draws=2)", "search(rollouts=24,policy=heuristic,prior=uniform,rivals=uniform)",
}

// tables are configurations of all games.
var tables = []string{
	"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=4)", "doubloons(seats=3,modules=alternate_island+black_jewel+compass)",
	"doubloons(seats=2,objective=margin)", "jolly_roger(seats=4)", "jolly_roger(seats=3,variants=hidden_prizes,objective=rank)",
}

func makeBot(tb testing.TB, name string, g engine.Game) bots.Bot {
	tb.Helper()
	b, err := bots.New(name, g)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func makeGame(tb testing.TB, name string) engine.Game {
	tb.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// decisions plays a match with quick bots and hands on decisions that are none of one action, one in a number of them.
func decisions(tb testing.TB, g engine.Game, seed uint64, oneIn int, take func(m engine.Match, r engine.Rand)) {
	tb.Helper()
	names := bots.Names(g)
	quick := makeBot(tb, names[len(names)-1], g)
	m, r := g.NewMatch(), engine.NewRand(seed).At(1)
	m.Reset(seed)
	for n := 0; m.Seat() != engine.Over; n++ {
		if m.Seat() == engine.Chance {
			if err := m.Apply(m.SampleChance()); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		if m.Legal().Count() > 1 && n%oneIn == 0 {
			take(m, r.Split())
		}
		if err := m.Apply(quick.Act(m, &r)); err != nil {
			tb.Fatal(err)
		}
	}
}

// sparse is how seldom the decisions of a game are looked at: short matches, all of them.
func sparse(g engine.Game, oneIn int) int {
	if g.Info().MaxDecisions < 100 {
		return 1
	}
	return oneIn
}

func TestSearchPlaysLegalActionsOfEveryGame(t *testing.T) {
	oneIn := 61
	if testing.Short() {
		oneIn = 303
	}
	for _, table := range tables {
		for _, chance := range []string{"sampled", "explicit"} {
			config, err := engine.With(table, "chance", chance, "forced", map[string]string{"sampled": "skip", "explicit": "show"}[chance])
			if err != nil {
				t.Fatal(err)
			}
			g := makeGame(t, config)
			for _, name := range searches {
				if strings.Contains(name, "heuristic") && g.Info().MaxDecisions < 100 {
					continue // the poker games have none
				}
				b := makeBot(t, name, g)
				if b.Name() != name {
					t.Errorf("%s calls itself %s", name, b.Name())
				}
				decisions(t, g, 3, sparse(g, oneIn), func(m engine.Match, r engine.Rand) {
					before := g.NewMatch()
					before.CopyFrom(m)
					if a := b.Act(m, &r); !m.Legal().Has(a) {
						t.Fatalf("%s: %s: action %d is illegal", config, name, a)
					}
					if !before.Equal(m) {
						t.Fatalf("%s: %s has changed the match", config, name)
					}
				})
			}
		}
	}
}

func TestSearchIsTheSameForAnyNumberOfWorkersAndEveryTime(t *testing.T) {
	for _, table := range []string{"doubloons(seats=4)", "jolly_roger(seats=4)", "leduc"} {
		g := makeGame(t, table)
		one := makeBot(t, "search(rollouts=60)", g).(bots.Explainer)
		again := makeBot(t, "search(rollouts=60)", g).(bots.Explainer)
		three := makeBot(t, "search(rollouts=60)", g).(*search.Search)
		if err := three.SetWorkers(3); err != nil {
			t.Fatal(err)
		}
		decisions(t, g, 1, sparse(g, 17), func(m engine.Match, r engine.Rand) {
			x, y, z, w := r, r, r, r
			want := one.Explain(m, &x)
			for _, got := range []bots.Account{again.Explain(m, &y), three.Explain(m, &z)} {
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: %s: %+v; want %+v", table, m.Decision(), got, want)
				}
			}
			if a := one.Act(m, &w); a != want.Choice || w != x {
				t.Fatalf("%s: Act chooses %d, Explain %d", table, a, want.Choice)
			}
		})
	}
}

func TestASearchThatMayTryOneActionTakesThePriorsChoice(t *testing.T) {
	g := makeGame(t, "doubloons(seats=4)")
	prior := makeBot(t, search.PriorOf(g), g)
	for _, settings := range []string{"rollouts=24", "rollouts=24,draws=3", "eta=20", "ms=1"} {
		b := makeBot(t, "search(best=1,"+settings+")", g).(bots.Explainer)
		decisions(t, g, 2, 31, func(m engine.Match, r engine.Rand) {
			first, again := r, r
			want := prior.Act(m, &first)
			if account := b.Explain(m, &again); account.Choice != want || len(account.Actions) != 1 || account.Actions[0].Prob != 1 {
				t.Errorf("search(best=1,%s): %+v; want action %d", settings, account, want)
			}
		})
	}
}

func TestSearchKeepsToItsBudget(t *testing.T) {
	g := makeGame(t, "doubloons(seats=4)")
	for _, c := range []struct {
		name string
		want int
	}{
		{"search(rollouts=100)", 100}, {"search(rollouts=400,best=4)", 400}, {"search(rollouts=240,draws=1000)", 240}, {"search(rollouts=240,draws=7,best=8)", 240},
	} {
		b := makeBot(t, c.name, g).(bots.Explainer)
		decisions(t, g, 2, 7, func(m engine.Match, r engine.Rand) {
			total := 0
			for _, x := range b.Explain(m, &r).Actions {
				total += x.Visits
			}
			if total > c.want || total < c.want*6/10 {
				t.Errorf("%s: %d rollouts of %d actions", c.name, total, m.Legal().Count())
			}
		})
	}
}

func TestASearchOfAMatchThatIsNearlyDecidedWinsIt(t *testing.T) {
	// In Kuhn poker the last to act calls a bet with the king, and does not with the jack.
	g := makeGame(t, "kuhn")
	b := makeBot(t, "search(rollouts=200)", g)
	for cards, want := range map[string]string{`["J","K"]`: "bet", `["Q","J"]`: "pass"} {
		m := g.NewMatch()
		if err := m.SetPosition([]byte(`{"hands":` + cards + `,"history":["bet"]}`)); err != nil {
			t.Fatal(err)
		}
		r := engine.NewRand(1)
		if got := g.Info().ActionName(b.Act(m, &r)); got != want {
			t.Errorf("%s: %s; want %s", cards, got, want)
		}
	}
}

func TestSearchesDoNotAllocate(t *testing.T) {
	tables := []string{"doubloons(seats=4)", "leduc", "jolly_roger(seats=6)"}
	if testing.Short() {
		tables = tables[:2]
	}
	for _, table := range tables {
		d := newDecided(t, table, "search(rollouts=60)")
		for range 300 { // until everything has its room
			d.decide()
		}
		if n := testing.AllocsPerRun(60, d.decide); n != 0 {
			t.Errorf("%s: %v allocations a decision", table, n)
		}
	}
}

func TestMistakesInSearchesAreNamed(t *testing.T) {
	for name, says := range map[string]string{
		"search(rollouts=0)":                  "rollouts=0: want a whole number from 1 to 1000000",
		"search(horizon=tomorrow)":            "horizon=tomorrow: want end, round, a number of rounds or auto",
		"search(prior=search)":                "prior=search: it searches itself",
		"search(value=heuristic)":             "value=heuristic: it evaluates no positions",
		"search(rivals=random)":               "rivals=random: it cannot model a rival's secrets",
		"search(rivals=policy,prior=uniform)": "rivals=policy: the search has no prior",
		"search(rollout=greedy(fast=1))":      "rollout: ",
		"search(roll=greedy)":                 "known are rollouts",
		"search(eta=20,z=2)":                  "z=2: eta=20 takes its place",
		"search(lucks=3)":                     "lucks= is gone: write draws",
		"search(policy=search)":               "policy=search: it searches itself",
		"search(policy=nobody)":               `unknown bot "nobody"`,
		"search(rollouts=50,ms=5)":            "rollouts=50: ms=5 takes its place",
		"search-1ms(rollouts=4)":              `bot "search-1ms(rollouts=4)": search-1ms has no parameters`,
	} {
		if _, err := bots.New(name, makeGame(t, "doubloons(seats=3)")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want an error that says %s", name, err, says)
		}
	}
	if _, err := bots.New("search(horizon=2)", makeGame(t, "kuhn")); err == nil || !strings.Contains(err.Error(), "the game has no rounds") {
		t.Errorf("of a game without rounds: %v", err)
	}
	for _, table := range []string{
		"doubloons(seats=3)", "doubloons(seats=4,modules=compass)", "doubloons(seats=4,edition=v1.9.8)", "leduc", "jolly_roger(seats=6)",
		"doubloons(seats=4,modules=alternate_island)", "doubloons(seats=4,objective=margin)",
	} {
		if _, err := bots.New("search(value=network)", makeGame(t, table)); err == nil || !strings.Contains(err.Error(), "value=network: there is none of ") {
			t.Errorf("%s: %v", table, err)
		}
	}
}

func TestTheNetworkIsAnotherEvaluator(t *testing.T) {
	g := makeGame(t, "doubloons(seats=4)")
	own, other := makeBot(t, "search(rollouts=40)", g), makeBot(t, "search(rollouts=40,value=network)", g)
	m := g.NewMatch()
	m.Reset(1)
	r, differ := engine.NewRand(1), 0
	for m.Seat() >= 0 {
		same := r
		a := own.Act(m, &r)
		differ += int(engine.Bit(other.Act(m, &same) != a))
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	if differ == 0 {
		t.Error("both choose the same throughout a match")
	}
}

func TestPresetsAreSearchesOfSoManyRollouts(t *testing.T) {
	for _, table := range tables {
		g := makeGame(t, table)
		least := 0
		for _, name := range []string{"search-1ms", "search-10ms", "search-100ms"} {
			b := makeBot(t, name, g)
			if b.Name() != name {
				t.Errorf("%s calls itself %s", name, b.Name())
			}
			n := b.(*search.Search).Rollouts()
			if n <= least {
				t.Errorf("%s: %s has %d rollouts, the one before it %d", table, name, n, least)
			}
			least = n
		}
	}
}
