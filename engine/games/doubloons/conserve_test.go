package doubloons

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// Whatever is taken, made or moved out of range, Check finds, and says where.
func TestCheckFindsWhatIsLostOrMade(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(s *State)
		path  string
	}{
		{"a doubloon lost", func(s *State) { s.Island-- }, "supply"},
		{"a doubloon made", func(s *State) { s.Ships[1].Doubloons++ }, "supply"},
		{"a pillage token made", func(s *State) { s.Ships[0].Pillage++ }, "pillage_tokens"},
		{"a jewel lost", func(s *State) { s.Jewels[Ruby]-- }, "jewels.ruby"},
		{"a black jewel made", func(s *State) { s.Ships[0].Jewels[BlackJewel]++ }, "jewels.black_jewel"},
		{"a card lost", func(s *State) { s.Deck &= s.Deck - 1 }, "deck"},
		{"a card twice", func(s *State) { s.Discard |= s.Ships[0].Hand }, "ships[0].hand"},
		{"a card of another deck", func(s *State) { s.Deck |= 1 << FirstGreenCard }, "deck"},
		{"a captain card too early", func(s *State) { s.Deck |= 1 << FirstCaptainCard }, "dug"},
		{"a card face up and in the deck", func(s *State) { s.Deck |= 1 << s.Ships[1].Table[0] }, "ships[1].table[0]"},
		{"a card that does not exist", func(s *State) { s.Ships[1].Table[0] = NumCards }, "ships[1].table[0]"},
		{"a gap in a row", func(s *State) { s.Deck |= 1 << s.Ships[1].Table[1]; s.Ships[1].Table[1] = noCard }, "ships[1].table[2]"},
		{"an old card in the deck", func(s *State) { s.Old = s.Deck }, "old"},
		{"a landmark twice", func(s *State) { s.Tiles[NodeC1] = StarAxis }, "stacks.blue.top"},
		{"a landmark of a module", func(s *State) { s.StackTop[ColourBlue] |= 1 << OldMystic }, "stacks.blue.top"},
		{"a landmark on the beach", func(s *State) { s.StackTop[ColourBlue] &^= 1 << StarAxis; s.Tiles[NodeB1] = StarAxis }, "landmarks.B1"},
		{"a landmark in another stack", func(s *State) {
			s.StackTop[ColourBlue] &^= 1 << StarAxis
			s.StackTop[ColourRed] |= 1 << StarAxis
		}, "stacks.red"},
		{"a landmark of another colour's path", func(s *State) { s.StackTop[ColourRed] &^= 1 << CursedIdol; s.Tiles[NodeC1] = CursedIdol }, "landmarks"},
		{"a tile below the bottom", func(s *State) { s.StackBottom[ColourRed][0] = CursedIdol }, "stacks.red.bottom"},
		{"a fragment lost", func(s *State) { s.UnseenFragments[SymbolX] = 0 }, "unseen_fragments.x"},
		{"a fragment in the stack that nobody has", func(s *State) { s.MapFragments++ }, "map_stack.fragments"},
		{"an orb made", func(s *State) { s.Ships[0].Orbs++ }, "map_stack.protection_orb"},
		{"a Skull Amulet made", func(s *State) { s.MapSpecials[SkullAmulet]++ }, "map_stack.skull_amulet"},
		{"a relic on the standard island", func(s *State) { s.Relics[0][0]++ }, "unseen_relics.totems.x"},
		{"a compass without its module", func(s *State) { s.Ships[0].Compasses++ }, "ships[0].compasses"},
		{"a water tile twice", func(s *State) { s.Water[1] = s.Water[0] }, "water[1]"},
		{"a fifth region", func(s *State) { s.Water[NumRegions] = RipCurrent }, "water[4]"},
		{"a region without water", func(s *State) { s.Water[3] = noTile }, "water[3]"},
		{"a ship out at sea", func(s *State) { s.Ships[0].Region = NumRegions }, "ships[0].region"},
		{"a ship facing nowhere", func(s *State) { s.Ships[0].Facing = 0 }, "ships[0].facing"},
		{"a captain twice", func(s *State) { s.Ships[0].Captain = s.Ships[1].Captain }, "ships[1].captain"},
		{"a ship of nobody", func(s *State) { s.Ships[5].Crew = 1 }, "ships[5]"},
		{"too much crew", func(s *State) { s.Ships[0].Crew = MaxCrew + 1 }, "ships[0].crew"},
		{"a sunk ship that is no ghost ship", func(s *State) { s.Ships[0].Hull = 0 }, "ships[0].hull"},
		{"a captain on a location of the other island", func(s *State) { s.Ships[0].Node = NodeT1 }, "ships[0].captain_at"},
		{"a captain on the track too early", func(s *State) { s.Ships[0].Track = 1 }, "ships[0].track"},
		{"a last round for nothing", func(s *State) { s.Ending = true }, "ending"},
		{"a phase that is none", func(s *State) { s.Phase = NumPhases }, "phase"},
		{"a turn of nobody", func(s *State) { s.Turn = -1 }, "turn"},
		{"cards face up too soon", func(s *State) { s.Revealed = NumSlots }, "revealed"},
		{"a frame of no kind", func(s *State) { s.Frames[s.Depth-1].Kind = 255 }, "stack[6].kind"},
		{"a frame of no seat", func(s *State) { s.Frames[s.Depth-1].Seat = 5 }, "stack[6].seat"},
		{"a frame beyond the top", func(s *State) { s.Frames[s.Depth].Arg[0] = 1 }, "stack[7]"},
		{"a frame too many", func(s *State) { s.Push(frame(AskPath, 0)) }, "stack[7]"},
		{"a frame lost", func(s *State) { s.Frames[0] = s.Frames[1] }, "stack[0]"},
		{"nothing left to do", func(s *State) { s.Depth, s.Frames = 0, [maxFrames]Frame{} }, "stack"},
	} {
		m, r := explicitMatch(t, 2)
		if err := m.SetPosition([]byte(`{"seed": 1, "step": "action", "ships": [{"captain": "voet", "table": ["N13"]}, {"captain": "hayreddin", "region": 1}]}`)); err != nil {
			t.Fatal(err)
		}
		s := *engine.State[State](m)
		if err := r.Check(&s); err != nil {
			t.Fatal(err)
		}
		tc.spoil(&s)
		if err := r.Check(&s); err == nil || !strings.Contains(err.Error(), tc.path+":") {
			t.Errorf("%s: %v; want it named at %s", tc.name, err, tc.path)
		}
	}
}

