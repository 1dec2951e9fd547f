// Package cli is the command line of privateer: each file is one command, which reads flags, calls packages and
// prints the result. A program that imports its own games and calls Main has all of the commands, for its games, under its own name.
//
// Exit codes: 0 for success, 1 if something failed, 2 for a command line that
// makes no sense, 3 if the gate of eval finds a player not better and 4 if it cannot tell, and as in shells 128 plus the signal's number if a second signal ends the
// process. An error is one line on standard error.
package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/env/match/child"
)

// Main runs the command line of this process and ends it.
func Main() {
	root := newRoot()
	root.Use = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") // usage, errors and completions name the program that is run
	os.Exit(process(root))
}

// process runs the command line of this process.
func process(root *cobra.Command) int {
	parent := parentsEnd()
	defer child.EndAll()
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
