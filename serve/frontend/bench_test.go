package frontend

import (
	"encoding/json"
	"fmt"
	"testing"
)

// BenchmarkAnswer answers one question about a match in its middle.
func BenchmarkAnswer(b *testing.B) {
	for _, c := range []struct{ game, player string }{{"leduc", "random"}, {"doubloons(seats=4)", "captain"}, {"jolly_roger(seats=6)", "pirate"}} {
		e := New()
		ask := func(q entries) (a matchAnswer) {
			text, err := json.Marshal(q)
			if err == nil {
				err = json.Unmarshal(e.Answer(text), &a)
			}
			if err != nil {
				b.Fatal(err)
			}
			return a
		}
		m := ask(entries{"op": "match", "game": c.game, "seed": 1})
		for range 2 + 50*min(1, len(c.game)/8) {
			m = ask(entries{"op": "match", "game": c.game, "state": m.State, "actions": m.Legal[len(m.Legal)-1:]})
		}
		for m.Seat < 0 {
			m = ask(entries{"op": "match", "game": c.game, "state": m.State, "actions": m.Legal[:1]})
		}
		for _, with := range [][]string{nil, {"observation", "mask"}, {"rows"}, {"names", "words"}, {"position"}, {"events", "log"}, {"svg"}} {
			q, err := json.Marshal(entries{"op": "match", "game": c.game, "state": m.State, "actions": m.Legal[:1], "view": 0, "with": with})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%v", c.game, with), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e.Answer(q)
				}
			})
		}
		q, err := json.Marshal(entries{"op": "think", "game": c.game, "state": m.State, "player": c.player})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.game+"/think "+c.player, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Answer(q)
			}
		})
	}
}
