package observe

import (
	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

// reign is the end of a row with advice=reign. Whether to call a mutiny, and whom to side with in one, depends on it: pirates that call
// none lose to a player that stays Captain.
type reign struct {
	rounds uint8 `name:"action.reign" max:"10" scale:"1/4" doc:"rounds that have begun since the Captain took office"`
}

// advise fills the ends of the rows of a decision.
func (j *encoder) advise(m engine.Match, ends encode.Ends[reign]) {
	s := engine.State[jollyroger.State](m)
	if s.Captain < 0 {
		return
	}
	for i := range ends.Len() {
		ends.At(i).rounds = uint8(s.Reign())
	}
}
