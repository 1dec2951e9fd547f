package cli

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/mcp"
)

// mcpFlags are the settings of a server that matter to its tables; those of the second list need --http.
var (
	mcpFlags     = []string{"policies", "programs", "components", "max-tables", "max-tables-per-client", "max-rollouts", "think-time", "lease", "log-level", "log-format"}
	mcpHTTPFlags = []string{"tokens", "tls-cert", "tls-key", "tls-client-ca", "max-connections"}
)

func newMCP() *cobra.Command {
	var address string
	cfg := serve.DefaultConfig()
	cfg.LogLevel, cfg.Lease = "warn", serve.Duration(2*time.Hour) // a model may be slow, and who asks it away
	cmd := &cobra.Command{
		Use:         "mcp",
		Short:       "Let a language model play, over the Model Context Protocol",
		Annotations: inOrder(),
		Long: `Serve tables to a program that speaks the Model Context Protocol, over standard input and
output, or with --http to any number of them, at /mcp of an address that has the page to play on
too. It lists games and rules, deals matches against bots and people, shows a seat its
view, takes its actions, and asks bots for advice. Each seat has a key, which opens that seat and
nothing else.`,
		Example: `  privateer mcp
  privateer mcp --policies exported/ --max-rollouts 2000
  privateer mcp --http 127.0.0.1:8090`,
		Args: arguments(0, 0, ""),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&address, "http", "", "host:port to serve at, over HTTP, instead of standard input and output")
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	serveFlags(all, &cfg)
	for _, name := range slices.Concat(mcpFlags, mcpHTTPFlags) {
		f.AddFlag(all.Lookup(name))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg.MetricsAddr, cfg.Web = "", address
		if _, _, err := net.SplitHostPort(address); address != "" && err != nil {
			return usagef("--http %s: want host:port, such as 127.0.0.1:8090", address)
		}
		if err := cfg.Check(); err != nil {
			return usageError{err}
		}
		cfg.Addr = "" // there is no gRPC
		opt := serve.Options{}
		if address == "" {
			for _, name := range mcpHTTPFlags {
				if cmd.Flags().Changed(name) {
					return usagef("--%s: is for --http: standard input and output are one client's", name)
				}
			}
			opt.Beside = func(ctx context.Context, s *serve.Server) error {
				return mcp.Stdio(ctx, s, cmd.InOrStdin(), cmd.OutOrStdout())
			}
		} else {
			opt.MCP = mcp.Handler
			opt.Page = func(page string) {
				at, _, _ := strings.Cut(page, "#")
				fmt.Fprintf(cmd.ErrOrStderr(), "MCP over HTTP at %smcp; a page to play on at %s\n", at, page)
			}
		}
		log, err := cfg.Logger(cmd.ErrOrStderr())
		if err != nil {
			return usageError{err}
		}
		opt.Log = log
		outliveReaders()
		srv, err := serve.New(cfg, opt)
		if err != nil {
			return err
		}
		return srv.Run(cmd.Context())
	}
	return cmd
}
