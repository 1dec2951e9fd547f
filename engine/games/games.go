// Package games registers every game of the house, with what is observed of it and its
// players: import it for its effect.
package games

import (
	_ "github.com/privateer-rl/privateer/engine/doubloons/captain"
	_ "github.com/privateer-rl/privateer/engine/doubloons/observe"
	_ "github.com/privateer-rl/privateer/engine/jollyroger/observe"
	_ "github.com/privateer-rl/privateer/engine/jollyroger/pirate"
	_ "github.com/privateer-rl/privateer/engine/kuhn/observe"
	_ "github.com/privateer-rl/privateer/engine/leduc/observe"
)
