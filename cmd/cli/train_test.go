package cli

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/train"
)

func TestATrainingSaysWhatComesNext(t *testing.T) {
	var out strings.Builder
	writeNextSteps(&out, "privateer", train.Summary{Dir: "runs/mine", Game: "doubloons(seats=3)"})
	for _, want := range []string{"privateer export runs/mine\n", "privateer play 'doubloons(seats=3)' --web --bots policy:runs/mine/policy.bundle\n", "privateer rate runs/mine/policy.bundle random --game"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, &out)
		}
	}
}

// A run of several games has met the same bot in each of them.
func TestWhatComesNextNamesEachRivalOnce(t *testing.T) {
	var out strings.Builder
	sum := train.Summary{Dir: "runs/mine", Game: "leduc"}
	sum.Last.Versus = []compare.Result{{Bot: "heuristic"}, {Bot: "random"}, {Bot: "heuristic"}}
	writeNextSteps(&out, "privateer", sum)
	if want := "rate runs/mine/policy.bundle random heuristic --game leduc"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in %s", want, &out)
	}
}
