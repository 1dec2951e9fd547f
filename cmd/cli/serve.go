package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/privateer-rl/privateer/serve"
)

func newServe() *cobra.Command {
	var path, shared string
	var attended bool
	cfg := serve.DefaultConfig()
	cmd := &cobra.Command{
		Use:         "serve",
		Short:       "Serve environments and bots over gRPC, with metrics for Prometheus",
		Annotations: inOrder(),
		Long: `Serve batches of environments and bots over gRPC (privateer.v1), and metrics over HTTP on
a separate port. --config reads a YAML file whose keys are the flags with
_ for -; flags override it. SIGTERM, SIGHUP and ctrl-C drain: new work is refused, streams
end after their answer, and with --snapshots open sessions and tables wait in a folder
for the next server. With --web there is also a page to play on, at the same tables: holders of its key, or of a
token if there are tokens, open tables there and give others the addresses of their seats. A second SIGTERM or ctrl-C ends the server at once.`,
		Example: `  privateer serve
  privateer serve --addr 0.0.0.0:50051 --tls-cert server.pem --tls-key server.key --tokens tokens.txt
  privateer serve --policies pirate.bundle,exported/
  privateer serve --web 127.0.0.1:8080 --policies exported/
  privateer serve --config serve.yaml --snapshots /var/lib/privateer --pprof
  grpcurl -plaintext -d '{"game": "leduc"}' localhost:50051 privateer.v1.EnvironmentService/Describe`,
		Args: arguments(0, 0, ""),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&path, "config", "", "YAML file to start from; flags override it")
	serveFlags(f, &cfg)
	f.BoolVar(&attended, "attended", false, "for a program that starts a server: say as JSON where it serves, and drain when standard input ends")
	f.StringVar(&shared, "shared-memory", "", "for a program that starts a server for itself: serve it over memory, two files that it has opened (their numbers: MAILBOX,BATCHES), and standard input and output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if path != "" {
			given := map[*pflag.Flag]string{}
			lists := map[*botList][]string{}
			f.Visit(func(flag *pflag.Flag) {
				if list, ok := flag.Value.(*botList); ok {
					lists[list] = *list.names
					return
				}
				given[flag] = flag.Value.String()
			})
			file, err := serve.LoadConfig(path)
			if err != nil {
				return err
			}
			cfg = file
			for flag, value := range given {
				if err := flag.Value.Set(value); err != nil {
					return usagef("--%s: %w", flag.Name, err)
				}
			}
			for list, values := range lists {
				*list.names = values
			}
		}
		if err := cfg.Check(); err != nil {
			return usageError{err}
		}
		log, err := cfg.Logger(cmd.ErrOrStderr())
		if err != nil {
			return usageError{err}
		}
		opt := serve.Options{Log: log}
		if attended {
			opt.Ready = func(addr, metrics net.Addr) { sayWhere(cmd.OutOrStdout(), addr, metrics) }
		}
		outliveReaders()
		srv, err := serve.New(cfg, opt)
		if err != nil {
			return err
		}
		if shared != "" {
			with, err := sharedFiles(shared)
			if err != nil {
				return err
			}
			with.Ring, with.Answer = cmd.InOrStdin(), cmd.OutOrStdout()
			return srv.Share(cmd.Context(), with)
		}
		ctx, leave := context.WithCancel(cmd.Context())
		defer leave()
		if attended {
			go func() {
				_, _ = io.Copy(io.Discard, cmd.InOrStdin()) // a broken input has ended too
				leave()
			}()
		}
		return srv.Run(ctx)
	}
	return cmd
}

// sharedFiles are the files of --shared-memory.
func sharedFiles(numbers string) (serve.Shared, error) {
	var mailbox, batches uint
	if n, err := fmt.Sscanf(numbers, "%d,%d", &mailbox, &batches); n != 2 || err != nil || numbers != fmt.Sprintf("%d,%d", mailbox, batches) {
		return serve.Shared{}, usagef("--shared-memory %s: want the numbers of two open files, such as 3,4", numbers)
	}
	return serve.Shared{Mailbox: os.NewFile(uintptr(mailbox), "mailbox"), Batches: os.NewFile(uintptr(batches), "batches")}, nil
}

// sayWhere writes one line of JSON; metrics is nil if there are none.
func sayWhere(w io.Writer, addr, metrics net.Addr) {
	where := struct {
		Addr    string `json:"addr"`
		Metrics string `json:"metrics_addr"`
	}{Addr: addr.String()}
	if metrics != nil {
		where.Metrics = metrics.String()
	}
	_ = json.NewEncoder(w).Encode(where) // a parent that does not listen need not know
}

