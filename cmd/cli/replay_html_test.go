package cli

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve/page/replay"
)

// page is the page of a transcript and the match that it carries.
func page(t *testing.T, transcript string, args ...string) (string, replay.Match) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pages", "match.html") // in a folder that is yet to be made
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
	if all.Text != "Seat 1 is dealt K." || !strings.HasSuffix(all.Note, "deal=K") || one.Text != "Seat 1 is dealt a card." || !strings.HasSuffix(one.Note, "?") {
		t.Errorf("the deal of seat 1 is %q to all eyes and %q to seat 0", all.Text, one.Text)
	}
	if addresses := regexp.MustCompile(`(src|href)="[^#]|https?://`).FindAllString(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), -1); addresses != nil {
		t.Errorf("the page asks for %q: it must load nothing", addresses)
	}
}

func TestAReplayPageThroughASeatsEyesHasNothingElse(t *testing.T) {
	for _, adviser := range []string{"", "random", "search(rollouts=40)"} {
		one, m := page(t, dealt(1, "K"), "--view", "0", "--bot", adviser)
		other, _ := page(t, dealt(987654321, "J"), "--view", "0", "--bot", adviser)
		if len(m.Views) != 1 || m.Views[0].Name != engine.ViewName(0) {
			t.Errorf("the views are %v; want that of seat 0 alone", m.Views)
		}
		if one != other {
			t.Errorf("with the bot %q seat 0 tells two deals apart that look the same to it", adviser)
		}
	}
}

// told checks what a bot says about the decisions of a replay's views, and returns how many it is asked about in the full one.
func told(t *testing.T, m replay.Match, sound func(seat int, of *replay.Thought) bool) (asked int) {
	t.Helper()
	thoughts := map[string]int{}
	for i, v := range m.Views {
		for _, s := range v.Steps {
			var seat int
			if _, err := fmt.Sscanf(cmp.Or(s.Note, s.Text), "seat %d", &seat); err != nil {
				continue // chance, of which nobody thinks
			}
			if shown := i == 0 || i-1 == seat; (s.Thought != nil) != shown {
				t.Fatalf("%s, %q: it says what the bot thinks: %v; want %v", v.Name, s.Note, s.Thought != nil, shown)
			}
			if s.Thought == nil {
				continue
			}
			if !slices.ContainsFunc(s.Thought.Actions, func(c replay.Considered) bool { return c.Action == s.Taken }) || !sound(seat, s.Thought) {
				t.Errorf("%s, %q: action %d is taken, and the bot thinks %+v", v.Name, s.Note, s.Taken, *s.Thought)
			}
			text := s.Note + string(mustJSON(t, s.Thought))
			if thoughts[text]++; i == 0 {
				asked++
			}
		}
	}
	for text, n := range thoughts {
		if n%2 != 0 {
			t.Errorf("the seat itself and who sees all are not told the same: %s", text)
		}
	}
	return asked
}

func TestAReplayPageSaysWhatAPolicyThinksOfEachDecision(t *testing.T) {
	transcript := transcriptOf(t, "doubloons(seats=2,max_rounds=2)")
	_, m := page(t, transcript, "--bot", "policy:captain")
	asked := told(t, m, func(seat int, of *replay.Thought) bool {
		sum := 0.0
		for _, c := range of.Actions {
			sum += c.Prob
		}
		return math.Abs(sum-1) < 1e-4 && len(of.Value) == 2 && of.Value[seat] != nil && of.Unit == "return" && of.Bot == "policy:captain"
	})
	if asked < 10 {
		t.Errorf("it is asked about %d decisions only", asked)
	}
	out := must(t, transcript, "replay", "-", "--bot", "policy:captain")
	if n := strings.Count(out, "     policy:captain chooses "); n != asked || strings.Count(out, "     return by seat: ") != n {
		t.Errorf("the text has %d accounts of %d decisions:\n%s", n, asked, out)
	}
	own := decode[replayed](t, must(t, transcript, "replay", "-", "--bot", "policy:captain", "--view", "1", "--json"))
	for _, s := range own.Steps {
		if (s.Thought != nil) != (s.Seat == 1) {
			t.Errorf("to seat 1 the bot says something about %q: %v", s.Decision, s.Thought != nil)
		}
	}
}

func TestAReplayPageSaysWhatASearchTriedAtEachDecision(t *testing.T) {
	transcript := transcriptOf(t, "leduc")
	_, m := page(t, transcript, "--bot", "search(rollouts=40)")
	if told(t, m, func(_ int, of *replay.Thought) bool {
		return len(of.Actions) < 2 || of.Actions[0].Visits > 0 && of.Actions[0].Mean != nil && len(of.Notes) > 0
	}) == 0 {
		t.Error("it is asked about nothing")
	}
}

// transcriptOf is the transcript of a match against random bots.
func transcriptOf(t *testing.T, game string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "match.txt")
	must(t, strings.Repeat("1\n", 3000), "play", game, "--seed", "3", "--bots", "random", "--save", path)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAReplayPageLeadsToRounds(t *testing.T) {
	_, m := page(t, transcriptOf(t, "jolly_roger(seats=3)"))
	for _, v := range m.Views {
		if v.Chances == nil {
			continue // the game does not evaluate standings
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
