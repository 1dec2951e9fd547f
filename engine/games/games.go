// Package games registers every game of the house, with its observations and bots:
// import it for this effect.
package games

import (
	_ "github.com/privateer-rl/privateer/engine/games/doubloons/captain"
	_ "github.com/privateer-rl/privateer/engine/games/doubloons/observe"
	_ "github.com/privateer-rl/privateer/engine/games/jollyroger/observe"
	_ "github.com/privateer-rl/privateer/engine/games/jollyroger/pirate"
	_ "github.com/privateer-rl/privateer/engine/games/kuhn/observe"
	_ "github.com/privateer-rl/privateer/engine/games/leduc/observe"
	_ "github.com/privateer-rl/privateer/engine/games/liarsdice/bidder"
	_ "github.com/privateer-rl/privateer/engine/games/liarsdice/observe"
)
