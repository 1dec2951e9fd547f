// Package games registers every game of the house: import it for its effect.
package games

import (
	_ "github.com/privateer-rl/privateer/engine/doubloons"
	_ "github.com/privateer-rl/privateer/engine/jollyroger"
	_ "github.com/privateer-rl/privateer/engine/kuhn"
	_ "github.com/privateer-rl/privateer/engine/leduc"
)
