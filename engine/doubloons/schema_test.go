package doubloons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/position"
)

// schema compiles position.schema.json, and returns it as JSON too.
func schema(t *testing.T) (*jsonschema.Schema, any) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(positionSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("position.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("position.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, doc
}

func valid(s *jsonschema.Schema, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestPrintedPositionsAndViewsFollowTheSchema(t *testing.T) {
	s, _ := schema(t)
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		m, _ := explicitMatch(in(t, "modules="+[]Modules{0, allModules, onStandardIsland}[seats%3].String()), seats)
		rand := engine.NewRand(uint64(seats))
		m.Reset(uint64(seats))
		for n := 0; ; n++ {
			for view := engine.Full; view < seats && (n%29 == 0 || m.Seat() == engine.Over); view++ {
				text, err := m.Position(view)
				if err == nil {
					err = valid(s, text)
				}
				if err != nil {
					t.Fatalf("view %d: %v\n%s", view, err, text)
				}
			}
			if m.Seat() == engine.Over {
				break
			}
			a := m.SampleChance()
			if m.Seat() >= 0 {
				a = m.Legal().Sample(&rand)
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The examples of the schema and of POSITIONS.md follow it and are accepted.
func TestExamplesOfPositionsFollowTheSchema(t *testing.T) {
	s, doc := schema(t)
	examples, _ := doc.(map[string]any)["examples"].([]any)
	if len(examples) == 0 {
		t.Error("the schema has no examples")
	}
	var texts []string
	for _, e := range examples {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	page, err := os.ReadFile("POSITIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(page), "```json\n")[1:] {
		text, _, _ := strings.Cut(part, "```")
		texts = append(texts, text)
	}
	for _, text := range texts {
		if err := valid(s, []byte(text)); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		var of struct{ Game string }
		if err := json.Unmarshal([]byte(text), &of); err != nil {
			t.Fatal(err)
		}
		enginetest.At(t, of.Game, text)
	}
}

// What the reader knows the schema knows, and the other way round.
func TestTheSchemaHasTheFieldsThatAreRead(t *testing.T) {
	_, doc := schema(t)
	at := func(path ...string) any {
		v := doc
		for _, k := range path {
			v = v.(map[string]any)[k]
		}
		return v
	}
	same := func(what string, properties any, fields []string) {
		t.Helper()
		names := properties.(map[string]any)
		for _, f := range fields {
			if names[f] == nil {
				t.Errorf("%s: the schema lacks %s", what, f)
			}
		}
		for n := range names {
			if slices.Index(fields, n) < 0 {
				t.Errorf("%s: the schema has %s, which nobody reads", what, n)
			}
		}
	}
	same("position", at("properties"), positionFields)
	same("ship", at("properties", "ships", "items", "properties"), shipFields)
	same("legendary ghost ship", at("properties", "legendary", "properties"), legendaryFields)
	arguments := []string{"kind", "seat"}
	for _, form := range kindForms {
		for _, a := range form.args {
			if slices.Index(arguments, a.name) < 0 {
				arguments = append(arguments, a.name)
			}
		}
	}
	same("frame", at("properties", "stack", "items", "properties"), arguments)
	var kinds []string
	for _, k := range at("properties", "stack", "items", "properties", "kind", "enum").([]any) {
		kinds = append(kinds, fmt.Sprint(k))
	}
	check(t, "kinds", strings.Join(kinds, ", "), position.Listed(kindNames))
}

func TestTheSchemaRefusesWhatIsOutOfRange(t *testing.T) {
	s, _ := schema(t)
	for _, text := range []string{
		`{"hul": 3}`, `{"ships": [{"hull": 11}]}`, `{"ships": [{"hand": ["N42"]}]}`, `{"slot": 0}`,
		`{"turn": -1}`, `{"landmarks": {"B1": "star_axis"}}`, `{"stack": [{"seat": 1}]}`,
	} {
		if valid(s, []byte(text)) == nil {
			t.Errorf("the schema lets %s through", text)
		}
	}
}
