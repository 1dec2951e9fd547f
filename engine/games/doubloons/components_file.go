//go:build !js

package doubloons

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/yamlfile"
)

// componentsFile is the box as this package knows it.
//
//go:embed components.yaml
var componentsFile string

//go:embed RULES.md
var rulesText string

// components are the box as a game string asks for it.
var components = engine.NewBox(componentsFile, loadComponents)

// Shapes of components.yaml.

type origin struct {
	Source string `yaml:"source"`
	Note   string `yaml:"note"`
}

type componentsYAML struct {
	Cards *struct {
		origin `yaml:",inline"`
		Cards  map[string]cardYAML `yaml:"cards"`
	} `yaml:"action_cards"`
	Die *struct {
		origin `yaml:",inline"`
		Faces  []string `yaml:"faces"`
	} `yaml:"attack_die"`
	Standard  *boardYAML `yaml:"standard_board"`
	Alternate *boardYAML `yaml:"alternate_board"`
	Landmarks *struct {
		origin `yaml:",inline"`
		Tiles  map[string]landmarkYAML `yaml:"tiles"`
	} `yaml:"landmarks"`
	Water *struct {
		origin `yaml:",inline"`
		Tiles  map[string]waterYAML `yaml:"tiles"`
	} `yaml:"water_tiles"`
	Chart          *chartYAML `yaml:"water_chart"`
	AlternateChart *chartYAML `yaml:"alternate_water_chart"`
	Captains       *struct {
		origin `yaml:",inline"`
		Rows   map[string]captainYAML `yaml:"rows"`
	} `yaml:"captains"`
	Jewels *struct {
		origin `yaml:",inline"`
		Kinds  map[string]jewelYAML `yaml:"kinds"`
	} `yaml:"jewels"`
	Reputation *struct {
		origin `yaml:",inline"`
		Points []int `yaml:"points"`
	} `yaml:"reputation"`
	EndTrack *struct {
		origin `yaml:",inline"`
		Spaces int `yaml:"spaces"`
	} `yaml:"end_track"`
	Fragments *struct {
		origin    `yaml:",inline"`
		PerSymbol int               `yaml:"tiles_per_symbol"`
		Titles    map[string]string `yaml:"titles"`
	} `yaml:"map_fragments"`
	Specials *struct {
		origin `yaml:",inline"`
		Tiles  map[string]int `yaml:"tiles"`
	} `yaml:"special_map_tiles"`
	MapSetup *struct {
		origin  `yaml:",inline"`
		Players map[int]map[string]int `yaml:"players"`
	} `yaml:"map_setup"`
	AlternateMapSetup *struct {
		origin  `yaml:",inline"`
		Deal    int                    `yaml:"fragments_per_player"`
		Players map[int]map[string]int `yaml:"players"`
	} `yaml:"alternate_map_setup"`
	Doubloons *struct {
		origin   `yaml:",inline"`
		Total    int         `yaml:"total"`
		Start    int         `yaml:"start"`
		PerRound map[int]int `yaml:"per_round"`
	} `yaml:"doubloons"`
	Pillage *struct {
		origin    `yaml:",inline"`
		Total     int `yaml:"total"`
		PerPlayer int `yaml:"per_player"`
	} `yaml:"pillage_tokens"`
	Compasses *struct {
		origin    `yaml:",inline"`
		Total     int `yaml:"total"`
		PerPlayer int `yaml:"per_player"`
	} `yaml:"compasses"`
	Relics *struct {
		origin    `yaml:",inline"`
		Totems    map[string]int `yaml:"totems"`
		Shells    map[string]int `yaml:"shells"`
		PerPlayer int            `yaml:"per_player"`
	} `yaml:"relics"`
}

type cardYAML struct {
	Move    string   `yaml:"move"`
	Actions []string `yaml:"actions"`
	Loot    string   `yaml:"loot"`
	Needs   string   `yaml:"needs"`
}

type boardYAML struct {
	origin `yaml:",inline"`
	Paths  map[string][]string `yaml:"paths"`
}

type landmarkYAML struct {
	Colour string `yaml:"colour"`
	Title  string `yaml:"title"`
	Text   string `yaml:"text"`
	Source string `yaml:"source"`
}

type waterYAML struct {
	Group  string `yaml:"group"`
	Copies int    `yaml:"copies"`
	Title  string `yaml:"title"`
	Text   string `yaml:"text"`
	Source string `yaml:"source"`
}

type chartYAML struct {
	origin  `yaml:",inline"`
	Players map[int]string `yaml:"players"`
}

type captainYAML struct {
	Title   string `yaml:"title"`
	Ship    string `yaml:"ship"`
	Ability string `yaml:"ability"`
	Text    string `yaml:"text"`
}

type jewelYAML struct {
	Value int `yaml:"value"`
	Count int `yaml:"count"`
}

// box compiles a file and notes everything that does not fit.
type box struct {
	Components
	problems []error
}

