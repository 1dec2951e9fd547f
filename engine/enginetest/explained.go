package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Explanation reports how the events of a game explain its states.
type Explanation[S comparable] struct {
	Events *frames.Events
	// Rebuild does to a state what an event says. game is the one that is played.
	Rebuild func(game engine.Match, s *S, e engine.Event)
	// Unsaid are the fields of S of which events say nothing: generators, the decision stack, what seats remember.
	Unsaid []string
	// Only tell: the kinds of event, by name, that change nothing in a state.
	OnlyTell []string
}

// Explained plays matches of games, and fails the test where events do not explain how a match has changed: made of the state before a step, by
// Rebuild from the events of that step, is the state after it except for Unsaid. Each decision is one; half of the matches are played at
// random by action, half by the words of their names.
//
// It fails as well if that proves nothing: between all games each kind of event must happen, each that does not OnlyTell must once have been
// needed, and each field that is not Unsaid must have changed.
func Explained[S comparable](t testing.TB, games []string, decisions int, x Explanation[S]) {
	t.Helper()
	of := explaining[S]{Explanation: x, happened: map[engine.EventKind]bool{}, needed: map[engine.EventKind]bool{}}
	of.unproved = fields(reflect.TypeFor[S](), nil, "")
	for _, name := range x.Unsaid {
		f, _ := reflect.TypeFor[S]().FieldByName(name)
		of.unsaid = append(of.unsaid, f.Index[0])
		of.unproved = slices.DeleteFunc(of.unproved, func(one field) bool { return one.index[0] == f.Index[0] })
	}
	for _, name := range x.OnlyTell {
		k := slices.Index(x.Events.Names(), name)
		if k < 0 {
			t.Fatalf("there is no kind of event %s", name)
		}
		of.needed[engine.EventKind(k)] = true
	}
	for _, game := range games {
		if err := of.game(game, decisions); err != nil {
			t.Fatalf("%s, %v", game, err)
		}
	}
	for k, name := range x.Events.Names() {
		switch kind := engine.EventKind(k); {
		case name == "":
		case !of.happened[kind]:
			t.Errorf("the event %s never happened: nothing is proved of it", name)
		case !of.needed[kind]:
			t.Errorf("the event %s was never needed to rebuild a state: is it told twice?", name)
		}
	}
	for _, f := range of.unproved {
		t.Errorf("the field %s never changed: nothing is proved of it", f.path)
	}
}

// explaining is Explained at work.
type explaining[S comparable] struct {
	Explanation[S]
	happened, needed map[engine.EventKind]bool
	unsaid           []int   // fields of S by number
	unproved         []field // those of which events speak that have not changed yet
}

func (x *explaining[S]) game(game string, decisions int) error {
	g, err := engine.NewGame(game)
	if err != nil {
		return err
	}
	m := g.NewMatch()
	log, r, words := engine.Listen(m), engine.NewRand(1), words(g.Info())
	if log == nil {
		return fmt.Errorf("it has no events")
	}
	for seed, done := uint64(1), 0; done < decisions; seed++ {
		m.Reset(seed)
		for heard := log.Count(); m.Seat() != engine.Over && done < decisions; done++ {
			before, at := *engine.State[S](m), m.Decision()
			a := choose(m, &r)
			if seed%2 == 0 {
				a = among(options(m), words, &r)
			}
			if err := m.Apply(a); err != nil {
				return err
			}
			events := log.Since(heard)
			heard = log.Count()
			if err := x.explains(m, before, events); err != nil {
				return fmt.Errorf("seed %d: %q, then %s: %w\n%s", seed, at, m.Info().ActionName(a), err, strings.Join(engine.Tell(m, events, engine.Full), "\n"))
			}
		}
	}
	return nil
}

// explains reports what events do not explain of a step, and notes what it has proved.
func (x *explaining[S]) explains(m engine.Match, before S, events []engine.Event) error {
	now := *engine.State[S](m)
	x.clear(&now)
	if built := x.built(m, before, events, 0); built != now {
		return fmt.Errorf("no event explains %s", differences(reflect.ValueOf(built), reflect.ValueOf(now), ""))
	}
	for _, e := range events {
		var faults position.Faults
		if !x.Events.InRange(&faults, "event", e.Frame) {
			return fmt.Errorf("%+v: %v", e, faults.List)
		}
		x.happened[e.Kind] = true
		if !x.needed[e.Kind] && x.built(m, before, events, e.Kind) != now {
			x.needed[e.Kind] = true
		}
	}
	was, is := reflect.ValueOf(&before).Elem(), reflect.ValueOf(&now).Elem()
	x.unproved = slices.DeleteFunc(x.unproved, func(f field) bool { return f.changes(was, is) })
	return nil
}

// built is a state with events, those of one kind aside, and without what is unsaid.
func (x *explaining[S]) built(m engine.Match, s S, events []engine.Event, without engine.EventKind) S {
	for _, e := range events {
		if e.Kind != without {
			x.Rebuild(m, &s, e)
		}
	}
	x.clear(&s)
	return s
}

func (x *explaining[S]) clear(s *S) {
	v := reflect.ValueOf(s).Elem()
	for _, i := range x.unsaid {
		v.Field(i).SetZero()
	}
}

// field is one of a flat struct, or of those in it: that of all elements, in an array of structs.
type field struct {
	path  string
	index []int
}

// fields are those of a type that are no structs themselves.
func fields(of reflect.Type, above []int, path string) (all []field) {
	for i := range of.NumField() {
		f := of.Field(i)
		index, name, typ := append(slices.Clone(above), i), path+f.Name, f.Type
		if typ.Kind() == reflect.Array {
			typ = typ.Elem()
		}
		if typ.Kind() == reflect.Struct {
			all = append(all, fields(typ, index, name+".")...)
		} else {
			all = append(all, field{name, index})
		}
	}
	return all
}

// changes reports whether the field differs between two values.
func (f field) changes(a, b reflect.Value) bool {
	for n, i := range f.index {
		if a.Kind() == reflect.Array {
			for k := range a.Len() {
				if (field{index: f.index[n:]}).changes(a.Index(k), b.Index(k)) {
					return true
				}
			}
			return false
		}
		a, b = a.Field(i), b.Field(i)
	}
	return !a.Equal(b)
}

// differences says which fields of two values differ.
func differences(a, b reflect.Value, path string) string {
	switch {
	case a.Equal(b):
		return ""
	case a.Kind() == reflect.Struct:
		var all string
		for i := range a.NumField() {
			all += differences(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)
		}
		return all
	case a.Kind() == reflect.Array:
		var all string
		for i := range a.Len() {
			all += differences(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
		return all
	}
	return fmt.Sprintf("%s: it is %v now, not %v; ", path[1:], b, a)
}
