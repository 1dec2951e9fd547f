package train

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/ppo"
	"github.com/privateer-rl/privateer/train/selfplay"
)

const twoStages = `
game: leduc
seed: 7
num_envs: 8
num_steps: 6
minibatch_size: 32
hidden: [16]
eval_matches: 0
checkpoint_every: 2
workers: 2
threads: 1
stages:
  - algorithm: imitation
    total_timesteps: 288
    imitation: {teacher: random, held_out: 40}
  - total_timesteps: 576
    update_epochs: 2
    ppo:
      ent_coef: 0.02
`

// Two seeds, each in two stages.
const twoSeeds = `
game: leduc
seed: 7
num_envs: 8
num_steps: 6
minibatch_size: 32
hidden: [16]
eval_matches: 0
workers: 2
threads: 1
stages:
  - seeds: 2
    total_timesteps: 96
  - seeds: 2
    total_timesteps: 144
`

func stagesIn(t *testing.T, text string) Stages {
	t.Helper()
	s, err := parseStages([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStagesShareWhatTheFileSaysAndReadBack(t *testing.T) {
	s := stagesIn(t, twoStages)
	if len(s) != 2 || s[0].Algorithm != "imitation" || s[1].Algorithm != "ppo" || s[0].Game != "leduc" || s[1].NumSteps != 6 ||
		s[0].TotalTimesteps != 288 || s[1].TotalTimesteps != 576 || s[1].Settings.(*ppo.Settings).EntCoef != .02 {
		t.Errorf("stages %+v", s)
	}
	if again := stagesIn(t, string(s.yaml())); !reflect.DeepEqual(again, s) {
		t.Errorf("read back %+v; want %+v", again, s)
	}
	one := stagesIn(t, "game: leduc\n")
	if again := stagesIn(t, string(one.yaml())); len(again) != 1 || !reflect.DeepEqual(again, one) {
		t.Errorf("one stage reads back as %+v", again)
	}
}

func TestMistakesInStagesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"stages: 3\n":                                 "stages: want a list of configurations",
		"stages: []\n":                                "stages: want a list of configurations",
		"stages: [ppo]\n":                             "stage 1: want lines of the form name: value",
		"stages: [{}, {seeds: 0}]\n":                  "stage 2: seeds: want a number of seeds from 1 to 16",
		"stages: [{seeds: many}]\n":                   "stage 1: seeds: want a number of seeds from 1 to 16",
		"stages: [{seeds: 2.5}]\n":                    "stage 1: seeds: want a number of seeds from 1 to 16",
		"stages: [{seeds: }]\n":                       "stage 1: seeds: want a number of seeds from 1 to 16",
		"stages: [{seeds: 2, seeds: 1}]\n":            "stage 1: configuration, line 1: seeds is given twice",
		"stages: [{seed: 2, seed: 1}]\n":              "stage 1: configuration, line 1: seed is given twice",
		"stages: [{}]\nstages: [{}, {}]\n":            "configuration, line 2: stages is given twice",
		"seed: 2\nseed: 1\nstages: [{seed: 3}]\n":     "configuration, line 2: seed is given twice",
		"stages: [{game: leduc}, {lr: 1}]\n":          "stage 2: configuration, line 1: ",
		"game: leduc\nstages: [{}, {init_from: x}]\n": "stage 2: init_from: it begins with the weights of stage 1",
	} {
		if _, err := parseStages([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// A recipe that is interrupted and resumed ends with the same weights, wherever that was; its network is that of the newest stage.
func TestStagesThatAreInterruptedGoOn(t *testing.T) {
	s := stagesIn(t, twoStages)
	whole, err := s.Run(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	ends := []string{filepath.Join(whole.Dir, "1-imitation"), filepath.Join(whole.Dir, "2-ppo")}
	if whole.Steps != 576 || !whole.Closed || newestStage(whole.Dir) != ends[1] {
		t.Fatalf("it ends as %+v", whole)
	}
	begun, err := LoadConfig(filepath.Join(ends[1], configFile))
	if err != nil || begun.InitFrom != ends[0] {
		t.Errorf("the second stage begins with %q, error %v", begun.InitFrom, err)
	}
	for at := 1; at <= 15; at += 4 { // updates that both stages have done when it is interrupted, 6 and 12 in all
		ctx, cancel := context.WithCancel(t.Context())
		opt, seen := options(t), 0
		opt.Progress = func(u Update) {
			if u.Iteration > 0 {
				if seen++; seen == at {
					cancel()
				}
			}
		}
		sum, err := s.Run(ctx, opt)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted after %d updates: %v", at, err)
		}
		opt.Progress = nil
		sum, err = Resume(t.Context(), sum.Dir, nil, opt)
		if err != nil {
			t.Fatal(err)
		}
		sameOutcome(t, filepath.Join(sum.Dir, "1-imitation"), ends[0])
		want, _ := learntIn(t, whole.Dir)
		if got, steps := learntIn(t, sum.Dir); !bytes.Equal(got, want) || steps != 576 {
			t.Errorf("interrupted after %d updates it ends with other weights", at)
		}
	}
}

func TestEachSeedOfAStageBeginsWithItsOwnOfTheStageBefore(t *testing.T) {
	s := stagesIn(t, twoSeeds)
	if again := stagesIn(t, string(s.yaml())); !reflect.DeepEqual(again, s) {
		t.Errorf("read back %+v; want %+v", again, s)
	}
	sum, err := s.Run(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"1-ppo-seed7": "", "1-ppo-seed8": "", "2-ppo-seed7": "1-ppo-seed7", "2-ppo-seed8": "1-ppo-seed8"} {
		c, err := LoadConfig(filepath.Join(sum.Dir, name, configFile))
		if err != nil {
			t.Fatal(err)
		}
		if from != "" {
			from = filepath.Join(sum.Dir, from)
		}
		if want := name[len(name)-1:]; strconv.FormatUint(c.Seed, 10) != want || c.InitFrom != from {
			t.Errorf("%s has seed %d and begins with %q; want seed %s and %q", name, c.Seed, c.InitFrom, want, from)
		}
	}
	if last := filepath.Join(sum.Dir, "2-ppo-seed8"); newestStage(sum.Dir) != last || sum.Steps != 144 {
		t.Errorf("it ends as %+v; want %s the newest", sum, last)
	}
	if again, err := Resume(t.Context(), sum.Dir, nil, options(t)); err != nil || again.Steps != 144 {
		t.Errorf("resumed at its end: %+v, %v", again, err)
	}
}

func TestOneStageMayHaveSeveralSeeds(t *testing.T) {
	s := stagesIn(t, twoSeeds)[:1]
	if again := stagesIn(t, string(s.yaml())); !reflect.DeepEqual(again, s) {
		t.Errorf("read back %+v; want %+v", again, s)
	}
	sum, err := s.Run(t.Context(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	if last := filepath.Join(sum.Dir, "1-ppo-seed8"); newestStage(sum.Dir) != last {
		t.Errorf("the newest run is %s; want %s", newestStage(sum.Dir), last)
	}
}

func TestATeacherNamedStagesNeedsStagesBefore(t *testing.T) {
	first := stagesIn(t, "game: leduc\nalgorithm: imitation\nimitation: {teacher: stages}\n")
	if _, err := first.Run(t.Context(), options(t)); err == nil || !strings.Contains(err.Error(), "teacher: stages: there are none before this run") {
		t.Errorf("alone: %v", err)
	}
	clones := stagesIn(t, twoStages)
	clones[1] = clones[0]
	own := *clones[0].Settings.(*imitation.Settings)
	own.Teacher = imitation.Stages
	clones[1].Settings = &own
	if _, err := clones.Run(t.Context(), options(t)); err == nil || !strings.Contains(err.Error(), "stage 2: teacher: stages: there is no stage before that did not imitate") {
		t.Errorf("after a clone: %v", err)
	}
}

// What a later stage cannot do is found before the first one trains.
func TestMistakesOfLaterStagesAreFoundBeforeTheFirstTrains(t *testing.T) {
	const common = "num_envs: 4\nnum_steps: 4\ntotal_timesteps: 16\neval_matches: 4\nworkers: 1\nthreads: 1\nhidden: [16]\nstages:\n"
	const learns = "algorithm: imitation, imitation: {teacher: stages, held_out: 0}"
	for text, want := range map[string]string{
		"  - {game: kuhn}\n  - {game: kuhn, hidden: [8]}\n":                                                                         "stage 2: it begins with the weights of stage 1, which has hidden [16]",
		"  - {game: kuhn}\n  - {game: leduc}\n":                                                                                     "which was trained on kuhn, whose observations or actions are not those of leduc",
		"  - {game: \"doubloons(seats=2)\"}\n  - {game: \"doubloons(seats=2)\", network: entity}\n":                                 "which has the network mlp, not entity",
		"  - {game: kuhn}\n  - {game: kuhn, eval_bots: [\"policy:nofile.bundle\"]}\n":                                               "stage 2: eval_bots: load policy: ",
		"  - {game: kuhn}\n  - {game: kuhn, opponents: [\"policy:nofile.bundle\"]}\n":                                               "stage 2: opponents: load policy: ",
		"  - {game: kuhn}\n  - {game: kuhn, opponents: [league], league: [\"policy:nofile.bundle\"]}\n":                             "stage 2: league: load policy: ",
		"  - {game: \"doubloons(seats=2)\"}\n  - {game: \"doubloons(seats=2)\", exploitability: true}\n":                            "stage 2: exploitability: ",
		"  - {game: kuhn}\n  - {game: kuhn, algorithm: imitation, imitation: {data: nofolder}}\n":                                   "stage 2: data: ",
		"  - {game: kuhn}\n  - {game: kuhn, algorithm: imitation, imitation: {teacher: random, targets: soft}}\n":                   "stage 2: targets: soft: random has no values of actions",
		"  - {game: kuhn}\n  - {game: kuhn, algorithm: imitation, imitation: {teacher: \"policy:nofile.bundle\"}}\n":                "stage 2: teacher: load policy: ",
		"  - {game: kuhn}\n  - {game: kuhn, algorithm: imitation, imitation: {teacher: heuristic(player=stages), targets: soft}}\n": "stage 2: imitation.teacher: unknown bot \"heuristic(player=random)\" for kuhn",
		"  - {game: kuhn, seeds: 16}\n  - {game: kuhn}\n  - {game: kuhn, " + learns + "}\n":                                         "stage 3: teacher: 17 bundles decide together",
		"  - {game: kuhn, algorithm: imitation, imitation: {teacher: random}}\n  - {game: kuhn, " + learns + "}\n":                  "stage 2: teacher: stages: there is no stage before",
	} {
		opt := options(t)
		_, err := stagesIn(t, common+text).Run(t.Context(), opt)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
		if made, _ := os.ReadDir(opt.Root); len(made) > 0 {
			t.Errorf("%s: it made %v", text, made)
		}
	}
	opt := options(t)
	soft := stagesIn(t, common+"  - {game: jolly_roger}\n  - {game: jolly_roger, algorithm: imitation, imitation: {teacher: heuristic(player=stages), targets: soft}}\n")
	if err := soft.check(1, opt); err != nil {
		t.Errorf("soft targets of a heuristic pirate's player: %v", err)
	}
	opt.Root = filepath.Join(opt.Root, "a+b")
	_, err := stagesIn(t, common+"  - {game: kuhn, seeds: 2}\n  - {game: kuhn, "+learns+"}\n").Run(t.Context(), opt)
	if err == nil || !strings.Contains(err.Error(), "+ in a path joins policies") || exists(opt.Root) {
		t.Errorf("in a+b: %v", err)
	}
}

func TestNoFolderOfARunJoinsPolicies(t *testing.T) {
	dir, err := newRunFolder(t.TempDir(), Config{Config: selfplay.Config{Game: "doubloons(seats=2,modules=compass+steal_ship)"}, Exp: "a+b"})
	if name := filepath.Base(dir); err != nil || strings.Contains(name, "+") || !strings.HasPrefix(name, "doubloons-seats-2-modules-compass-steal_ship__a-b__0__") {
		t.Errorf("%s, %v", dir, err)
	}
}

// learntIn is the network of a run and how many decisions it has seen.
func learntIn(t *testing.T, dir string) (net []byte, steps int64) {
	t.Helper()
	all, st, _, err := findCheckpoint(dir, func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	return all["learner"], st.Steps
}

// A run learns from the policies in its own folder, wherever that is, and does not continue with others.
func TestARunContinuesElsewhereWithItsTeachersOnly(t *testing.T) {
	policyOfSeed := func(seed uint64) []byte {
		cfg := small("leduc")
		cfg.Seed, cfg.PerfectCritic = seed, false
		b, _, err := Export(weightsFile(t, cfg, nil), ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	opt := options(t)
	opt.dir = filepath.Join(opt.Root, "3-imitation")
	put := func(dir string, seed uint64) {
		to := filepath.Join(dir, teacherDir)
		err := errors.Join(os.MkdirAll(to, 0o755), os.WriteFile(filepath.Join(to, "1-ppo.bundle"), policyOfSeed(seed), 0o644), os.WriteFile(filepath.Join(to, "2-ppo.bundle"), policyOfSeed(2), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	put(opt.dir, 1)
	cfg := smallImitation("leduc")
	cfg.EvalMatches, imitationOf(&cfg).Teacher = 0, imitation.Stages
	ctx, opt := interruptedAfter(5, opt)
	if _, err := Run(ctx, cfg, opt); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(opt.dir, moved); err != nil {
		t.Fatal(err)
	}
	put(moved, 3)
	if _, err := Resume(t.Context(), moved, nil, options(t)); err == nil || !strings.Contains(err.Error(), "put its file back, or start a new run") {
		t.Errorf("with another teacher: %v", err)
	}
	put(moved, 1)
	if sum, err := Resume(t.Context(), moved, nil, options(t)); err != nil || !sum.Closed {
		t.Errorf("%+v, %v", sum, err)
	}
}

// What a network chooses at tables of another number of seats than it has trained at is worse than chance.
func TestStagesTeachAtTablesOfAsManySeats(t *testing.T) {
	source := small("leduc")
	source.PerfectCritic = false
	b, _, err := Export(weightsFile(t, source, nil), ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := map[string]string{}
	for name, games := range map[string]string{
		"1-ppo":       "[{game: jolly_roger(seats=6)}]",
		"2-ppo-seed1": "[{game: jolly_roger(bribes=gifts)}, {game: jolly_roger(seats=3)}]",
		"2-ppo-seed2": "[{game: jolly_roger(bribes=gifts)}, {game: jolly_roger(seats=3)}]",
	} {
		b.Provenance.Config = "game: " + games
		file[name] = filepath.Join(dir, teacherDir, name+bundle.Ext)
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, teacherDir), 0o755), b.Save(file[name])); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{file["1-ppo"], file["2-ppo-seed1"], file["2-ppo-seed2"]}
	c := smallImitation("jolly_roger(seats=6,variants=hidden_prizes)")
	imitationOf(&c).Teacher = "heuristic(player=stages)"
	want := map[string][]string{c.Game: all, "jolly_roger(seats=3)": all[1:], "jolly_roger(seats=10)": all}
	for game := range want {
		c.Tables = append(c.Tables, selfplay.Table{Game: game, Share: 1})
	}
	own, err := taught(&c, dir)
	if err != nil {
		t.Fatal(err)
	}
	for game, files := range want {
		name, err := own.(*imitation.Settings).TeacherAt(game)
		if want := "heuristic(player=policy:" + strings.Join(files, "+") + ")"; err != nil || name != want {
			t.Errorf("in %s the teacher is %s, %v; want %s", game, name, err, want)
		}
	}
	if err := os.WriteFile(file["1-ppo"], []byte("no bundle"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := taught(&c, dir); err == nil || !strings.Contains(err.Error(), "1-ppo.bundle") {
		t.Errorf("of a broken bundle: %v", err)
	}
}
