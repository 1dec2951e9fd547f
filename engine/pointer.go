package engine

import "strings"

// Pointer is what an Artist may offer besides pictures: what the actions of a decision are about.
type Pointer[S comparable] interface {
	// Point says of an action of the seat that decides which mark of Picture it is about, as svg.Picture.Mark
	// names it, "" if none, and in words what it does. It uses nothing that is hidden from any seat but the one that decides, and if
	// the action is chosen openly nothing that is hidden from any.
	Point(s *S, a Action) (mark, label string)
}

// Point says of an action of the seat that decides which mark of its picture it is about, "" if none, and what it does in
// words: the action's name, if the game has no better ones.
func Point(m Match, a Action) (mark, label string) {
	if p, ok := m.(interface {
		point(a Action) (string, string)
	}); ok {
		mark, label = p.point(a)
	}
	if label == "" {
		label = strings.NewReplacer("=", " ", "_", " ", ",", ", ").Replace(m.Info().ActionName(a))
	}
	return mark, label
}

func (m *match[S]) point(a Action) (mark, label string) {
	if p, ok := m.rules.(Pointer[S]); ok {
		return p.Point(m.s, a)
	}
	return "", ""
}
