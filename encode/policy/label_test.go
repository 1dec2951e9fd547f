package policy

import "testing"

func TestLabelsAreFitForFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"heuristic":                              "heuristic",
		"policy:runs/old/captain.bundle":         "policy_captain",
		"float:captain.bundle":                   "float_captain",
		"search-10ms":                            "search-10ms",
		"search(rollouts=24,horizon=round)":      "search_rollouts_24_horizon_round",
		"search(prior=policy:runs/a b/c.bundle)": "search_prior_policy_runs_a_b_c.bundle",
	} {
		if got := Label(name); got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
}
