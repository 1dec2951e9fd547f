package search_test

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/engine/players/search"
)

var curve = flag.Bool("curve", false, "measure exploitability at the budgets of ISMCTS.md")

func newGame(t testing.TB, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newTree(t testing.TB, g engine.Game) *exploit.Tree {
	t.Helper()
	tree, err := exploit.Build(g)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func exploitability(t *testing.T, tree *exploit.Tree, p exploit.Policy) float64 {
	t.Helper()
	res, err := tree.NashConv(p)
	if err != nil {
		t.Fatal(err)
	}
	return res.Exploitability
}

// rehearsed is the exploitability of what is rehearsed in a number of simulations, one after the other.
func rehearsed(t *testing.T, game string, budgets []int) (points []float64) {
	g := newGame(t, game)
	tree := newTree(t, g)
	b := botstest.Bot(t, "ismcts", g).(*search.ISMCTS)
	r, done := engine.NewRand(1), 0
	for _, n := range budgets {
		b.Rehearse(n-done, &r)
		done = n
		p, err := b.Rehearsed(tree)
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, exploitability(t, tree, p))
		t.Logf("%s: %d simulations rehearsed: exploitability %.4f (uniform %.4f)", game, n, points[len(points)-1], exploitability(t, tree, tree.Uniform()))
	}
	return points
}

func TestExploitabilityOfRehearsedTreesFallsWithTheBudget(t *testing.T) {
	for _, c := range []struct {
		game    string
		budgets []int
		most    float64 // at the end
		short   []int
		long    []int
	}{
		{"kuhn", []int{300, 3_000, 30_000}, .05, []int{300, 10_000}, []int{100, 1_000, 10_000, 100_000, 1_000_000}},
		{"leduc", []int{3_000, 30_000, 150_000}, .8, []int{1_000, 30_000}, []int{1_000, 10_000, 100_000, 1_000_000}},
	} {
		switch {
		case *curve:
			c.budgets, c.most = c.long, .5
		case testing.Short():
			c.budgets, c.most = c.short, 2*c.most
		}
		points := rehearsed(t, c.game, c.budgets)
		if last := points[len(points)-1]; last > c.most || last > points[0]/2 {
			t.Errorf("%s: the exploitability falls from %.3f to %.3f: want %.3f and half of what it was", c.game, points[0], last, c.most)
		}
	}
}

// atPlay is the exploitability of a search that decides at each information set for itself, as it does at a table: with
// what it knows there, and nothing of how the others got where they are.
func atPlay(t *testing.T, game, settings string, seeds int) float64 {
	g := newGame(t, game)
	tree := newTree(t, g)
	e := botstest.Bot(t, "ismcts("+settings+",choice=visits)", g).(bots.Explainer)
	p := tree.Uniform()
	for i, set := range tree.InfoSets() {
		probs := p[set.Key]
		clear(probs)
		for k := range seeds {
			r := engine.NewRand(uint64(k)).At(uint64(i))
			for _, c := range e.Explain(set.Match, &r).Actions {
				probs[c.Action] += c.Prob / float64(seeds)
			}
		}
	}
	v := exploitability(t, tree, p)
	t.Logf("%s: ismcts(%s): exploitability %.4f (uniform %.4f)", game, settings, v, exploitability(t, tree, tree.Uniform()))
	return v
}

func TestExploitabilityAtPlayFallsWithTheBudget(t *testing.T) {
	for _, c := range []struct {
		game  string
		few   int
		many  int
		seeds int
		long  []int
	}{
		{"kuhn", 3, 100, 8, []int{3, 10, 30, 100, 300, 1_000, 3_000, 10_000}},
		{"leduc", 3, 300, 2, []int{3, 10, 30, 100, 300, 1_000, 3_000}},
	} {
		for _, settings := range []string{"observers=multiple", "observers=split", "observers=single", "observers=split,select=puct"} {
			budgets := []int{c.few, c.many}
			switch {
			case *curve:
				budgets = c.long
			case testing.Short():
				budgets[1] = min(c.many, 100)
			}
			var points []float64
			for _, n := range budgets {
				points = append(points, atPlay(t, c.game, fmt.Sprintf("simulations=%d,%s", n, settings), c.seeds))
			}
			if first, last := points[0], points[len(points)-1]; last > .7*first {
				t.Errorf("%s, %s: the exploitability falls from %.3f to %.3f only", c.game, settings, first, last)
			}
		}
	}
}

func TestISMCTSTakesWhatIsBestWhateverTheOthersHold(t *testing.T) {
	g := newGame(t, "kuhn")
	for _, settings := range []string{"", "(observers=split)", "(observers=single)", "(select=puct)", "(simulations=50)"} {
		b := botstest.Bot(t, "ismcts"+settings, g)
		for _, set := range newTree(t, g).InfoSets() {
			var want engine.Action
			switch {
			case strings.Contains(set.Key, `"bet"`) && strings.Contains(set.Key, `K`):
				want = 1 // with the best card call
			case strings.Contains(set.Key, `"bet"`) && strings.Contains(set.Key, `J`):
				want = 0 // with the worst fold
			default:
				continue
			}
			seeds := uint64(20)
			if testing.Short() {
				seeds = 4
			}
			for seed := range seeds {
				r := engine.NewRand(seed)
				if a := b.Act(set.Match, &r); a != want {
					t.Errorf("ismcts%s: %s at %s", settings, g.Info().ActionName(a), set.Key)
				}
			}
		}
	}
}

// treeSettings are ways of searching, and games in which they are tried.
var treeSettings = []struct{ game, settings string }{
	{"kuhn(seats=3)", "simulations=60"},
	{"leduc", "simulations=40,observers=split,choice=visits"},
	{"leduc", "simulations=40,observers=single"},
	{"doubloons(seats=3,rewards=running)", "simulations=6,rollout=greedy"},
	{"doubloons(seats=2,modules=compass+legendary_ghost_ship,rewards=running)", "simulations=5,select=puct,prior=greedy,rollout=random"},
	{"jolly_roger(seats=4,rewards=running)", "simulations=5,rollout=greedy"},
	{"jolly_roger(seats=3,variants=hidden_prizes)", "simulations=3,rollout=greedy,observers=split"},
	{"doubloons(seats=2,objective=margin)", "simulations=3,rollout=random"}, // which the captain's evaluator says nothing of
}

func TestISMCTSIsTheSameForASeed(t *testing.T) {
	for _, c := range treeSettings {
		g := newGame(t, c.game)
		used := botstest.Bot(t, "ismcts("+c.settings+")", g).(bots.Explainer)
		m := g.NewMatch()
		m.Reset(3)
		for seed := range uint64(12) {
			fresh := botstest.Bot(t, "ismcts("+c.settings+")", g).(bots.Explainer)
			r, again, third := engine.NewRand(seed), engine.NewRand(seed), engine.NewRand(seed)
			first := used.Explain(m, &r)
			if other := fresh.Explain(m, &again); !reflect.DeepEqual(first, other) {
				t.Fatalf("%s: two accounts of one decision: %+v and %+v", fresh.Name(), first, other)
			}
			if a := used.Act(m, &third); a != first.Choice {
				t.Fatalf("%s: it acts otherwise than it explains", fresh.Name())
			}
			if err := m.Apply(first.Choice); err != nil {
				t.Fatal(err)
			}
			if m.Seat() < 0 {
				m.Reset(seed)
			}
		}
	}
}

func TestISMCTSDoesNotAllocate(t *testing.T) {
	for _, c := range treeSettings {
		g := newGame(t, c.game)
		b := botstest.Bot(t, "ismcts("+c.settings+")", g)
		m := g.NewMatch()
		m.Reset(1)
		for m.Legal().Count() < 2 {
			if err := m.Apply(m.Legal().First()); err != nil {
				t.Fatal(err)
			}
		}
		var r engine.Rand // one that is drawn from again and again, so that the trees have their size
		if n := testing.AllocsPerRun(30, func() {
			r = engine.NewRand(7)
			b.Act(m, &r)
		}); n != 0 {
			t.Errorf("%s, %s: %v allocations a decision: want none", c.game, b.Name(), n)
		}
	}
}

func TestISMCTSRefusesSettingsThatDoNotFit(t *testing.T) {
	for settings, want := range map[string]string{
		"observers=two":       "observers=two: want one of multiple, split, single",
		"prior=greedy":        "select=ucb1 knows none: want select=puct",
		"rollout=ismcts":      "it searches itself",
		"simulations=0":       "simulations=0: want a whole number from 1",
		"select=puct,c=never": "c=never: want a number",
	} {
		if _, err := bots.New("ismcts("+settings+")", newGame(t, "leduc")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ismcts(%s): the error is %v, want %s", settings, err, want)
		}
	}
}
