package frontend

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// asked are the answers to questions.
func asked(t *testing.T, questions ...any) []map[string]json.RawMessage {
	t.Helper()
	e := New()
	answers := make([]map[string]json.RawMessage, len(questions))
	for i, q := range questions {
		if err := json.Unmarshal(e.Answer(mustJSON(t, q)), &answers[i]); err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func answer(question string) string { return string(New().Answer([]byte(question))) }

func TestMatchOfAnotherProgramIsTheMatchOfTheEngine(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		g, err := engine.NewGameWith(name, "chance", "explicit")
		if err != nil {
			t.Fatal(err)
		}
		m, r := g.NewMatch(), engine.NewRand(3)
		m.Reset(5)
		var way []engine.Action
		for range 30 {
			if m.Seat() == engine.Over {
				break
			}
			a := m.SampleChance()
			if a < 0 {
				a = m.Legal().Sample(&r)
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
			way = append(way, a)
		}
		first := asked(t, map[string]any{"op": "match", "game": name, "seed": 5})[0]
		after := asked(t, map[string]any{"op": "match", "game": name, "state": first["state"], "actions": way})[0]
		var state []byte
		var seat int
		if err := json.Unmarshal(after["state"], &state); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(after["seat"], &seat); err != nil {
			t.Fatal(err)
		}
		// What the generator would bring next is not what was named, so that only positions agree.
		mine, err := m.Position(0)
		if err != nil {
			t.Fatal(err)
		}
		shown := asked(t, map[string]any{"op": "match", "game": name, "state": state, "with": []string{"position"}, "view": 0})[0]["position"]
		theirs, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		if differ, err := engine.Changes(mine, theirs); err != nil || len(differ) > 0 || seat != m.Seat() {
			t.Errorf("%s: seat %d, want %d; %v %v", name, seat, m.Seat(), differ, err)
		}
	}
}

func TestADecisionIsAPromptAndItsAnswerIsRead(t *testing.T) {
	state := asked(t, map[string]any{"op": "match", "game": "leduc", "state": asked(t, map[string]any{"op": "match", "game": "leduc"})[0]["state"], "actions": []string{"deal=K", "deal=J"}})[0]["state"]
	question := func(entries map[string]any) string {
		entries["game"], entries["state"] = "leduc", state
		line, err := json.Marshal(entries)
		if err != nil {
			t.Fatal(err)
		}
		return answer(string(line))
	}
	var text string
	if err := json.Unmarshal([]byte(question(map[string]any{"op": "prompt", "actions": []any{"raise"}, "rules": 1000, "refused": "why"})), &text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SET-1 Two seats", "You are player 1", "card J", "Seat 0 raises and pays 2", "0 fold", "not taken: why"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the prompt:\n%s", want, text)
		}
	}
	if strings.Contains(text, "card K") {
		t.Errorf("the prompt shows the other card:\n%s", text)
	}
	if got := strings.TrimSpace(question(map[string]any{"op": "answer", "text": "Answer: RAISE"})); got != "2" {
		t.Errorf("the answer is read as %s: want 2", got)
	}
	for _, choices := range []string{`["call", "raise"]`, `[1, 2]`} { // without the match
		if got := strings.TrimSpace(answer(`{"op": "answer", "game": "leduc", "actions": ` + choices + `, "text": "I choose **Raise**."}`)); got != "2" {
			t.Errorf("among %s the answer is read as %s: want 2", choices, got)
		}
	}
	if got := answer(`{"op": "answer", "game": "leduc", "actions": ["fold", "call"], "text": "raise"}`); !strings.Contains(got, "is not legal now") {
		t.Error(got)
	}
	if got := answer(`{"op": "rules", "game": "leduc", "rules": 100}`); !strings.Contains(got, "SET-1") || prompt.Tokens(got) > 110 {
		t.Error(got)
	}
	if got := question(map[string]any{"op": "answer", "text": "call or raise"}); !strings.Contains(got, "may mean 1 (call), 2 (raise)") {
		t.Error(got)
	}
}

