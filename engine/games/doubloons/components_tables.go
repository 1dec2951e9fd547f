//go:build !js

package doubloons

import (
	"fmt"
	"slices"
	"strings"
)

// This file checks and compiles the tables of components.yaml, except the islands.

var moveIcons = map[string]Move{
	"S!": {Sail: true, Required: true},
	"S?": {Sail: true},
	"C!": {Required: true},
	"C?": {},
}

func (b *box) cards(got map[string]cardYAML) {
	const table = "action_cards"
	stealers := 0 // captain cards that steal reputation
	for i, row := range rows(b, table, got, cardNames[:]) {
		id := cardNames[i]
		if _, there := got[id]; !there {
			continue // rows has noted it
		}
		c := Card{ID: id, Kind: KindNormal}
		switch {
		case i >= FirstGreenCard:
			c.Kind = KindGreen
		case i >= FirstCaptainCard:
			c.Kind = KindCaptain
		}
		b.movement(&c, row.Move)
		if len(row.Actions) != 2 {
			b.wrong(table, id, "%d actions: want 2", len(row.Actions))
			continue
		}
		for k, text := range row.Actions {
			c.Actions[k] = b.action(&c, text)
			c.Icons |= c.Actions[k].Icon.Bit()
		}
		if c.Actions[0].Icon == c.Actions[1].Icon {
			b.wrong(table, id, "both actions are %s: want two different ones", c.Actions[0].Icon)
		}
		b.boarding(&c, row)
		if c.Loot == LootReputation {
			stealers++
		}
		b.Cards[i] = c
	}
	if stealers != 3 {
		b.wrong(table, "", "%d captain cards steal reputation: want 3", stealers)
	}
}

func (b *box) movement(c *Card, text string) {
	const table = "action_cards"
	if text == "none" {
		return
	}
	icons := strings.Fields(text)
	if len(icons) == 0 || len(icons) > 2 {
		b.wrong(table, c.ID, "movement %q: want none, or 1 or 2 of S!, S?, C!, C?", text)
		return
	}
	for k, icon := range icons {
		move, ok := moveIcons[icon]
		if !ok {
			b.wrong(table, c.ID, "movement %q: want S!, S?, C! or C?", icon)
		}
		c.Moves[k] = move
	}
	c.NMoves = uint8(len(icons))
}

func (b *box) action(c *Card, text string) (a CardAction) {
	const table = "action_cards"
	name, extra, _ := strings.Cut(text, " ")
	icon := slices.Index(iconNames[:], name)
	if icon < 0 {
		b.wrong(table, c.ID, "action %q: want %s", name, strings.Join(iconNames[:], ", "))
		return a
	}
	a.Icon = Icon(icon)
	switch extra {
	case "":
	case "+1":
		a.Plus = 1
		if a.Icon == IconHunt || a.Icon == IconBoard {
			b.wrong(table, c.ID, "action %q: only pillage, forward, broadsides and repair can be improved", text)
		}
	case "+crew":
		a.FreeCrew = true
	default:
		b.wrong(table, c.ID, "action %q: want %q or %q after the name, or nothing", text, "+1", "+crew")
	}
	if green := c.Kind == KindGreen && a.Icon == IconHunt; green != a.FreeCrew && extra != "+1" {
		b.wrong(table, c.ID, "action %q: a hunt grants a crew on every green-top card and on no other", text)
	}
	return a
}

func (b *box) boarding(c *Card, row cardYAML) {
	const table = "action_cards"
	if c.Icons&IconBoard.Bit() == 0 {
		if row.Loot != "" || row.Needs != "" {
			b.wrong(table, c.ID, "a loot or a prerequisite without a board action")
		}
		return
	}
	loot := slices.Index(lootNames[:], row.Loot)
	if loot <= int(LootNone) {
		b.wrong(table, c.ID, "loot %q: a card with board wants %s", row.Loot, strings.Join(lootNames[1:], ", "))
		return
	}
	c.Loot = Loot(loot)
	if c.Kind != KindCaptain && (c.Loot == LootCrew2 || c.Loot == LootReputation) {
		b.wrong(table, c.ID, "loot %s: only captain cards have it", c.Loot)
	}
	if row.Needs == "" {
		return
	}
	whose, what, _ := strings.Cut(row.Needs, " ")
	icon := slices.Index(iconNames[:], what)
	switch {
	case icon >= 0 && whose == "own":
		c.OwnNeeds = Needs(Icon(icon).Bit())
	case icon >= 0 && whose == "enemy":
		c.EnemyNeeds = Needs(Icon(icon).Bit())
	default:
		b.wrong(table, c.ID, "needs %q: want own or enemy, and one of %s", row.Needs, strings.Join(iconNames[:], ", "))
	}
}

