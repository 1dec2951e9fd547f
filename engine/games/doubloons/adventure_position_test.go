package doubloons

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// islandAt is a match of two on the alternate island in a position, chance explicit.
func islandAt(t *testing.T, modules, position string) (*State, engine.Match, error) {
	t.Helper()
	m, _ := explicitMatch(in(t, "modules="+modules), 2)
	err := m.SetPosition([]byte(position))
	return engine.State[State](m), m, err
}

func onIsland(t *testing.T, position string) (*State, engine.Match) {
	t.Helper()
	s, m, err := islandAt(t, "alternate_island", position)
	if err != nil {
		t.Fatalf("%s: %v", position, err)
	}
	return s, m
}

const calmWater = `"water": ["coral_reef", "rip_current", "fog", "rip_current", "the_shallows"]`

func TestIslandPositionsLeaveOutWhatIsAsAtTheBeginning(t *testing.T) {
	s, m := onIsland(t, `{`+calmWater+`, "ships": [{}, {"region": 4}]}`)
	r, _ := engine.RulesOf[State, *Rules](m)
	for i := range 2 {
		check(t, "fragments dealt", sum(&s.Ships[i].Fragments), 2)
		check(t, "relics", sum(&s.Ships[i].Totems)+sum(&s.Ships[i].Shells), 0)
	}
	check(t, "beach of the region", s.Ships[1].Node, NodeB5)
	check(t, "relics in the crater", r.InCrater(s), 8)
	check(t, "fragments in the map stack", s.MapFragments, 0)
	check(t, "special tiles", sum(&[4]uint8{s.MapSpecials[0], s.MapSpecials[1], s.MapSpecials[2]}), 2)
	s, _ = onIsland(t, `{"ships": [{"fragments": {"x": 1}}]}`)
	check(t, "the others' fragments", sum(&s.Ships[1].Fragments), 3)
}

func TestRelicsThatHaveLeftTheCraterAreDealt(t *testing.T) {
	for _, position := range []string{`{"dug": true}`, `{"crater": 0}`, `{"ships": [{"captain_at": "X"}]}`} {
		s, m := onIsland(t, position)
		r, _ := engine.RulesOf[State, *Rules](m)
		check(t, position+": relics in the crater", r.InCrater(s), 0)
		for i := range 2 {
			check(t, position+": relics of a seat", sum(&s.Ships[i].Totems)+sum(&s.Ships[i].Shells), 4)
		}
	}
	s, _ := onIsland(t, `{"crater": 3, "ships": [{"totems": {"sun": 1}}]}`)
	check(t, "what is written stays", s.Ships[0].Totems, [NumSymbols]uint8{0, 1})
	check(t, "shells of the ship that names totems", sum(&s.Ships[0].Shells), 0)
	check(t, "relics of the ship that names none", sum(&s.Ships[1].Totems)+sum(&s.Ships[1].Shells), 4)
	s, _ = onIsland(t, `{"dug": true, `+calmWater+`, "ships": [{"totems": {}, "captain_at": "C1", "track": 2}, {"shells": {"x": 1}}]}`)
	onBoard := 0
	for i := range s.BeachTotems {
		onBoard += sum(&s.BeachTotems[i]) + sum(&s.RegionShells[i])
	}
	check(t, "with relics of all seats named, the rest is on the board", onBoard, 7)
	check(t, "no shells where none can lie", sum(&s.RegionShells[1])+sum(&s.RegionShells[3]), 0)
	check(t, "captain after the dig", s.Ships[0].Node, NodeC1)
	check(t, "track after the dig", s.Ships[0].Track, 2)
	for seed := range 20 {
		s, _ = onIsland(t, fmt.Sprintf(`{"seed": %d, "dug": true, `+calmWater+`, "ships": [{"totems": {}, "captain_at": "B2", "region": 2}, {"shells": {"x": 1}, "captain_at": "B4"}]}`, seed))
		check(t, "shells where a ship lies", sum(&s.RegionShells[0])+sum(&s.RegionShells[2]), 0)
		check(t, "totems where a captain is", sum(&s.BeachTotems[1])+sum(&s.BeachTotems[3]), 0)
	}
	s, _, err := islandAt(t, "legendary_ghost_ship+alternate_island", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "relics of the legendary ghost ship", sum(&s.Ships[Legendary].Totems)+sum(&s.Ships[Legendary].Shells), 2)
}

