package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Flags win over the file, the file over the defaults, and a server that is told to
// end says so and succeeds.
func TestServeReadsItsConfigurationAndDrains(t *testing.T) {
	file := filepath.Join(t.TempDir(), "serve.yaml")
	text := "addr: 127.0.0.1:1\nmetrics_addr: 127.0.0.1:0\nlog_format: json\nlease: 1m\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"serve", "--config", file, "--addr", "127.0.0.1:0"}, strings.NewReader(""), &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	for _, want := range []string{`"msg":"serving"`, `"msg":"draining"`, `"msg":"ended"`} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("the log lacks %s: %s", want, &errs)
		}
	}
}

// A program that starts a server is told where it serves. One that was killed cannot stop it:
// the end of standard input does.
func TestAttendedServerEndsWithItsStandardInput(t *testing.T) {
	for args, alone := range map[string]bool{"--attended": false, "--attended=false": true} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		if alone {
			ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		}
		defer cancel()
		var out, errs bytes.Buffer
		code := run(ctx, []string{"serve", args, "--addr", "127.0.0.1:0", "--metrics-addr", ""}, strings.NewReader("ignored"), &out, &errs)
		if code != exitOK || !strings.Contains(errs.String(), "msg=ended") {
			t.Fatalf("%s: exit code %d: %s", args, code, &errs)
		}
		var at struct {
			Addr    string  `json:"addr"`
			Metrics *string `json:"metrics_addr"`
		}
		if err := json.Unmarshal(out.Bytes(), &at); alone != (err != nil) || !alone && (at.Metrics == nil || *at.Metrics != "" || !strings.HasPrefix(at.Addr, "127.0.0.1:")) {
			t.Errorf("%s: says %q of where it serves", args, &out)
		}
		if outlived := ctx.Err() != nil; outlived != alone {
			t.Errorf("%s: the server outlives its standard input: %t, want %t", args, outlived, alone)
		}
	}
}

func TestServeRefusesSettingsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", "nowhere"}, "addr"},
		{[]string{"--tls-cert", "x.pem"}, "tls_key"},
		{[]string{"--lease", "-3s"}, "lease"},
		{[]string{"--lease", "soon"}, "30s"},
		{[]string{"--max-envs", "0"}, "max_envs"},
		{[]string{"--log-level", "loud"}, "log_level"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"serve"}, c.args...), strings.NewReader(""), &out, &errs)
		if code != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit code %d: %s", c.args, code, &errs)
		}
	}
}
