// Package games registers every game of the house, with its observations and bots:
// import it for this effect.
package games

import (
	_ "github.com/privateer-rl/privateer/engine/doubloons/captain"
	_ "github.com/privateer-rl/privateer/engine/doubloons/observe"
	_ "github.com/privateer-rl/privateer/engine/jollyroger/observe"
	_ "github.com/privateer-rl/privateer/engine/jollyroger/pirate"
	_ "github.com/privateer-rl/privateer/engine/kuhn/observe"
	_ "github.com/privateer-rl/privateer/engine/leduc/observe"
)