func TestMoreRelicsThanTheCraterHeldAreRefused(t *testing.T) {
	_, _, err := islandAt(t, "alternate_island", `{"dug": true, "ships": [{"totems": {"x": 3, "sun": 3}, "shells": {"x": 3}}]}`)
	if want := "ships: with beaches and regions they have 9 relics: 2 players have 8 in the game"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestIslandPositionsNameWhatIsWrong(t *testing.T) {
	hunting := func(rest string) string {
		return `{` + calmWater + `, "ships": [{"table": ["N13"], "captain_at": "B1"}, {"captain_at": "B2"}], ` + rest + `}`
	}
	for position, says := range map[string]string{
		`{"ships": [{"totems": {"x": 2}}, {"totems": {"x": 2}}]}`:       "ships[1].totems.x: 2: with the others that makes 4 of the 3 totems of this symbol",
		`{"ships": [{"captain_at": "M"}]}`:                              "ships[0].captain_at",
		`{"ships": [{"captain_at": "V6"}]}`:                             "ships[0].captain_at",
		`{"ships": [{"track": 1}]}`:                                     "ships[0].track: captains move on the end-game track after the dig only",
		`{"ships": [{"fragments": {"x": 1}}, {"fragments": {"x": 1}}]}`: "ships: they have 2 map fragments: on the alternate island 2 players have 4",
		`{"crater": 9}`:                                                    "crater: 9: want a whole number from 0 to 8",
		`{"dug": true, "crater": 1}`:                                       "crater: 1 relics: the treasure is dug up when it is empty",
		`{"crater": 1, "ships": [{"captain_at": "X"}]}`:                    "crater: 1 relics: a captain is there",
		`{"unseen_relics": {"totems": {"x": 1}}, "crater": 8}`:             "crater: 8: by what nobody has seen there are 6 relics in it",
		`{"unseen_relics": {"totems": {"x": 1}}}`:                          "unseen_relics.totems.x: 1 totems of this symbol in unseen_relics.totems, ships[].totems, beach_totems: there are 3",
		`{` + calmWater + `, "region_shells": [{}, {"x": 1}, {}, {}, {}]}`: "region_shells[1]: no shell lies in a region with rip_current",
		`{"region_shells": [{}]}`:                                          "region_shells: a list: want the shells of regions 0 to 4",
		`{"left_crater": [0], "dug": true}`:                                "left_crater: captains may return to the crater in edition final",
		`{"phase": "setup", "crater": 4}`:                                  "crater",
		`{"landmarks": {"C1": "sunken_loom"}}`:                             "landmarks: a green tile lies at a blue location",
		`{"landmarks": {"T1": "star_axis"}}`:                               "landmarks: a blue tile lies at a green location, which it does only in place",
		`{"beach_totems": {"B6": {}}}`:                                     "beach_totems.B6: unknown field",
		`{"dug": true, "ships": [{"totems": {}}, {"totems": {}}], "beach_totems": {}, "region_shells": [{},{},{},{},{}]}`: "crater: 8 relics have left it, and 8 of them are nowhere",
		hunting(`"stack": [{"kind": "ask_hunt", "seat": 0}]`):                                                             "ask_hunt never stands on the stack in this game",
		hunting(`"stack": [{"kind": "ask_shell", "seat": 0}]`):                                                            "N13 has no pillage",
		hunting(`"stack": [{"kind": "do_duel", "seat": 0}, {"kind": "ask_totem", "seat": 0}]`):                            "ask_totem: there is nothing to choose",
		hunting(`"stack": [{"kind": "ask_duel", "seat": 0}]`):                                                             "ask_duel: there is nothing to choose",
		hunting(`"stack": [{"kind": "roll_duel", "seat": 0, "rival": 1, "again": false}]`):                                "duels are of the captain whose turn it is",
		hunting(`"stack": [{"kind": "draw_relic", "seat": 0, "placed": false}]`):                                          "that is no part of what none does",
		hunting(`"stack": [{"kind": "ask_beach", "seat": 0}]`):                                                            "that is no part of what none does",
		hunting(`"stack": [{"kind": "ask_steal_shell", "seat": 0, "victims": [1]}]`):                                      "N13 cannot have hit these ships",
	} {
		if _, _, err := islandAt(t, "alternate_island", position); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", position, err, says)
		}
	}
	for position, path := range map[string]string{
		`{"crater": 0}`: "crater", `{"unseen_relics": {}}`: "unseen_relics", `{"ships": [{"shells": {}}]}`: "ships[0].shells",
	} {
		refusedAt(t, "doubloons(seats=2)", position, path+": relics belong to the alternate island")
	}
}

