package engine_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

const transcript = `privateer transcript 1
game: kuhn(chance=explicit)
seed: 18446744073709551615
chance deal=K
chance deal=J
0 pass
1 bet
0 bet
end: 1 -1
`

func read(t *testing.T, text string) *engine.Transcript {
	t.Helper()
	tr, err := engine.ReadTranscript(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func written(t testing.TB, tr *engine.Transcript, notes func(int) []string) string {
	t.Helper()
	var b bytes.Buffer
	if err := tr.Write(&b, notes); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTranscriptsAreReadAsTheyWereWritten(t *testing.T) {
	tr := read(t, transcript)
	want := &engine.Transcript{
		Game: "kuhn(chance=explicit)", Seed: 1<<64 - 1,
		Steps: []engine.Step{
			{Seat: engine.Chance, Action: "deal=K"}, {Seat: engine.Chance, Action: "deal=J"},
			{Seat: 0, Action: "pass"}, {Seat: 1, Action: "bet"}, {Seat: 0, Action: "bet"},
		},
		Returns: []float32{1, -1},
	}
	if !reflect.DeepEqual(tr, want) {
		t.Errorf("read %+v", tr)
	}
	if got := written(t, tr, nil); got != transcript {
		t.Errorf("written:\n%s", got)
	}
	tr.Returns = nil
	if got := written(t, tr, nil); !strings.HasSuffix(got, "end: unfinished\n") {
		t.Errorf("an unfinished match is written as\n%s", got)
	}
}

func TestTranscriptCommentsArePassedOver(t *testing.T) {
	tr := read(t, transcript)
	text := written(t, tr, func(i int) []string {
		if i == -1 || i == 2 {
			return []string{"a note", "end: of a kind"}
		}
		return nil
	})
	if strings.Count(text, "#   a note") != 2 {
		t.Errorf("the notes are not written:\n%s", text)
	}
	if !reflect.DeepEqual(read(t, "\n# first\r\n"+text+"\n\n"), tr) {
		t.Error("comments and empty lines change what is read")
	}
}

func TestTranscriptsThatWereCutShortAreRefused(t *testing.T) {
	for i, c := range transcript {
		if c != '\n' || i == len(transcript)-1 {
			continue
		}
		if _, err := engine.ReadTranscript(strings.NewReader(transcript[:i+1])); err == nil {
			t.Errorf("accepted without the lines after %q", transcript[:i])
		}
	}
	if _, err := engine.ReadTranscript(failing{}); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("a reader's error is lost: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestTranscriptsWithFaultsAreRefusedByLine(t *testing.T) {
	for _, c := range []struct{ old, new, naming string }{
		{"privateer transcript 1", "Dear diary", "line 1: want"},
		{"privateer transcript 1", "privateer transcript 2", `line 1: "privateer transcript 2": this program reads "privateer transcript 1": use the release`},
		{"seed: 18446744073709551615", "seed: -1", "line 3: seed"},
		{"seed: 18446744073709551615\n", "", `the line "seed:" is missing`},
		{"game: kuhn(chance=explicit)\n", "", `the line "game:" is missing`},
		{"0 pass", "0 " + strings.Repeat("pass", 1<<16), "line 6: longer than 65536 bytes"},
		{"0 pass", "zero pass", "line 6: want a seat"},
		{"0 pass", "-1 pass", "line 6: want a seat"},
		{"0 pass", "pass", "line 6: want a seat"},
		{"end: 1 -1", "end: one", `line 9: end: "one" is not a number`},
		{"end: 1 -1", "end:", "line 9: end: want the returns"},
		{"end: 1 -1", "end: 1 -1\n0 bet", "line 10: text after the end"},
	} {
		text := strings.Replace(transcript, c.old, c.new, 1)
		if _, err := engine.ReadTranscript(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.naming) {
			t.Errorf("%q for %q gives %v, want an error that says %q", c.new, c.old, err, c.naming)
		}
	}
}

func TestReplayChecksWhatIsWritten(t *testing.T) {
	var steps []int
	m, err := read(t, transcript).Replay(func(m engine.Match, i int, a engine.Action) error {
		if m.Seat() == engine.Chance != (i < 2) || m.Info().ActionName(a) == "" {
			t.Errorf("before step %d %s is to act", i, engine.SeatName(m.Seat()))
		}
		steps = append(steps, i)
		return nil
	})
	if err != nil || m.Seat() != engine.Over || len(steps) != 5 {
		t.Errorf("replay ends with %v after the steps %v", err, steps)
	}
	for _, c := range []struct{ old, new, naming string }{
		{"game: kuhn(", "game: chess(", `unknown game "chess"`},
		{"0 pass", "1 pass", "step 2: the transcript has seat 1, but seat 0 is to act"},
		{"0 pass", "0 fold", `step 2: unknown action "fold"`},
		{"0 pass", "0 deal=Q", `step 2: kuhn(chance=explicit): illegal action "deal=Q"`},
		{"deal=J", "deal=K", `step 1: kuhn(chance=explicit): illegal action "deal=K" for chance`},
		{"1 -1", "0.5 -0.5", "replay gives [1 -1]"},
		{"1 -1", "1 -1 0", "replay gives [1 -1]"},
		{"1 bet\n0 bet\n", "1 bet\n", "not over after 4 steps"},
	} {
		_, err := read(t, strings.Replace(transcript, c.old, c.new, 1)).Replay(nil)
		if err == nil || !strings.Contains(err.Error(), c.naming) {
			t.Errorf("%q for %q gives %v, want an error that says %q", c.new, c.old, err, c.naming)
		}
	}
	stop := errors.New("stop")
	if _, err := read(t, transcript).Replay(func(engine.Match, int, engine.Action) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the caller's error is lost: %v", err)
	}
	if m, err := read(t, strings.Replace(transcript, "0 bet\nend: 1 -1", "end: unfinished", 1)).Replay(nil); err != nil || m.Seat() != 0 {
		t.Errorf("an unfinished match does not replay: %v", err)
	}
}

func FuzzReadTranscript(f *testing.F) {
	f.Add(transcript)
	f.Add("privateer transcript 1\ngame: leduc\nseed: 7\n# note\n0 call\nend: unfinished\n")
	f.Add("privateer transcript 1\ngame: leduc\nseed: 7\n0 call\n")
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := engine.ReadTranscript(strings.NewReader(text))
		if err != nil {
			return
		}
		once := written(t, tr, nil)
		again, err := engine.ReadTranscript(strings.NewReader(once))
		if err != nil {
			t.Fatalf("what was read is written as\n%s\nand then refused: %v", once, err)
		}
		if twice := written(t, again, nil); twice != once {
			t.Fatalf("written once:\n%s\nand again:\n%s", once, twice)
		}
		_, _ = again.Replay(nil) // an error or none, but never a panic
	})
}
