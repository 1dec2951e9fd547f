package doubloons

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// onStandardIsland are all modules that are played there.
const onStandardIsland = allModules &^ (1 << AlternateIsland)

func TestModulesAndEditionsThatDoNotGoTogetherAreRefusedByName(t *testing.T) {
	for game, says := range map[string]string{
		"doubloons(modules=kraken)":              `unknown "kraken": known are advanced_scoring, black_jewel, compass`,
		"doubloons(modules=compass+compass)":     "compass is given twice",
		"doubloons(modules=compass,black_jewel)": `"black_jewel" is not of the form name=value: modules are joined by +`,
		"doubloons(edition=v3)":                  "edition=v3: want one of final, v2.0, v1.9.8, v1.9.7",
	} {
		_, err := engine.NewGame(game)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %s", game, err, says)
		}
	}
	for i, e := range editions {
		for m := range Module(NumModules) {
			_, err := parseModules(m.String(), &editions[i])
			if !e.Modules.Has(m) && (err == nil || !strings.Contains(err.Error(), "edition "+e.Name+" has no "+m.String()+": it has ")) {
				t.Errorf("%s in %s: %v", m, e.Name, err)
			}
		}
	}
}