// A blue tile lies at a ruin in place of the Celestial Altar, and a red one in place of
// the chain of tiles that made way for it.
func TestTilesThatReplacedRuins(t *testing.T) {
	for position, fine := range map[string]bool{
		`{"landmarks": {"T1": "star_axis"}, "out_of_game": ["celestial_altar"]}`:                                                          true,
		`{"landmarks": {"T1": "cursed_idol"}, "out_of_game": ["celestial_altar", "hidden_chamber", "pandoras_box"]}`:                      true,
		`{"landmarks": {"T1": "cursed_idol"}, "out_of_game": ["sunken_loom", "pandoras_box"]}`:                                            true,
		`{"landmarks": {"T1": "cursed_idol", "T2": "dank_cave"}, "out_of_game": ["sunken_loom", "celestial_altar", "pandoras_box"]}`:      false,
		`{"landmarks": {"T1": "radiant_pool", "C1": "radiant_fountain"}, "out_of_game": ["celestial_altar", "hidden_chamber"]}`:           false,
		`{"landmarks": {"T1": "radiant_pool", "C1": "radiant_fountain"}, "out_of_game": ["sunken_loom", "hidden_chamber"]}`:               true,
		`{"landmarks": {"T1": "whispering_portal", "T2": "radiant_fountain"}, "out_of_game": ["sunken_loom"]}`:                            false,
		`{"landmarks": {"X": "cursed_idol", "T2": "decaying_temple"}, "crater": 0, "ships": [{"captain_at": "X"}, {"captain_at": "T2"}]}`: true,
	} {
		if _, _, err := islandAt(t, "alternate_island", position); (err == nil) != fine {
			t.Errorf("%s: %v", position, err)
		}
	}
}

// Nothing of relics is hidden but which of those that nobody has seen are in the crater:
// every view shows them, and dealing again what a seat cannot know leaves them.
func TestRelicsAreSeenByAll(t *testing.T) {
	s, m := onIsland(t, `{"dug": true, "ships": [{"totems": {"x": 1}, "shells": {"wave": 2}}]}`)
	relics := func(text []byte, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		var p struct {
			UnseenRelics, BeachTotems, RegionShells json.RawMessage
			Crater                                  int
			Ships                                   []struct{ Totems, Shells json.RawMessage }
		}
		text = []byte(strings.NewReplacer("unseen_relics", "UnseenRelics", "beach_totems", "BeachTotems", "region_shells", "RegionShells").Replace(string(text)))
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		list, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(list)
	}
	full := relics(m.Position(engine.Full))
	for seat := range 2 {
		check(t, "relics in a seat's view", relics(m.Position(seat)), full)
	}
	before, rand := *s, engine.NewRand(9)
	rulesOf(scenario{m: m}).Redeal(s, 1, &rand)
	check(t, "unseen relics", s.Relics, before.Relics)
	check(t, "relics on beaches", s.BeachTotems, before.BeachTotems)
	check(t, "relics in regions", s.RegionShells, before.RegionShells)
	check(t, "relics of the other seat", s.Ships[0].Totems, before.Ships[0].Totems)
}

