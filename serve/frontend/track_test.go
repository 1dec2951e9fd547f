package frontend

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TABLE.md is played: each question is asked about the state of the answer before, and what stands after it is in the answer.
func TestThePageOfATableIsPlayed(t *testing.T) {
	page, err := os.ReadFile("TABLE.md")
	if err != nil {
		t.Fatal(err)
	}
	e, asked := New(), 0
	var game, state any
	var answer entries
	inside := false
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```json"
			continue
		case !inside:
			continue
		}
		var said entries
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if said["op"] == nil {
			for name, want := range said {
				if want != "…" && !reflect.DeepEqual(answer[name], want) {
					t.Errorf("%s is %v: the page says %v", name, answer[name], want)
				}
			}
			continue
		}
		if said["game"] != nil {
			game = said["game"]
		}
		said["game"] = game
		if said["state"] == "…" {
			said["state"] = state
		}
		answer, asked = nil, asked+1
		if err := json.Unmarshal(e.Answer(mustJSON(t, said)), &answer); err != nil || answer["error"] != nil {
			t.Fatalf("%s: %v, %v", line, answer["error"], err)
		}
		if answer["state"] != nil {
			state = answer["state"]
		}
	}
	if asked < 12 {
		t.Errorf("the page has %d questions", asked)
	}
}

// What is tracked is the match of the state, whatever the engine was asked before, and what cannot be is refused by name.
func TestTracking(t *testing.T) {
	dealt := []entries{{"kind": "dealt", "seat": 0, "card": "K"}, {"kind": "dealt", "seat": 1}}
	begin := entries{"op": "track", "game": "leduc", "view": 0, "told": dealt, "with": []string{"observation", "mask"}}
	first := asked(t, begin)[0]
	next := entries{"op": "track", "game": "leduc", "view": 0, "state": first["state"], "told": []entries{
		{"seat": 0, "action": "raise"}, {"kind": "raised", "seat": 0, "chips": 2}, {"seat": 1, "action": "call"}, {"kind": "called", "seat": 1, "chips": 2}, {"kind": "turned_up", "card": "J"},
	}}
	for _, again := range asked(t, next, begin, next) {
		if again["error"] != nil {
			t.Fatal(string(again["error"]))
		}
	}
	if a := asked(t, next, next); string(a[0]["state"]) != string(a[1]["state"]) {
		t.Error("the same question has two answers")
	}
	for _, c := range []struct {
		change entries
		code   code
		field  string
	}{
		{entries{"view": 2}, wrongSeat, "view"},
		{entries{"view": -1}, wrongSeat, "view"},
		{entries{"view": nil}, badQuestion, "view"},
		{entries{"told": []entries{{"kind": "sank"}}}, badTold, "told"},
		{entries{"told": dealt[:1]}, badTold, "told"},
		{entries{"told": 7}, badQuestion, "told"},
		{entries{"position": entries{}}, badQuestion, "position"},
		{entries{"actions": []int{0}}, badQuestion, "actions"},
		{entries{"state": "AAAA"}, badState, "state"},
	} {
		q := entries{}
		for _, from := range []entries{begin, c.change} {
			for name, value := range from {
				q[name] = value
			}
		}
		var got refusal
		if err := json.Unmarshal(mustJSON(t, asked(t, q)[0]), &got); err != nil || got.Code != c.code || got.Field != c.field {
			t.Errorf("%v: %+v, %v: want %s about %s", c.change, got, err, c.code, c.field)
		}
	}
}

// The example, which has neither our package nor any other.
func TestTheExampleAsksTheCaptain(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("there is no Python here")
		return
	}
	program := filepath.Join(t.TempDir(), "privateer")
	build := exec.Command("go", "build", "-o", program, "github.com/privateer-rl/privateer/cmd/privateer")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(python, "examples/opponent.py", program).CombinedOutput()
	if err != nil || len(out) == 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, q := range []string{
		`{"op": "match", "game": "leduc", "seed": 1, "with": ["observation", "mask", "rows", "events", "svg"], "actions": ["deal=K", "deal=J", "raise"]}`,
		`{"op": "think", "game": "kuhn", "position": {"hands": ["K", "Q"]}, "player": "heuristic", "with": ["account"]}`,
		`{"op": "track", "game": "leduc", "view": 0, "told": [{"kind": "dealt", "seat": 0, "card": "K"}, {"kind": "dealt", "seat": 1}]}`,
		`{"op": "game", "game": "doubloons(seats=3)", "with": ["spec"]}`,
		`{"op": "match", "game": "jolly_roger(seats=3)", "position": {"phase": "port"}, "with": ["position"], "view": 1}`,
		`{"op": "recall", "game": "kuhn", "view": 0, "actions": ["deal=K", "deal=Q", "bet"]}`,
		`{"op": "answer", "game": "leduc", "actions": ["call", "raise"], "text": "I raise"}`,
		`{"op": "replay", "transcript": "privateer transcript 1\n"}`, `[]`, "\xff",
	} {
		f.Add([]byte(q))
	}
	e := New()
	f.Fuzz(func(t *testing.T, question []byte) {
		var q entries
		if json.Unmarshal(question, &q) == nil {
			if op := q["op"]; op == "sets" || op == "solve" || op == "nash_conv" || strings.Contains(string(question), "search") {
				return // however long they take
			}
		}
		var refused refusal
		answer := e.Answer(question)
		if !json.Valid(answer) || strings.Contains(string(answer), "\n") {
			t.Fatalf("%q", answer)
		}
		if json.Unmarshal(answer, &refused) == nil && refused.Code == internal {
			t.Fatalf("%s", refused.Text)
		}
		if ok := e.Answer([]byte(`{"op": "match", "game": "kuhn"}`)); !strings.Contains(string(ok), `"state"`) {
			t.Fatalf("then %s", ok)
		}
	})
}
