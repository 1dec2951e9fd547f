// Package monitoring has no code: alerts.yaml and dashboard.json are for
// Prometheus and Grafana.
package monitoring

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/privateer-rl/privateer/serve/metrics"
)

// exported are the metrics of a server and of a run, after something has happened.
func exported(t *testing.T) map[string]prometheus.Gatherer {
	t.Helper()
	srv := metrics.NewServer([]string{"/privateer.v1.PolicyService/Act"}, func() int { return 1 })
	s := srv.Sessions.Open("kuhn", 2, 8)
	s.Step(8, 1, 1, time.Millisecond)
	s.Illegal()
	exploitability := 0.5
	run := metrics.NewTraining()
	run.Update(metrics.Progress{
		Steps: 1, Checkpoint: true, Exploitability: &exploitability,
		Losses: map[string]float64{"policy": 1}, StepsPerSecond: map[string]float64{"all": 1},
	})
	run.Versus("random", 0.5, 0)
	return map[string]prometheus.Gatherer{"serve": srv.Gatherer(), "train": run.Gatherer()}
}

// What `promtool check metrics` checks.
func TestMetricsKeepToTheConventions(t *testing.T) {
	for name, g := range exported(t) {
		problems, err := testutil.GatherAndLint(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if strings.HasPrefix(p.Metric, "privateer_") {
				t.Errorf("%s: %s: %s", name, p.Metric, p.Text)
			}
		}
	}
}

// What `promtool check rules` checks.
func TestAlertRulesAreWellFormed(t *testing.T) {
	text, err := os.ReadFile("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	groups, problems := rulefmt.Parse(text, false)
	for _, p := range problems {
		t.Error(p)
	}
	known, rules := names(t), 0
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			rules++
			refersTo(t, r.Alert, r.Expr, known)
		}
	}
	if rules < 8 {
		t.Errorf("%d rules", rules)
	}
}

func TestDashboardAsksForWhatThereIs(t *testing.T) {
	known := names(t)
	for _, expr := range dashboard(t) {
		refersTo(t, "dashboard", expr, known)
	}
}

// dashboard has the expressions of all panels, with what Grafana puts into them.
func dashboard(t *testing.T) (exprs []string) {
	t.Helper()
	text, err := os.ReadFile("dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	if len(board.Panels) < 10 {
		t.Errorf("%d panels", len(board.Panels))
	}
	for _, p := range board.Panels {
		for _, q := range p.Targets {
			exprs = append(exprs, strings.NewReplacer("$__rate_interval", "1m", "$instance", ".*").Replace(q.Expr))
		}
	}
	return exprs
}

// names are all series that a server or a run exports.
func names(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{"up": true, "privateer_grpc_requests_handled_total": true}
	for _, g := range exported(t) {
		families, err := g.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			known[f.GetName()] = true
		}
	}
	// Vectors that show nothing before the first request.
	known["privateer_grpc_request_duration_seconds"] = true
	for name := range maps.Clone(known) {
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			known[name+part] = true
		}
	}
	return known
}

// refersTo checks that an expression parses and names series that exist.
func refersTo(t *testing.T, what, expr string, known map[string]bool) {
	t.Helper()
	e, err := parser.ParseExpr(expr)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok {
			if !known[v.Name] {
				t.Errorf("%s: there is no metric %q", what, v.Name)
			}
		}
		return nil
	})
}
