package mcp

import (
	"encoding/json"
	"flag"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/table"
)

var twins = flag.Int("twins", 2000, "pairs of matches that are compared")

// Two matches that a seat cannot tell apart give it the same answers, in words and as JSON.
func TestAnswersFollowFromWhatTheSeatKnows(t *testing.T) {
	all := []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=3,edition=final,modules=black_jewel+compass)", "jolly_roger(seats=5,variants=hidden_prizes)"}
	for i, config := range all {
		g, err := engine.NewGameWith(config, "chance", "explicit")
		if err != nil {
			t.Fatal(err)
		}
		p, err := prompt.New(g, 0)
		if err != nil {
			t.Fatal(err)
		}
		asked, n := 0, 0
		for pair := range (enginetest.Twins{Game: g, Seed: uint64(i) + 1, Grow: 40}).All() {
			if pair.A.Seat() == engine.Over {
				continue // then nothing is hidden any more
			}
			if a, b := answered(t, p, pair, pair.A), answered(t, p, pair, pair.B); a != b {
				t.Fatalf("%v: the answers differ:\n%s\n%s", pair, a, b)
			}
			if pair.Asked() {
				asked++
			}
			if n++; n >= *twins/len(all) {
				break
			}
		}
		if asked == 0 || asked == n {
			t.Errorf("%s: the seat is asked in %d of %d pairs: want some of each", config, asked, n)
		}
	}
}

// answered is what the seat of a pair is told of one of its matches.
func answered(t *testing.T, p *prompt.Prompter, pair *enginetest.Pair, m engine.Match) string {
	now := table.Glance{Match: m, Turn: table.Wait, Decision: 7}
	if pair.Asked() {
		now.Turn = table.You
	}
	if log := engine.Listen(m); pair.WasA != nil && log != nil {
		one := engine.Moment{Told: engine.Tell(m, log.Since(0), pair.Seat)}
		for _, e := range log.Since(0) {
			one.Events = append(one.Events, engine.EventSeen(m, e, pair.Seat))
		}
		now.Since = []engine.Moment{one}
	}
	v, err := viewOf(pair.Seat, now, false)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return serve.InWords(p, pair.Seat, now) + string(data)
}