func TestIslandDecisionsAreDescribed(t *testing.T) {
	landing := `{"dug": true, ` + calmWater + `, "beach_totems": {"B2": {"moon": 1}}, "ships": [
		{"captain_at": "C1", "table": ["N13"], "fragments": {"x": 2}, "totems": {"x": 1}}, {"captain_at": "B2", "region": 2, "totems": {"sun": 1}}]}`
	ruin := `{` + calmWater + `, "ships": [{"captain": "voet", "captain_at": "P1", "table": ["N13"], "fragments": {"x": 2}}, {"captain_at": "B5"}]}`
	for _, tc := range []struct{ position, actions, says string }{
		{landing, "do=hunt", "seat 0: which way from C1?"},
		{landing, "do=hunt;to=B2", "seat 0: take a totem of B2, or decline"},
		{landing, "do=hunt;to=B2;decline", "seat 0: whose captain do you duel with?"},
		{landing, "do=hunt;to=B2;decline;seat=+1", "chance: seat 0 rolls the attack die in a duel with seat 1"},
		{landing, "do=hunt;to=B2;decline;seat=+1;die=voodoo", "seat 0: duel: which totem of seat 1 do you steal?"},
		{ruin, "do=hunt;to=T1;landmark=moonlit_lake", "chance: seat 0 draws a relic of the crater"},
		{ruin, "do=hunt;to=T1;landmark=moonlit_lake;relic=totem_x", "chance: seat 0 draws a relic of the crater to place it"},
		{ruin, "do=hunt;to=T1;landmark=moonlit_lake;relic=totem_x;relic=totem_sun", "seat 0: on which beach do you place the totem sun?"},
		{ruin, "do=hunt;to=T1;landmark=moonlit_lake;relic=totem_x;relic=shell_sun", "seat 0: in which region do you place the shell sun?"},
	} {
		_, m := onIsland(t, tc.position)
		enginetest.Do(t, m, tc.actions)
		check(t, tc.actions, m.Decision(), tc.says)
	}
	for position, says := range map[string]string{
		`{"dug": true, "landmarks": {"T1": "decaying_temple"}, "ships": [{"captain_at": "T1", "table": ["N13"], "totems": {"x": 1}}, {"totems": {"sun": 1}}],
			"stack": [{"kind": "ask_relic_swap", "seat": 0, "tile": "decaying_temple"}]}`: "seat 0: Decaying Temple: swap a totem with an enemy, or decline",
		`{"dug": true, "landmarks": {"T1": "decaying_temple"}, "ships": [{"captain_at": "T1", "table": ["N13"], "totems": {"x": 1}}, {"totems": {"sun": 1}}],
			"stack": [{"kind": "ask_relic_own", "seat": 0, "tile": "decaying_temple", "enemy": 1}]}`: "seat 0: Decaying Temple: which totem do you give seat 1?",
		`{"dug": true, "landmarks": {"T1": "moonlit_lake"}, "ships": [{"captain_at": "T1", "table": ["N13"], "shells": {"x": 1}}, {"shells": {"sun": 1}}],
			"stack": [{"kind": "ask_relic_theirs", "seat": 0, "tile": "moonlit_lake", "enemy": 1, "own": "x"}]}`: "seat 0: Moonlit Lake: which shell do you take from seat 1?",
		`{"dug": true, "landmarks": {"T1": "burial_grounds"}, "ships": [{"captain_at": "T1", "table": ["N13"]}],
			"stack": [{"kind": "ask_beach", "seat": 0}]}`: "seat 0: Burial Grounds: Advance to any beach, or decline",
		`{` + calmWater + `, "region_shells": [{"x": 1}, {}, {}, {}, {}], "ships": [{"table": ["N03"]}],
			"stack": [{"kind": "ask_shell", "seat": 0}]}`: "seat 0: take a shell of region 0, or decline",
		`{` + calmWater + `, "ships": [{"table": ["N26"]}, {"shells": {"x": 1}}],
			"stack": [{"kind": "ask_steal_shell", "seat": 0, "victims": [1]}]}`: "seat 0: which shell of seat 1 do you steal?",
		`{"water": ["river_merfolk", "rip_current", "fog", "rip_current", "the_shallows"], "ships": [{"table": ["N13"]}, {}],
			"stack": [{"kind": "roll_duel", "seat": 1, "rival": 0, "again": false}, {"kind": "ask_duel_reroll", "seat": 0, "face": "crew", "rival": 1}]}`: "seat 0: duel with seat 1: the die shows crew: roll again (accept) or keep it (decline)?",
	} {
		_, m := onIsland(t, position)
		check(t, position, m.Decision(), says)
	}
	_, m, err := islandAt(t, "legendary_ghost_ship+alternate_island", `{"water": ["coral_reef", "rip_current", "fog", "rip_current", "the_shallows"], "slot": 3, "turn": "legendary",
		"legendary": {"region": 0}, "ships": [{"region": 0, "shells": {"x": 1, "sun": 1}}], "stack": [{"kind": "do_legendary_turn", "part": 2}, {"kind": "lose_shell", "seat": "legendary", "victims": [0]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "the legendary ghost ship", m.Decision(), "chance: which shell of seat 0 the legendary ghost ship steals")
}

func TestIslandPositionsBeginInSetUp(t *testing.T) {
	const group3 = `"phase": "setup", "water": ["mists_of_morgana", "rip_current", "high_water", "rip_current", "the_shallows"]`
	for position, says := range map[string]string{
		`{"phase": "setup"}`:                               "chance: who takes the initiative token",
		`{` + group3 + `, "initiative": 1}`:                "seat 1: choose a captain",
		`{` + group3 + `, "ships": [{"captain": "voet"}]}`: "seat 0: place your ship in a region, facing clockwise or counterclockwise",
		`{` + group3 + `, "ships": [{"captain": "voet", "region": 2}, {"captain": "hayreddin", "region": 0}]}`: "chance: a map fragment that seat 0 begins with",
	} {
		m := enginetest.At(t, "doubloons(seats=2,modules=alternate_island,chance=explicit,forced=show)", position)
		check(t, position, m.Decision(), says)
		for i := range 2 {
			check(t, position+": fragments", sum(&engine.State[State](m).Ships[i].Fragments), 0)
		}
	}
	for position, says := range map[string]string{
		`{` + group3 + `, "ships": [{"captain": "voet", "region": 2, "captain_at": "B1"}]}`:        "ships[0].captain_at: B1: captains begin on the beach",
		`{` + group3 + `, "ships": [{"captain": "voet", "region": 2, "totems": {"x": 1}}]}`:        "1 relics are on the board and with seats: during set-up nobody draws any",
		`{"phase": "setup", "water": ["fog", "rip_current", "high_water", "rip_current", "none"]}`: "water[0]: fog is of group 1",
	} {
		if _, _, err := islandAt(t, "alternate_island", position); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", position, err, says)
		}
	}
}
