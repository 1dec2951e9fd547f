package serve

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"reflect"
	"runtime"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/kit/yamlfile"
)

// Config has every setting of a server. The YAML names are those of the tags.
type Config struct {
	Addr        string `yaml:"addr"`         // host:port of gRPC; port 0 takes a free one; "" for none beside web
	MetricsAddr string `yaml:"metrics_addr"` // host:port of /metrics and /healthz over HTTP; "" for none
	Web         string `yaml:"web"`          // host:port of a page to play on, over HTTP; "" for none
	Pprof       bool   `yaml:"pprof"`        // /debug/pprof beside the metrics
	Reflection  bool   `yaml:"reflection"`   // gRPC server reflection, for tools like grpcurl

	LogLevel  string `yaml:"log_level"`  // debug, info, warn or error
	LogFormat string `yaml:"log_format"` // text or json

	TLSCert     string `yaml:"tls_cert"`      // PEM file; with tls_key: serve TLS
	TLSKey      string `yaml:"tls_key"`       // PEM file
	TLSClientCA string `yaml:"tls_client_ca"` // PEM file; clients must show a certificate of it
	Tokens      string `yaml:"tokens"`        // file of bearer tokens, one a line: name:token

	Snapshots  string   `yaml:"snapshots"`  // folder that gets open sessions and tables when the server ends, and gives them back; "" for none
	Policies   []string `yaml:"policies"`   // bundles that privateer export wrote, and folders of them: bots as policy:NAME
	Components []string `yaml:"components"` // component files that clients may name in game strings; others are refused
	Programs   []string `yaml:"programs"`   // NAME=exec:COMMAND, or exec-text: programs of their own that play at hosted tables, as program:NAME
	Workers    int      `yaml:"workers"`    // goroutines that share the rows of one session

	MaxSessions          int     `yaml:"max_sessions"` // open at a time
	MaxEnvsPerSession    int     `yaml:"max_envs_per_session"`
	MaxEnvs              int     `yaml:"max_envs"`                // of all sessions
	MaxSessionsPerClient int     `yaml:"max_sessions_per_client"` // of one token or certificate; 0 for no limit of its own
	MaxEnvsPerClient     int     `yaml:"max_envs_per_client"`     // the same of environments
	MaxDecisions         int     `yaml:"max_decisions"`           // that a client takes in a match; longer ones are truncated. 0: as the game itself allows
	MaxRollouts          int     `yaml:"max_rollouts"`            // of a decision of a bot that searches; 0 for no limit
	MaxTables            int     `yaml:"max_tables"`              // hosted matches under way
	MaxTablesPerClient   int     `yaml:"max_tables_per_client"`   // the same of one token or certificate; 0 for no limit of its own
	MaxMessageBytes      int     `yaml:"max_message_bytes"`       // of an answer
	MaxRequestBytes      int     `yaml:"max_request_bytes"`       // of a request; only those of Restore and Act are large
	MaxUnsentBytes       int     `yaml:"max_unsent_bytes"`        // answers that one client does not read, besides one of each session
	MaxHeaderBytes       int     `yaml:"max_header_bytes"`        // of a request's metadata
	MaxConnections       int     `yaml:"max_connections"`         // at a time; with tokens or certificates, connections that have shown none are closed first
	MaxStreams           int     `yaml:"max_streams"`             // at a time on one connection; further ones wait in the client, silently
	RequestsPerSecond    float64 `yaml:"requests_per_second"`     // of one client (by token, certificate or address); 0 for no limit
	RequestBurst         int     `yaml:"request_burst"`           // requests allowed in a burst

	Lease       Duration `yaml:"lease"`        // lifetime of a session without a client
	Confirm     Duration `yaml:"confirm"`      // … and that no request has named since Open: its client may not have received the answer
	IdleTimeout Duration `yaml:"idle_timeout"` // a stream without requests for this long is ended, its session continues; so is a connection without requests
	SendTimeout Duration `yaml:"send_timeout"` // a client that does not read an answer for this long is dropped
	RestoreTime Duration `yaml:"restore_time"` // per minute and client, for checking snapshots that the server did not write
	ThinkTime   Duration `yaml:"think_time"`   // per minute and client, of a core: for bots that search
	Drain       Duration `yaml:"drain"`        // how long requests under way may take when the server ends
	Keepalive   Duration `yaml:"keepalive"`    // silence before a connection is checked for being alive
}

// Duration is a time.Duration that YAML writes as in "30s".
type Duration time.Duration

// String, Set and Type make a Duration a flag.
func (d *Duration) String() string { return time.Duration(*d).String() }

// Set reads "30s", "5m".
func (d *Duration) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q: want a duration such as 30s or 5m", text)
	}
	*d = Duration(v)
	return nil
}

// Type is what help calls it.
func (d *Duration) Type() string { return "duration" }

// UnmarshalYAML reads "30s", "5m".
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	if err := d.Set(node.Value); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	return nil
}

// MarshalYAML writes "30s".
func (d Duration) MarshalYAML() (any, error) { return time.Duration(d).String(), nil }

// DefaultConfig listens on the loopback interface only.
func DefaultConfig() Config {
	return Config{
		Addr: "127.0.0.1:50051", MetricsAddr: "127.0.0.1:9464", Reflection: true,
		LogLevel: "info", LogFormat: "text",
		Workers:     runtime.GOMAXPROCS(0),
		MaxSessions: 1024, MaxEnvsPerSession: 16384, MaxEnvs: 1 << 17, MaxRollouts: 10_000, MaxTables: 1024,
		MaxSessionsPerClient: 256, MaxEnvsPerClient: 1 << 16, MaxTablesPerClient: 256, // so that no client shuts the others out
		MaxMessageBytes: 64 << 20, MaxRequestBytes: 16 << 20, MaxUnsentBytes: 32 << 20, MaxHeaderBytes: 16 << 10,
		MaxConnections: 1024, MaxStreams: 4096, RequestBurst: 100,
		Lease: Duration(10 * time.Minute), Confirm: Duration(time.Minute), IdleTimeout: Duration(time.Hour),
		SendTimeout: Duration(30 * time.Second), RestoreTime: Duration(20 * time.Second), ThinkTime: Duration(time.Minute), Drain: Duration(10 * time.Second), Keepalive: Duration(30 * time.Second),
	}
}

