package doubloons

import (
	"fmt"
	"strings"
)

// Module is an optional part of the rules. What a module does stands in a file of
// its own; other files call it where the rulebook lets it in.
type Module uint8

// The optional modules, in the order of the rulebook and of game strings.
const (
	AdvancedScoring Module = iota // advancedscoring.go
	BlackJewels                   // blackjewel.go
	Compass                       // compass.go
	LegendaryShip                 // legendary.go
	StealShip                     // stealship.go
	AlternateIsland               // adventure.go
	NumModules      = iota
)

var moduleNames = [NumModules]string{
	"advanced_scoring", "black_jewel", "compass", "legendary_ghost_ship", "steal_ship", "alternate_island",
}

func (m Module) String() string { return moduleNames[m] }

// Modules is a set of modules.
type Modules uint8

const allModules Modules = 1<<NumModules - 1

// Has reports whether a module is in the set.
func (set Modules) Has(m Module) bool { return set>>m&1 != 0 }

// With is the set with more modules.
func (set Modules) With(more ...Module) Modules {
	for _, m := range more {
		set |= 1 << m
	}
	return set
}

// room is what a module does when the rules of a game are made. What it adds to the base game it hands to it then, as things
// of the box and as functions that the base game calls at points with a name: see Rules.
type room struct {
	furnish func(*Rules) // the module is played; nil if it adds nothing
	empty   func(*Rules) // it is not: what is its own stays in the box; nil if it has nothing there
	// fields adds its own to those of positions, played or not: own has files refused, and says why, that have them in a
	// game without the module. Nil if it has none.
	fields func(r *Rules, to *layout, own func(why string, list ...field) fields)
}

// rooms are the modules' own, each in its file.
var rooms = [NumModules]room{
	AdvancedScoring: {furnishScoring, nil, nil},
	BlackJewels:     {furnishBlackJewels, emptyBlackJewels, nil},
	Compass:         {furnishCompass, emptyCompass, compassFields},
	LegendaryShip:   {furnishLegendary, nil, legendaryFields},
	StealShip:       {nil, nil, stealShipFields},
	AlternateIsland: {furnishIsland, emptyIsland, islandFields},
}

// String is the set as in a game string.
func (set Modules) String() string {
	var list []string
	for m, name := range moduleNames {
		if set.Has(Module(m)) {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, "+")
}

// parseModules reads the value of modules=…, whose words the registry has
// checked. Not every edition has every module.
func parseModules(value string, e *Edition) (Modules, error) {
	var set Modules
	for _, word := range strings.Split(value, "+") {
		for m, name := range moduleNames {
			if word == name {
				set = set.With(Module(m))
			}
		}
	}
	if lacks := set &^ e.Modules; lacks != 0 {
		return 0, fmt.Errorf("modules=%s: edition %s has no %s: it has %s", value, e.Name, lacks, e.Modules)
	}
	return set, nil
}
