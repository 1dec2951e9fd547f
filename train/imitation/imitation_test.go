package imitation

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/train/learner/learnertest"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// config is what imitation is made of.
type config struct {
	selfplay.Config
	Settings
}

// smallImitation is a small run of imitation.
func smallImitation(game string) config {
	c := config{selfplay.Default(), Settings{Teacher: "random", Targets: hardTargets, Temperature: 0.1, HeldOut: 200}}
	c.Game, c.Seed, c.NumEnvs, c.NumSteps, c.TotalTimesteps = game, 7, 8, 6, 8*6*12
	c.MinibatchSize, c.Hidden, c.Workers, c.Threads = 32, []int{16}, 2, 1
	return c
}

// made is the imitation of a configuration with a linear learner, which is closed when the test ends.
func made(t *testing.T, c config) *Imitation {
	t.Helper()
	if err := c.Config.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := selfplay.New(c.Config, learnertest.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	m, err := New(p, c.Settings)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func gameOf(t testing.TB, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// last is a teacher that takes the last of the legal actions, and says what actions are worth.
type last struct{}

func (last) Name() string { return "last" }

func (l last) Act(m engine.Match, r *engine.Rand) engine.Action { return l.Explain(m, r).Choice }

func (last) Explain(m engine.Match, _ *engine.Rand) bots.Account {
	out := bots.Account{Prior: -1}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		out.Choice = a
		out.Actions = append(out.Actions, bots.Considered{Action: a, Visits: 1, Mean: float64(a)})
	}
	out.Actions[0].Visits = len(out.Actions) - 1 // the first is not tried where there are others
	return out
}

func init() {
	bots.Register(bots.Kind{Name: "last", Game: "leduc", New: func(engine.Game) (bots.Bot, error) { return last{}, nil }})
}

// A search that looks at its prior's best actions alone says nothing of the others: they get no probability, and those it
// tried are not taken for choices without values.
func TestATeacherThatTriedSomeActionsTeachesThoseAlone(t *testing.T) {
	g, err := engine.NewGame("doubloons(seats=2)")
	if err != nil {
		t.Fatal(err)
	}
	cfg := smallImitation("doubloons(seats=2)")
	cfg.Teacher, cfg.Targets, cfg.Temperature = "search(rollouts=8,best=3,prior=heuristic)", softTargets, 0.5
	one, err := newTeacher(cfg.Teacher, cfg.Targets, g, new(policy.Reader))
	if err != nil {
		t.Fatal(err)
	}
	m, r, many := g.NewMatch(), engine.NewRand(1), 0
	m.Reset(1)
	var s answer
	for range 12 {
		legal := *m.Legal()
		if err := s.ask(one, m, &r, &cfg.Settings); err != nil {
			t.Fatal(err)
		}
		known, likely := 0, 0
		for i, v := range s.values {
			known += int(engine.Bit(!math.IsNaN(float64(v))))
			if likely += int(engine.Bit(s.target[i] > 0)); math.IsNaN(float64(v)) && s.target[i] > 0 {
				t.Errorf("an action that was not tried has probability %v", s.target[i])
			}
		}
		if n := legal.Count(); n > 3 {
			many++
			if len(s.values) != n || known != 3 || likely < 2 {
				t.Errorf("of %d legal actions %d are listed, %d of them with values, %d with a probability", n, len(s.values), known, likely)
			}
		}
		if err := m.Apply(s.choice); err != nil {
			t.Fatal(err)
		}
	}
	if many < 4 {
		t.Fatalf("%d decisions had more actions than were tried", many)
	}
}

func TestSoftTargetsAreTheSoftmaxOfWhatIsKnown(t *testing.T) {
	to := make([]float32, 3)
	soften([]float32{1, float32(math.NaN()), 1 + float32(math.Log(3))}, 1, to)
	for i, want := range []float64{0.25, 0, 0.75} {
		if math.Abs(float64(to[i])-want) > 1e-6 {
			t.Errorf("probability %d is %v, want %v", i, to[i], want)
		}
	}
	soften([]float32{0, 1}, 0.5, to[:2])
	if want := 1 / (1 + math.Exp(-2)); math.Abs(float64(to[1])-want) > 1e-6 {
		t.Errorf("at half the temperature it is %v, want %v", to[1], want)
	}
}

// In its own matches the network plays its likeliest actions, and learns what the teacher would do there: as many as asked for, of each table.
func TestTheNetworkPlaysItsOwnMatches(t *testing.T) {
	for own, rows := range map[float64][]int{0: nil, 0.5: {1, 3, 5, 7}, 1: {0, 1, 2, 3, 4, 5, 6, 7}} {
		cfg := smallImitation("leduc")
		cfg.Teacher, cfg.OwnMatches, cfg.NumSteps = "last", own, 40
		m, plain := made(t, cfg), made(t, cfg).Play
		if err := m.collect(); err != nil {
			t.Fatal(err)
		}
		told, actions := 0, plain.Buffer.Actions
		for step := range cfg.NumSteps {
			if err := plain.Ask(); err != nil {
				t.Fatal(err)
			}
			for row := range cfg.NumEnvs {
				logps, mask := plain.Answer(row)
				teacher := int32(actions - 1)
				for mask[teacher] == 0 {
					teacher--
				}
				if label := m.Buffer.Action[step*cfg.NumEnvs+row]; label != teacher {
					t.Fatalf("own_matches %v: row %d learns action %d of step %d; the teacher's is %d", own, row, label, step, teacher)
				}
				plain.Actions[row] = teacher
				if slices.Contains(rows, row) {
					plain.Actions[row], _ = likeliest(logps, mask)
				}
				told += int(engine.Bit(plain.Actions[row] != teacher))
			}
			if err := plain.Step(plain.Actions); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(m.Now.Obs, plain.Now.Obs) || !slices.Equal(m.Now.Mask, plain.Now.Mask) {
			t.Errorf("own_matches %v: the network does not play rows %v, or others", own, rows)
		}
		if own > 0 && told == 0 {
			t.Error("the network and its teacher never differed")
		}
	}
}

// The rules of its own game say what a decision's actions do: the half of an exam that has another board is what it is alone.
func TestAnExamOfSeveralGamesKnowsTheRulesOfEach(t *testing.T) {
	cfg := smallImitation("doubloons(seats=2)")
	cfg.Network, cfg.RowHidden, cfg.NumEnvs, cfg.HeldOut = "entity", []int{8, 4}, 4, 400
	island := cfg
	cfg.Tables = []selfplay.Table{{Game: "doubloons(seats=2)", Share: 1}, {Game: "doubloons(seats=2,modules=alternate_island)", Share: 1}}
	island.Game, island.NumEnvs, island.HeldOut = cfg.Tables[1].Game, 2, 200
	both, alone := made(t, cfg), made(t, island)
	half, rows := both.exam.d.Obs[len(both.exam.d.Obs)-len(alone.exam.d.Obs):], both.exam.d.Rows[max(0, len(both.exam.d.Rows)-len(alone.exam.d.Rows)):]
	if !bytes.Equal(half, alone.exam.d.Obs) || !bytes.Equal(rows, alone.exam.d.Rows) {
		t.Error("the island's decisions are not shown as they are when the island is alone")
	}
}

// A policy as teacher says no values, but chances: those are what is learnt.
func TestSoftTargetsOfAPolicyAreItsChances(t *testing.T) {
	cfg := smallImitation("doubloons(seats=2)")
	cfg.Teacher, cfg.Targets, cfg.Temperature = "policy:captain", softTargets, 1
	g := gameOf(t, cfg.Game)
	teacher, err := newTeacher(cfg.Teacher, cfg.Targets, g, new(policy.Reader))
	if err != nil {
		t.Fatal(err)
	}
	m, r, soft := g.NewMatch(), engine.NewRand(1), 0
	m.Reset(1)
	var s answer
	for range 60 {
		if err := s.ask(teacher, m, &r, &cfg.Settings); err != nil {
			t.Fatal(err)
		}
		want, i := make([]float64, m.Legal().Count()), 0
		teacher.bot.(interface {
			Weights(m engine.Match, w []float64, r *engine.Rand)
		}).Weights(m, want, &r)
		for ; i < len(want); i++ {
			if math.Abs(float64(s.target[i])-want[i]) > 1e-6 {
				t.Fatalf("%v, want %v", s.target, want)
			}
		}
		if slices.Max(want) < 0.9 {
			soft++
		}
		if err := m.Apply(s.choice); err != nil {
			t.Fatal(err)
		}
	}
	if soft == 0 {
		t.Error("the policy was sure of everything")
	}
}

func TestKindsOfDecisionsHaveTheNamesOfTheirDocumentation(t *testing.T) {
	for game, want := range map[string][]string{
		"doubloons(seats=4)": {"captain", "program", "move", "action"}, "jolly_roger(seats=5)": {"sail", "attack"}, "leduc": {"any"},
	} {
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		e, err := encode.For(g)
		if err != nil {
			t.Fatal(err)
		}
		nameOf, met := kindNames(e.Schema()), map[string]bool{}
		m, r, obs := g.NewMatch(), engine.NewRand(1), make([]uint8, e.Schema().Size)
		for m.Reset(1); m.Seat() >= 0; {
			e.Encode(m, m.Seat(), obs)
			met[nameOf(obs)] = true
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				t.Fatal(err)
			}
		}
		for _, kind := range want {
			if !met[kind] {
				t.Errorf("%s: no decision is of the kind %s: met %v", game, kind, met)
			}
		}
	}
}

func TestATeacherNamesTheStagesBeforeAloneOrInASetting(t *testing.T) {
	for teacher, want := range map[string]string{
		"stages":                           "policy:a$1+b",
		"heuristic(player=stages)":         "heuristic(player=policy:a$1+b)",
		"search(policy=stages,rollouts=3)": "search(policy=policy:a$1+b,rollouts=3)",
		"policy:stages.bundle":             "",
		"heuristic":                        "",
	} {
		s := Settings{Teacher: teacher}
		if of := want != ""; s.OfStages() != of {
			t.Errorf("%s: the stages before teach: %v", teacher, !of)
		}
		if want == "" {
			want = teacher
		}
		if got := s.Named("policy:a$1+b"); got != want {
			t.Errorf("%s: the teacher is %s; want %s", teacher, got, want)
		}
	}
}
