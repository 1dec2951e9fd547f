package engine

// Outliner is what rules offer beside Rules if their Render is long: the same in few words.
type Outliner[S comparable] interface {
	// Outline is a short Render for seat view, for a reader that pays for each word: a language model.
	Outline(s *S, view int) string
}

// Outline is a match as seat view, or Full, sees it, in few words: what Render draws, if the game has nothing shorter.
func Outline(m Match, view int) string {
	if o, ok := m.(interface{ outline(view int) string }); ok {
		return o.outline(view)
	}
	return m.Render(view)
}

func (m *match[S]) outline(view int) string {
	if o, ok := m.rules.(Outliner[S]); ok {
		return o.Outline(m.s, view)
	}
	return m.rules.Render(m.s, view)
}