// wrong notes a problem of a row of a table: what it is and how it is put right.
func (b *box) wrong(table, row, format string, args ...any) {
	at := table
	if row != "" {
		at += ": " + row
	}
	b.problems = append(b.problems, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}

// loadComponents compiles components.yaml or a user's version of it. The error
// names table, row and fix of the first thing that does not fit, and how many more there are.
func loadComponents(data []byte) (*Components, error) {
	var file componentsYAML
	if err := yamlfile.Decode(data, &file); errors.Is(err, io.EOF) {
		return nil, errors.New("components: the file is empty: start from `privateer rules doubloons --components`")
	} else if err != nil {
		return nil, fmt.Errorf("components: %w", err)
	}

	b := &box{}
	b.origins(&file)
	if len(b.problems) == 0 { // every table is there
		b.cards(file.Cards.Cards)
		b.die(file.Die.Faces)
		b.standardBoard(file.Standard.Paths)
		b.alternateBoard(file.Alternate.Paths)
		b.landmarks(file.Landmarks.Tiles)
		b.water(file.Water.Tiles)
		for players, row := range b.chart("water_chart", file.Chart.Players, NumRegions) {
			copy(b.WaterChart[players][:], row.groups)
		}
		for players, row := range b.chart("alternate_water_chart", file.AlternateChart.Players, NumAlternateRegions) {
			copy(b.AlternateWaterChart[players][:], row.groups)
			copy(b.AlternateMistsMove[players][:], row.starred)
		}
		b.captains(file.Captains.Rows)
		b.treasure(&file)
		b.mapTiles(&file)
		b.tokens(&file)
	}
	switch more := len(b.problems) - 1; {
	case more == 0:
		return nil, fmt.Errorf("components: %w", b.problems[0])
	case more > 0:
		return nil, fmt.Errorf("components: %w (and %d more)", b.problems[0], more)
	}
	return &b.Components, nil
}

// origins checks that every table is there and says where it comes from.
func (b *box) origins(f *componentsYAML) {
	add := func(name string, there bool, source func() origin) {
		if !there {
			b.wrong(name, "", "the table is missing: copy it from `privateer rules doubloons --components`")
			return
		}
		o := source()
		b.source(name, "", o.Source)
		b.Tables = append(b.Tables, Table{name, o.Source, o.Note})
	}
	add("action_cards", f.Cards != nil, func() origin { return f.Cards.origin })
	add("attack_die", f.Die != nil, func() origin { return f.Die.origin })
	add("standard_board", f.Standard != nil, func() origin { return f.Standard.origin })
	add("alternate_board", f.Alternate != nil, func() origin { return f.Alternate.origin })
	add("landmarks", f.Landmarks != nil, func() origin { return f.Landmarks.origin })
	add("water_tiles", f.Water != nil, func() origin { return f.Water.origin })
	add("water_chart", f.Chart != nil, func() origin { return f.Chart.origin })
	add("alternate_water_chart", f.AlternateChart != nil, func() origin { return f.AlternateChart.origin })
	add("captains", f.Captains != nil, func() origin { return f.Captains.origin })
	add("jewels", f.Jewels != nil, func() origin { return f.Jewels.origin })
	add("reputation", f.Reputation != nil, func() origin { return f.Reputation.origin })
	add("end_track", f.EndTrack != nil, func() origin { return f.EndTrack.origin })
	add("map_fragments", f.Fragments != nil, func() origin { return f.Fragments.origin })
	add("special_map_tiles", f.Specials != nil, func() origin { return f.Specials.origin })
	add("map_setup", f.MapSetup != nil, func() origin { return f.MapSetup.origin })
	add("alternate_map_setup", f.AlternateMapSetup != nil, func() origin { return f.AlternateMapSetup.origin })
	add("doubloons", f.Doubloons != nil, func() origin { return f.Doubloons.origin })
	add("pillage_tokens", f.Pillage != nil, func() origin { return f.Pillage.origin })
	add("compasses", f.Compasses != nil, func() origin { return f.Compasses.origin })
	add("relics", f.Relics != nil, func() origin { return f.Relics.origin })
}

func (b *box) source(table, row, source string) {
	if source != "printed" && source != "reconstructed" {
		b.wrong(table, row, "source %q: want printed or reconstructed", source)
	}
}

// count is a number of things within bounds.
func (b *box) count(table, row string, n, least, most int) uint8 {
	if n < least || n > most {
		b.wrong(table, row, "%d: want %d to %d", n, least, most)
		return 0
	}
	return uint8(n)
}

// rows returns the rows of a table in the order of names, and notes those missing
// or not known.
func rows[R any](b *box, table string, got map[string]R, names []string) []R {
	list := make([]R, len(names))
	known := make(map[string]bool, len(names))
	for i, name := range names {
		row, ok := got[name]
		if !ok {
			b.wrong(table, name, "the row is missing")
		}
		list[i], known[name] = row, true
	}
	for _, name := range sortedKeys(got) {
		if !known[name] {
			b.wrong(table, name, "unknown row: want %s", strings.Join(names, ", "))
		}
	}
	return list
}

// byPlayers returns the rows of a table for 2 to 6 players, at their numbers.
func byPlayers[R any](b *box, table string, got map[int]R) (list [perPlayers]R) {
	for players, row := range got {
		if players < MinSeats || players > MaxSeats {
			b.wrong(table, fmt.Sprintf("%d players", players), "want rows for %d to %d players", MinSeats, MaxSeats)
			continue
		}
		list[players] = row
	}
	for players := MinSeats; players <= MaxSeats; players++ {
		if _, ok := got[players]; !ok {
			b.wrong(table, fmt.Sprintf("%d players", players), "the row is missing")
		}
	}
	return list
}

func sortedKeys[R any](m map[string]R) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
