package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/serve"
	seating "github.com/privateer-rl/privateer/serve/page/table"
)

// playOnPage serves the page with a match of its own until the command is interrupted.
func playOnPage(cmd *cobra.Command, web, game string, seats, seat int, opponents []string, seed uint64) error {
	if len(opponents) > seats-1 {
		return usagef("--bots: %d bots: want at most %d, one for each other seat of %s", len(opponents), seats-1, game)
	}
	opening := &seating.Request{Do: seating.DoOpen, Game: game, Seats: make([]string, seats), Friendly: true}
	opening.Seats[seat] = seating.Person
	for k := range seats - 1 {
		opening.Seats[(seat+1+k)%seats] = opponents[k%len(opponents)]
	}
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
			fmt.Fprintf(cmd.OutOrStdout(), "%s: you are seat %d. Play at\n\n  %s\n\nThe match is kept until you press ctrl-C.\n", game, seat, address)
		},
	})
	if err != nil {
		return err
	}
	return srv.Run(cmd.Context())
}
