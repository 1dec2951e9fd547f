package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// lesson is a small run of imitation.
func lesson(game string) Config {
	c := small(game)
	c.Algorithm, c.Teacher, c.HeldOut = imitation, "random", 200
	c.MaxDecisions, c.Exploitability, c.EvalMatches = 0, false, 10
	c.EvalBots = []string{"random"}
	return c
}

func TestInterruptedAndResumedImitationEqualsUninterruptedOne(t *testing.T) {
	reading := lesson("leduc")
	reading.Network, reading.StudentMoves, reading.PerfectCritic = "entity", 0.3, false
	stray := lesson("kuhn(seats=3)")
	stray.RandomMoves, stray.Opponents, stray.MaxDecisions = 0.2, []string{"random"}, 2
	captain := lesson("doubloons(seats=2)")
	captain.Teacher, captain.Targets, captain.HeldOut = "heuristic", softTargets, 20
	captain.NumEnvs, captain.NumSteps, captain.TotalTimesteps, captain.EvalMatches = 3, 4, 3*4*12, 2
	for name, cfg := range map[string]Config{"entity": reading, "opponents": stray, "soft": captain} {
		t.Run(name, func(t *testing.T) {
			whole, err := Run(context.Background(), cfg, options(t))
			if err != nil {
				t.Fatal(err)
			}
			ctx, opt := interruptedAfter(5, options(t))
			part, err := Run(ctx, cfg, opt)
			if !errors.Is(err, context.Canceled) || part.Closed {
				t.Fatalf("an interrupted run returned %+v, error %v", part, err)
			}
			// Who says what the teacher says must make no difference.
			workers := func(c *Config) error { c.Workers = 5; return nil }
			if rest, err := Resume(context.Background(), part.Dir, workers, options(t)); err != nil || !rest.Closed {
				t.Fatalf("resumed: %+v, error %v", rest, err)
			}
			metrics, again := metricsOf(t, whole.Dir), metricsOf(t, part.Dir)
			if !slices.Equal(metrics, again) {
				t.Errorf("metrics\n%v\nand resumed\n%v", metrics, again)
			}
		})
	}
	if n := openLearners.Load(); n != 0 {
		t.Errorf("%d learners were not closed", n)
	}
}