// Whatever comes is answered, and so is the next question.
func TestAnyQuestionIsAnsweredAndTheNextOneIsToo(t *testing.T) {
	const new = `{"op": "match", "game": "kuhn"}`
	e := New()
	for question, why := range map[string]string{
		"":                                     "want one JSON object",
		"not JSON":                             "want one JSON object",
		`{"op": "match"`:                       "want one JSON object",
		new + new:                              "want one JSON object",
		`{"op": "match", "game": "kuhn"]`:      "want one JSON object",
		strings.Repeat("[", 100_000):           "depth",
		strings.Repeat(`{"a":`, 100_000):       "depth",
		strings.Repeat("x", LongestQuestion+1): "more than",
		"x\xff\xfe{\x00":                       "want one JSON object",
	} {
		refused, next := string(e.Answer([]byte(question))), string(e.Answer([]byte(new)))
		if !strings.Contains(refused, `"error"`) || !strings.Contains(refused, why) || !strings.Contains(next, `"state"`) {
			t.Errorf("%.40q: %.200q, want %q in it; then %s", question, refused, why, next)
		}
	}
}

// A state is what an answer had, whole: nothing else is played on, or shown, and none of it ends the program.
func TestAnAlteredStateIsRefused(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		var state []byte
		if err := json.Unmarshal(asked(t, map[string]any{"op": "match", "game": game, "seed": 3})[0]["state"], &state); err != nil {
			t.Fatal(err)
		}
		var altered []any
		r := engine.NewRand(1)
		ask := func(state []byte) {
			altered = append(altered, map[string]any{"op": []string{"match", "think", "redeal"}[r.Intn(3)], "game": game, "state": state, "view": 0, "player": "random"})
		}
		for k := range min(len(state), 300) {
			other := slices.Clone(state)
			other[k] ^= byte(1 + r.Intn(255))
			ask(other)
		}
		ask(state[:len(state)-1])
		ask([]byte{})
		for i, a := range asked(t, altered...) {
			if !strings.Contains(string(a["error"]), "it was altered, or is of another game") {
				t.Fatalf("%s: altered state %d: %s", game, i, a["error"])
			}
		}
		// Who forges the checksum too may get anything but the end of the program.
		g, err := open(game)
		if err != nil {
			t.Fatal(err)
		}
		altered = nil
		for range 300 {
			other := slices.Clone(state[:len(state)-4])
			other[r.Intn(len(other))] = byte(r.Intn(256))
			ask(binary.LittleEndian.AppendUint32(other, g.seal(other)))
		}
		e := New()
		for _, q := range altered {
			if a := e.Answer(mustJSON(t, q)); !json.Valid(a) {
				t.Fatalf("%s: a forged state: %s", game, a)
			}
		}
	}
	of := asked(t, map[string]any{"op": "match", "game": "doubloons(seats=3)"})[0]["state"]
	if a := asked(t, map[string]any{"op": "match", "game": "doubloons(seats=4)", "state": of})[0]; !strings.Contains(string(a["error"]), "another game") {
		t.Errorf("a match of three, shown as one of four: %s", a["error"])
	}
}

func TestPolicyOfAnotherProgramIsMeasured(t *testing.T) {
	uniform := make([][]float64, 12)
	for i := range uniform {
		uniform[i] = []float64{0.5, 0.5}
	}
	a := asked(t, map[string]any{"op": "nash_conv", "game": "kuhn", "policy": uniform})[0]
	var conv float64
	if err := json.Unmarshal(a["NashConv"], &conv); err != nil || conv < 0.9166 || conv > 0.9167 {
		t.Errorf("NashConv of uniform play %v (%v), want 11/12", conv, err)
	}
}

