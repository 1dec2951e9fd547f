package serve_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// Only the operator says which commands run, and only tables have their programs.
func TestAClientSeatsTheOperatorsProgramsAndNoOthers(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	r := begin(t, func(c *serve.Config) {
		c.Programs = []string{"mine=exec(start_ms=600000):sh -c 'echo >" + ran + "; sleep 600'"}
	})
	for _, name := range []string{"exec:touch " + ran, "exec(ms=1):touch " + ran, "program:other", "program:", "search(rollouts=4,rollout=exec:touch " + ran + ")"} {
		if _, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{name, ""}}); err == nil {
			t.Errorf("a client seats %q", name)
		}
	}
	for _, name := range []string{"program:mine", "exec:touch " + ran} {
		_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "leduc", NumEnvs: 1, Players: []string{name, ""}})
		if err == nil || strings.Contains(err.Error(), "sleep") {
			t.Errorf("an environment with %q: %v", name, err)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Fatal("a client's command was run")
	}
	host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{"program:mine", ""}})
	if err != nil {
		t.Fatal(err)
	}
	if text := host.String(); strings.Contains(text, "sleep") {
		t.Errorf("the client is told the command: %s", text)
	}
}

func TestProgramsOfAConfiguration(t *testing.T) {
	for list, want := range map[string]string{
		"mine":                               "want NAME=exec:COMMAND",
		"mine=random":                        "want NAME=exec:COMMAND",
		"=exec:sh":                           "want NAME=exec:COMMAND",
		"mine=exec:there-is-no-such-program": "executable file not found",
		"mine=exec(ms=0):sh":                 "ms=0",
		"mine=exec:sh;mine=exec:sh":          "given twice",
	} {
		cfg := serve.DefaultConfig()
		cfg.Programs = slices.Collect(strings.SplitSeq(list, ";"))
		if _, err := serve.New(cfg, serve.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v: want %q", list, err, want)
		}
	}
}
