package jollyroger

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestComponentsThatDoNotFitAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ old, new, naming string }{
		{"nav12: {skill: navigation, value: 1", "nav12: {skill: guns, value: 1", `normal_crew.nav12.skill: "guns": cards of this id have the skill navigation`},
		{"gun31: {skill: guns, value: 3", "gun31: {skill: guns, value: 4", "normal_crew.gun31.value: 4: want 1 to 3"},
		{"crewmen: 5, copies: 1}\n    nav21", "crewmen: 6, copies: 1}\n    nav21", "normal_crew.nav15.crewmen: 6: want 1 to 5"},
		{"any: {skill: any, value: 1, crewmen: 1, copies: 5}", "any: {skill: any, value: 1, crewmen: 1, copies: 4}", "normal_crew: 46 cards in all: want 47"},
		{"    cook: {crewmen: 1, copies: 1}\n", "", "special_crew.cook: the card is missing"},
		{"    cook: {", "    coook: {", "special_crew.coook: there is no such card: did you mean cook?"},
		{"traitor: {crewmen: 1, copies: 2}", "traitor: {crewmen: 1, copies: 3}", "special_crew: 20 cards in all: want 19"},
		{"traitor: {crewmen: 1", "traitor: {skill: any, crewmen: 1", "special_crew.traitor: special cards have no skill"},
		{"needs: [1, 3, 3]", "needs: [1, 2, 3]", "forts.fort_1.needs, guns: 2: want 3 to 6"},
		{"needs: [1, 3, 3]", "needs: [1, 3]", "forts.fort_1.needs: 2 numbers: want navigation, guns and melee"},
		{"players: 7-, source: printed", "players: 7, source: printed", `forts.fort_1.players: "7": want a number with - (or fewer) or + (or more)`},
		{"pirate_port_2: {crew: 1}", "pirate_port_2: {crew: 4}", "pirate_ports.pirate_port_2.crew: 4: want 1 to 3"},
		{"pirate_port_2: {crew: 1}", "pirate_port_2: {crew: 1, prizes: 2}", "pirate_ports.pirate_port_2: this kind of destination has no such field"},
		{"rum: {value: 0, copies: 6}", "rum: {value: 0, copies: 7}", "prizes: 47 cards in all: want 46"},
		{"    10: {start: 4, limit: 5}\n", "", "hands.players.10: it is missing"},
		{"    10: {start: 4, limit: 5}", "    10: {start: 4, limit: 3}", "hands.players.10.limit: 3: want 4 to 9"},
		{"prizes:\n  source: reconstructed", "prizes:\n  source: guessed", `prizes.source: "guessed": want printed or reconstructed`},
		{"normal_crew:", "normal_cruw:", "unknown key"},
	} {
		text := strings.Replace(componentsFile, c.old, c.new, 1)
		if text == componentsFile {
			t.Fatalf("components.yaml has no %q", c.old)
		}
		if _, err := loadComponents([]byte(text)); err == nil || !strings.Contains(err.Error(), c.naming) {
			t.Errorf("%s: %v: want it to say %q", c.new, err, c.naming)
		}
	}
	if _, err := loadComponents(nil); err == nil || !strings.Contains(err.Error(), "the file is empty") {
		t.Errorf("an empty file: %v", err)
	}
}

func TestComponentsWithTooFewDestinationsForTenRoundsAreRefused(t *testing.T) {
	text := componentsFile
	for i := 3; i <= 8; i++ { // two of each stack are left to three players
		for _, name := range []string{"fort", "merchant_ship", "settlement", "pirate_port"} {
			row := regexp.MustCompile(fmt.Sprintf(`%s_%d: \{[^}]*`, name, i))
			text = row.ReplaceAllStringFunc(text, func(row string) string {
				row, _, _ = strings.Cut(row, ", players")
				return row + ", players: 6+"
			})
		}
	}
	if _, err := loadComponents([]byte(text)); err == nil || !strings.Contains(err.Error(), "destinations: 8 besides Treasure Island are used with 3 players: want 10") {
		t.Errorf("%v", err)
	}
}

// A box whose cards show no 3 is played from a file.
func TestAComponentsFileReplacesTheBuiltInCards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box.yaml")
	text := strings.ReplaceAll(componentsFile, "value: 3, crewmen: 1", "value: 2, crewmen: 1")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := engine.NewGame("jolly_roger(components=" + path + ")")
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	r, _ := engine.RulesOf[State, *Rules](m)
	for c, card := range r.Crew[:NumNormal] {
		if card.Value > 2 {
			t.Errorf("%s is worth %d", crewNames[c], card.Value)
		}
	}
	if _, err := engine.NewGame("jolly_roger(components=none.yaml)"); err == nil || !strings.Contains(err.Error(), "components=none.yaml") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// FuzzComponents: any file is compiled or refused.
func FuzzComponents(f *testing.F) {
	f.Add([]byte(componentsFile))
	f.Add([]byte("normal_crew: {source: printed}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := loadComponents(data); (c == nil) == (err == nil) {
			t.Errorf("components %v with error %v", c, err)
		}
	})
}

func FuzzSetPosition(f *testing.F) {
	enginetest.FuzzPositions(f, checkMatch, "jolly_roger(seats=3)", "jolly_roger(seats=4,variants=hidden_prizes,bribes=talk)")
}

func TestBrowsersHaveThePrintedBox(t *testing.T) {
	box, err := loadComponents([]byte(componentsFile))
	if err != nil {
		t.Fatal(err)
	}
	enginetest.PrintedBox(t, *update, "components.json", box)
}
