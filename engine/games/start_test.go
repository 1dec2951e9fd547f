package games

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// starts are games whose matches begin at a position.
var starts = []string{
	"doubloons(seats=2,start=doubloons/testdata/examples/duel.json)",
	"doubloons(seats=2,advice=foresight,start=doubloons/testdata/examples/duel.json)",
	"jolly_roger(seats=3,start=jollyroger/testdata/examples/three_cards.json)",
}

func TestMatchesBeginAtThePositionOfTheFile(t *testing.T) {
	for _, name := range starts {
		g, err := engine.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		_, path, _ := strings.Cut(strings.TrimSuffix(name, ")"), "start=")
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.NewGameWith(name, "chance", "explicit")
		if err != nil {
			t.Fatal(err)
		}
		begun, read := e.NewMatch(), e.NewMatch()
		if err := read.SetPosition(file); err != nil {
			t.Fatal(err)
		}
		ends := map[string]bool{}
		random, err := bots.New("random", g)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(30) {
			begun.Reset(seed)
			view, err := begun.Position(0)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := read.Position(0); err != nil || !bytes.Equal(view, want) {
				t.Fatalf("%s, seed %d: the match begins elsewhere", name, seed)
			}
			m, again := g.NewMatch(), g.NewMatches(2)[1]
			m.Reset(seed)
			again.Reset(seed)
			if !m.Equal(again) {
				t.Fatalf("%s: two matches of seed %d begin differently", name, seed)
			}
			seats := make([]bots.Bot, g.Info().Seats)
			for i := range seats {
				seats[i] = random
			}
			r := engine.NewRand(1) // the same choices as far as they can be: what differs is the match's own luck
			if err := bots.Play(m, seats, &r); err != nil {
				t.Fatal(err)
			}
			ends[string(m.Bytes())] = true
			if limit, _ := m.Truncated(); limit != "" {
				t.Fatalf("%s: %s has ended the match", name, limit)
			}
		}
		if len(ends) < 2 {
			t.Errorf("%s: all matches end alike, whatever their seed", name)
		}
	}
}

func TestStartsThatAreNoneAreRefused(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "p.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ game, path, want string }{
		{"doubloons", "nowhere.json", "start=nowhere.json: "},
		{"doubloons", write(`{"round": 0}`), "position: round"},
		{"doubloons", write(`{"game": "doubloons(seats=3)"}`), "position: game: a position of doubloons(seats=3)"},
		{"jolly_roger", write(`{"phase": "over"}`), "the match is over there"},
		{"leduc", "nowhere.json", `leduc has no parameter "start"`},
	} {
		_, err := engine.NewGame(c.game + "(start=" + c.path + ")")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %s", c.game, err, c.want)
		}
	}
}
