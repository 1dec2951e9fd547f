package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// The positions of POSITIONS.md do what the page says.
func TestPositionsOfThePageDoWhatItSays(t *testing.T) {
	positions := enginetest.Page(t, "POSITIONS.md")
	if len(positions) != 8 {
		t.Fatalf("%d positions on the page; want 8", len(positions))
	}
	at := func(i int, actions string) *State {
		m := enginetest.Written(t, positions[i])
		enginetest.Do(t, m, actions)
		return engine.State[State](m)
	}
	s := at(0, "do=broadsides;die=crew")
	check(t, "sunk", s.Ships[1].Ghost, true)
	check(t, "level", s.Ships[0].Reputation, 1)
	check(t, "crew", s.Ships[1].Crew, 3)
	s = at(1, "do=hunt;symbol=x;landmark=bleeding_totem")
	check(t, "hunter", nodeNames[s.Ships[0].Node], "P2")
	check(t, "follower", nodeNames[s.Ships[1].Node], "P2")
	check(t, "follower's hull", s.Ships[1].Hull, 8)
	s = at(2, "do=repair")
	check(t, "ending", s.Ending, true)
	s = at(3, "die=crew;die=voodoo")
	check(t, "hull after broadsides", s.Ships[0].Hull, 8)
	check(t, "hull after the attack ahead and its voodoo", s.Ships[1].Hull, 8)
	s = at(4, "stay")
	check(t, "who decides for seat 0", s.Helm[0], 1)
	s = at(5, "sail;die=voodoo;seat=+1")
	check(t, "region beyond the Rip Current", s.Ships[0].Region, 3)
	check(t, "the jewel", s.Ships[1].Jewels[BlackJewel], 1)
	s = at(6, "compass=+1,1")
	check(t, "the card of seat 1", s.Ships[0].Table[0], int8(card("N33")))
	check(t, "compasses left", s.Ships[0].Compasses, 0)
	s = at(7, "do=hunt;to=B2;symbol=moon;seat=+1")
	check(t, "tracker", s.Ships[0].Track, 2)
	check(t, "top", s.Top(), frame(RollDuel, 0, 1, 0))
}

func FuzzSetPosition(f *testing.F) {
	f.Add([]byte(`{"dug": true, "slot": 2, "turn": 1, "ships": [{"track": 3}, {"table": ["N01", "C13"]}]}`))
	f.Add([]byte(`{"phase": "pillage", "ships": [{"pillage": 2}]}`))
	f.Add([]byte(`{"crater": 3, "beach_totems": {"B2": {"x": 1}}, "landmarks": {"T1": "sunken_loom"}, "ships": [{"captain_at": "P1", "shells": {"wave": 1}}]}`))
	enginetest.FuzzPositions(f, checkMatch, "doubloons(seats=3)", "doubloons(seats=3,modules=alternate_island)")
}
