package engine

// Retracer is what rules may offer beside Rules: the way back to the decisions of others that tell what they hold, as far
// as the state of a match remembers them.
type Retracer[S comparable] interface {
	// Retrace goes back, in a match as it may be, to a decision of another seat than seat: to step 0, 1, … of all that the
	// state remembers, in their order. It sets past to the match as that seat was asked and says what it decided. secret: nobody
	// else has seen what; Retake can change it. ok is false beyond the last step.
	Retrace(s *S, seat, step int, past *S) (took Action, secret, ok bool)
	// Retake changes what was decided in secret at a step.
	Retake(s *S, seat, step int, a Action)
}

// Retraces reports whether a game can go back.
func Retraces(g Game) bool {
	h, ok := g.(interface{ retraces() bool })
	return ok && h.retraces()
}

// Retrace sets past, a match of the same game, to the state before a decision of another seat than seat, at a step, and returns the action
// that was taken. secret: no other seat has seen that action, and Retake can change it. ok is false beyond the last step that m remembers,
// or if the game implements no Retracer.
func Retrace(m Match, seat, step int, past Match) (took Action, secret, ok bool) {
	if h, is := m.(interface {
		retrace(seat, step int, past Match) (Action, bool, bool)
	}); is {
		return h.retrace(seat, step, past)
	}
	return -1, false, false
}

// Retake replaces the secret action at a step of Retrace by another action that was legal there.
func Retake(m Match, seat, step int, a Action) {
	if h, is := m.(interface {
		retake(seat, step int, a Action)
	}); is {
		h.retake(seat, step, a)
	}
}

func (g *game[S]) retraces() bool {
	_, ok := g.rules.(Retracer[S])
	return ok
}

func (m *match[S]) retrace(seat, step int, past Match) (took Action, secret, ok bool) {
	r, is := m.rules.(Retracer[S])
	if !is {
		return -1, false, false
	}
	to := past.(*match[S])
	if took, secret, ok = r.Retrace(m.s, seat, step, to.s); ok {
		to.another()
		to.update(to.rules, false)
	}
	return took, secret, ok
}

func (m *match[S]) retake(seat, step int, a Action) {
	if r, is := m.rules.(Retracer[S]); is {
		r.Retake(m.s, seat, step, a)
	}
}
