package doubloons

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/position"
)

func TestPrintedPositionsAndViewsFollowTheSchema(t *testing.T) {
	s := enginetest.SchemaOf(t, "doubloons")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		modules := []Modules{0, allModules, onStandardIsland}[seats%3]
		s.Printed(t, fmt.Sprintf("doubloons(seats=%d,chance=explicit,forced=show,modules=%s)", seats, modules), uint64(seats), 29)
	}
}

// The examples of the schema and of POSITIONS.md follow it and are accepted.
func TestExamplesOfPositionsFollowTheSchema(t *testing.T) {
	enginetest.SchemaOf(t, "doubloons").Examples(t, enginetest.Page(t, "POSITIONS.md")...)
}

// What the reader knows the schema knows, and the other way round.
func TestTheSchemaHasTheFieldsThatAreRead(t *testing.T) {
	at := func(path ...string) any {
		var v any = enginetest.SchemaOf(t, "doubloons").Doc
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
			if !slices.Contains(fields, n) {
				t.Errorf("%s: the schema has %s, which nobody reads", what, n)
			}
		}
	}
	same("position", at("properties"), positionFields)
	same("ship", at("properties", "ships", "items", "properties"), shipFields)
	same("legendary ghost ship", at("properties", "legendary", "properties"), legendaryFields)
	arguments := []string{"kind", "seat"}
	for k := range Kind(255) {
		for _, name := range Arguments(k) {
			if !slices.Contains(arguments, name) {
				arguments = append(arguments, name)
			}
		}
	}
	same("frame", at("properties", "stack", "items", "properties"), arguments)
	var kinds []string
	for _, k := range at("properties", "stack", "items", "properties", "kind", "enum").([]any) {
		kinds = append(kinds, fmt.Sprint(k))
	}
	check(t, "kinds", strings.Join(kinds, ", "), position.Listed(widest.Names()))
}

func TestTheSchemaRefusesWhatIsOutOfRange(t *testing.T) {
	s := enginetest.SchemaOf(t, "doubloons")
	for _, text := range []string{
		`{"hul": 3}`, `{"ships": [{"hull": 11}]}`, `{"ships": [{"hand": ["N42"]}]}`, `{"slot": 0}`,
		`{"turn": -1}`, `{"landmarks": {"B1": "star_axis"}}`, `{"stack": [{"seat": 1}]}`,
	} {
		if s.Validate([]byte(text)) == nil {
			t.Errorf("the schema lets %s through", text)
		}
	}
}