// A search that looks at its prior's best actions alone says nothing of the others: they get no probability, and those it
// tried are not taken for choices without values.
func TestATeacherThatTriedSomeActionsTeachesThoseAlone(t *testing.T) {
	g, err := engine.NewGame("doubloons(seats=2)")
	if err != nil {
		t.Fatal(err)
	}
	cfg := lesson("doubloons(seats=2)")
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
		if err := s.ask(one, m, &r, cfg); err != nil {
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

// last is a teacher that takes the last of the legal actions, and says what actions are worth.
type last struct{ bad bool }

func (last) Name() string { return "last" }

func (l last) Act(m engine.Match, r *engine.Rand) engine.Action { return l.Explain(m, r).Choice }

func (l last) Explain(m engine.Match, _ *engine.Rand) bots.Account {
	out := bots.Account{Prior: -1}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		out.Choice = a
		out.Actions = append(out.Actions, bots.Considered{Action: a, Visits: 1, Mean: float64(a)})
	}
	out.Actions[0].Visits = len(out.Actions) - 1 // the first is not tried where there are others
	if l.bad {
		out.Choice = 400
	}
	return out
}

func init() {
	for name, l := range map[string]last{"last": {}, "illegal": {bad: true}} {
		bots.Register(bots.Kind{Name: name, Game: "leduc", New: func(engine.Game) (bots.Bot, error) { return l, nil }})
	}
}

func TestAPupilBecomesItsTeacherAndItsFolderIsAStart(t *testing.T) {
	cfg := lesson("leduc")
	cfg.Teacher, cfg.LearningRate, cfg.TotalTimesteps = "last", 1e-2, 8*6*60
	opt := options(t)
	s, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	e := s.Last.Exam
	if e == nil || e.All.Decisions != 200 || e.All.Top1 < 0.99 || e.All.AsGood < 0.99 || e.All.Regret > 0.01 {
		t.Fatalf("the exam: %+v", e)
	}
	sum := 0
	for _, g := range e.Kinds {
		sum += g.Decisions
	}
	if sum != 200 {
		t.Errorf("the kinds have %d decisions", sum)
	}
	values, _ := s.Last.values()
	if values["imitation/top1"] != e.All.Top1 || values["imitation/regret"] != e.All.Regret {
		t.Errorf("values %v", values)
	}

	// PPO goes on from the clone.
	cfg = small("leduc")
	cfg.InitFrom, cfg.LearningRate = s.Dir, 1e-30
	ppo, err := Run(context.Background(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	clone, err := LoadPolicy(s.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer clone.Close()
	further, err := LoadPolicy(ppo.Dir, "cpu", 1, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer further.Close()
	a, _ := clone.net.Weights()
	b, _ := further.net.Weights()
	if !slices.Equal(a[0].Data, b[0].Data) {
		t.Error("the training did not begin with the clone")
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

// What a search with a rule of update would play is what targets: update teach of it: its prior, times the exponential of what
// came of the actions by the temperature.
func TestTargetsOfASearchAreItsOwnUpdate(t *testing.T) {
	const eta = 8
	searching := func(settings string) (Config, teacher) {
		cfg := lesson("doubloons(seats=2)")
		cfg.Teacher, cfg.Targets, cfg.Temperature = "search(rollouts=60,schedule=equal,prior=policy:captain-2"+settings+")", updateTargets, 1./eta
		one, err := newTeacher(cfg.Teacher, cfg.Targets, gameOf(t, cfg), new(policy.Reader))
		if err != nil {
			t.Fatal(err)
		}
		return cfg, one
	}
	cfg, one := searching("")
	_, updating := searching(fmt.Sprintf(",rule=update,choice=sample,eta=%d,tau=0", eta))
	m, r, several := gameOf(t, cfg).NewMatch(), engine.NewRand(1), 0
	m.Reset(1)
	var s answer
	for range 20 {
		at := r
		if err := s.ask(one, m, &r, cfg); err != nil {
			t.Fatal(err)
		}
		account := updating.explains.Explain(m, &at)
		for i, c := range account.Actions {
			likely := c.Weight > leastWeight
			if want := c.Prob; likely && math.Abs(float64(s.target[i])-want) > 1e-3 {
				t.Errorf("%s: action %d has probability %v, want %v", m.Decision(), c.Action, s.target[i], want)
			}
			if c.Visits > 0 {
				several++
			}
		}
		if err := m.Apply(s.choice); err != nil {
			t.Fatal(err)
		}
	}
	if several < 40 {
		t.Fatalf("%d actions were compared", several)
	}
	cfg.Targets = softTargets
	if err := s.ask(one, m, &r, cfg); err != nil {
		t.Fatal(err)
	}
	cfg.Teacher, cfg.Targets = "heuristic", updateTargets
	one, err := newTeacher(cfg.Teacher, cfg.Targets, gameOf(t, cfg), new(policy.Reader))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil && m.Seat() >= 0 {
		if err = s.ask(one, m, &r, cfg); err == nil {
			err = m.Apply(s.choice)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "heuristic has no prior") {
		t.Errorf("error %v", err)
	}
}

func gameOf(t testing.TB, cfg Config) engine.Game {
	t.Helper()
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestImitationNamesWhatItCannotLearnFrom(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"teacher: not given":             func(c *Config) { c.Teacher = "" },
		"unknown bot":                    func(c *Config) { c.Teacher = "nobody" },
		"want hard, soft or update":      func(c *Config) { c.Targets = "firm" },
		"random does not say":            func(c *Config) { c.Targets = softTargets },
		"temperature":                    func(c *Config) { c.Temperature = 0 },
		"random_moves and student_moves": func(c *Config) { c.RandomMoves, c.StudentMoves = 0.6, 0.5 },
		"algorithm":                      func(c *Config) { c.Algorithm = "hearsay" },
		"last chose action 400, which":   func(c *Config) { c.Teacher = "illegal" },
		"teachers: 1 for one game":       func(c *Config) { c.Teachers = []string{"last"} },
		"teachers: 1 for 2 games": func(c *Config) {
			c.Game, c.Games, c.Teachers = "doubloons(seats=2)", []string{"doubloons(seats=2)", "doubloons(seats=3)"}, []string{"heuristic"}
		},
		"teachers: unknown bot": func(c *Config) {
			c.Game, c.Games, c.Teachers = "doubloons(seats=2)", []string{"doubloons(seats=2)", "doubloons(seats=3)"}, []string{"heuristic", "nobody"}
		},
		"labels: here: of one game": func(c *Config) {
			c.Game, c.Games, c.Labels = "doubloons(seats=2)", []string{"doubloons(seats=2)", "doubloons(seats=3)"}, "here"
		},
	} {
		cfg := lesson("leduc")
		change(&cfg)
		if _, err := Run(context.Background(), cfg, options(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Each game has the matches, the teacher and the part of the exam that it would have alone.
func TestEachGameHasItsOwnTeacher(t *testing.T) {
	cfg := lesson("doubloons(seats=2)")
	cfg.Games, cfg.Teachers = []string{"doubloons(seats=2)", "doubloons(seats=3)"}, []string{"greedy", "heuristic"}
	cfg.NumEnvs, cfg.HeldOut, cfg.Workers = 4, 10, 2
	tr := trainerOf(t, cfg)
	p, err := newPupil(tr)
	if err != nil {
		t.Fatal(err)
	}
	if p.exam.d.N != cfg.HeldOut {
		t.Errorf("%d decisions of the exam, want %d", p.exam.d.N, cfg.HeldOut)
	}
	var own [2]bots.Bot
	for i, name := range cfg.Games {
		g, err := engine.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		if own[i], err = policy.NewBot(cfg.Teachers[i], g); err != nil {
			t.Fatal(err)
		}
	}
	differ := 0
	for round := range 60 {
		draw := tr.sampling
		stream := draw.Split()
		if err := p.answer(tr.now); err != nil {
			t.Fatal(err)
		}
		for row, s := range p.said {
			m, game := tr.matches.Match(row), row/2
			if seats := m.Info().Seats; seats != game+2 {
				t.Fatalf("row %d is of a match with %d seats", row, seats)
			}
			mine, other := stream.At(uint64(row)).At(0), stream.At(uint64(row)).At(0)
			if want := own[game].Act(m, &mine); s.choice != want {
				t.Fatalf("round %d, row %d: the teacher chose %d, want %d", round, row, s.choice, want)
			}
			if s.choice != own[1-game].Act(m, &other) {
				differ++
			}
		}
		if tr.now, err = tr.matches.Step(p.played); err != nil {
			t.Fatal(err)
		}
	}
	if differ == 0 {
		t.Error("both teachers chose the same everywhere")
	}
}

// The rules of its own game say what a decision's actions do: the half of an exam that has another board is what it is alone.
func TestAnExamOfSeveralGamesKnowsTheRulesOfEach(t *testing.T) {
	cfg := lesson("doubloons(seats=2)")
	cfg.Network, cfg.RowHidden, cfg.NumEnvs, cfg.HeldOut = "entity", []int{8, 4}, 4, 400
	island := cfg
	cfg.Games = []string{"doubloons(seats=2)", "doubloons(seats=2,modules=alternate_island)"}
	island.Game, island.NumEnvs, island.HeldOut = cfg.Games[1], 2, 200
	both, err := newPupil(trainerOf(t, cfg))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := newPupil(trainerOf(t, island))
	if err != nil {
		t.Fatal(err)
	}
	half, rows := both.exam.d.Obs[len(both.exam.d.Obs)-len(alone.exam.d.Obs):], both.exam.d.Rows[max(0, len(both.exam.d.Rows)-len(alone.exam.d.Rows)):]
	if !bytes.Equal(half, alone.exam.d.Obs) || !bytes.Equal(rows, alone.exam.d.Rows) {
		t.Error("the island's decisions are not shown as they are when the island is alone")
	}
}

// A policy as teacher says no values, but chances: those are what is learnt.
func TestSoftTargetsOfAPolicyAreItsChances(t *testing.T) {
	cfg := lesson("doubloons(seats=2)")
	cfg.Teacher, cfg.Targets, cfg.Temperature = "policy:captain-2", softTargets, 1
	g := gameOf(t, cfg)
	teacher, err := newTeacher(cfg.Teacher, cfg.Targets, g, new(policy.Reader))
	if err != nil {
		t.Fatal(err)
	}
	m, r, soft := g.NewMatch(), engine.NewRand(1), 0
	m.Reset(1)
	var s answer
	for range 60 {
		if err := s.ask(teacher, m, &r, cfg); err != nil {
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
		e, err := encoderOf(game)
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

func TestConfigurationOfImitationBeginsWithItsOwnDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte("game: leduc\nalgorithm: imitate\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(path)
	if err != nil || c.Teacher != "heuristic" || c.LearningRate != DefaultImitation().LearningRate {
		t.Errorf("teacher %q, learning rate %v, error %v", c.Teacher, c.LearningRate, err)
	}
	if c, err = ParseConfig(c.YAML()); err != nil || c.Algorithm != imitation {
		t.Errorf("algorithm %q, error %v", c.Algorithm, err)
	}
}
