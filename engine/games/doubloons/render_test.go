package doubloons

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

const renderGame = "doubloons(seats=2,chance=explicit,forced=show)"

func TestTheBoardShowsSeaIslandMatsAndCards(t *testing.T) {
	m := enginetest.At(t, renderGame, `{
		"round": 3, "slot": 2, "island": 5, "water": ["coral_reef", "high_water", "rip_current", "the_shallows"],
		"landmarks": {"C1": "tribal_village"},
		"ships": [{"captain": "voet", "region": 1, "facing": "counterclockwise", "captain_at": "C1", "hull": 7,
		           "fragments": {"x": 2}, "table": ["N15", "N13", "N22"], "hand": ["N01"]},
		          {"captain": "valparisa", "region": 3, "ghost": true, "table": ["N02", "N18", "N04"], "hand": ["N05", "N06"]}]}`)
	for view, want := range map[int][]string{
		engine.Full: {"seat 0, in hand: N01", "seat 1, in hand: N06", "card 3, face down: N22", "card 3, face down: N04"},
		0:           {"seat 0, in hand: N01", "card 3, face down: N22", "seat 1, card 3, face down\n", "seat 1 holds 2 cards"},
		1:           {"seat 0 holds 1 card", "seat 1, in hand: N05", "card 3, face down: N04", "seat 0, card 3, face down\n"},
	} {
		board := m.Render(view)
		want = append(want, "Round 3, action, card 2, turn of seat 0", "Island 5 doubloons", "Coral Reef", "(beach)",
			"0:Voet<", "~1:Valparisa>", "Tribal Village", "ghost", "2 x",
			"N15  Sail: Hunt or Board for a map fragment after a card with Attack: Broadsides",
			"N18  Sail, Come About (optional): Hunt or Board for half the doubloons after a card with Pillage")
		for _, part := range want {
			if !strings.Contains(board, part) {
				t.Errorf("view %d lacks %q:\n%s", view, part, board)
			}
		}
	}
}

func TestTheBoardShowsTracksAfterTheDig(t *testing.T) {
	m := enginetest.At(t, renderGame, `{"dug": true, "ships": [{"track": 4}, {"track": 2}]}`)
	for _, part := range []string{"track 4/4", "track 2/4", "THE LAST ROUND"} {
		if board := m.Render(0); !strings.Contains(board, part) {
			t.Errorf("the board lacks %q:\n%s", part, board)
		}
	}
	if strings.Contains(m.Render(0), "The island (") {
		t.Error("the board shows the island after the dig, when no captain is there")
	}
}

func TestDecisionsAreDescribed(t *testing.T) {
	for _, tc := range []struct{ position, actions, says string }{
		{`{"ships": [{"table": ["N08"]}]}`, "", "seat 0: movement: Sail, Come About (optional)"},
		{`{"step": "action", "ships": [{"table": ["N08"]}]}`, "", "seat 0: choose an action of card N08"},
		{`{"water": ["river_merfolk", "high_water", "rip_current", "the_shallows"], "ships": [{"table": ["N26"]}]}`,
			"do=broadsides;die=crew", "seat 0: the die shows crew: roll again (accept) or keep it (decline)?"},
		{`{"water": ["coral_reef", "high_water", "rip_current", "the_shallows"], "ships": [{"table": ["N39"]}, {"hull": 5}]}`,
			"do=board", "seat 0: which ship do you Board to steal 1 crew?"},
		{`{"ships": [{"captain": "voet", "table": ["N13"], "captain_at": "V4", "fragments": {"x": 2}}, {"fragments": {}}]}`,
			"do=hunt;symbol=x", "seat 0: which way from V4?"},
		{`{"dug": true, "ships": [{"captain": "voet", "table": ["N13"], "fragments": {"x": 2}}]}`,
			"do=hunt;stack=yellow;landmark=radiant_pool", "seat 0: who resolves Radiant Pool?"},
		{`{"phase": "over"}`, "", "the match is over"},
	} {
		m := enginetest.At(t, renderGame, tc.position)
		if tc.actions != "" {
			enginetest.Do(t, m, tc.actions)
		}
		check(t, tc.position, m.Decision(), tc.says)
	}
}

func TestTheLegendaryGhostShipIsDrawnAndShipsGoByTheirPlayers(t *testing.T) {
	sc := given(in(t, "modules=legendary_ghost_ship+steal_ship"), 3, combine(legendaryAt(2), func(s *State) {
		s.Helm[0], s.Helm[2] = 2, 0
		s.Ships[0].Table = row("C13")
	}))
	text := sc.m.Render(engine.Full)
	for _, want := range []string{"~legendary>", "legendary          ghost", "seat 2, card 1: C13", "seat 0, card 1: ", "Board for the ship if"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestTheAlternateIslandIsDrawn(t *testing.T) {
	_, m := onIsland(t, `{"dug": true, `+calmWater+`, "beach_totems": {"B2": {"moon": 2}}, "region_shells": [{"x": 1}, {}, {}, {}, {}],
		"landmarks": {"T1": "moonlit_lake"}, "ships": [{"captain": "voet", "captain_at": "T1", "track": 2, "totems": {"x": 1}}, {"captain_at": "X", "totems": {"sun": 2}, "shells": {"wave": 2}}]}`)
	board := m.Render(0)
	for _, want := range []string{
		"0 Coral Reef        (B1)", "shells: x", "0 relics in the crater", "T1 - X V1 V2 P1 P2 ", "Moonlit Lake, seat 0", "totems: 2 moon", "X  - T1 T2 T3 T4", "red     seat 1",
		"T1, 2/4", "\nseat 0: x; -\nseat 1: 2 sun; 2 wave\n",
	} {
		if !strings.Contains(board, want) {
			t.Errorf("no %q in\n%s", want, board)
		}
	}
	if strings.Contains(board, "from the mount") || strings.Contains(board, "(beach)") {
		t.Errorf("words of the standard island in\n%s", board)
	}
}
