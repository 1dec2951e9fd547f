package main

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/train"
)

func TestWhatATrainingSaysComesNextPlaysAsItWasEvaluated(t *testing.T) {
	for greedy, export := range map[bool]string{false: "privateer export runs/mine\n", true: "privateer export runs/mine --greedy\n"} {
		var out strings.Builder
		writeOutlook(&out, "privateer", train.Summary{Dir: "runs/mine", Game: "doubloons(seats=3)", Greedy: greedy})
		for _, want := range []string{export, "privateer play 'doubloons(seats=3)' --web --bots policy:runs/mine/policy.bundle\n", "privateer rate runs/mine/policy.bundle random --game"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("greedy %v: no %q in %s", greedy, want, &out)
			}
		}
	}
}
