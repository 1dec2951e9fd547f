package imitation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	_ "github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/env/dataset"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/learner/learnertest"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// written is a data set in a new folder.
func written(t testing.TB, game string, matches int, randomMoves float64, players ...string) string {
	t.Helper()
	folder := t.TempDir()
	c := dataset.Config{Game: game, Seed: 3, Matches: matches, PartMatches: (matches + 2) / 3, RandomMoves: randomMoves, Part: durable.Part{Shard: 1, Shards: 1}}
	for _, name := range players {
		c.Players = append(c.Players, match.Named(name))
	}
	if _, err := dataset.Write(t.Context(), folder, c); err != nil {
		t.Fatal(err)
	}
	return folder
}

// learning is a run that learns from data.
func learning(game, folder, teacher string) config {
	c := smallImitation(game)
	c.Data, c.Teacher, c.HeldOut = folder, teacher, 4
	return c
}

// each looks at the decisions of a player in a data set, in order.
func each(t *testing.T, folder string, player int32, look func(d *dataset.Decisions, i int)) {
	t.Helper()
	set, err := dataset.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	var d dataset.Decisions
	for k := range set.Groups() {
		if err := set.Read(k, &d); err != nil {
			t.Fatal(err)
		}
		for i := range d.N {
			if d.Player[i] == player {
				look(&d, i)
			}
		}
	}
}

// silent takes the first legal action, and tells nothing.
type silent struct{}

func (silent) Name() string                                     { return "silent" }
func (silent) Act(m engine.Match, _ *engine.Rand) engine.Action { return m.Legal().First() }

func init() {
	bots.Register(bots.Kind{Name: "silent", Game: "leduc", New: func(engine.Game) (bots.Bot, error) { return silent{}, nil }})
}

// Each pass meets every decision of the teacher that is not held out once, with the choice of the teacher and its return, and no other's.
func TestAPassMeetsTheDecisionsOfTheTeacherOnce(t *testing.T) {
	folder := written(t, "leduc", 60, 0.4, "random", "last")
	m := made(t, learning("leduc", folder, "last"))
	want, n, held := map[string]int{}, 0, 0
	each(t, folder, 1, func(d *dataset.Decisions, i int) {
		if d.Match[i] >= m.recorded.held {
			held++
			return
		}
		size, target := len(d.Observation)/d.N, make([]float32, d.Mask[i].Count())
		target[len(target)-1] = 1 // that is what the teacher chooses, whatever was played
		want[fmt.Sprint(d.Observation[i*size:(i+1)*size], target, d.Return[i])]++
		n++
	})
	if held < 4*examineOneIn || held > 4*examineOneIn+8 || n < 60 {
		t.Fatalf("%d decisions are held out, and %d are not", held, n)
	}
	if m.teachers != nil || m.exam.d.N == 0 || m.exam.d.N > 4 {
		t.Errorf("%d teachers, %d decisions of the exam", len(m.teachers), m.exam.d.N)
	}
	var orders []string
	for pass := range 3 {
		met, order := map[string]int{}, ""
		for range n {
			if err := m.recorded.fill(1, m.Buffer, &m.targets); err != nil {
				t.Fatal(err)
			}
			if err := m.Returns(); err != nil {
				t.Fatal(err)
			}
			b := m.ImitationBatch([]int32{0}, m.targets.Of)
			one := fmt.Sprint(b.Obs, b.Target, m.Buffer.Returns[0])
			met[one]++
			order += one
			m.Buffer.Carry()
			m.targets.Cut(0)
		}
		if !maps.Equal(met, want) {
			t.Errorf("pass %d meets other decisions", pass)
		}
		orders = append(orders, order)
	}
	if orders[0] == orders[1] && orders[1] == orders[2] {
		t.Error("all passes have one order")
	}
}

// What the teacher says its actions are worth is learnt if it says that, then its probabilities, then its choice.
func TestSoftTargetsOfDataAreWhatTheTeacherTells(t *testing.T) {
	for _, c := range []struct {
		game, teacher string
		matches       int
	}{{"doubloons(seats=2)", "policy:captain", 3}, {"doubloons(seats=2)", "search(rollouts=8,best=3,prior=heuristic)", 3}, {"leduc", "last", 30}} {
		folder := written(t, c.game, c.matches, 0, c.teacher)
		cfg := learning(c.game, folder, c.teacher)
		cfg.Targets, cfg.Temperature = softTargets, 0.5
		m := made(t, cfg)
		soft := 0
		each(t, folder, 0, func(d *dataset.Decisions, i int) {
			m.recorded.rows = *d
			if err := m.recorded.say(i); err != nil {
				t.Fatal(err)
			}
			want := make([]float32, d.Mask[i].Count())
			switch {
			case d.Values[i] != nil:
				soften(d.Values[i], 0.5, want)
			case d.Probabilities[i] != nil:
				copy(want, d.Probabilities[i])
			}
			if got := m.recorded.said.target; !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", c.teacher, got, want)
			}
			soft += int(engine.Bit(slices.Max(want) < 0.95))
		})
		if soft == 0 {
			t.Errorf("%s was sure of everything", c.teacher)
		}
	}
}

func TestDataThatAreNotForTheConfigurationAreRefused(t *testing.T) {
	leduc, doubloons := written(t, "leduc", 24, 0, "random", "silent"), written(t, "doubloons(seats=2)", 2, 0, "random")
	for want, change := range map[string]func(*config){
		`no player is called last, the teacher: want one of ["random" "silent"]`: func(c *config) { c.Teacher = "last" },
		"its game is leduc, and that of the configuration kuhn: want the same":   func(c *config) { c.Game = "kuhn" },
		"are held out: write more matches":                                       func(c *config) { c.HeldOut = 2000 },
		"no file *.parquet in it: privateer dataset writes them":                 func(c *config) { c.Data = t.TempDir() },
		"want data written with --rows, or the network mlp": func(c *config) {
			c.Game, c.Network, c.Data, c.RowHidden = "doubloons(seats=2)", "entity", doubloons, []int{8, 4}
		},
		"targets: soft: silent has no values or probabilities": func(c *config) { c.Targets, c.Teacher = softTargets, "silent" },
	} {
		c := learning("leduc", leduc, "random")
		change(&c)
		if err := c.Config.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := selfplay.New(c.Config, learnertest.New)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		if _, err := New(p, c.Settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want one with %q", err, want)
		}
	}
	for want, change := range map[string]func(*config){
		"want no opponents":                                                     func(c *config) { c.Opponents = []string{"random"} },
		"own_matches: 0.1: the matches of data":                                 func(c *config) { c.OwnMatches = 0.1 },
		"perfect_critic: true: data have no":                                    func(c *config) { c.PerfectCritic = true },
		"the teacher stages cannot be in a data set: want a player of the data": func(c *config) { c.Teacher = Stages },
	} {
		c := learning("leduc", leduc, "a program of another machine") // which need not be there
		if err := c.Settings.Validate(&c.Config); err != nil {
			t.Fatal(err)
		}
		change(&c)
		if err := c.Settings.Validate(&c.Config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want one with %q", err, want)
		}
	}
}

func TestProbabilitiesThatAreNoneAreNotLearnt(t *testing.T) {
	m := made(t, learning("leduc", written(t, "leduc", 24, 0, "random"), "random"))
	if err := m.recorded.read(); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []float32{float32(math.NaN()), 7} {
		m.recorded.rows.Probabilities[0][0] = wrong
		if err := m.recorded.say(0); err == nil || !strings.Contains(err.Error(), "the probabilities sum to") {
			t.Errorf("error %v", err)
		}
	}
}
