package games_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/kit/svg"
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
	{"liars_dice(seats=3,dice=4)", "liarsdice/testdata/picture.svg", 3, 5, 0},
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
	for _, game := range []string{"kuhn", "kuhn(seats=3)", "leduc", "liars_dice", "liars_dice(seats=6,dice=5)", "doubloons(seats=2)", "doubloons(seats=6)",
		"doubloons(seats=5,modules=advanced_scoring+black_jewel+compass+steal_ship)", "doubloons(seats=3,modules=alternate_island)",
		"doubloons(seats=6,modules=advanced_scoring+alternate_island+black_jewel+compass+legendary_ghost_ship+steal_ship)",
		"doubloons(seats=2,modules=alternate_island+legendary_ghost_ship)", "doubloons(seats=2,edition=v2.0,modules=alternate_island)",
		"doubloons(seats=4,edition=v1.9.7)", "jolly_roger(seats=3)", "jolly_roger(seats=10,variants=hidden_prizes)", "jolly_roger(seats=5,bribes=talk)"} {
		playOn(t, game, 9, 100000, func(step int, m engine.Match) {
			if step%29 != 0 && step != 1 && m.Seat() != engine.Over {
				return
			}
			for view := engine.Full; view < m.Info().Seats; view++ {
				picture, err := engine.Picture(m, view)
				if err != nil {
					t.Fatal(err)
				}
				inspect(t, fmt.Sprintf("%s, decision %d, view %d", game, step, view), picture)
			}
		})
	}
}

// A box is the room of a line of text, or of a rectangle.
type box struct {
	text                     string
	left, top, right, bottom float64
}

func (b box) in(c box) bool {
	return b.left >= c.left && b.right <= c.right && b.top >= c.top && b.bottom <= c.bottom
}

// inspect checks that a picture is XML whose numbers are numbers, with a title for those who hear it, and that no line of text
// covers another, or leaves the picture or the card that it begins on.
func inspect(t *testing.T, where, picture string) {
	t.Helper()
	if strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf\"") || !strings.Contains(picture, "<title>") {
		t.Fatalf("%s: a coordinate is no number, or the title is missing", where)
	}
	var cards, lines []box
	var line *box
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			number, class, anchor := map[string]float64{}, "", ""
			for _, a := range token.Attr {
				number[a.Name.Local], _ = strconv.ParseFloat(a.Value, 64)
				switch a.Name.Local {
				case "class":
					class = a.Value
				case "text-anchor":
					anchor = a.Value
				}
			}
			_, straight := number["x"]
			switch {
			case token.Name.Local == "rect":
				cards = append(cards, box{class, number["x"], number["y"], number["x"] + number["width"], number["y"] + number["height"]})
			case token.Name.Local == "text" && straight:
				lines = append(lines, box{class + "|" + anchor, number["x"], number["y"] - .75*number["font-size"], number["font-size"], number["y"]})
				line = &lines[len(lines)-1]
			}
		case xml.CharData:
			if line == nil {
				continue
			}
			class, anchor, _ := strings.Cut(line.text, "|")
			wide := svg.Extent(string(token), int(line.right), class)
			line.text = string(token)
			line.left -= wide * map[string]float64{"start": 0, "middle": .5, "end": 1}[anchor]
			line.right = line.left + wide
			line = nil
		}
	}
	for i, a := range lines {
		x, y := (a.left+a.right)/2, (a.top+a.bottom)/2
		for _, c := range cards {
			if x > c.left && x < c.right && y > c.top && y < c.bottom && !a.in(c) {
				t.Fatalf("%s: the text %+v leaves %+v", where, a, c)
			}
		}
		for _, b := range lines[:i] {
			if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
				t.Fatalf("%s: the text %+v covers %+v", where, a, b)
			}
		}
	}
}
