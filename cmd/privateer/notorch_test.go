//go:build !torch

package main

import (
	"strings"
	"testing"
)

func TestWithoutLibtorchExploitSaysHowLearnersAreTrained(t *testing.T) {
	small := []string{"exploit", "random", "--game", "kuhn", "--rollouts", "5", "-n", "20", "--trials", "20"}
	if out := must(t, "", small...); !strings.Contains(out, "no learner has tried: this build has no libtorch: `make build-torch`") {
		t.Errorf("exploit prints %q", out)
	}
	for _, asked := range [][]string{{"--learners", "2"}, {"--total-timesteps", "1e5"}, {"--init-from", "runs/clone"}, {"--config", "learner.yaml"}} {
		r := privateer(t, "", append(small, asked...)...)
		if r.code != exitFailed || !strings.Contains(r.err, "no learner can be trained: this build has no libtorch: `make build-torch`") {
			t.Errorf("exploit %q: %+v", asked, r)
		}
	}
}

func TestWithoutLibtorchEvalMeasuresWhatAnExportMakesOfWeights(t *testing.T) {
	bundle := exported(t, "leduc")
	weights := strings.TrimSuffix(bundle, "bundle") + "safetensors"
	_, want, _ := strings.Cut(must(t, "", "eval", bundle, "-n", "20"), "\n")
	name, got, _ := strings.Cut(must(t, "", "eval", weights, "-n", "20"), "\n")
	if !strings.HasPrefix(name, weights+", ") || got != want {
		t.Errorf("of the weights: %s\n%s\nof their bundle:\n%s", name, got, want)
	}
	for _, file := range []string{bundle, weights} {
		if r := privateer(t, "", "eval", file, "--device", "cuda"); r.code != exitUsage || !strings.Contains(r.err, "--device cuda") {
			t.Errorf("%s on a GPU: exit code %d, %q", file, r.code, r.err)
		}
	}
	if r := privateer(t, "", "eval", "heuristic"); r.code != exitFailed || !strings.Contains(r.err, "whom a bot is measured against says --against") {
		t.Errorf("a bot without --against: exit code %d, %q", r.code, r.err)
	}
}
