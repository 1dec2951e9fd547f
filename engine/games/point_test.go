package games_test

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestWhatAnActionIsAboutIsInThePictureOfWhoChooses(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc", "doubloons(seats=2)", "doubloons(seats=6,modules=alternate_island+compass+legendary_ghost_ship)",
		"doubloons(seats=4,modules=steal_ship)", "jolly_roger(seats=4)", "jolly_roger(seats=10,bribes=talk)"} {
		marked := 0
		playOn(t, game, 3, 250, func(_ int, m engine.Match) {
			seat := m.Seat()
			if seat < 0 {
				return
			}
			picture, err := engine.Picture(m, seat)
			if err != nil {
				t.Fatal(err)
			}
			labels := map[string]bool{}
			for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
				mark, label := engine.Point(m, a)
				if label == "" || labels[label] {
					t.Errorf("%s: %s: the label of %s is %q, as of another action", game, m.Decision(), m.Info().ActionName(a), label)
				}
				labels[label] = true
				if mark == "" {
					continue
				}
				if marked++; !strings.Contains(picture, `data-mark="`+mark+`"`) {
					t.Errorf("%s: %s: the mark %s of %s is not in the picture", game, m.Decision(), mark, m.Info().ActionName(a))
				}
			}
		})
		if want := strings.Contains(game, "("); want != (marked > 0) {
			t.Errorf("%s: %d actions are about something in the picture", game, marked)
		}
	}
}
