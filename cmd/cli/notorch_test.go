//go:build !torch

package cli

import (
	"strings"
	"testing"
)

func TestWithoutLibtorchExploitSaysHowLearnersAreTrained(t *testing.T) {
	small := []string{"exploit", "random", "--game", "kuhn", "--rollouts", "5", "-n", "20", "--trials", "20"}
	if out := must(t, "", small...); !strings.Contains(out, "no learner was trained: this build has no libtorch: `make build-torch`") {
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
	if r := privateer(t, "", "eval", "heuristic"); r.code != exitFailed || !strings.Contains(r.err, "name an opponent with --against") {
		t.Errorf("a bot without --against: exit code %d, %q", r.code, r.err)
	}
}
