package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env/measure/rate"
)

func TestAPoolIsRatedAndGrows(t *testing.T) {
	bundle := exported(t, "leduc")
	dir := t.TempDir()
	results, svg := filepath.Join(dir, "ratings.jsonl"), filepath.Join(dir, "plots", "ratings.svg")
	out := must(t, "", "rate", "random", "--game", "leduc", "--results", results, "--matches", "20")
	if !strings.Contains(out, "random  0       anchor") {
		t.Errorf("of one player: %s", out)
	}
	out = must(t, "", "rate", bundle, "--results", results, "--matches", "60", "--svg", svg, "--anchor", bundle+"=1500", "--markdown", "--alone", "10")
	for _, want := range []string{"leduc", bundle + " is the anchor", "1500", "| random |", "One (row) against 1 (column)"} {
		if !strings.Contains(strings.ReplaceAll(out, "\\_", "_"), want) {
			t.Errorf("it prints %q; want %q in it", out, want)
		}
	}
	if data, err := os.ReadFile(svg); err != nil || !strings.HasPrefix(string(data), "<svg ") {
		t.Errorf("%q, error %v", data, err)
	}
	// All are known now, and nothing is lacking.
	before, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	table := decode[rate.Table](t, must(t, "", "rate", "--results", results, "--matches", "60", "--json"))
	if len(table.Ratings) != 2 || table.Matches < 60 || len(table.Alone) != 2 {
		t.Errorf("%+v", table)
	}
	if after, err := os.ReadFile(results); err != nil || string(after) != string(before) {
		t.Errorf("the results have changed, error %v", err)
	}
	if err := os.Remove(bundle); err != nil {
		t.Fatal(err)
	}
	r := privateer(t, "", "rate", "--results", results, "--matches", "60")
	if r.code != exitOK || !strings.Contains(r.err, bundle+" cannot play further matches: its file is gone") || !strings.Contains(r.out, bundle) {
		t.Errorf("without its file: %+v", r)
	}
}

func TestMistakesOfRateAreNamed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"random"}, exitUsage, "--game is missing"},
		{[]string{"random", "--game", "kuhn", "--matches", "0"}, exitUsage, "--matches 0"},
		{[]string{"random", "--game", "kuhn", "--anchor", "random=strong"}, exitUsage, `"strong" is no rating`},
		{[]string{"random", "--game", "kuhn", "--anchor", "random=NaN"}, exitUsage, `"NaN" is no rating`},
		{[]string{"random", "--game", "kuhn", "--prior", "-1"}, exitUsage, "--prior -1"},
		{[]string{"random", "--game", "kuhn", "--prior", "NaN"}, exitUsage, "--prior NaN"},
		// Before any of these matches is played.
		{[]string{"random", "--game", "kuhn", "--matches", "1000000000", "--anchor", "nobody"}, exitUsage, "--anchor nobody: it is not among the players"},
		{[]string{"random", "--game", "kuhn", "--matches", "1000000000", "--svg", dir}, exitFailed, "--svg: write "},
		{[]string{"random", "--game", "kuhn", "--json", "--markdown"}, exitUsage, "want one of them"},
		{[]string{"--results", filepath.Join(dir, "none")}, exitFailed, "no game is given"},
		{[]string{"nobody", "--game", "kuhn"}, exitFailed, `unknown bot "nobody"`},
		{[]string{"random", "random", "--game", "kuhn"}, exitFailed, "given twice"},
	} {
		r := privateer(t, "", append([]string{"rate"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.err, c.want) || r.out != "" {
			t.Errorf("rate %q: %+v; want %d and %q", c.args, r, c.code, c.want)
		}
	}
}

func TestAnAnchorMayHaveSettings(t *testing.T) {
	for text, want := range map[string]rate.Anchor{
		"": {}, "random": {Name: "random"}, "heuristic=1000": {Name: "heuristic", Rating: 1000},
		"search(rollouts=24)":      {Name: "search(rollouts=24)"},
		"search(rollouts=24)=-3.5": {Name: "search(rollouts=24)", Rating: -3.5},
	} {
		if got, err := parseAnchor(text); err != nil || got != want {
			t.Errorf("%s: %+v, error %v; want %+v", text, got, err, want)
		}
	}
}