// serveFlags gives every setting a flag that writes it.
func serveFlags(f *pflag.FlagSet, c *serve.Config) {
	f.StringVar(&c.Addr, "addr", c.Addr, "host:port of gRPC")
	f.StringVar(&c.MetricsAddr, "metrics-addr", c.MetricsAddr, `host:port of /metrics and /healthz; "" for none`)
	f.StringVar(&c.Web, "web", c.Web, `host:port of a page to play on in a browser, such as 127.0.0.1:8080; "" for none. Its address, with the key that opens tables, is logged`)
	f.BoolVar(&c.Pprof, "pprof", c.Pprof, "serve /debug/pprof beside the metrics")
	f.BoolVar(&c.Reflection, "reflection", c.Reflection, "serve gRPC reflection")
	f.StringVar(&c.LogLevel, "log-level", c.LogLevel, "debug, info, warn or error")
	f.StringVar(&c.LogFormat, "log-format", c.LogFormat, "text or json")
	f.StringVar(&c.TLSCert, "tls-cert", c.TLSCert, "PEM file; with --tls-key, serve TLS")
	f.StringVar(&c.TLSKey, "tls-key", c.TLSKey, "PEM file")
	f.StringVar(&c.TLSClientCA, "tls-client-ca", c.TLSClientCA, "PEM file; clients must show a certificate of it")
	f.StringVar(&c.Tokens, "tokens", c.Tokens, "file of bearer tokens, one name:token a line")
	f.StringVar(&c.Snapshots, "snapshots", c.Snapshots, "folder that keeps open sessions and tables from one server to the next")
	f.Var(&botList{names: &c.Policies, kind: "files"}, "policies", "exported policies (files, or folders of them) that play as policy:NAME")
	f.Var(&botList{names: &c.Programs, kind: "programs"}, "programs", "programs that play at hosted tables as program:NAME, each NAME=exec:COMMAND (see privateer conform)")
	f.Var(&botList{names: &c.Components, kind: "files"}, "components", "component files that clients may name in game strings")
	f.IntVar(&c.Workers, "workers", c.Workers, "goroutines that share the rows of a session")
	f.IntVar(&c.MaxSessions, "max-sessions", c.MaxSessions, "open sessions")
	f.IntVar(&c.MaxEnvsPerSession, "max-envs-per-session", c.MaxEnvsPerSession, "environments of one session")
	f.IntVar(&c.MaxEnvs, "max-envs", c.MaxEnvs, "environments of all sessions")
	f.IntVar(&c.MaxSessionsPerClient, "max-sessions-per-client", c.MaxSessionsPerClient, "open sessions of one token or certificate; 0 for no limit of its own")
	f.IntVar(&c.MaxEnvsPerClient, "max-envs-per-client", c.MaxEnvsPerClient, "environments of one token or certificate; 0 for no limit of its own")
	f.IntVar(&c.MaxDecisions, "max-decisions", c.MaxDecisions, "decisions of a client in a match before it is truncated; 0: the game's own limit")
	f.IntVar(&c.MaxRollouts, "max-rollouts", c.MaxRollouts, "rollouts per decision of a searching bot; 0 for no limit")
	f.IntVar(&c.MaxTables, "max-tables", c.MaxTables, "hosted matches under way")
	f.IntVar(&c.MaxTablesPerClient, "max-tables-per-client", c.MaxTablesPerClient, "hosted matches of one token or certificate; 0 for no limit of its own")
	f.IntVar(&c.MaxMessageBytes, "max-message-bytes", c.MaxMessageBytes, "bytes of one answer")
	f.IntVar(&c.MaxRequestBytes, "max-request-bytes", c.MaxRequestBytes, "bytes of one request; only snapshots to restore and observations for bots are large")
	f.IntVar(&c.MaxUnsentBytes, "max-unsent-bytes", c.MaxUnsentBytes, "bytes of answers that one client does not read, besides one answer of each session")
	f.IntVar(&c.MaxHeaderBytes, "max-header-bytes", c.MaxHeaderBytes, "bytes of the metadata of one request")
	f.IntVar(&c.MaxConnections, "max-connections", c.MaxConnections, "simultaneous connections; with tokens or certificates, unauthenticated ones are closed first")
	f.IntVar(&c.MaxStreams, "max-streams", c.MaxStreams, "simultaneous requests on one connection; more of them wait")
	f.Float64Var(&c.RequestsPerSecond, "requests-per-second", c.RequestsPerSecond, "requests of one client; 0 for no limit")
	f.IntVar(&c.RequestBurst, "request-burst", c.RequestBurst, "requests allowed in a burst")
	for _, d := range []struct {
		value      *serve.Duration
		name, help string
	}{
		{&c.Lease, "lease", "lifetime of a session without a client"},
		{&c.Confirm, "confirm", "lifetime of a session without any request since Open, whose answer may have been lost"},
		{&c.IdleTimeout, "idle-timeout", "a stream or a connection without requests is ended after this time"},
		{&c.SendTimeout, "send-timeout", "a client that does not read for this long is dropped"},
		{&c.RestoreTime, "restore-time", "time per minute spent on checking snapshots from elsewhere, for each client"},
		{&c.ThinkTime, "think-time", "core time per minute of searching bots, for each client; one decision may take as much"},
		{&c.Drain, "drain", "how long requests under way may take when the server ends"},
		{&c.Keepalive, "keepalive", "silence before a connection is checked for being alive"},
	} {
		f.Var(d.value, d.name, d.help)
	}
}
