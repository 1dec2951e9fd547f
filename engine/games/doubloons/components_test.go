package doubloons

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func embedded(t testing.TB) *Components {
	t.Helper()
	c, err := loadComponents([]byte(componentsFile))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmbeddedCardsHaveTheCheckSums(t *testing.T) {
	c := embedded(t)
	var icons [NumIcons]int
	var plus [NumIcons]int
	var loot [NumLoot]int
	own, moves := 0, map[string]int{}
	for _, card := range c.Cards[:NumNormalCards] {
		for _, a := range card.Actions {
			icons[a.Icon]++
			plus[a.Icon] += int(a.Plus)
		}
		loot[card.Loot]++
		if card.OwnNeeds != 0 {
			own++
		}
		text := ""
		for _, m := range card.Moves[:card.NMoves] {
			for icon, move := range moveIcons {
				if move == m {
					text += icon
				}
			}
		}
		moves[text]++
	}
	if want := [NumIcons]int{18, 16, 14, 14, 9, 11}; icons != want {
		t.Errorf("icons %v, want %v", icons, want)
	}
	if want := [NumIcons]int{0, 3, 2, 2, 2, 0}; plus != want {
		t.Errorf("+1 by icon %v, want %v", plus, want)
	}
	if want := [NumLoot]int{30, 4, 4, 3, 0, 0, 0}; loot != want || own != 5 {
		t.Errorf("loot %v with %d prerequisites, want %v with 5", loot, own, want)
	}
	for text, want := range map[string]int{"S!": 10, "S?": 7, "": 5, "C?": 5, "S!C?": 4, "S?C?": 3, "C!": 2, "S!C!": 2, "S!S?": 2, "S?C!": 1} {
		if moves[text] != want {
			t.Errorf("%d cards with movement %q, want %d", moves[text], text, want)
		}
	}

	loot = [NumLoot]int{}
	for _, card := range c.Cards[FirstCaptainCard:FirstGreenCard] {
		loot[card.Loot]++
		if card.Kind != KindCaptain || card.Icons&IconBoard.Bit() == 0 {
			t.Errorf("%s: every captain card shows board", card.ID)
		}
		if enemy := card.EnemyNeeds == Needs(IconBoard.Bit()); enemy != (card.Loot == LootReputation) {
			t.Errorf("%s: exactly the cards that steal reputation need an enemy board icon", card.ID)
		}
	}
	if want := [NumLoot]int{0, 3, 3, 0, 3, 3, 3}; loot != want {
		t.Errorf("captain cards' loot %v, want %v", loot, want)
	}
	for _, card := range c.Cards[FirstGreenCard:] {
		if card.Kind != KindGreen || card.Actions[0] != (CardAction{Icon: IconHunt, FreeCrew: true}) {
			t.Errorf("%s: want a hunt that grants a crew", card.ID)
		}
	}
}

func TestEmbeddedIslandsHaveTheRoutesOfTheRulebook(t *testing.T) {
	c := embedded(t)
	var routes func(n int, colours string) []string
	routes = func(n int, colours string) (list []string) {
		if n == NodeM {
			return []string{colours}
		}
		for _, to := range c.Next[n][:c.NextN[n]] {
			list = append(list, routes(int(to), colours+colourNames[c.Colour[to]][:1])...)
		}
		return list
	}
	// blue, yellow, red by first letter; the mount's n for none.
	lengths := map[int]int{}
	for _, r := range routes(NodeBeach, "") {
		lengths[len(r)]++
		if len(r) == 5 && r != "rrrrn" {
			t.Errorf("route %s is as short as the red one", r)
		}
		if len(r) == 7 && r != "yyyyyyn" {
			t.Errorf("route %s is as long as the yellow one", r)
		}
	}
	if lengths[5] != 1 || lengths[6] != 5 || lengths[7] != 1 {
		t.Errorf("routes by length %v, want 1 of 5, 5 of 6, 1 of 7 Advances", lengths)
	}
	for n, want := range map[int]uint8{NodeM: 0, NodeC5: 1, NodeV6: 1, NodeP4: 1, NodeC4: 2, NodeV4: 2, NodeV5: 2, NodeP3: 2, NodeC3: 3, NodeBeach: 5, NodeT1: Unreached} {
		if c.Distance[n] != want {
			t.Errorf("%s is %d from the mount, want %d", nodeNames[n], c.Distance[n], want)
		}
	}

	links := 0
	for n := range c.AlternateNextN {
		links += int(c.AlternateNextN[n])
		for _, to := range c.AlternateNext[n][:c.AlternateNextN[n]] {
			if ruin := to >= NodeT1 && to <= NodeT4; n == NodeX && !ruin {
				t.Errorf("the crater touches %s", nodeNames[to])
			}
		}
	}
	for n, want := range map[int]uint8{NodeX: 0, NodeT1: 1, NodeT4: 1, NodeP1: 2, NodeV2: 2, NodeC1: 3, NodeB1: 3, NodeB5: 3, NodeM: Unreached} {
		if c.AlternateDistance[n] != want {
			t.Errorf("%s is %d from the crater, want %d", nodeNames[n], c.AlternateDistance[n], want)
		}
	}
	if links != 2*48 {
		t.Errorf("%d ends of links on the alternate island, want 96", links)
	}
}

func TestEmbeddedTilesHaveTheCountsOfTheRulebook(t *testing.T) {
	c := embedded(t)
	var colours [NumColours]int
	for _, colour := range c.LandmarkColour[:NumStandardLandmarks] {
		colours[colour]++
	}
	if colours != [NumColours]int{9, 9, 8, 0} {
		t.Errorf("landmarks by colour %v", colours)
	}
	tiles, groups := 0, [NumGroups]int{}
	for w, n := range c.WaterCopies {
		tiles += int(n)
		groups[c.WaterGroup[w]] += int(n)
	}
	if tiles != 12 || groups != [NumGroups]int{0, 3, 3, 4, 2} {
		t.Errorf("%d water tiles by group %v", tiles, groups)
	}
	if c.WaterChart[2] != [NumRegions]uint8{Group2, Group3, GroupS, Group3} {
		t.Errorf("water chart of 2 players %v", c.WaterChart[2])
	}
	if c.AlternateMistsMove[2] != [NumAlternateRegions]bool{2: true} || c.AlternateMistsMove[3] != [NumAlternateRegions]bool{} {
		t.Error("the asterisk stands at the third region of 2 players and nowhere else")
	}
	for players, want := range map[int][2]int{2: {1, 3}, 3: {2, 4}, 4: {3, 6}, 5: {3, 7}, 6: {4, 9}} {
		left := int(c.SymbolsInPlay[players]*c.FragmentsPerSymbol-c.FragmentsRemoved[players]) - players
		stack := left
		for _, n := range c.SpecialsInPlay[players] {
			stack += int(n)
		}
		if left != want[0] || stack != want[1] {
			t.Errorf("%d players: %d fragments in a stack of %d, want %d in %d", players, left, stack, want[0], want[1])
		}
	}
}

func TestEveryTableSaysWhereItComesFrom(t *testing.T) {
	c := embedded(t)
	if len(c.Tables) != strings.Count(componentsFile, "\n  source: ") {
		t.Errorf("%d tables, want one for each source in the file", len(c.Tables))
	}
	for _, table := range c.Tables {
		if table.Note == "" {
			t.Errorf("%s has no note", table.Name)
		}
	}
}

// Each case breaks the embedded file in one place; the error must name table,
// row and fix.
func TestBrokenComponentsAreNamedWithTheFix(t *testing.T) {
	for _, tc := range []struct{ name, old, new, want string }{
		{"unknown table", "attack_die:", "attack_dice:", "attack_dice"},
		{"unknown field", "spaces: 5", "spaces: 5\n  fields: 3", "fields"},
		{"no source", "source: printed\n  note: Pages", "note: Pages", `captains: source "": want printed or reconstructed`},
		{"row source", "source: reconstructed}", "source: guessed}", `landmarks: burial_grounds: source "guessed"`},
		{"movement", `N07: {move: "C?", `, `N07: {move: "X?", `, `action_cards: N07: movement "X?": want S!, S?, C! or C?`},
		{"too much movement", `N25: {move: "S! S?"`, `N25: {move: "S! S? C?"`, "action_cards: N25: movement"},
		{"action", "[hunt, forward]", "[hunt, fore]", `action_cards: N05: action "fore": want hunt, pillage`},
		{"three actions", "[forward, repair]", "[forward, repair, hunt]", "action_cards: N33: 3 actions: want 2"},
		{"same actions", "[forward, repair]", "[repair, repair]", "action_cards: N33: both actions are repair"},
		{"improved hunt", "[hunt, pillage +1]", "[hunt +1, pillage]", `action_cards: N03: action "hunt +1"`},
		{"green hunt elsewhere", "[hunt, pillage +1]", "[hunt +crew, pillage]", "action_cards: N03"},
		{"no free crew", "[hunt +crew, pillage]", "[hunt, pillage]", "action_cards: G01"},
		{"suffix", "[hunt, pillage +1]", "[hunt, pillage +2]", `action_cards: N03: action "pillage +2"`},
		{"missing card", "    N09:", "    #", "action_cards: N09: the row is missing"},
		{"unknown card", "    N09:", "    N99:", "action_cards: N09"},
		{"card twice", "    N09:", "    N08:", "N08 is given twice, first in line 45"},
		{"loot without board", "[hunt, repair]}", "[hunt, repair], loot: crew}", "action_cards: N12: a loot or a prerequisite without a board action"},
		{"board without loot", "[hunt, board], loot: crew}", "[hunt, board]}", `action_cards: N17: loot "": a card with board wants fragment`},
		{"captain loot", "[hunt, board], loot: crew}", "[hunt, board], loot: crew2}", "action_cards: N17: loot crew2: only captain cards"},
		{"stealers", "loot: reputation, needs: enemy board", "loot: jewel", "action_cards: 2 captain cards steal reputation: want 3"},
		{"prerequisite", "needs: own hunt", "needs: my hunt", `action_cards: N16: needs "my hunt": want own or enemy`},
		{"die size", "[crew, crew, doubloon", "[crew, doubloon", "attack_die: faces: 5 of them: want 6"},
		{"die face", "[crew, crew, doubloon", "[crew, blank, doubloon", `attack_die: faces: face "blank": want crew, doubloon, voodoo`},
		{"die symbol missing", "doubloon, voodoo, voodoo]", "doubloon, crew, crew]", "attack_die: faces: none is voodoo"},
		{"unknown location", "P4: [M]", "P4: [Q]", `standard_board: P4: way to "Q": want`},
		{"unknown start", "\n    P4: [M]", "\n    P4: [M]\n    T1: [M]", "standard_board: T1: unknown location"},
		{"circle", "P4: [M]", "P4: [M, P1]", "the ways from it lead back to it"},
		{"dead end", "P3: [P4]", "P3: [P4, P5]", "standard_board: P5: no way leads from it to M"},
		{"not reached", "B1: [C1, V1, P1]", "B1: [C1, V1]", "standard_board: P1: it is not reached from B1"},
		{"to itself", "P4: [M]", "P4: [P4, M]", "standard_board: P4: the way to P4"},
		{"beyond the mount", "\n    P4: [M]", "\n    P4: [M]\n    M: [P5]\n    P5: []", "standard_board: M: ways lead on"},
		{"five ways", "B1: [C1, V1, P1]", "B1: [C1, V1, P1, P2, P3]", "standard_board: B1: 5 ways lead on: want at most 4"},
		{"link twice", "T4: [X]", "T4: [X, P1]", "name it once"},
		{"crater", "P5: [T4]", "P5: [T4, X]", "the crater touches T1 to T4 only"},
		{"landmark colour", "cursed_idol:        {colour: red", "cursed_idol:        {colour: black", `landmarks: cursed_idol: colour "black": want blue, yellow or red`},
		{"landmark counts", "cursed_idol:        {colour: red", "cursed_idol:        {colour: blue", "landmarks: 10 blue, 9 yellow and 7 red"},
		{"module colour", "old_mystic:         {colour: blue", "old_mystic:         {colour: red", "landmarks: old_mystic: colour \"red\": the rulebook makes it blue"},
		{"landmark missing", "    cursed_idol:", "    accursed_idol:", "landmarks: cursed_idol: the row is missing"},
		{"water group", "{group: 2, copies: 1, title: Coral", "{group: 4, copies: 1, title: Coral", `water_tiles: coral_reef: group "4": want 1, 2, 3, S`},
		{"water S", "{group: 2, copies: 1, title: Coral", "{group: S, copies: 1, title: Coral", "water_tiles: coral_reef: group S"},
		{"water copies", "{group: 2, copies: 1, title: Coral", "{group: 2, copies: 2, title: Coral", "water_tiles: 13 tiles in all: want 12"},
		{"chart length", "2: 2 3 S 3\n", "2: 2 3 S\n", "water_chart: 2 players"},
		{"chart group", "2: 2 3 S 3\n", "2: 2 3 S 5\n", `water_chart: 2 players: group "5"`},
		{"chart demand", "6: 1 2 1 2\n", "6: S S S 2\n", "water_chart: 6 players: 3 tiles of group S: water_tiles has 2"},
		{"chart players", "6: 1 2 1 2\n", "7: 1 2 1 2\n", "water_chart: 7 players: want rows for 2 to 6 players"},
		{"asterisk", "3: 3 S 2 S 3", "3: 3 S 2* S 3", "alternate_water_chart: 3 players"},
		{"captain", "    voet: ", "    boet: ", "captains: voet: the row is missing"},
		{"jewel", "{value: 4, count: 6}", "{value: 4, count: 0}", "jewels: ruby: count: 0: want 1 to 40"},
		{"points", "[0, 3, 7, 12]", "[0, 3, 2, 12]", "reputation: points: 2 for level 2"},
		{"levels", "[0, 3, 7, 12]", "[0, 3, 7]", "reputation: points: 3 of them: want 4"},
		{"track", "spaces: 5", "spaces: 1", "end_track: spaces: 1: want 2 to 9"},
		{"removed", "{symbols: 2, removed: 3", "{symbols: 2, removed: 5", "map_setup: 2 players: removed: 5 of 6 fragments: want 0 to 4"},
		{"specials", "island_lore: 2, skull_amulet: 1", "island_lore: 3, skull_amulet: 1", "map_setup: 5 players: island_lore: 3: want 0 to 2"},
		{"start", "start: 2", "start: 9", "doubloons: start: 9: want 0 to 8"},
		{"seeding", "{2: 2, 3: 3, 4: 3, 5: 4, 6: 4}", "{2: 2, 3: 3, 4: 3, 5: 4}", "doubloons: per_round: 6 players: the row is missing"},
		{"pillage", "total: 12\n  per_player: 2", "total: 9\n  per_player: 2", "pillage_tokens: per_player: 2: want 0 to 1"},
		{"relics", "moon: 4, wave: 4}\n  per_player: 4", "moon: 4, wave: 3}\n  per_player: 4", "relics: per_player: 4: want 1 to 3"},
		{"shells", "shells: {x: 3, sun: 3, moon: 4, wave: 4}", "shells: {x: 1, sun: 0, moon: 0, wave: 0}", "relics: shells: 1: want at least 2"},
		{"fragments of drafts", "4: {symbols: 3, removed: 2", "4: {symbols: 2, removed: 2", "alternate_map_setup: fragments_per_player: 2: with 4 players some editions have 6 map fragments: deal fewer"},
		{"two documents", "relics:\n", "---\nrelics:\n", "one YAML document"},
		{"not YAML", "action_cards:", "action_cards: [", "it is not YAML: line 32"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if !strings.Contains(componentsFile, tc.old) {
				t.Fatalf("the embedded file has no %q to break", tc.old)
			}
			_, err := loadComponents([]byte(strings.Replace(componentsFile, tc.old, tc.new, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), "components: ") || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want one with %q", err, tc.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of more than one line: %q", err)
			}
		})
	}
	if _, err := loadComponents(nil); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty file: error %v", err)
	}
	if _, err := loadComponents([]byte("relics: {}\n")); err == nil || !strings.Contains(err.Error(), "action_cards: the table is missing") {
		t.Errorf("a file of one table: error %v", err)
	}
}

func TestAnOwnersBoardMayHaveOtherSpaces(t *testing.T) {
	own := strings.NewReplacer("P4: [M]", "P4: [P5]\n    P5: [M]", "C4: [C5]\n    C5: [M]\n    V1", "C4: [M]\n    V1").Replace(componentsFile)
	c, err := loadComponents([]byte(own))
	if err != nil {
		t.Fatal(err)
	}
	if c.Distance[NodeC5] != Unreached || c.Distance[NodeP4] != 2 || c.Distance[NodeBeach] != 5 {
		t.Errorf("distances %v", c.Distance)
	}
}

func TestBrowsersHaveThePrintedBox(t *testing.T) {
	enginetest.PrintedBox(t, *update, "components.json", embedded(t))
}
