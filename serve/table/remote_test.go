package table_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/table"
)

// program is a bot as another program would be.
type program struct {
	asked  []bots.Question
	faults bots.Faults
	closed chan bool
}

func (*program) Name() string                                     { return "program" }
func (*program) Act(m engine.Match, _ *engine.Rand) engine.Action { return m.Legal().First() }
func (b *program) Answer(q bots.Question, r *engine.Rand) (engine.Action, bots.Faults, error) {
	b.asked = append(b.asked, q)
	return b.Act(q.Match, r), b.faults, nil
}
func (b *program) Close() error { b.closed <- true; return nil }

func TestAProgramAtATableIsToldWhatItsSeatSees(t *testing.T) {
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	b := &program{closed: make(chan bool, 9), faults: bots.Faults{Illegal: 1, First: "<b>never shown</b>"}}
	at, err := table.New(g, []table.Occupant{{Name: table.Person}, {Name: "program", Bot: b}})
	if err != nil {
		t.Fatal(err)
	}
	at.Friendly = true
	at.Deal(1)
	choose := func() {
		t.Helper()
		if err := take(at, 0, at.Match().Legal().First()); err != nil {
			t.Fatal(err)
		}
		if err := at.PlayOn(nil); err != nil {
			t.Fatal(err)
		}
	}
	choose()
	if len(b.asked) != 1 || len(b.asked[0].Log) != 1 || !strings.HasPrefix(b.asked[0].Log[0].Line, "Seat 0 ") || len(b.asked[0].Log[0].Events) != 1 {
		t.Fatalf("it was asked %+v: want it to be told what seat 0 has done", b.asked)
	}
	var lines []string
	for _, m := range at.Moments(0, 0) {
		lines = append(lines, m.Line)
	}
	if text := strings.Join(lines, " "); !strings.Contains(text, "Seat 1 fails to answer: 1 illegal answer.") || strings.Contains(text, "never") {
		t.Errorf("the person is told %q", text)
	}
	if err := at.Undo(0, at.Next(0)); err != nil {
		t.Fatal(err)
	}
	choose()
	if n := len(b.asked); n != 2 || b.asked[1].Number == b.asked[0].Number {
		t.Errorf("after a decision was taken back it is asked %+v: want another match", b.asked)
	}
	if err := at.Close(errors.New("over")); err != nil {
		t.Fatal(err)
	}
	<-b.closed
}

func TestWhatHasNoWordsIsAnEventForProgramsAndNoLineForPeople(t *testing.T) {
	g, err := engine.NewGame("doubloons(seats=2)")
	if err != nil {
		t.Fatal(err)
	}
	b := &program{closed: make(chan bool, 9)}
	at, err := table.New(g, []table.Occupant{{Name: table.Person}, {Name: "program", Bot: b}})
	if err != nil {
		t.Fatal(err)
	}
	at.Deal(1)
	for range 40 {
		if err := at.PlayOn(nil); err != nil {
			t.Fatal(err)
		}
		if err := take(at, 0, at.Match().Legal().First()); err != nil {
			t.Fatal(err)
		}
	}
	kinds := map[string]int{}
	for _, q := range b.asked {
		for _, m := range q.Log {
			for _, e := range m.Events {
				text, err := json.Marshal(e)
				if err != nil {
					t.Fatal(err)
				}
				kind, _, _ := strings.Cut(strings.TrimPrefix(string(text), `{"kind":"`), `"`)
				kinds[kind]++
			}
		}
	}
	if kinds["turn"] == 0 || kinds["sailed"] == 0 {
		t.Errorf("the program was told of %v: want turns, which have no words, and sailing", kinds)
	}
	if slices.Contains(table.Lines(at.Moments(0, 0)), "") {
		t.Error("a line of the person's log is empty")
	}
}