// What replaced a tile lies at a location of another colour, once.
func TestReplacedLandmarksAccountForTilesOfAnotherColour(t *testing.T) {
	_, r := explicitMatch(t, 2)
	for _, tc := range []struct {
		position string
		fine     bool
	}{
		{`{"landmarks": {"C1": "radiant_pool"}, "out_of_game": ["hidden_chamber"]}`, true},
		{`{"landmarks": {"V1": "cursed_idol"}, "out_of_game": ["pandoras_box"]}`, true},
		{`{"landmarks": {"C1": "cursed_idol"}, "out_of_game": ["hidden_chamber", "pandoras_box"]}`, true},
		{`{"landmarks": {"C1": "cursed_idol"}, "out_of_game": ["pandoras_box"]}`, false},
		{`{"landmarks": {"C1": "radiant_pool", "C2": "radiant_fountain"}, "out_of_game": ["hidden_chamber"]}`, false},
		{`{"landmarks": {"C1": "cursed_idol", "V1": "dank_cave"}, "out_of_game": ["hidden_chamber", "pandoras_box"]}`, false},
		{`{"landmarks": {"P1": "radiant_pool"}, "out_of_game": ["hidden_chamber", "pandoras_box"]}`, false},
	} {
		var s State
		if err := r.SetPosition(&s, []byte(tc.position)); (err == nil) != tc.fine {
			t.Errorf("%s: %v", tc.position, err)
		}
	}
}
