package jollyroger

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// The positions of POSITIONS.md do what the page says.
func TestPositionsOfThePageDoWhatItSays(t *testing.T) {
	positions := enginetest.Page(t, "POSITIONS.md")
	if len(positions) != 4 {
		t.Fatalf("%d positions on the page; want 4", len(positions))
	}
	at := func(i int, actions string) (engine.Match, *State) {
		m := enginetest.Written(t, positions[i])
		enginetest.Do(t, m, actions)
		return m, engine.State[State](m)
	}
	want := func(what string, is bool) {
		t.Helper()
		if !is {
			t.Errorf("it is not so that %s", what)
		}
	}
	_, s := at(0, "reveal; melee=-1")
	want("the First Mate wins the attack", s.Phase == PhasePrizes && s.Next() == DealSpoils)
	_, s = at(0, "reveal; pass")
	want("the attack fails without it", s.Phase == PhasePunishment)
	_, s = at(1, "cutthroat=captain; pass")
	want("seat 2 is Captain, what is not buried pooled", s.Captain == 2 && s.Spoils[Gold3] == 1 && s.Buried[0][Gold2] == 1)
	_, s = at(1, "cutthroat=captain; use=traitor")
	want("the mutiny continues, and seat 3 stays on its side", s.Mutineer == 2 && s.Side[3] == ForMutineer && s.Discard[Cutthroat] == 1)
	m, s := at(2, "crew=nav12; crew=nav12; crew=nav13; pass; ransom; drawn=jewels; drawn=gold_3; sell; drawn=rum")
	want("the second jewels card stays", s.Prizes[0][Jewels] == 1 && !slices.Contains(enginetest.Legal(m), "sell"))
	m, _ = at(3, "use=second_mate; seat=+1; seat=+2")
	for seat, sees := range []bool{false, true, true, true} {
		view, err := m.Position(seat)
		if err != nil {
			t.Fatal(err)
		}
		want(fmt.Sprintf("seat %d knows where the Carpenter is: %v", seat, sees), bytes.Contains(view, []byte(`"carpenter"`)) == (sees && seat < 3))
	}
}

func TestPrintedPositionsAndViewsFollowTheSchema(t *testing.T) {
	s := enginetest.SchemaOf(t, "jolly_roger")
	for i, game := range []string{"seats=3", "seats=6,variants=hidden_prizes", "seats=10", "seats=4,bribes=talk,chance=explicit"} {
		s.Printed(t, "jolly_roger("+game+")", uint64(i), 37)
	}
}

// The examples of the schema and of POSITIONS.md follow it and are accepted.
func TestExamplesOfPositionsFollowTheSchema(t *testing.T) {
	enginetest.SchemaOf(t, "jolly_roger").Examples(t, enginetest.Page(t, "POSITIONS.md")...)
}

// A field is described where it stands or by what it refers to, one of several shapes by each of them; kinds of
// cards by their tally.
func TestTheSchemaDescribesEveryField(t *testing.T) {
	doc := enginetest.SchemaOf(t, "jolly_roger").Doc
	var described func(field map[string]any) bool
	described = func(field map[string]any) bool {
		shapes, _ := field["anyOf"].([]any)
		for _, s := range shapes {
			if !described(s.(map[string]any)) {
				shapes = nil
			}
		}
		text, _ := field["description"].(string)
		return len(text) >= 8 || field["$ref"] != nil || len(shapes) > 0
	}
	fields := 0
	var walk func(path string, of map[string]any)
	walk = func(path string, of map[string]any) {
		properties, _ := of["properties"].(map[string]any)
		for name, p := range properties {
			field := p.(map[string]any)
			if fields++; !described(field) && !slices.Contains(sightedNames, name) {
				t.Errorf("%s.%s is not described", path, name)
			}
			walk(path+"."+name, field)
		}
		if items, ok := of["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
	}
	walk("position", doc)
	for name, def := range doc["$defs"].(map[string]any) {
		walk(name, def.(map[string]any))
	}
	if fields < 100 {
		t.Errorf("%d fields in all: want the whole schema walked", fields)
	}
}

func TestTheSchemaRefusesWhatIsOutOfRange(t *testing.T) {
	s := enginetest.SchemaOf(t, "jolly_roger")
	for _, text := range []string{
		`{"capitan": 3}`, `{"players": [{"hand": {"nav99": 1}}]}`, `{"round": 11}`, `{"players": [{"prizes": {"gold_1": -1}}]}`,
		`{"stack": [{"seat": 1}]}`, `{"stacks": {"fort": ["settlement_1"]}}`, `{"stack": [{"kind": "do_poll", "asks": "ask_traitor", "odd": 1}]}`,
		`{"stack": [{"kind": "do_join", "card": "parrot"}]}`, `{"stack": [{"kind": "do_lap", "passes": true}]}`, `{"stack": [{"kind": "do_poll", "asks": "do_lap"}]}`,
	} {
		if s.Validate([]byte(text)) == nil {
			t.Errorf("the schema lets %s through", text)
		}
	}
}
