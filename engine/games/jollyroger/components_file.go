//go:build !js

package jollyroger

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
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

type table[Row any] struct {
	Source string         `yaml:"source"`
	Note   string         `yaml:"note"`
	Cards  map[string]Row `yaml:"cards"`
}

type crewYAML struct {
	Skill   string `yaml:"skill"`
	Value   int    `yaml:"value"`
	Crewmen int    `yaml:"crewmen"`
	Copies  int    `yaml:"copies"`
	Source  string `yaml:"source"`
}

type targetYAML struct {
	Needs   []int  `yaml:"needs"`
	Prizes  int    `yaml:"prizes"`
	Crew    int    `yaml:"crew"`
	Players string `yaml:"players"`
	Source  string `yaml:"source"`
}

type prizeYAML struct {
	Value  int    `yaml:"value"`
	Copies int    `yaml:"copies"`
	Source string `yaml:"source"`
}

type handYAML struct {
	Start int `yaml:"start"`
	Limit int `yaml:"limit"`
}

type componentsYAML struct {
	Normal      *table[crewYAML]   `yaml:"normal_crew"`
	Special     *table[crewYAML]   `yaml:"special_crew"`
	Forts       *table[targetYAML] `yaml:"forts"`
	Merchants   *table[targetYAML] `yaml:"merchant_ships"`
	Settlements *table[targetYAML] `yaml:"settlements"`
	Ports       *table[targetYAML] `yaml:"pirate_ports"`
	Islands     *table[targetYAML] `yaml:"treasure_islands"`
	Prizes      *table[prizeYAML]  `yaml:"prizes"`
	Hands       *struct {
		Source  string           `yaml:"source"`
		Note    string           `yaml:"note"`
		Players map[int]handYAML `yaml:"players"`
	} `yaml:"hands"`
}

// loadComponents compiles components.yaml or a user's version of it. The error
// names table, row and fix of what does not fit.
func loadComponents(data []byte) (*Components, error) {
	var file componentsYAML
	if err := yamlfile.Decode(data, &file); errors.Is(err, io.EOF) {
		return nil, errors.New("components: the file is empty: start from `privateer rules jolly_roger --components`")
	} else if err != nil {
		return nil, fmt.Errorf("components: %w", err)
	}
	b := &box{}
	b.crew(file.Normal, file.Special)
	for d, t := range []*table[targetYAML]{file.Forts, file.Merchants, file.Settlements, file.Ports, file.Islands} {
		b.targets(Destination(d), t)
	}
	b.prizes(file.Prizes)
	if len(b.List) == 0 {
		b.hands(&file)
	}
	if err := b.Err(); err != nil {
		return nil, fmt.Errorf("components: %w", err)
	}
	return &b.Components, nil
}

// box compiles a file and notes everything that does not fit.
type box struct {
	Components
	position.Faults
}

const copyTable = "copy it from `privateer rules jolly_roger --components`"

// rows checks the header of a table and that it has exactly the named rows.
func rows[Row any](b *box, name string, t *table[Row], names []string) bool {
	if t == nil {
		b.Wrong(name, "the table is missing: %s", copyTable)
		return false
	}
	b.source(name, t.Source)
	for _, row := range names {
		if _, ok := t.Cards[row]; !ok {
			b.Wrong(name+"."+row, "the card is missing: %s", copyTable)
		}
	}
	for row := range t.Cards {
		if !slices.Contains(names, row) {
			b.Wrong(name+"."+row, "there is no such card: %s", position.Suggest(row, names))
		}
	}
	return true
}

// source checks what a table or a row says of where it comes from.
func (b *box) source(at, source string) {
	if source != "printed" && source != "reconstructed" {
		b.Wrong(at+".source", "%q: want printed or reconstructed", source)
	}
}

// within checks a number of a row.
func (b *box) within(at string, n, least, most int) uint8 {
	if n < least || n > most {
		b.Wrong(at, "%d: want %d to %d", n, least, most)
		return 0
	}
	return uint8(n)
}

func (b *box) rowSource(at, source string) {
	if source != "" {
		b.source(at, source)
	}
}

func (b *box) crew(normal, special *table[crewYAML]) {
	total := 0
	if rows(b, "normal_crew", normal, crewNames[:NumNormal]) {
		for c, name := range crewNames[:NumNormal] {
			row, at := normal.Cards[name], "normal_crew."+name
			b.rowSource(at, row.Source)
			skill := slices.Index(skillNames, row.Skill)
			if want := skillNames[min(c/8, int(AnySkill))]; row.Skill != want {
				b.Wrong(at+".skill", "%q: cards of this id have the skill %s", row.Skill, want)
			}
			b.Crew[c] = CrewCard{
				Skill: Skill(max(skill, 0)), Value: b.within(at+".value", row.Value, 1, 3),
				Crewmen: b.within(at+".crewmen", row.Crewmen, 1, 5), Copies: b.within(at+".copies", row.Copies, 0, 12),
			}
			total += row.Copies
		}
		if total != normalCopies {
			b.Wrong("normal_crew", "%d cards in all: want %d", total, normalCopies)
		}
	}
	if !rows(b, "special_crew", special, crewNames[NumNormal:]) {
		return
	}
	total = 0
	for i, name := range crewNames[NumNormal:] {
		row, at := special.Cards[name], "special_crew."+name
		b.rowSource(at, row.Source)
		if row.Skill != "" || row.Value != 0 {
			b.Wrong(at, "special cards have no skill: leave skill and value out")
		}
		b.Crew[NumNormal+i] = CrewCard{Crewmen: b.within(at+".crewmen", row.Crewmen, 1, 5), Copies: b.within(at+".copies", row.Copies, 0, 3)}
		total += row.Copies
	}
	if total != specialCopies {
		b.Wrong("special_crew", "%d cards in all: want %d", total, specialCopies)
	}
}

