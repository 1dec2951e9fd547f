//go:build prometheus

package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/metrics"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// These tests need promtool and prometheus on PATH; check.sh gets them.

// target is a server at work with a client that does all that is counted, and the
// metrics of a run: their addresses.
func target(t *testing.T) (served, trained string) {
	t.Helper()
	cfg := serve.DefaultConfig()
	cfg.Addr, cfg.MetricsAddr = "127.0.0.1:0", "127.0.0.1:0"
	ready := make(chan [2]net.Addr, 1)
	srv, err := serve.New(cfg, serve.Options{Ready: func(a, m net.Addr) { ready <- [2]net.Addr{a, m} }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	at := <-ready
	play(t, at[0].String())

	run := metrics.NewTraining()
	exploitability := 0.5
	run.Update(metrics.Progress{
		Steps: 1, Checkpoint: true, Exploitability: &exploitability,
		Losses: map[string]float64{"policy": 1}, StepsPerSecond: map[string]float64{"all": 1},
	})
	run.Versus("random", 0.5, 0)
	addr, stop, err := run.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return at[1].String(), addr.String()
}

// rows and steps are what play asks for.
const rows, steps = 16, 25

func play(t *testing.T, addr string) {
	t.Helper()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	client, bots := pb.NewEnvironmentServiceClient(conn), pb.NewPolicyServiceClient(conn)
	open, err := client.Open(ctx, &pb.OpenRequest{Game: "leduc", NumEnvs: rows, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := client.Step(ctx)
	if err != nil {
		t.Fatal(err)
	}
	send := func(req *pb.StepRequest) error {
		req.SessionId = open.SessionId
		if err := stream.Send(req); err != nil {
			t.Fatal(err)
		}
		_, err := stream.Recv()
		return err
	}
	if err := send(&pb.StepRequest{Seq: 1, Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{}}}); err != nil {
		t.Fatal(err)
	}
	act := func(seq int, action byte) error { // a call is always legal
		return send(&pb.StepRequest{Seq: uint64(seq), Command: &pb.StepRequest_Actions{Actions: &pb.Tensor{
			Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{rows}, Data: bytes.Repeat([]byte{action}, rows),
		}}})
	}
	for i := range steps {
		if err := act(i+2, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := act(steps+1, 1); err != nil { // answered from memory
		t.Fatal(err)
	}
	if err := act(steps+2, 9); err == nil {
		t.Fatal("an illegal action was performed")
	}
	if _, err := bots.Host(ctx, &pb.HostRequest{Game: "kuhn", Seats: []string{"", "random"}}); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, address string) []byte {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s: %s (%v)", address, resp.Status, body, err)
	}
	return body
}

func TestPromtoolAcceptsTheExpositionAndTheRules(t *testing.T) {
	served, trained := target(t)
	promtool := func(in []byte, args ...string) {
		cmd := exec.Command("promtool", args...)
		cmd.Stdin = bytes.NewReader(in)
		if out, err := cmd.CombinedOutput(); err != nil || args[0] == "check" && args[1] == "metrics" && len(out) > 0 {
			t.Errorf("promtool %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	promtool(get(t, "http://"+served+"/metrics"), "check", "metrics")
	promtool(get(t, "http://"+trained+"/metrics"), "check", "metrics")
	promtool(nil, "check", "rules", "alerts.yaml")
	promtool(nil, "test", "rules", "alerts_cases.yaml")
}

// scraper is a Prometheus that scrapes targets every second, with our rules.
type scraper struct {
	t    *testing.T
	addr string
}

func scrape(t *testing.T, served, trained string) *scraper {
	t.Helper()
	rules, err := filepath.Abs("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf(`global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [%q]
scrape_configs:
  - {job_name: privateer, static_configs: [{targets: [%q]}]}
  - {job_name: privateer-train, static_configs: [{targets: [%q]}]}
`, rules, served, trained)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &scraper{t, free.Addr().String()}
	free.Close()
	var log bytes.Buffer
	cmd := exec.Command("prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+p.addr)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		var killed *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &killed) {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("prometheus: %s", &log)
		}
	})
	return p
}

// ask asks the HTTP API, which may not be up yet.
func (p *scraper) ask(path string, into any) error {
	resp, err := http.Get("http://" + p.addr + "/api/v1/" + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer := struct {
		Status, Error string
		Data          any
	}{Data: into}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Status != "success" {
		return fmt.Errorf("%s: %s", path, answer.Error)
	}
	return nil
}

// value is that of a query with one result.
func (p *scraper) value(query string) (string, error) {
	var got struct{ Result []struct{ Value [2]any } }
	if err := p.ask("query?query="+url.QueryEscape(query), &got); err != nil {
		return "", err
	}
	if len(got.Result) != 1 {
		return "", fmt.Errorf("%s: %d results", query, len(got.Result))
	}
	return fmt.Sprint(got.Result[0].Value[1]), nil
}

// until waits for a condition.
func until(t *testing.T, what string, is func() error) {
	t.Helper()
	end := time.Now().Add(5 * time.Minute)
	for {
		err := is()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func TestPrometheusScrapesAServerAndARun(t *testing.T) {
	served, trained := target(t)
	p := scrape(t, served, trained)
	for query, want := range map[string]string{
		`up{job="privateer"}`:                                                "1",
		`up{job="privateer-train"}`:                                          "1",
		`privateer_env_steps_total{game="leduc"}`:                            fmt.Sprint(rows * steps),
		`privateer_env_batch_size_count{game="leduc"}`:                       fmt.Sprint(steps),
		`privateer_illegal_actions_total{game="leduc"}`:                      "1",
		`privateer_replayed_answers_total{game="leduc"}`:                     "1",
		`privateer_sessions{game="leduc"}`:                                   "1",
		`privateer_envs{game="leduc"}`:                                       fmt.Sprint(rows),
		`privateer_tables`:                                                   "1",
		`sum(privateer_episodes_total{game="leduc",outcome="terminated"})>0`: fmt.Sprint(rows * (steps / 4)),
		`privateer_train_steps_total`:                                        "1",
		`sum(privateer_build_info)`:                                          "2",
	} {
		until(t, query, func() error {
			got, err := p.value(query)
			if err == nil && got != want {
				err = fmt.Errorf("the value is %s; want %s", got, want)
			}
			return err
		})
	}
	until(t, "rules", func() error {
		var got struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
		if err := p.ask("rules", &got); err != nil {
			return err
		}
		rules := 0
		for _, g := range got.Groups {
			for _, r := range g.Rules {
				rules++
				if r.Health != "ok" {
					return fmt.Errorf("%s is %s: %s", r.Name, r.Health, r.LastError)
				}
			}
		}
		if rules < 8 {
			return fmt.Errorf("%d rules", rules)
		}
		return nil
	})
	for _, expr := range dashboard(t) {
		until(t, expr, func() error { return p.ask("query?query="+url.QueryEscape(expr), new(any)) })
	}
}