func (b *box) die(faces []string) {
	const table = "attack_die"
	if len(faces) != len(b.Die) {
		b.wrong(table, "faces", "%d of them: want %d", len(faces), len(b.Die))
		return
	}
	var seen [NumFaces]bool
	for i, name := range faces {
		face := slices.Index(faceNames[:], name)
		if face < 0 {
			b.wrong(table, "faces", "face %q: want %s", name, strings.Join(faceNames[:], ", "))
			continue
		}
		b.Die[i] = Face(face)
		seen[face] = true
	}
	for face, there := range seen {
		if !there {
			b.wrong(table, "faces", "none is %s: want each symbol at least once", Face(face))
		}
	}
}

func (b *box) landmarks(got map[string]landmarkYAML) {
	const table = "landmarks"
	var standard [NumColours]int
	for tile, row := range rows(b, table, got, landmarkNames[:]) {
		name := landmarkNames[tile]
		if _, there := got[name]; !there {
			continue
		}
		colour := slices.Index(colourNames[:NumColours], row.Colour)
		fixed := -1 // the colour is printed
		switch {
		case tile == OldMystic:
			fixed = ColourBlue
		case tile == ObsidianCradle:
			fixed = ColourRed
		case tile > ObsidianCradle:
			fixed = ColourGreen
		}
		switch {
		case colour < 0 || fixed < 0 && colour == ColourGreen:
			b.wrong(table, name, "colour %q: want blue, yellow or red", row.Colour)
			continue
		case fixed >= 0 && colour != fixed:
			b.wrong(table, name, "colour %q: the rulebook makes it %s", row.Colour, colourNames[fixed])
			continue
		case fixed < 0:
			standard[colour]++
		}
		if row.Title == "" {
			b.wrong(table, name, "the title is missing")
		}
		if row.Source != "" {
			b.source(table, name, row.Source)
		}
		b.LandmarkColour[tile] = uint8(colour)
		b.LandmarkTitle[tile], b.LandmarkText[tile] = row.Title, row.Text
	}
	if want := [NumColours]int{9, 9, 8, 0}; standard != want && len(b.problems) == 0 {
		b.wrong(table, "", "%d blue, %d yellow and %d red tiles besides the modules' and the green ones: want %d, %d and %d",
			standard[ColourBlue], standard[ColourYellow], standard[ColourRed], want[ColourBlue], want[ColourYellow], want[ColourRed])
	}
}

const waterTotal = 12 // water tiles in the box

func (b *box) water(got map[string]waterYAML) {
	const table = "water_tiles"
	total := 0
	for tile, row := range rows(b, table, got, waterNames[:numBoxWater]) {
		name := waterNames[tile]
		if _, there := got[name]; !there {
			continue
		}
		group := slices.Index(groupNames[:], row.Group)
		switch {
		case group <= GroupNone:
			b.wrong(table, name, "group %q: want %s", row.Group, strings.Join(groupNames[Group1:], ", "))
			continue
		case (group == GroupS) != (tile == RipCurrent):
			b.wrong(table, name, "group %s: group S is rip_current's, whose rule is that no ship remains there, and no other tile's", row.Group)
		}
		if row.Title == "" {
			b.wrong(table, name, "the title is missing")
		}
		if row.Source != "" {
			b.source(table, name, row.Source)
		}
		b.WaterGroup[tile] = uint8(group)
		b.WaterCopies[tile] = b.count(table, name+": copies", row.Copies, 1, waterTotal)
		b.WaterTitle[tile], b.WaterText[tile] = row.Title, row.Text
		total += row.Copies
	}
	if total != waterTotal {
		b.wrong(table, "", "%d tiles in all: want %d", total, waterTotal)
	}
}

