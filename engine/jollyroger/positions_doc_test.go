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
	want("the attack fails without him", s.Phase == PhasePunishment)
	_, s = at(1, "cutthroat=captain; pass")
	want("seat 2 is Captain, what is not buried pooled", s.Captain == 2 && s.Spoils[Gold3] == 1 && s.Buried[0][Gold2] == 1)
	_, s = at(1, "cutthroat=captain; use=traitor")
	want("the mutiny goes on, and seat 3 stays on its side", s.Mutineer == 2 && s.Side[3] == ForMutineer && s.Discard[Cutthroat] == 1)
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

// What the reader knows the schema knows, and the other way round.
func TestTheSchemaHasTheFieldsThatAreRead(t *testing.T) {
	doc := enginetest.SchemaOf(t, "jolly_roger").Doc
	at := func(path ...string) (names []string) {
		v := doc
		for _, k := range path {
			v = v[k].(map[string]any)
		}
		for n := range v {
			names = append(names, n)
		}
		slices.Sort(names)
		return names
	}
	same := func(what string, got, fields []string) {
		t.Helper()
		fields = slices.Clone(fields)
		slices.Sort(fields)
		if fields = slices.Compact(fields); !slices.Equal(got, fields) {
			t.Errorf("%s: the schema has %v, what is read is %v", what, got, fields)
		}
	}
	same("position", at("properties"), positionFields)
	same("player", at("properties", "players", "items", "properties"), playerFields)
	same("crew cards", at("$defs", "crew", "properties"), crewNames)
	same("offer", at("properties", "offer", "properties"), sightedNames)
	arguments := []string{"kind", "seat"}
	for k := range Kind(255) {
		arguments = append(arguments, Arguments(k)...)
	}
	same("frame", at("properties", "stack", "items", "properties"), arguments)
	var kinds, want []string
	for _, k := range doc["properties"].(map[string]any)["stack"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)["kind"].(map[string]any)["enum"].([]any) {
		kinds = append(kinds, fmt.Sprint(k))
	}
	slices.Sort(kinds)
	for _, name := range widest.Names() {
		if name != "" {
			want = append(want, name)
		}
	}
	same("kinds", kinds, want)
}

// A field is described where it stands or by what it refers to; kinds of cards by their tally.
func TestTheSchemaDescribesEveryField(t *testing.T) {
	doc := enginetest.SchemaOf(t, "jolly_roger").Doc
	fields := 0
	var walk func(path string, of map[string]any)
	walk = func(path string, of map[string]any) {
		properties, _ := of["properties"].(map[string]any)
		for name, p := range properties {
			field := p.(map[string]any)
			text, _ := field["description"].(string)
			if fields++; len(text) < 8 && field["$ref"] == nil && !slices.Contains(sightedNames, name) {
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
