// Command higher is the command line of privateer for the game of this module: higher play higher.
package main

import (
	_ "example.com/outside"

	"github.com/privateer-rl/privateer/cmd/cli"
)

func main() { cli.Main() }
