package cli

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/table"
)

// playOnPage serves the page with a match of its own until the command is interrupted. players are by seat.
func playOnPage(cmd *cobra.Command, web, game string, players []string, seed uint64) error {
	opening := &table.Request{Do: table.DoOpen, Game: game, Seats: players, Friendly: true}
	if cmd.Flags().Changed("seed") {
		opening.Seed = strconv.FormatUint(seed, 10)
	}
	cfg := serve.DefaultConfig()
	cfg.Addr, cfg.MetricsAddr, cfg.Web, cfg.LogLevel = "", "", web, "warn"
	cfg.Lease = serve.Duration(365 * 24 * time.Hour) // the match waits as long as the program runs
	if err := cfg.Check(); err != nil {
		return usageError{err}
	}
	log, err := cfg.Logger(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	outliveReaders()
	srv, err := serve.New(cfg, serve.Options{
		Log: log, Local: true, Opening: opening,
		Page: func(address string) {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: you are seat %d. Play at\n\n  %s\n\nThe match is kept until you press ctrl-C.\n", game, slices.Index(players, table.Person), address)
		},
	})
	if err != nil {
		return err
	}
	return srv.Run(cmd.Context())
}
