package games_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// pictured are matches of which a picture is kept, after some decisions.
var pictured = []struct {
	game      string
	file      string
	seed      uint64
	decisions int
	view      int
}{
	{"kuhn(seats=3)", "kuhn/testdata/picture.svg", 1, 2, 2},
	{"leduc", "leduc/testdata/picture.svg", 2, 3, 0},
	{"doubloons(seats=4)", "doubloons/testdata/picture.svg", 4, 110, 1},
	{"doubloons(seats=6,modules=alternate_island+compass+legendary_ghost_ship)", "doubloons/testdata/picture_alternate.svg", 3, 120, 0},
	{"jolly_roger(seats=6)", "jollyroger/testdata/picture.svg", 3, 149, 3},
	{"jolly_roger(seats=10)", "jollyroger/testdata/picture_ten.svg", 5, 60, engine.Full},
}

// at is a match of the heuristic or the random bot after some decisions, or its end.
func at(t *testing.T, game string, seed uint64, decisions int) engine.Match {
	t.Helper()
	return playOn(t, game, seed, decisions, func(int, engine.Match) {})
}

// playOn plays a match for some decisions, or to its end, and shows each moment of it.
func playOn(t *testing.T, game string, seed uint64, decisions int, see func(step int, m engine.Match)) engine.Match {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	name := "random"
	if slices.Contains(bots.Names(g), "heuristic") {
		name = "heuristic"
	}
	bot, err := bots.New(name, g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(seed)
	m.Reset(seed)
	for i := 0; i < decisions && m.Seat() != engine.Over; i++ {
		see(i, m)
		if err := m.Apply(bot.Act(m, &r)); err != nil {
			t.Fatal(err)
		}
	}
	see(decisions, m)
	return m
}

func TestPicturesAreAsTheyWere(t *testing.T) {
	for _, tc := range pictured {
		picture, err := engine.Picture(at(t, tc.game, tc.seed, tc.decisions), tc.view)
		if err != nil {
			t.Fatal(err)
		}
		enginetest.Golden(t, tc.file, []byte(picture), *update)
	}
}

// What a picture shows to whom is held by enginetest, as all that a seat sees.
func TestEveryGameDrawsAllOfAMatch(t *testing.T) {
	for _, game := range []string{"kuhn", "kuhn(seats=3)", "leduc", "doubloons(seats=2)", "doubloons(seats=6)",
		"doubloons(seats=5,modules=advanced_scoring+black_jewel+compass+steal_ship)", "doubloons(seats=3,modules=alternate_island)",
		"doubloons(seats=4,edition=v1.9.7)", "jolly_roger(seats=3)", "jolly_roger(seats=10,variants=hidden_prizes)", "jolly_roger(seats=5,bribes=talk)"} {
		for _, n := range []int{0, 1, 5, 17, 60, 150, 100000} {
			m := at(t, game, 9, n)
			for view := engine.Full; view < m.Info().Seats; view++ {
				picture, err := engine.Picture(m, view)
				if err != nil {
					t.Fatal(err)
				}
				wellFormed(t, game, picture)
			}
		}
	}
}

// wellFormed checks that a picture is XML whose numbers are numbers, with a title for those who hear it.
func wellFormed(t *testing.T, game, picture string) {
	t.Helper()
	if strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf\"") || !strings.Contains(picture, "<title>") {
		t.Fatalf("%s: a coordinate is no number, or the title is missing", game)
	}
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", game, err)
		}
	}
}