// chartRow is the draw order for one number of players: groups by region, and
// where an asterisk stands.
type chartRow struct {
	groups  []uint8
	starred []bool
}

func (b *box) chart(table string, got map[int]string, regions int) (list [perPlayers]chartRow) {
	var copies [NumGroups]int
	for tile, n := range b.WaterCopies {
		copies[b.WaterGroup[tile]] += int(n)
	}
	for players, text := range byPlayers(b, table, got) {
		if text == "" {
			continue
		}
		row := fmt.Sprintf("%d players", players)
		fields := strings.Fields(text)
		if len(fields) != regions {
			b.wrong(table, row, "%q has %d groups: want %d, one a region", text, len(fields), regions)
			continue
		}
		var used [NumGroups]int
		for _, field := range fields {
			name, starred := strings.CutSuffix(field, "*")
			group := slices.Index(groupNames[:], name)
			switch {
			case group <= GroupNone:
				b.wrong(table, row, "group %q: want %s", field, strings.Join(groupNames[Group1:], ", "))
				group = GroupNone
			case starred && group != Group3:
				b.wrong(table, row, "%q: the asterisk is for group 3, which has Mists of Morgana", field)
			}
			used[group]++
			list[players].groups = append(list[players].groups, uint8(group))
			list[players].starred = append(list[players].starred, starred)
		}
		for group := Group1; group <= GroupS; group++ {
			if used[group] > copies[group] {
				b.wrong(table, row, "%d tiles of group %s: water_tiles has %d", used[group], groupNames[group], copies[group])
			}
		}
		if used[GroupS] == regions {
			b.wrong(table, row, "every region has a group S tile: want one where a ship can remain")
		}
	}
	return list
}

func (b *box) captains(got map[string]captainYAML) {
	const table = "captains"
	for i, row := range rows(b, table, got, captainNames[:]) {
		if _, there := got[captainNames[i]]; there && (row.Title == "" || row.Ship == "") {
			b.wrong(table, captainNames[i], "the title or the ship is missing")
		}
		b.CaptainTitle[i], b.ShipTitle[i] = row.Title, row.Ship
		b.CaptainAbility[i], b.CaptainText[i] = row.Ability, row.Text
	}
}

// treasure reads what scores: jewels, reputation and the end track.
func (b *box) treasure(f *componentsYAML) {
	for jewel, row := range rows(b, "jewels", f.Jewels.Kinds, jewelNames[:]) {
		name := jewelNames[jewel]
		if row.Value < -20 || row.Value > 20 {
			b.wrong("jewels", name+": value", "%d: want -20 to 20", row.Value)
		}
		b.JewelValue[jewel] = int32(row.Value)
		b.JewelCount[jewel] = b.count("jewels", name+": count", row.Count, 1, 40)
	}
	points := f.Reputation.Points
	if len(points) != len(b.ReputationPoints) {
		b.wrong("reputation", "points", "%d of them: want %d, for levels 0 to %d", len(points), len(b.ReputationPoints), len(b.ReputationPoints)-1)
		return
	}
	for level, p := range points {
		if p < 0 || p > 50 || level > 0 && p < points[level-1] {
			b.wrong("reputation", "points", "%d for level %d: want 0 to 50, and no less than the level below", p, level)
		}
		b.ReputationPoints[level] = int32(p)
	}
	b.EndTrack = int(b.count("end_track", "spaces", f.EndTrack.Spaces, 2, 9))
}

