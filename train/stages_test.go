package train

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/train/ppo"
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

// learntIn is the network of a run and how many decisions it has seen.
func learntIn(t *testing.T, dir string) (net []byte, steps int64) {
	t.Helper()
	all, st, _, err := findCheckpoint(dir, func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	return all["learner"], st.Steps
}
