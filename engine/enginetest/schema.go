package enginetest

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/privateer-rl/privateer/engine"
)

// Schema is the JSON Schema of a game's positions.
type Schema struct {
	Doc map[string]any // the schema as JSON

	compiled *jsonschema.Schema
}

// SchemaOf compiles the schema of a game, by its name.
func SchemaOf(t testing.TB, game string) Schema {
	t.Helper()
	d, err := engine.Lookup(game)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(d.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("position.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("position.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return Schema{doc.(map[string]any), compiled}
}

// Validate returns how a position violates the schema.
func (s Schema) Validate(position []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(position))
	if err != nil {
		return err
	}
	return s.compiled.Validate(v)
}

// Printed plays a match of a game at random, of a seed, and fails if a position or a
// seat's view does not follow the schema. It looks at the end and at every n-th
// moment.
func (s Schema) Printed(t testing.TB, game string, seed uint64, every int) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m, rand := g.NewMatch(), engine.NewRand(seed)
	m.Reset(seed)
	for n := 0; ; n++ {
		for view := engine.Full; view < g.Info().Seats && (n%every == 0 || m.Seat() == engine.Over); view++ {
			text, err := m.Position(view)
			if err == nil {
				err = s.Validate(text)
			}
			if err != nil {
				t.Fatalf("%s, view %d: %v\n%s", game, view, err, text)
			}
		}
		if m.Seat() == engine.Over {
			return
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

// Altered damages positions of a match of a game played at random, of a seed, at every n-th moment, and fails if the
// game accepts one that does not follow the schema. Only the schema need object to a list that names a thing twice.
func (s Schema) Altered(t testing.TB, game string, seed uint64, every int) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	n, other, rand := 0, g.NewMatch(), engine.NewRand(seed)
	_, err = Random(t, game, seed).Replay(func(m engine.Match, _ int, _ engine.Action) error {
		if n++; n%every != 0 {
			return nil
		}
		text, err := m.Position(engine.Full)
		if err != nil {
			return err
		}
		for _, within := range []string{"", "stack"} {
			damaged, err := Altered(text, within, &rand)
			if err != nil {
				return err
			}
			if other.SetPosition(damaged) != nil {
				continue
			}
			if err := s.Validate(damaged); err != nil && !strings.Contains(err.Error(), "are equal") {
				t.Errorf("%s accepts what its schema refuses: %v\n%s", game, err, damaged)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Examples fails where an example of the schema, which must have some, or another
// position does not follow the schema or is refused by the game that it names.
func (s Schema) Examples(t testing.TB, positions ...string) {
	t.Helper()
	examples, _ := s.Doc["examples"].([]any)
	if len(examples) == 0 {
		t.Error("the schema has no examples")
	}
	for _, e := range examples {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, string(text))
	}
	for _, text := range positions {
		if err := s.Validate([]byte(text)); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		Written(t, text)
	}
}

// Written returns a match in a position that names its game.
func Written(t testing.TB, position string) engine.Match {
	t.Helper()
	var of struct{ Game string }
	if err := json.Unmarshal([]byte(position), &of); err != nil {
		t.Fatal(err)
	}
	return At(t, of.Game, position)
}

// Page returns the positions of a Markdown page: its JSON code blocks.
func Page(t testing.TB, path string) (positions []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "```json\n")[1:] {
		position, _, _ := strings.Cut(part, "```")
		positions = append(positions, position)
	}
	return positions
}

// FuzzPositions fuzzes the position reader of some games: any text is refused, or makes a
// match in which check, called after every decision, finds nothing wrong, and which ends.
// It starts from moments of a few random matches.
func FuzzPositions(f *testing.F, check func(engine.Match) error, names ...string) {
	var games []engine.Game
	rand := engine.NewRand(1)
	for _, name := range names {
		g, err := engine.NewGame(name)
		if err != nil {
			f.Fatal(err)
		}
		games = append(games, g)
		m := g.NewMatch()
		for seed := range uint64(4) {
			m.Reset(seed)
			for range 60 * seed {
				if m.Seat() == engine.Over {
					break
				}
				if err := m.Apply(m.Legal().Sample(&rand)); err != nil {
					f.Fatal(err)
				}
			}
			text, err := m.Position(engine.Full)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, g := range games {
			m := g.NewMatch()
			m.Reset(1)
			if m.SetPosition(data) != nil {
				continue
			}
			rand := engine.NewRand(2)
			for n := 0; m.Seat() != engine.Over; n++ {
				if n > g.Info().MaxDecisions {
					t.Fatal("a position that is accepted never ends")
				}
				if err := m.Apply(m.Legal().Sample(&rand)); err != nil {
					t.Fatal(err)
				}
				if err := check(m); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
