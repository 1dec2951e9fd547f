package search

import (
	"fmt"
	"sync"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Value evaluates positions that a search does not play on: what the match is worth to each seat, its
// chance to win unless the game says otherwise. A Value belongs to one goroutine
// at a time. A game's own evaluation of standings is one, and so is a bot that evaluates, as value=BOT names it: of a game that
// is played for the win it says what return each seat may expect. One that may be unable to
// has CanEvaluate() error.
type Value interface {
	// Value writes what m is worth to each seat into dst, [seats]. m is a world of the search, so that all of
	// it may be looked at. It may be over.
	Value(m engine.Match, dst []float64)
}

// Prior says what is likely to be right before anything has been tried. A Prior belongs to one
// goroutine at a time. Any bot serves as one, its choice having all the weight; one that
// implements Prior, as policies do, says more.
type Prior interface {
	// Weights writes the weight of each legal action of the seat that acts into dst, in ascending order of
	// actions; none is negative, and some is positive. Chance comes from r, if it needs any.
	// It must look at no more of the match than the seat may know.
	Weights(m engine.Match, dst []float64, r *engine.Rand)
}

// Rivals models what rivals hold in secret: a player that can say what it would hold in their place. Of a game that goes back to
// what they decided (engine.Retracer), any Prior is one.
type Rivals interface {
	// Suppose changes in a world what the other seats than seat hold in secret to what
	// this player would have chosen for them of the same cards. It looks at no more than each may know.
	Suppose(world engine.Match, seat int, r *engine.Rand)
}

// Game is what a game tells searches about itself. With the zero Game, matches are played to the end and evaluated by their
// returns.
type Game struct {
	Name string

	// Value makes the game's own evaluation of standings, as chances to win; it returns nil for a configuration in which
	// something else is played for.
	Value func(engine.Game) (Value, error)
	// Network makes an evaluator that was fitted on matches of trained policies; nil if there is none, and it returns nil for a
	// configuration without one. Value stays what it is, so that searches of the same name stay the same player.
	Network func(engine.Game) (Value, error)
	// Recipe is how searches use a policy best.
	Recipe Recipe
	// Round is the round that a match is in, for horizons that count them; nil if there are none.
	Round func(engine.Match) int
	// Horizon is where rollouts of the game are cut best: "end", "round" or a number of rounds.
	Horizon string
	// Prior is the bot whose choice a search leaves only for a better one; "" for the strongest quick bot. It stays what
	// it is, so that searches of the same name stay the same player.
	Prior string
	// Player is the bot that plays rollouts best for their cost; "" for the strongest quick bot.
	Player string
	// Rollouts is how many rollouts a search with the game's defaults plays in a number of milliseconds of a core, as
	// measured once (README.md): it must not depend on the machine, or searches would not be reproducible.
	Rollouts func(g engine.Game, ms int) int
}

var (
	gamesLock sync.RWMutex
	games     = map[string]Game{}
)

// Register adds what a game says, from an init function. It panics on a name used twice.
func Register(g Game) {
	gamesLock.Lock()
	defer gamesLock.Unlock()
	if _, dup := games[g.Name]; dup {
		panic(fmt.Sprintf("search: game %s is registered twice", g.Name))
	}
	games[g.Name] = g
}

// PriorOf is the bot that searches have as prior if they name none. The random one is as good as none.
func PriorOf(g engine.Game) string {
	if name := Of(g).Prior; name != "" {
		return name
	}
	quick := bots.Names(g)
	return quick[len(quick)-1]
}

// Of is what a game has said.
func Of(g engine.Game) Game {
	gamesLock.RLock()
	defer gamesLock.RUnlock()
	return games[g.Info().Game]
}