// LoadConfig reads a YAML file over the defaults. An unknown name is an error.
func LoadConfig(path string) (Config, error) {
	c := DefaultConfig()
	data, err := durable.ReadText(path)
	if err != nil {
		return c, fmt.Errorf("configuration: %w", err)
	}
	if err := checkKeys(data); err != nil {
		return c, fmt.Errorf("configuration %s: %w", path, err)
	}
	if err := yamlfile.Decode(data, &c); err != nil && !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, nil
}

// checkKeys refuses a name that no setting has.
func checkKeys(data []byte) error {
	var file yaml.Node
	if err := yaml.Unmarshal(data, &file); err != nil || len(file.Content) == 0 {
		return nil // text that is no YAML is refused when it is decoded
	}
	var known []string
	for t, i := reflect.TypeFor[Config](), 0; i < t.NumField(); i++ {
		known = append(known, t.Field(i).Tag.Get("yaml"))
	}
	entries := file.Content[0]
	if entries.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want lines of the form name: value", entries.Line)
	}
	for i := 0; i < len(entries.Content); i += 2 {
		if key := entries.Content[i]; !slices.Contains(known, key.Value) {
			return fmt.Errorf("line %d: unknown key %q%s", key.Line, key.Value, engine.Suggest(key.Value, known))
		}
	}
	return nil
}

// Check reports the first setting that makes no sense.
func (c *Config) Check() error {
	for _, a := range []struct{ name, addr string }{{"addr", c.Addr}, {"metrics_addr", c.MetricsAddr}, {"web", c.Web}} {
		if _, _, err := net.SplitHostPort(a.addr); err != nil && (a.addr != "" || a.name == "addr" && c.Web == "") {
			return fmt.Errorf("%s: %q: want host:port", a.name, a.addr)
		}
	}
	for _, n := range []struct {
		name  string
		value int
	}{
		{"workers", c.Workers}, {"max_sessions", c.MaxSessions}, {"max_envs_per_session", c.MaxEnvsPerSession},
		{"max_envs", c.MaxEnvs}, {"max_tables", c.MaxTables}, {"max_connections", c.MaxConnections}, {"max_streams", c.MaxStreams}, {"request_burst", c.RequestBurst},
	} {
		if n.value < 1 {
			return fmt.Errorf("%s: %d: want at least 1", n.name, n.value)
		}
	}
	for _, d := range []struct {
		name  string
		value Duration
	}{
		{"lease", c.Lease}, {"confirm", c.Confirm}, {"idle_timeout", c.IdleTimeout}, {"send_timeout", c.SendTimeout}, {"restore_time", c.RestoreTime}, {"think_time", c.ThinkTime}, {"drain", c.Drain}, {"keepalive", c.Keepalive},
	} {
		if d.value <= 0 {
			return fmt.Errorf("%s: %s: want a positive duration", d.name, time.Duration(d.value))
		}
	}
	for _, b := range []struct {
		name        string
		value, most int
	}{{"max_message_bytes", c.MaxMessageBytes, 1 << 30}, {"max_request_bytes", c.MaxRequestBytes, 1 << 30}, {"max_unsent_bytes", c.MaxUnsentBytes, min(1<<40, math.MaxInt)}, {"max_header_bytes", c.MaxHeaderBytes, 1 << 20}} {
		if b.value < 4096 || b.value > b.most {
			return fmt.Errorf("%s: %d: want 4096 to %d", b.name, b.value, b.most)
		}
	}
	switch {
	case c.MaxDecisions < 0:
		return fmt.Errorf("max_decisions: %d: want a positive number, or 0 for no limit of the server's own", c.MaxDecisions)
	case c.MaxRollouts < 0:
		return fmt.Errorf("max_rollouts: %d: want a positive number, or 0 for no limit", c.MaxRollouts)
	case c.MaxSessionsPerClient < 0 || c.MaxEnvsPerClient < 0 || c.MaxTablesPerClient < 0:
		return fmt.Errorf("max_sessions_per_client, max_envs_per_client and max_tables_per_client: %d, %d and %d: want positive numbers, or 0 for no limit", c.MaxSessionsPerClient, c.MaxEnvsPerClient, c.MaxTablesPerClient)
	case !(c.RequestsPerSecond >= 0) || math.IsInf(c.RequestsPerSecond, 0):
		return fmt.Errorf("requests_per_second: %g: want a positive number, or 0 for no limit", c.RequestsPerSecond)
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return errors.New("tls_cert and tls_key: give both or neither")
	case c.TLSClientCA != "" && c.TLSCert == "":
		return errors.New("tls_client_ca: needs tls_cert and tls_key")
	case c.Pprof && c.MetricsAddr == "":
		return errors.New("pprof: is served beside the metrics: give metrics_addr")
	}
	_, err := c.Logger(io.Discard)
	return err
}

// Logger makes the logger that log_level and log_format ask for.
func (c *Config) Logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("log_level: %q: want debug, info, warn or error", c.LogLevel)
	}
	opt := &slog.HandlerOptions{Level: level}
	switch c.LogFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, opt)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, opt)), nil
	}
	return nil, fmt.Errorf("log_format: %q: want text or json", c.LogFormat)
}
