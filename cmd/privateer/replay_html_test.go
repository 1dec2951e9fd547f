package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve/page/replay"
)

// page is the page of a transcript and the match that it carries.
func page(t *testing.T, transcript string, args ...string) (string, replay.Match) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "match.html")
	must(t, transcript, append([]string{"replay", "-", "--html", path}, args...)...)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data := regexp.MustCompile(`id="data">([^<]*)<`).FindSubmatch(text)
	if data == nil {
		t.Fatal("the page carries no match")
	}
	packed, err := base64.StdEncoding.DecodeString(string(data[1]))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var m replay.Match
	if err := json.NewDecoder(z).Decode(&m); err != nil {
		t.Fatal(err)
	}
	return string(text), m
}

func TestAReplayPageHasThePictureOfEveryStepForEveryView(t *testing.T) {
	text, m := page(t, dealt(1, "K"))
	if len(m.Views) != 3 || m.Seats != 2 {
		t.Fatalf("%d views of %d seats; want all eyes and each seat's", len(m.Views), m.Seats)
	}
	for i, v := range m.Views {
		if len(v.Frames) != 7 || len(v.Steps) != 6 {
			t.Fatalf("%s: %d pictures and %d steps; want 7 and 6", v.Name, len(v.Frames), len(v.Steps))
		}
		for step, frame := range v.Frames {
			var lines []string
			for _, n := range frame {
				lines = append(lines, m.Lines[n])
			}
			want := must(t, dealt(1, "K"), "replay", "-", "--view", []string{"full", "0", "1"}[i], "--svg", string(rune('0'+step)))
			if got := strings.Join(lines, "\n") + "\n"; got != want {
				t.Errorf("%s, step %d: the picture is\n%s\nwant\n%s", v.Name, step, got, want)
			}
		}
	}
	all, one := m.Views[0].Steps[1], m.Views[1].Steps[1]
	if all.Text != "Seat 1 has the card K." || !strings.HasSuffix(all.Note, "deal=K") || one.Text != "Seat 1 is dealt a card." || !strings.HasSuffix(one.Note, "?") {
		t.Errorf("the deal of seat 1 is %q to all eyes and %q to seat 0", all, one)
	}
	if addresses := regexp.MustCompile(`(src|href)="[^#]|https?://`).FindAllString(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), -1); addresses != nil {
		t.Errorf("the page asks for %q: it must load nothing", addresses)
	}
}

func TestAReplayPageThroughASeatsEyesHasNothingElse(t *testing.T) {
	one, m := page(t, dealt(1, "K"), "--view", "0")
	other, _ := page(t, dealt(987654321, "J"), "--view", "0")
	if len(m.Views) != 1 || m.Views[0].Name != engine.ViewName(0) {
		t.Errorf("the views are %v; want that of seat 0 alone", m.Views)
	}
	if one != other {
		t.Error("seat 0 tells two deals apart that look the same to it")
	}
}

func TestAReplayPageLeadsToRounds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "match.txt")
	must(t, strings.Repeat("1\n", 3000), "play", "jolly_roger(seats=3)", "--seed", "3", "--bots", "random", "--save", path)
	transcript, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, m := page(t, string(transcript))
	for _, v := range m.Views {
		if v.Chances == nil {
			continue // the game does not judge standings
		}
		for i, chances := range v.Chances {
			total := 0.0
			for _, p := range chances {
				total += p
			}
			if len(v.Chances) != len(v.Frames) || math.Abs(total-1) > 0.01 {
				t.Fatalf("%s, frame %d of %d: the chances to win are %v", v.Name, i, len(v.Frames), chances)
			}
		}
	}
	if r := m.Views[0].Rounds; len(r) < 10 || r["1"] > r["2"] || r["9"] > r["10"] {
		t.Errorf("the rounds begin at %v", r)
	}
}
