package cli

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/train"
)

func TestTrainingTellsPrometheusHowFarItIs(t *testing.T) {
	var errs bytes.Buffer
	var passed []train.Update
	update, stop, err := exportProgress(t.Context(), "127.0.0.1:0", func(u train.Update) { passed = append(passed, u) }, &errs)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	u := train.Update{Iteration: 3, Steps: 4096, Episodes: 77, Checkpoint: true, Solution: &train.Solution{Exploitability: 0.25}}
	u.Losses.Policy = -0.5
	u.Versus = []compare.Result{{Bot: "random", One: compare.Record{WinRate: measure.Estimate{Mean: 0.75}}}}
	update(u)
	update(train.Update{Iteration: 4, Steps: 8192})
	if len(passed) != 2 || passed[0].Iteration != 3 {
		t.Errorf("%d updates were passed on", len(passed))
	}
	resp, err := http.Get(strings.TrimSpace(strings.TrimPrefix(errs.String(), "metrics: ")))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"privateer_train_iterations_total 4", "privateer_train_steps_total 8192", `privateer_train_loss{kind="policy"} 0`,
		"privateer_eval_exploitability 0.25", `privateer_eval_win_ratio{bot="random"} 0.75`, "privateer_checkpoint_last_success_timestamp_seconds 1.",
	} {
		if !strings.Contains(string(page), line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}
