package imitation

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// gathered makes all shards of a gathering in a new folder.
func gathered(t testing.TB, cfg config, matches, shards int) string {
	t.Helper()
	folder := t.TempDir()
	for k := shards; k >= 1; k-- {
		if _, written, err := Gather(context.Background(), &cfg.Config, &cfg.Settings, Gathering{Matches: matches, Part: durable.Part{Shard: k, Shards: shards}, Folder: folder}); err != nil || !written {
			t.Fatalf("shard %d of %d: written %v, error %v", k, shards, written, err)
		}
	}
	return folder
}

// labelled is a gathering that is quickly played.
func labelled() config {
	c := smallImitation("leduc")
	c.Teacher, c.RandomMoves = "random", 0.2
	return c
}

func TestLabelsAreTheSameWhateverTheNumberOfShardsAndWorkers(t *testing.T) {
	cfg := labelled()
	one, err := ReadLabels(gathered(t, cfg, 11, 1))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 5
	for _, shards := range []int{2, 3, 11} {
		many, err := ReadLabels(gathered(t, cfg, 11, shards))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one, many) {
			t.Errorf("%d shards: other labels than one", shards)
		}
	}
	if n := len(one.Matches); n != 11 || slices.ContainsFunc(one.Matches, func(m []Label) bool { return len(m) < 2 }) {
		t.Errorf("%d matches: %v", n, one.Matches)
	}
}

