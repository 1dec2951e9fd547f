package engine

import "fmt"

// Artist is what rules may offer beside Rules: a picture of a match.
type Artist[S comparable] interface {
	// Picture draws the match as an SVG document, as seat view sees it, or Full. It shows
	// no more than Position does of the same view.
	Picture(s *S, view int) string
}

// Picture draws a match as an SVG document, as seat view sees it, or Full. The error names a game
// that has no pictures.
func Picture(m Match, view int) (string, error) {
	if p, ok := m.(interface{ picture(view int) (string, bool) }); ok {
		if svg, ok := p.picture(view); ok {
			return svg, nil
		}
	}
	return "", fmt.Errorf("%s has no pictures: its rules do not implement engine.Artist", m.Info().Game)
}

func (m *match[S]) picture(view int) (string, bool) {
	a, ok := m.rules.(Artist[S])
	if !ok {
		return "", false
	}
	return a.Picture(m.s, view), true
}

// ViewName names a view in words.
func ViewName(view int) string {
	if view == Full {
		return "nothing hidden"
	}
	return fmt.Sprintf("as seat %d sees it", view)
}
