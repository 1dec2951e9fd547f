package frontend

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// entries are those of a question.
type entries = map[string]any

// schemas compiles a definition of the schema.
func schemas(t testing.TB) func(definition string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("protocol.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("protocol.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return func(definition string) *jsonschema.Schema {
		s, err := c.Compile("protocol.schema.json#/$defs/" + definition)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// teller asks questions and checks them and their answers by the schema.
func teller(t testing.TB) func(q entries) []byte {
	t.Helper()
	e, compiled := New(), schemas(t)
	check := func(definition string, line []byte) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = compiled(definition).Validate(v)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%.1000s", definition, err, line)
		}
	}
	return func(q entries) []byte {
		asked, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		check("question", asked)
		a := e.Answer(asked)
		if bytes.HasPrefix(a, []byte(`{"error"`)) {
			check("refusal", a)
			t.Fatalf("%s: %s", asked, a)
		}
		check("answers/properties/"+q["op"].(string), a)
		return a
	}
}

func TestARefusalNamesItsCodeAndTheEntryAtFault(t *testing.T) {
	kuhn := asked(t, entries{"op": "match", "game": "kuhn"})[0]["state"]
	dealt := asked(t, entries{"op": "match", "game": "kuhn", "actions": []any{"deal=J", "deal=Q"}})[0]["state"]
	of := func(op string, more entries) entries {
		q := entries{"op": op, "game": "kuhn"}
		maps.Copy(q, more)
		return q
	}
	refusals, long := schemas(t)("refusal"), strings.Repeat("ü", 1<<20)
	for _, c := range []struct {
		question any
		code     code
		field    string
		why      string
	}{
		{entries{"op": "match", "game": "chess"}, unknownGame, "game", "chess"},
		{entries{"op": "match", "game": "kuhn(seats=4)"}, unknownGame, "game", "seats"},
		{entries{"op": "match"}, unknownGame, "game", "game"},
		{of("look", nil), unknownOp, "op", "want one of game, match"},
		{of("match", entries{"acions": []any{"bet"}}), badQuestion, "acions", "actions"},
		{of("match", entries{"state": kuhn, "actions": []any{"bet"}}), illegalAction, "actions", "illegal action"},
		{of("match", entries{"state": kuhn, "actions": []any{"sail"}}), illegalAction, "actions", "unknown action"},
		{of("match", entries{"state": dealt, "actions": []any{1 << 20}}), illegalAction, "actions", "illegal action"},
		{of("match", entries{"state": dealt, "actions": []any{-1}}), illegalAction, "actions", "illegal action"},
		{entries{"op": "match", "game": "leduc", "state": kuhn}, badState, "state", "another game"},
		{of("match", entries{"state": kuhn, "position": entries{}}), badQuestion, "position", "want one of them"},
		{of("match", entries{"state": dealt, "seat": 1, "actions": []any{"bet"}}), wrongSeat, "seat", "seat 1: seat 0 is to act"},
		{of("match", entries{"state": dealt, "view": 2, "with": []string{"svg"}}), wrongSeat, "view", "view 2: want a seat from 0 to 1"},
		{of("match", entries{"state": kuhn, "with": []string{"position"}}), wrongSeat, "view", "name a view"},
		{of("match", entries{"state": kuhn, "with": []string{"music"}}), badQuestion, "with", "want some of names"},
		{of("redeal", entries{"state": kuhn, "view": -2}), wrongSeat, "view", "from 0 to 1"},
		{of("recall", entries{"state": kuhn, "view": -1}), wrongSeat, "view", "want a seat"},
		{of("answer", entries{"actions": []any{7}, "text": "bet"}), illegalAction, "actions", "action 7: want one from 0 to 1"},
		{of("answer", entries{"state": dealt, "text": "maybe"}), unclearText, "text", "maybe"},
		{of("prompt", entries{"state": kuhn}), wrongSeat, "actions", "no seat is to act: a card is dealt"},
		{of("answer", entries{"state": kuhn, "text": "bet"}), wrongSeat, "actions", "no seat is to act"},
		{of("think", entries{"state": kuhn, "player": "random"}), wrongSeat, "actions", "no seat is to act"},
		{of("think", entries{"state": dealt, "player": "magnus"}), unknownPlayer, "player", "magnus"},
		{of("think", entries{"state": dealt, "player": "captain"}), unknownPlayer, "player", "captain"},
		{of("think", entries{"state": dealt, "player": "policy:captain"}), unknownPlayer, "player", "doubloons"},
		{of("think", entries{"state": dealt, "player": "policy:nowhere.bundle"}), unknownPlayer, "player", "nowhere.bundle"},
		{of("think", entries{"state": dealt, "player": "exec:sh"}), unknownPlayer, "player", "exec:sh"},
		{of("think", entries{"state": dealt}), unknownPlayer, "player", "want a name"},
		{of("think", entries{"player": "random"}), badQuestion, "state", "want a state or a position"},
		{of("nash_conv", entries{"policy": [][]float64{{1, 0}}}), badQuestion, "policy", "has 12"},
		{of("match", entries{"position": entries{"hands": []string{"X", "Q"}}}), badPosition, "position", "hands"},
		{of("match", entries{"position": []int{1}}), badPosition, "position", "want an object"},
		{of("match", entries{"position": entries{"game": 3}}), badPosition, "position", "game"},
		{of("replay", entries{"transcript": "not one"}), badTranscript, "transcript", ""},
		{of("match", entries{"seed": -1}), badQuestion, "seed", "seed: -1: want a whole number"},
		{of("match", entries{"state": "a match"}), badState, "state", "illegal base64 data"},
		{of("match", entries{"state": 7}), badQuestion, "state", "state: number: want base64"},
		{of("match", entries{"seat": "0"}), badQuestion, "seat", "want a whole number"},
		{of("match", entries{"with": "svg"}), badQuestion, "with", "want a list"},
		{of("match", entries{"actions": []any{""}}), illegalAction, "actions", "unknown action \"\""},
		{of("answer", entries{"actions": []any{""}, "text": "pass"}), illegalAction, "actions", "unknown action \"\""},
		{of("match", entries{"view": 2}), wrongSeat, "view", "view 2: want a seat from 0 to 1"},
		{of("solve", entries{"steps": -1}), badQuestion, "steps", "steps: -1: want a whole number from 0 to 1000000"},
		{of("solve", entries{"steps": 1_000_001}), badQuestion, "steps", "steps: 1000001: want"},
		{of("match", entries{"state": kuhn, "actions": []any{1.5}}), badQuestion, "actions", "actions: 1.5: want an action's number or its name"},
		{entries{"op": long}, unknownOp, "op", long[:100]},
		{of("match", entries{"actions": []any{long}}), illegalAction, "actions", long[:100]},
		{of("match", entries{long: 1}), badQuestion, long[:longestText], "no question has an entry " + long[:100]},
		{[]string{"match", "kuhn"}, badQuestion, "", "want one JSON object, and this is of the kind array"},
		{entries{"op": "sets", "game": "jolly_roger"}, tooLarge, "game", "too large"},
	} {
		answers := asked(t, c.question, of("match", nil))
		line := mustJSON(t, answers[0])
		if len(line) > 4*longestText {
			t.Errorf("%.40s…: an answer of %d bytes", mustJSON(t, c.question), len(line))
		}
		var got refusal
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if got.Code != c.code || got.Field != c.field || !strings.Contains(got.Text, c.why) || answers[1]["state"] == nil {
			t.Errorf("%s: %q about %q (%s): want %s about %q, %q in it; then %s", mustJSON(t, c.question), got.Code, got.Field, got.Text, c.code, c.field, c.why, answers[1]["error"])
		}
		if v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line)); err != nil || refusals.Validate(v) != nil {
			t.Errorf("%s: %v %v", line, err, refusals.Validate(v))
		}
	}
}
