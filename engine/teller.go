package engine

// Teller is what rules may offer beside Rules: what happened in a match, in words.
type Teller[S comparable] interface {
	// ToldBetween says what happened between two moments of a match, one sentence each, as far as seat view, or Full,
	// may know it. It says no more than Position shows of the same view at both moments.
	Tell(before, after *S, view int) []string
}

// ToldBetween says what happened between two moments of a match, one sentence each, as far as seat view, or Full,
// may know it. ok is false if the game does not tell.
func ToldBetween(before, after Match, view int) (sentences []string, ok bool) {
	if t, is := after.(interface {
		tellBetween(before Match, view int) ([]string, bool)
	}); is {
		return t.tellBetween(before, view)
	}
	return nil, false
}

func (m *match[S]) tellBetween(before Match, view int) ([]string, bool) {
	t, ok := m.rules.(Teller[S])
	if !ok {
		return nil, false
	}
	return t.Tell(State[S](before), m.s, view), true
}
