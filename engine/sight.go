package engine

// Sight is how much a seat sees of a choice that another seat, or chance, makes.
type Sight uint8

// The sights.
const (
	Open   Sight = iota // the action, and the seat that chooses it
	Unseen              // nothing: that there was a choice would already tell what is hidden
	// FaceDown: that something is chosen, and by which seat. If a seat sees more, such as who is given a card, FaceDown+1, FaceDown+2, …
	// tell apart the choices that look different.
	FaceDown
)

// Secretive is what rules offer besides Rules if not everybody sees every choice.
type Secretive[S comparable] interface {
	// Sight is how much seat view sees of it if a is chosen now. It is not asked for
	// the seat that decides, nor for Full.
	Sight(s *S, view int, a Action) Sight
}

func (m *match[S]) Sight(view int, a Action) Sight {
	if r, ok := m.rules.(Secretive[S]); ok && view != Full && view != m.Seat() && m.Seat() != Over {
		return r.Sight(m.s, view, a)
	}
	return Open
}
