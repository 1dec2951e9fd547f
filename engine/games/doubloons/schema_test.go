package doubloons

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Every edition, with its modules on either island and without, at every number of seats.
func TestWhatIsPrintedAndWhatIsReadFollowsTheSchema(t *testing.T) {
	s := enginetest.SchemaOf(t, "doubloons")
	for i, e := range editions {
		for seats := MinSeats; seats <= e.Seats; seats++ {
			for k, modules := range []Modules{0, e.Modules, e.Modules &^ (1 << AlternateIsland)} {
				game := fmt.Sprintf("doubloons(seats=%d,edition=%s,chance=explicit,forced=show,modules=%s)", seats, e.Name, modules)
				s.Printed(t, game, uint64(seats), 211)
				if (i+seats+k)%3 == 0 {
					s.Altered(t, game, uint64(seats), 101)
				}
			}
		}
	}
}

// The examples of the schema and of POSITIONS.md follow it and are accepted.
func TestExamplesOfPositionsFollowTheSchema(t *testing.T) {
	enginetest.SchemaOf(t, "doubloons").Examples(t, enginetest.Page(t, "POSITIONS.md")...)
}

// The schema and the reader come from the same rows; what rows have by another name, as ships have, is defined.
func TestTheSchemaHasTheFieldsThatAreRead(t *testing.T) {
	_, r := explicitMatch(in(t, "modules="+allModules.String()), MaxSeats)
	doc := enginetest.SchemaOf(t, "doubloons").Doc
	defs := doc["$defs"].(map[string]any)
	for what, c := range map[string]struct {
		shape any
		list  fields
	}{"position": {doc, r.layout.match}, "ship": {defs["ship"], r.layout.ship}, "legendary": {defs[legendaryName], r.layout.legendary}} {
		names := slices.Sorted(maps.Keys(c.shape.(map[string]any)["properties"].(map[string]any)))
		known := slices.Sorted(slices.Values(c.list.Names()))
		check(t, what, strings.Join(names, " "), strings.Join(known, " "))
	}
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
