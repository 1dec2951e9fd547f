package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/privateer-rl/privateer/engine"
)

// told is a transcript with all that one may have.
func told(t testing.TB) *engine.Transcript {
	t.Helper()
	tr, err := engine.ReadTranscript(strings.NewReader(transcript))
	if err != nil {
		t.Fatal(err)
	}
	tr.Version, tr.Comment, tr.Tags = "v1.2.3", "of two lines:\nthis", map[string]string{"event": "club night", "round": "2"}
	tr.Players = []engine.Seated{{Name: "ann"}, {Name: "policy:captain", Digest: "abc", Faults: 3}}
	tr.Steps[3].Comment = "a bluff"
	return tr
}

// conforms says why JSON is not what the schema wants.
func conforms(t testing.TB, text string) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(engine.TranscriptSchema))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("transcript.schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("transcript.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

func asJSON(t testing.TB, tr *engine.Transcript) string {
	t.Helper()
	line, err := json.Marshal(tr)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestTranscriptsAreReadFromJSONAsTheyWereWritten(t *testing.T) {
	full, short := told(t), &engine.Transcript{Game: "leduc", Seed: 3}
	for _, tr := range []*engine.Transcript{full, short} {
		line := asJSON(t, tr)
		if strings.Contains(line, "\n") {
			t.Errorf("more than a line: %s", line)
		}
		if err := conforms(t, line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if got := read(t, "\n "+line+"\n"); !reflect.DeepEqual(got, tr) {
			t.Errorf("%+v was written, %+v read", tr, got)
		}
	}
	// The text has what replays a match, and comments for people.
	text := written(t, full, nil)
	for _, want := range []string{"#   of two lines:\n#   this\n", "1 bet\n#   a bluff\n", "end: 1 -1\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
	}
	if got := read(t, text); !reflect.DeepEqual(got, read(t, transcript)) {
		t.Errorf("from the text %+v", got)
	}
}

func TestTheExampleOfTheSchemaReplays(t *testing.T) {
	var schema struct{ Examples []json.RawMessage }
	if err := json.Unmarshal(engine.TranscriptSchema, &schema); err != nil || len(schema.Examples) != 1 {
		t.Fatalf("%d examples, error %v", len(schema.Examples), err)
	}
	if err := conforms(t, string(schema.Examples[0])); err != nil {
		t.Error(err)
	}
	if _, err := read(t, string(schema.Examples[0])).Replay(nil); err != nil {
		t.Error(err)
	}
}

// What is refused is what the schema refuses, with the field.
func TestMistakesInATranscriptAsJSONAreNamed(t *testing.T) {
	line := asJSON(t, told(t))
	for _, c := range []struct{ from, to, naming string }{
		{`"transcript":1`, `"transcript":2`, "use the release that wrote it"},
		{`"transcript":1,`, ``, "not a transcript"},
		{`"game":"kuhn(chance=explicit)",`, ``, `"game" is missing`},
		{`"seed":"18446744073709551615"`, `"seed":-1`, "whole number"},
		{`"seed":"18446744073709551615",`, ``, `"seed" is missing`},
		{`"steps"`, `"moves"`, "moves"},
		{`"seat":-1`, `"seat":-2`, "step 0: seat -2"},
		{`"action":"pass"`, `"action":""`, "step 2: its action"},
		{`"returns":[1,-1]`, `"returns":[]`, `"returns"`},
		{`"returns":[1,-1]`, `"returns":"?"`, "returns"},
		{`"faults":3`, `"fault":3`, "fault"},
		{`"round":"2"`, `"round":2`, "tags"},
	} {
		text := strings.Replace(line, c.from, c.to, 1)
		if text == line {
			t.Fatalf("there is no %s in %s", c.from, line)
		}
		if _, err := engine.ReadTranscript(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.naming) {
			t.Errorf("%s for %s: error %v, want one that names %q", c.to, c.from, err, c.naming)
		}
		if conforms(t, text) == nil {
			t.Errorf("%s for %s: the schema allows it", c.to, c.from)
		}
	}
	for n := 1; n < len(line); n++ {
		if _, err := engine.ReadTranscript(strings.NewReader(line[:n])); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Fatalf("the first %d of %d bytes: %v", n, len(line), err)
		}
	}
	if _, err := engine.ReadTranscript(strings.NewReader(line + "\n" + line)); err == nil || !strings.Contains(err.Error(), "of a file of several matches, give one line") {
		t.Errorf("two lines: %v", err)
	}
	few := told(t)
	few.Players = few.Players[:1]
	if _, err := few.Replay(nil); err == nil || !strings.Contains(err.Error(), "1 players") {
		t.Errorf("a player for two seats: %v", err)
	}
}

func TestLinesOfTranscriptsAreReadOneByOne(t *testing.T) {
	line := asJSON(t, told(t))
	count := 0
	each := func(tr *engine.Transcript) error {
		count++
		if !reflect.DeepEqual(tr, told(t)) {
			t.Errorf("%+v", tr)
		}
		return nil
	}
	if err := engine.ReadTranscripts(strings.NewReader(line+"\n\n"+line), each); err != nil || count != 2 {
		t.Errorf("%d transcripts, error %v", count, err)
	}
	if err := engine.ReadTranscripts(strings.NewReader(line+"\n"+line[:40]+"\n"), each); err == nil || !strings.Contains(err.Error(), "line 2") || count != 3 {
		t.Errorf("%d transcripts, error %v", count, err)
	}
	stop := errors.New("enough")
	if err := engine.ReadTranscripts(strings.NewReader(line), func(*engine.Transcript) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
	if err := engine.ReadTranscripts(failing{}, each); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error %v", err)
	}
}

func TestTheNameOfAFileSaysHowATranscriptIsSaved(t *testing.T) {
	for name, want := range map[string]string{"match.json": `{"transcript":1`, "match.jsonl": `{"transcript":1`, "match.txt": "privateer transcript 1\n"} {
		path := filepath.Join(t.TempDir(), name)
		if err := told(t).Save(path); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(data), want) || !strings.HasSuffix(string(data), "\n") {
			t.Errorf("%s: %s, error %v", name, data, err)
		}
	}
}