func (b *box) mapTiles(f *componentsYAML) {
	b.FragmentsPerSymbol = b.count("map_fragments", "tiles_per_symbol", f.Fragments.PerSymbol, 1, 6)
	for symbol, title := range rows(b, "map_fragments: titles", f.Fragments.Titles, symbolNames[:]) {
		b.SymbolTitle[symbol] = title
	}
	for special, n := range rows(b, "special_map_tiles", f.Specials.Tiles, specialNames[:]) {
		b.Specials[special] = b.count("special_map_tiles", specialNames[special], n, 0, 6)
	}

	names := append([]string{"symbols", "removed"}, specialNames[:]...)
	for players, row := range byPlayers(b, "map_setup", f.MapSetup.Players) {
		if row == nil {
			continue
		}
		at := fmt.Sprintf("map_setup: %d players", players)
		counts := rows(b, at, row, names)
		b.SymbolsInPlay[players] = b.count(at, names[0], counts[0], 1, NumSymbols)
		spare := counts[0]*f.Fragments.PerSymbol - players
		if counts[1] < 0 || counts[1] > spare {
			b.wrong(at, names[1], "%d of %d fragments: want 0 to %d, so that everyone can draw one", counts[1], spare+players, spare)
		} else {
			b.FragmentsRemoved[players] = uint8(counts[1])
		}
		b.SpecialsInPlay[players] = b.specials(at, counts[2:])
	}

	const alternate = "alternate_map_setup"
	most := NumSymbols * f.Fragments.PerSymbol / MaxSeats
	b.AlternateDeal = b.count(alternate, "fragments_per_player", f.AlternateMapSetup.Deal, 0, most)
	for players, row := range byPlayers(b, alternate, f.AlternateMapSetup.Players) {
		if row != nil {
			at := fmt.Sprintf("%s: %d players", alternate, players)
			b.AlternateSpecials[players] = b.specials(at, rows(b, at, row, specialNames[:]))
		}
		if all := int(b.SymbolsInPlay[players]) * int(b.FragmentsPerSymbol); players >= MinSeats && int(b.AlternateDeal)*players > all {
			b.wrong(alternate, "fragments_per_player", "%d: with %d players some editions have %d map fragments: deal fewer, or raise symbols of map_setup", b.AlternateDeal, players, all)
		}
	}
}

// specials are the special tiles of one set-up, no more than the box has.
func (b *box) specials(at string, counts []int) (list [NumSpecials]uint8) {
	for special, n := range counts {
		list[special] = b.count(at, specialNames[special], n, 0, int(b.Specials[special]))
	}
	return list
}

func (b *box) tokens(f *componentsYAML) {
	d := f.Doubloons
	b.Doubloons = int(b.count("doubloons", "total", d.Total, 1, 200))
	b.StartDoubloons = b.count("doubloons", "start", d.Start, 0, d.Total/MaxSeats)
	for players, n := range byPlayers(b, "doubloons: per_round", d.PerRound) {
		if players >= MinSeats {
			b.Seeding[players] = b.count("doubloons: per_round", fmt.Sprintf("%d players", players), n, 0, d.Total)
		}
	}

	b.PillageTokens = b.count("pillage_tokens", "total", f.Pillage.Total, 0, 60)
	b.PillagePerPlayer = b.count("pillage_tokens", "per_player", f.Pillage.PerPlayer, 0, f.Pillage.Total/MaxSeats)
	b.CompassTokens = b.count("compasses", "total", f.Compasses.Total, 0, 60)
	b.CompassesPerPlayer = b.count("compasses", "per_player", f.Compasses.PerPlayer, 0, f.Compasses.Total/MaxSeats)

	relics := 0
	for symbol, n := range rows(b, "relics: totems", f.Relics.Totems, symbolNames[:]) {
		b.Totems[symbol] = b.count("relics: totems", symbolNames[symbol], n, 0, 20)
		relics += n
	}
	for symbol, n := range rows(b, "relics: shells", f.Relics.Shells, symbolNames[:]) {
		b.Shells[symbol] = b.count("relics: shells", symbolNames[symbol], n, 0, 20)
		relics += n
	}
	if n := sum(&b.Shells); n < legendaryRelics {
		b.wrong("relics", "shells", "%d: want at least %d, which the legendary ghost ship may be given", n, legendaryRelics)
	}
	b.RelicsPerPlayer = b.count("relics", "per_player", f.Relics.PerPlayer, 1, max(1, relics/MaxSeats))
}
