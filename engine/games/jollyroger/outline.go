package jollyroger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Outline is what Render draws in fewer words: with ten seats a view may know of dozens of cards.
func (r *Rules) Outline(s *State, view int) string { return r.board(s, view, outlineSightings) }

// outlineSightings says what a seat knows of hidden cards: those together that are with one of the same seats.
func outlineSightings(b *strings.Builder, list []position.Object) {
	var places, cards []string // by place: cards with a comma after each
	for i := 0; i < len(list); {
		n := 1
		card, place := list[i][0].Value.(string), fmt.Sprint(list[i][1].Value)
		for i+n < len(list) && list[i+n][0].Value == card && fmt.Sprint(list[i+n][1].Value) == place {
			n++
		}
		i += n
		at := slices.Index(places, place)
		if at < 0 {
			places, cards, at = append(places, place), append(cards, ""), len(places)
		}
		cards[at] += ", " + times(uint8(n), card)
	}
	b.WriteString("you know of:")
	for at, place := range places {
		fmt.Fprintf(b, "%s with one of %s;", strings.TrimPrefix(cards[at], ","), place)
	}
	b.WriteByte('\n')
}
