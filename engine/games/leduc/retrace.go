package leduc

import "github.com/privateer-rl/privateer/engine"

// Retrace goes back to a decision of the other seat: all of them are remembered, and open.
func (r rules) Retrace(s *State, seat, step int, past *State) (took engine.Action, secret, ok bool) {
	*past = State{Rand: s.Rand, Hands: s.Hands, Paid: [seats]uint8{ante, ante}}
	for round := range s.History {
		list := &s.History[round]
		if actions(list) > 0 && round > 0 {
			past.Public = s.Public
		}
		for _, a := range list[:actions(list)] {
			if past.turn() != seat {
				if step--; step < 0 {
					return engine.Action(a) - 1, false, true
				}
			}
			past.decide(engine.Action(a) - 1)
		}
	}
	return -1, false, false
}

// Retake has nothing to change: nobody decides in secret.
func (rules) Retake(*State, int, int, engine.Action) {}
