package kuhn

import "github.com/privateer-rl/privateer/engine"

// Retrace goes back to a bet or pass of another seat: all of them are remembered, and open.
func (r rules) Retrace(s *State, seat, step int, past *State) (took engine.Action, secret, ok bool) {
	for i := range s.decisions() {
		if i%r.seats == seat {
			continue
		}
		if step--; step < 0 {
			*past = *s
			clear(past.History[i:])
			return engine.Action(s.History[i]) - 1, false, true
		}
	}
	return -1, false, false
}

// Retake has nothing to change: nobody decides in secret.
func (r rules) Retake(*State, int, int, engine.Action) {}