// ranges are the least and the most of each skill that the backs of prize targets
// show.
var ranges = [3][NumSkills][2]int{
	Fort:         {{1, 2}, {3, 6}, {3, 4}},
	MerchantShip: {{3, 5}, {1, 3}, {1, 2}},
	Settlement:   {{2, 3}, {1, 2}, {3, 6}},
}

func (b *box) targets(d Destination, t *table[targetYAML]) {
	first := int(d) * StackSize
	names := targetNames[first : first+stackCards(d)]
	name := destinationNames[d] + "s"
	if !rows(b, name, t, names) {
		return
	}
	for i, card := range names {
		row, at := t.Cards[card], name+"."+card
		b.rowSource(at, row.Source)
		to := &b.Targets[first+i]
		to.Players = b.players(at+".players", row.Players)
		if !isTarget(d) && (row.Needs != nil || row.Prizes != 0) || d != PiratePort && row.Crew != 0 {
			b.Wrong(at, "this kind of destination has no such field: %s", copyTable)
			continue
		}
		switch {
		case d == PiratePort:
			to.Crew = b.within(at+".crew", row.Crew, 1, 3)
		case isTarget(d) && len(row.Needs) != int(NumSkills):
			b.Wrong(at+".needs", "%d numbers: want navigation, guns and melee", len(row.Needs))
		case isTarget(d):
			for k, n := range row.Needs {
				to.Needs[k] = b.within(at+".needs, "+skillNames[k], n, ranges[d][k][0], ranges[d][k][1])
			}
			to.Prizes = b.within(at+".prizes", row.Prizes, 1, MaxSeats)
		}
	}
}

// players reads the mark of a destination card.
func (b *box) players(at, mark string) [2]int8 {
	var n int8
	var side string
	switch _, err := fmt.Sscanf(mark, "%d%s", &n, &side); {
	case mark == "":
		return [2]int8{MinSeats, MaxSeats}
	case err == nil && side == "-":
		return [2]int8{MinSeats, n}
	case err == nil && side == "+":
		return [2]int8{n, MaxSeats}
	}
	b.Wrong(at, `%q: want a number with - (or fewer) or + (or more), as in "7-"`, mark)
	return [2]int8{}
}

func (b *box) prizes(t *table[prizeYAML]) {
	if !rows(b, "prizes", t, prizeNames) {
		return
	}
	total := 0
	for p, name := range prizeNames {
		row, at := t.Cards[name], "prizes."+name
		b.rowSource(at, row.Source)
		b.Prizes[p] = PrizeCard{int32(b.within(at+".value", row.Value, 0, 9)), b.within(at+".copies", row.Copies, 0, prizeCopies)}
		total += row.Copies
	}
	if total != prizeCopies {
		b.Wrong("prizes", "%d cards in all: want %d", total, prizeCopies)
	}
}

// hands reads the sizes of hands, once the other tables fit.
func (b *box) hands(f *componentsYAML) {
	if f.Hands == nil {
		b.Wrong("hands", "the table is missing: %s", copyTable)
		return
	}
	b.source("hands", f.Hands.Source)
	for n := range f.Hands.Players {
		if n < MinSeats || n > MaxSeats {
			b.Wrong("hands.players", "%d: want the numbers %d to %d", n, MinSeats, MaxSeats)
		}
	}
	for n := MinSeats; n <= MaxSeats; n++ {
		row, ok := f.Hands.Players[n]
		at := fmt.Sprintf("hands.players.%d", n)
		if !ok {
			b.Wrong(at, "it is missing: %s", copyTable)
			continue
		}
		b.StartHand[n] = b.within(at+".start", row.Start, 1, 6)
		b.HandLimit[n] = b.within(at+".limit", row.Limit, row.Start, maxHand)
		voyages := 0
		for d := range Destination(NumDestinations) {
			set := b.stack(d, n)
			if set == 0 {
				b.Wrong(destinationNames[d]+"s", "no card is used with %d players", n)
			}
			if d != TreasureIsland { // which may be out of reach
				voyages += bits.OnesCount8(set)
			}
		}
		if voyages < Rounds {
			b.Wrong("destinations", "%d besides Treasure Island are used with %d players: want %d, one for each round", voyages, n, Rounds)
		}
	}
}
