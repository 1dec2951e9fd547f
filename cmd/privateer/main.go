// Command privateer plays, simulates, trains and measures hidden-information
// board games. It is thin: each file here is one command, which reads flags,
// calls a package and prints what came out.
//
// Exit codes: 0 for success, 1 where something failed, 2 for a command line that
// makes no sense. An error is one line on standard error.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/privateer-rl/privateer/engine/games"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
