// Command privateer plays, simulates, trains and measures hidden-information board games.
package main

import (
	"github.com/privateer-rl/privateer/cmd/cli"
	_ "github.com/privateer-rl/privateer/engine/games"
)

func main() { cli.Main() }
