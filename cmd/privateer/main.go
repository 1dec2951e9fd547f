// Command privateer plays, simulates, trains and measures hidden-information
// board games. It is thin: each file here is one command, which reads flags,
// calls a package and prints what came out.
//
// Exit codes: 0 for success, 1 if something failed, 2 for a command line that
// makes no sense, 3 if the gate of eval finds a player not better and 4 if it cannot tell, and as in shells 128 plus the signal's number if a second signal ends the
// process. An error is one line on standard error.
package main

import (
	"context"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	_ "github.com/privateer-rl/privateer/engine/games"
)

func main() { os.Exit(process(newRoot())) }

// process runs the command line of this process.
func process(root *cobra.Command) int {
	parent := parentsEnd()
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if cmd.Annotations[endsInOrder] != "" {
			cmd.SetContext(untilSignal(parent))
		} else if parent != nil {
			go func() {
				<-parent
				os.Exit(exitSignal + int(syscall.SIGTERM))
			}()
		}
	}
	return execute(context.Background(), root, os.Args[1:], os.Stdin, os.Stdout, newUnhurried(os.Stderr))
}