func TestTranscriptOfAnotherProgramIsReplayed(t *testing.T) {
	actions := []string{"deal=J", "deal=Q", "pass", "bet", "bet"}
	way := asked(t, map[string]any{"op": "match", "game": "kuhn", "state": asked(t, map[string]any{"op": "match", "game": "kuhn"})[0]["state"], "actions": actions})[0]
	var text string
	out := answer(string(mustJSON(t, map[string]any{"op": "transcript", "game": "kuhn", "actions": actions})))
	if err := json.Unmarshal([]byte(out), &text); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, why string }{
		{strings.Replace(text, "bet", "sail", 1), "sail"},
		{strings.Replace(text, "game: kuhn", "game: chess", 1), "chess"},
		{strings.Split(text, "end:")[0], "the end line is missing"},
	} {
		if a := asked(t, map[string]any{"op": "replay", "transcript": c.text})[0]; !strings.Contains(string(a["error"]), c.why) {
			t.Errorf("%q: %s, want %q in it", c.text, a["error"], c.why)
		}
	}
	var matches []map[string]json.RawMessage
	if err := json.Unmarshal(asked(t, map[string]any{"op": "replay", "transcript": text})[0]["matches"], &matches); err != nil {
		t.Fatal(err)
	}
	if len(matches) != len(actions)+1 || string(matches[5]["state"]) != string(way["state"]) || string(matches[5]["returns"]) != "[-2,2]" {
		t.Errorf("%q leads to %d matches, the last is %s", text, len(matches), matches[len(matches)-1]["returns"])
	}
}

// What a seat recalls ends at the last moment that it has seen, and has its own choices and none that is hidden from it.
func TestRecallIsWhatASeatHasSeen(t *testing.T) {
	for _, name := range []string{"leduc", "doubloons(seats=3)", "jolly_roger(seats=4)", "jolly_roger(seats=6,bribes=gifts)"} {
		g, err := engine.NewGameWith(name, "chance", "explicit")
		if err != nil {
			t.Fatal(err)
		}
		m, r := g.NewMatch(), engine.NewRand(4)
		var way []engine.Action
		own, veiled := map[int]int{}, 0
		for m.Reset(1); len(way) < 200 && m.Seat() != engine.Over; {
			a := m.SampleChance()
			if a < 0 {
				a = m.Legal().Sample(&r)
				own[m.Seat()]++
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
			way = append(way, a)
		}
		start := asked(t, map[string]any{"op": "match", "game": name, "seed": 1})[0]["state"]
		cuts := min(10, len(way))
		var questions []any
		for seat := range g.Info().Seats {
			for cut := range cuts {
				questions = append(questions, map[string]any{"op": "recall", "game": name, "state": start, "actions": way[:len(way)-cut], "view": seat})
			}
		}
		for i, answer := range asked(t, questions...) {
			seat, cut := i/cuts, i%cuts
			var happened []string
			var seen matchAnswer
			if err := errors.Join(json.Unmarshal(answer["happened"], &happened), json.Unmarshal(answer["seen"], &seen)); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(seen.Veiled, seat) {
				t.Errorf("%s: seat %d is shown a moment that is hidden from it", name, seat)
			}
			mine := 0
			for _, line := range happened {
				if strings.HasPrefix(line, "You: ") {
					mine++
				}
			}
			if cut == 0 && mine != own[seat] {
				t.Errorf("%s: seat %d recalls %d choices of its own, of %d", name, seat, mine, own[seat])
			}
			if m.Reset(1); cut > 0 {
				for _, a := range way[:len(way)-cut] {
					_ = m.Apply(a)
				}
				if engine.Veiled(m, seat) {
					veiled++
				} else if want := string(m.Bytes()); want != string(seen.State[:len(seen.State)-4]) {
					t.Errorf("%s: seat %d, %d before the end: it is shown another moment", name, seat, cut)
				}
			}
		}
		t.Logf("%s: %d of the moments are hidden", name, veiled)
	}
	r := asked(t, map[string]any{"op": "recall", "game": "kuhn", "state": asked(t, map[string]any{"op": "match", "game": "kuhn"})[0]["state"], "view": 2})[0]
	if !strings.Contains(string(r["error"]), "view 2: want a seat from 0 to 1") {
		t.Errorf("seat 2 of two: %s", r["error"])
	}
}
