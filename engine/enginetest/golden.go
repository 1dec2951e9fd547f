package enginetest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// Random plays a match of a game at random and returns its transcript. It
// depends on the seed only.
func Random(t testing.TB, game string, seed uint64) *engine.Transcript {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(seed)
	tr := &engine.Transcript{Game: g.Info().Config, Seed: seed}
	for r := choices(seed); m.Seat() != engine.Over; {
		a := choose(m, &r)
		tr.Record(m, a)
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	tr.Returns = make([]float32, g.Info().Seats)
	m.Returns(tr.Returns)
	return tr
}

// Playthrough replays a transcript and returns its text with a comment, after
// each step, for everything that the step changed in the position. Paths under
// ignore are left out. The text reads back as the same transcript.
func Playthrough(t testing.TB, tr *engine.Transcript, ignore ...string) []byte {
	t.Helper()
	var positions [][]byte
	add := func(m engine.Match) error {
		p, err := m.Position(engine.Full)
		positions = append(positions, p)
		return err
	}
	m, err := tr.Replay(func(m engine.Match, _ int, _ engine.Action) error { return add(m) })
	if err == nil {
		err = add(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	err = tr.Write(&text, func(i int) []string {
		before := []byte("{}")
		if i >= 0 {
			before = positions[i]
		}
		changes, err := engine.Changes(before, positions[i+1], ignore...)
		if err != nil {
			t.Fatal(err)
		}
		lines := make([]string, len(changes))
		for j, c := range changes {
			lines[j] = c.String()
		}
		return lines
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// Golden compares text with the file at path byte for byte, or writes the file
// if update is set (by convention the flag -update of the test).
func Golden(t testing.TB, path string, text []byte, update bool) {
	t.Helper()
	if update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run the test with -update to write it", err)
	}
	if !bytes.Equal(want, text) {
		t.Errorf("%s is no longer what is played: %s\nIf the change is intended, run the test with -update.",
			path, firstDifference(string(want), string(text)))
	}
}
