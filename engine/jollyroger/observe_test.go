package jollyroger_test

import (
	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/jollyroger"
	_ "github.com/privateer-rl/privateer/engine/jollyroger/observe"
)

// The tests of this package look at observations too, which package encode writes.
func init() {
	jollyroger.Observe = func(g engine.Game) func(m engine.Match, view int) []byte {
		e, err := encode.For(g)
		if err != nil {
			panic(err)
		}
		obs := make([]byte, e.Schema().Size)
		return func(m engine.Match, view int) []byte {
			e.Encode(m, view, obs)
			return append([]byte(nil), obs...)
		}
	}
}