func TestAShardThatIsThereIsLeftAndADamagedOneIsMadeAgain(t *testing.T) {
	cfg := labelled()
	folder := gathered(t, cfg, 8, 2)
	again := Gathering{Matches: 8, Part: durable.Part{Shard: 2, Shards: 2}, Folder: folder}
	path, written, err := Gather(context.Background(), &cfg.Config, &cfg.Settings, again)
	if err != nil || written {
		t.Fatalf("written %v, error %v", written, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := decodeLabels(whole[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are read as labels", n, len(whole))
		}
	}
	if err := os.WriteFile(path, whole[:len(whole)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLabels(folder); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a shard that was cut short: error %v", err)
	}
	if _, written, err := Gather(context.Background(), &cfg.Config, &cfg.Settings, again); err != nil || !written {
		t.Fatalf("written %v, error %v", written, err)
	}
	if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, whole) {
		t.Errorf("made again, it differs; error %v", err)
	}
}

func TestLabelsThatAreNotForTheConfigurationAreRefused(t *testing.T) {
	cfg := labelled()
	cfg.HeldOut = 2
	folder := gathered(t, cfg, 24, 4)
	use := func(change func(*config)) error {
		c := cfg
		c.Labels = folder
		change(&c)
		_, err := recall(&c.Config, &c.Settings)
		return err
	}
	for want, change := range map[string]func(*config){
		"seed 7":           func(c *config) { c.Seed = 8 },
		"are held out":     func(c *config) { c.HeldOut = 200 },
		"num_envs":         func(c *config) { c.NumEnvs++ },
		"privateer gather": func(c *config) { c.Labels = t.TempDir() },
		"teacher random":   func(c *config) { c.Teacher = "heuristic" },
	} {
		if err := use(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want one with %q", err, want)
		}
	}
	if err := os.Remove(filepath.Join(folder, "shard-00003-of-00004.labels")); err != nil {
		t.Fatal(err)
	}
	if err := use(func(*config) {}); err == nil || !strings.Contains(err.Error(), "--shard 3/4") {
		t.Errorf("a missing shard: error %v", err)
	}
	cfg.Labels, cfg.Opponents = folder, []string{"random"}
	if err := cfg.Settings.Validate(&cfg.Config); err == nil || !strings.Contains(err.Error(), "want no opponents") {
		t.Errorf("labels beside opponents: error %v", err)
	}
}

// Of two passes over the labels the second meets the same decisions as the first, none of which is held out.
func TestMatchesBeginAgainWhenAllTheirLabelsAreLearnt(t *testing.T) {
	cfg := labelled()
	cfg.Targets, cfg.HeldOut, cfg.NumEnvs, cfg.NumSteps, cfg.RandomMoves = softTargets, 4, 3, 4, 0.5
	cfg.Teacher = "last"
	cfg.Labels, cfg.TotalTimesteps = gathered(t, cfg, 40, 2), 1
	memory, err := recall(&cfg.Config, &cfg.Settings)
	if err != nil {
		t.Fatal(err)
	}
	if held := len(memory.labels.Matches) - memory.learnt; held < 4 || held > 10 {
		t.Errorf("%d matches are held out for 4 decisions, one of %d", held, examineOneIn)
	}
	pass := int64(memory.pass * 3 * 4)
	cfg.TotalTimesteps = 2*pass + 1 // which begins the third
	p := made(t, cfg)
	if p.teachers != nil || p.exam.d.N == 0 || p.exam.d.N > 4 {
		t.Errorf("%d teachers, %d decisions of the exam", len(p.teachers), p.exam.d.N)
	}
	met := make([][]byte, 2)
	for p.Iteration < 2*memory.pass {
		again, first := p.Iteration/memory.pass, p.Iteration%memory.pass == 0
		if _, err := p.Iterate(); err != nil {
			t.Fatal(err)
		}
		met[again] = append(met[again], p.Now.Obs...)
		if first && p.Buffer.N() > 3*2 {
			t.Errorf("%d decisions wait after the first update of a pass", p.Buffer.N())
		}
		for row, at := range p.recorded.at {
			if j := row + at.Episode*3; j >= memory.learnt && at.Decision > 0 {
				t.Fatalf("update %d: match %d is learnt from and held out", p.Iteration, j)
			}
		}
	}
	if !slices.Equal(met[0], met[1]) {
		t.Error("the passes meet other decisions")
	}
}

// decided goes through gathered matches: at each decision it hands on the match, where it is in which match, what was written down,
// and the teacher with the stream that it had.
func decided(t *testing.T, cfg config, matches [][]Label, look func(m engine.Match, j, k int, d Label, teacher teacher, r engine.Rand)) {
	t.Helper()
	g := gameOf(t, cfg.Game)
	teacher, err := newTeacher(cfg.Teacher, cfg.Targets, g, new(policy.Reader))
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	for j, of := range matches {
		m.Reset(episodeSeed(&cfg.Config, j))
		for k, d := range of {
			look(m, j, k, d, teacher, engine.NewRand(cfg.Seed).At(selfplay.StreamSampling).At(uint64(j)).At(uint64(k)).At(0))
			if err := m.Apply(d.Played); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What is learnt from the labels of a policy is what is learnt from it when it is asked: its chances.
func TestLabelsOfAPolicyAreItsChances(t *testing.T) {
	cfg := labelled()
	cfg.Game, cfg.RandomMoves, cfg.Targets = "doubloons(seats=2)", 0, softTargets
	cfg.Teacher = "policy:captain"
	cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps, cfg.HeldOut = 1, 4, 8, 0
	cfg.Labels = gathered(t, cfg, 2, 2)
	memory, err := recall(&cfg.Config, &cfg.Settings)
	if err != nil {
		t.Fatal(err)
	}
	unsure := 0
	var asked, recalled answer
	decided(t, cfg, memory.labels.Matches, func(m engine.Match, j, k int, d Label, teacher teacher, r engine.Rand) {
		if err := asked.ask(teacher, m, &r, &cfg.Settings); err != nil {
			t.Fatal(err)
		}
		if err := memory.say(j, k, m.Legal(), &recalled); err != nil || recalled.played != d.Played {
			t.Fatalf("match %d, decision %d: %d was played, want %d; error %v", j, k, recalled.played, d.Played, err)
		}
		if !slices.Equal(asked.target, recalled.target) {
			t.Fatalf("match %d, decision %d: %v is learnt from the labels, and %v from the policy", j, k, recalled.target, asked.target)
		}
		if slices.Max(asked.target) < 0.9 {
			unsure++
		}
	})
	if unsure == 0 {
		t.Error("the policy was sure of everything")
	}
}

// What is written down of a search that tries some actions is by how much each leads its prior's choice in the same worlds, and what
// the prior gives it; of the others nothing.
func TestLabelsOfASearchAreItsLeadsAndItsPrior(t *testing.T) {
	cfg := labelled()
	cfg.Game, cfg.RandomMoves = "doubloons(seats=2)", 0
	cfg.Teacher = "search(rollouts=12,best=3,prior=policy:captain)"
	l, err := ReadLabels(gathered(t, cfg, 2, 2))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	decided(t, cfg, l.Matches, func(m engine.Match, j, k int, d Label, teacher teacher, r engine.Rand) {
		account := teacher.explains.Explain(m, &r)
		tried := map[engine.Action]bots.Considered{}
		for _, c := range account.Actions {
			tried[c.Action] = c
		}
		at, base := 0, float64(0)
		for a := m.Legal().First(); a >= 0 && len(d.Values) > 0; a = m.Legal().Next(a) {
			c, ok := tried[a]
			switch v := float64(d.Values[at]); {
			case ok != !math.IsNaN(v):
				t.Errorf("match %d, decision %d: action %d was tried: %v, and is worth %v", j, k, a, ok, v)
			case ok:
				base = v - c.Lead
				if math.Abs(base-tried[account.Prior].Mean) > 1e-6 {
					t.Errorf("match %d, decision %d: action %d is worth %v, want %+v", j, k, a, v, c)
				}
				compared++
			}
			at++
		}
		if len(d.Values) > 0 && at != len(d.Values) {
			t.Errorf("%d values for %d actions", len(d.Values), at)
		}
	})
	if compared < 100 {
		t.Errorf("%d actions were compared", compared)
	}
}

func FuzzLabels(f *testing.F) {
	l := &Labels{LabelsHead: LabelsHead{Game: "kuhn", Teacher: "random", Rows: 2, Total: 3, Part: durable.Part{Shard: 1, Shards: 2}}}
	l.Matches = [][]Label{{{Played: 1, Choice: 0, Values: []float32{0.5, -1}}, {Chances: []float32{0.25, 0.75}}}, {}}
	data, err := l.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := decodeLabels(data)
		if err != nil {
			return
		}
		again, err := l.encode()
		if err != nil {
			t.Fatal(err)
		}
		if same, err := decodeLabels(again); err != nil || fmt.Sprint(same.Matches) != fmt.Sprint(l.Matches) { // as text, for NaN is not itself
			t.Errorf("written and read again: %v, error %v", same, err)
		}
	})
}
