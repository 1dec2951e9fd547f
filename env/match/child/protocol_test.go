package child

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// schema is that of a message.
func schema(t *testing.T, message string) *jsonschema.Schema {
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
	s, err := c.Compile("protocol.schema.json#/$defs/" + message)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, line []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		t.Fatalf("%v\n%.500s", err, line)
	}
}

// What is asked follows the schemas, is one line, and is the same of matches that the seat cannot tell apart.
func TestQuestionsFollowTheSchemaAndHideWhatTheSeatCannotKnow(t *testing.T) {
	asked := schema(t, "decide")
	for _, game := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=3)", "jolly_roger"} {
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := encode.SpecOf(game)
		if err != nil {
			t.Fatal(err)
		}
		line, err := encodeLine(greeting{"hello", Protocol, 0, 1000, spec})
		if err != nil {
			t.Fatal(err)
		}
		validate(t, schema(t, "hello"), line)
		b, err := New("exec:sh", g)
		if err != nil {
			t.Fatal(err)
		}
		positions := enginetest.SchemaOf(t, g.Info().Game)
		m, twin, r := g.NewMatch(), g.NewMatch(), engine.NewRand(1)
		m.Reset(1)
		eyes, logs := make([]*engine.Witness, g.Info().Seats), make([][]engine.Moment, g.Info().Seats)
		for seat := range eyes {
			eyes[seat] = engine.NewWitness(g, seat)
			eyes[seat].Begin(m)
		}
		told := 0
		for n := 0; m.Seat() != engine.Over; n++ {
			ask := func(of engine.Match) []byte {
				s := seat{wants: []string{wantsObservation, wantsRows}}
				line, err := b.question(&s, bots.Question{Match: of, Number: 1, Log: logs[m.Seat()]}, time.Second, "")
				if err != nil {
					t.Fatal(err)
				}
				return line
			}
			line := ask(m)
			if n%10 == 1 {
				validate(t, asked, line)
				var d decision
				if err := json.Unmarshal(line, &d); err != nil || bytes.Count(line, []byte("\n")) != 1 {
					t.Fatal(err)
				}
				if err := positions.Validate(d.Position); err != nil {
					t.Fatal(err)
				}
				told += len(d.Events)
			}
			twin.CopyFrom(m)
			if twin.Redeal(m.Seat(), &r); twin.Seat() != m.Seat() || !bytes.Equal(ask(twin), line) {
				t.Fatalf("%s, decision %d: the question tells what the seat cannot know", game, n)
			}
			logs[m.Seat()] = nil
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				t.Fatal(err)
			}
			for seat, eye := range eyes {
				if now, _ := eye.See(m); !now.Blank() {
					logs[seat] = append(logs[seat], now)
				}
			}
		}
		if told == 0 {
			t.Errorf("%s: no event was told", game)
		}
	}
}

// So does what is asked in words, which has nothing else.
func TestPromptsFollowTheSchema(t *testing.T) {
	asked := schema(t, "decide_in_words")
	for _, game := range []string{"kuhn", "doubloons(seats=3)"} {
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		b, err := New("exec-text(rules=0):sh", g)
		if err != nil {
			t.Fatal(err)
		}
		m := g.NewMatch()
		m.Reset(1)
		for _, again := range []string{"", `"x" names no choice`} {
			line, err := b.question(&seat{}, bots.Question{Match: m, Number: 1}, time.Second, again)
			if err != nil {
				t.Fatal(err)
			}
			validate(t, asked, line)
			var d wordedDecision
			if err := json.Unmarshal(line, &d); err != nil || bytes.Count(line, []byte("\n")) != 1 {
				t.Fatal(err)
			}
			if strings.Contains(d.Prompt, "Rules") || !strings.Contains(d.Prompt, again) || d.Error != again {
				t.Errorf("asked again because of %q: %+v", again, d)
			}
		}
	}
}

// The messages on the page are messages.
func TestThePageOfTheProtocolIsRight(t *testing.T) {
	text, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	found := regexp.MustCompile("(?s)```json\n(.*?)\n```").FindAllStringSubmatch(page, -1)
	of := []string{"hello", "reply", "decide", "answer", "decide_in_words", "answer_in_words"}
	if len(found) != len(of) {
		t.Fatalf("%d messages: want %d", len(found), len(of))
	}
	for i, f := range found {
		validate(t, schema(t, of[i]), []byte(f[1]))
	}
	if _, err := readReply([]byte(found[1][1])); err != nil {
		t.Error(err)
	}
	if a, err := readAnswer([]byte(found[3][1]), false); err != nil || *a.ID != 7 {
		t.Error(a, err)
	}
	if a, err := readAnswer([]byte(found[5][1]), true); err != nil || a.Text == nil {
		t.Error(a, err)
	}
	for _, p := range slices.Concat(Params, TextParams[len(Params):]) {
		if !strings.Contains(page, "| `"+p.Name+"` | "+p.Default+" |") && !strings.Contains(page, "| `"+p.Name+"` | `"+p.Default+"` |") {
			t.Errorf("the page does not say what %s is, and that it is %s by default", p.Name, p.Default)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	for _, line := range []string{`{"id":1,"action":"bet"}`, `{"id":1,"action":1}`, `{"id":1,"seat":1,"action":0}`, `{"id":1,"action":null}`, `{"id":1,"text":"Answer: bet"}`, `{"action":`, `{"type":"hello","protocol":1,"wants":["rows"]}`} {
		f.Add([]byte(line))
	}
	g, err := engine.NewGame("kuhn")
	if err != nil {
		f.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	read := func(t *testing.T, line []byte, text bool) error {
		a, err := readAnswer(line, text)
		if err != nil {
			return err
		}
		chosen, err := a.action(m)
		if err == nil && !m.Legal().Has(chosen) {
			t.Errorf("%q is taken for %d, which is not legal", line, chosen)
		}
		return err
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, said := range []func() error{
			func() error { _, err := readReply(line); return err },
			func() error { return read(t, line, false) },
			func() error { return read(t, line, true) },
		} {
			if err := said(); err != nil && strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c == 0x7f }) {
				t.Errorf("%q: its error cannot be shown: %q", line, err)
			}
		}
	})
}
