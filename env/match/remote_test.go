package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// remote is a bot as another program would be. It notes what it is asked.
type remote struct {
	faults bots.Faults // of each answer
	err    error
	asked  []bots.Question
	closed int
}

func (*remote) Name() string { return "remote" }
func (*remote) Act(m engine.Match, _ *engine.Rand) engine.Action {
	return m.Legal().First()
}

func (b *remote) Answer(q bots.Question, r *engine.Rand) (engine.Action, bots.Faults, error) {
	q.Log = slices.Clone(q.Log)
	b.asked = append(b.asked, q)
	return b.Act(q.Match, r), b.faults, b.err
}

func (b *remote) Close() error { b.closed++; return nil }

func (b *remote) player(name string) Player {
	return Player{Name: name, Bot: func(engine.Game) (bots.Bot, error) { return b, nil }}
}

func TestAProgramIsToldWhatItsSeatHasSeenSinceItWasAsked(t *testing.T) {
	b := new(remote)
	r, err := NewRunner("leduc", 1, b.player("b"), Named("random"))
	if err != nil {
		t.Fatal(err)
	}
	finals, err := r.Play(t.Context(), []Match{Deal(1, 0, []int{0, 1}), Deal(1, 1, []int{1, 0})})
	if err != nil {
		t.Fatal(err)
	}
	numbers, raised := map[int]int{}, false
	for i, q := range b.asked {
		numbers[q.Number]++
		if i > 0 && q.Number == b.asked[i-1].Number && len(q.Log) == 0 {
			t.Errorf("question %d: it was not told what the other seat has done", i)
		}
		var text strings.Builder
		var events []any
		for _, moment := range q.Log {
			fmt.Fprintln(&text, moment.Line)
			events = append(events, moment.Events...)
		}
		if strings.Count(text.String(), "Seat") > 4 {
			t.Errorf("question %d: it is told more than once: %s", i, text.String())
		}
		seen, err := json.Marshal(events)
		if err != nil {
			t.Fatal(err)
		}
		if words, kinds := strings.Count(text.String(), " raises and pays "), strings.Count(string(seen), `"kind":"raised"`); words != kinds {
			t.Errorf("question %d: %s is told of %s", i, text.String(), seen)
		}
		raised = raised || strings.Contains(string(seen), `{"kind":"raised","seat":1,"chips":2}`)
	}
	if !raised {
		t.Error("no event says that the other seat has raised")
	}
	if len(numbers) != 2 {
		t.Errorf("the matches have the numbers %v: want two", numbers)
	}
	if finals[0].Faults != nil || r.Cost(0).Timed != int64(len(b.asked)) || !r.Cost(0).Wall {
		t.Errorf("faults %v, cost %+v", finals[0].Faults, r.Cost(0))
	}
	if r.Close(); b.closed != 1 {
		t.Error("it is not closed")
	}
}

func TestFaultsAreInTheFinalAndAForfeitWinsNothing(t *testing.T) {
	b := &remote{faults: bots.Faults{Crashes: 1, First: "it has ended"}}
	play := func(game string, matches int) []Final {
		r, err := NewRunner(game, 1, b.player("b"), Named("random"))
		if err != nil {
			t.Fatal(err)
		}
		var all []Match
		for k := range matches {
			all = append(all, Deal(1, uint64(k), []int{0, 1}))
		}
		finals, err := r.Play(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		return finals
	}
	won := 0.0
	for _, f := range play("leduc", 50) {
		if f.Faults[0].Crashes == 0 || f.Faults[0].First != "it has ended" || f.Faults[1] != (bots.Faults{}) {
			t.Fatalf("faults %v", f.Faults)
		}
		won += f.Wins[0]
	}
	if won == 0 {
		t.Error("who has failed and plays on may win")
	}
	b.faults.Forfeits = 1
	for _, f := range append(play("leduc", 50), play("doubloons(seats=2,max_rounds=1)", 2)...) {
		if !reflect.DeepEqual(f.Wins, []float64{0, 1}) || !reflect.DeepEqual(f.Places, []int{2, 1}) {
			t.Fatalf("wins %v, places %v", f.Wins, f.Places)
		}
	}
}

func TestAProgramThatIsToStopEverythingDoes(t *testing.T) {
	why := errors.New("no model")
	r, err := NewRunner("leduc", 2, (&remote{err: why}).player("b"), Named("random"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Play(t.Context(), []Match{Deal(1, 0, []int{0, 1})}); !errors.Is(err, why) || !strings.Contains(err.Error(), "match 0 (seed ") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	if _, err := r.Play(ctx, []Match{Deal(1, 0, []int{0, 1})}); !errors.Is(err, over) {
		t.Errorf("got %v: want why the context has ended", err)
	}
}
