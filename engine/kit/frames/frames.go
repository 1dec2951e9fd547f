package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Form is all that a game says of one kind of frame.
type Form[K ~uint8] struct {
	Kind   K
	Name   string  // in positions, as in ask_bid
	Seat   Meaning // whose it is; nil if it is nobody's
	Secret bool    // others may not know that a seat is asked, or what; of an event, those see nothing who are not privy to it
	Args   []Arg   // in the order in which positions have them

	// On lists the names of the frames that it may stand on, separated by spaces; Bottom stands for none.
	// A kind with Sorts is named with the sort: do_poll:ask_gift. Left empty, no position has the kind in its stack.
	On string
	// Sorts has, for each name that the argument SortBy may be written as, what a frame of that sort may
	// stand on, in place of On.
	Sorts  map[string]string
	SortBy int

	// Says describes the decision in a line of words. {seat} stands for the seat, the name of an
	// argument in braces for its value, anything else in braces for a word of the game.
	Says string

	// Of events:
	Hides string // the arguments, separated by spaces, that only those see who are privy to it
	Else  string // what Says is for the others, if something is hidden from them
	Joins string // an argument: events in a row that differ in it alone are told in one sentence
}

// Bottom stands for no frame at all in Form.On.
const Bottom = "-"

// Arg is an argument of a frame.
type Arg struct {
	Name  string
	Means Meaning
	At    int // its place in Frame.Arg
	// Used, if not nil, reports whether a frame has the argument; else it is 0 and not written.
	Used func(args [6]int8) bool
}

// Args are arguments in the order of Frame.Arg: a name and a Meaning each.
func Args(pairs ...any) []Arg {
	var list []Arg
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, Arg{Name: pairs[i].(string), Means: pairs[i+1].(Meaning), At: i / 2})
	}
	return list
}

// Table has the forms of a game's frames. It is read-only.
type Table[K ~uint8] struct {
	forms [256]Form[K]
	names []string            // by kind, "" if there is none
	on    map[string][]string // by name and sort
}

// New makes a table. Forms that make no sense, such as a kind declared twice or a frame on one that
// is not declared, are a defect of the game: it panics.
func New[K ~uint8](forms ...Form[K]) *Table[K] {
	t := &Table[K]{names: make([]string, 256), on: map[string][]string{}}
	for _, f := range forms {
		if f.Kind == 0 || f.Name == "" || t.names[f.Kind] != "" || slices.Contains(t.names, f.Name) {
			panic(fmt.Sprintf("frames: kind %d, %q, has no name or is declared twice", f.Kind, f.Name))
		}
		t.forms[f.Kind], t.names[f.Kind] = f, f.Name
		if f.Sorts == nil {
			t.on[f.Name] = strings.Fields(f.On)
		}
		for sort, on := range f.Sorts {
			t.on[f.Name+":"+sort] = strings.Fields(on)
		}
	}
	for node, on := range t.on {
		for _, below := range on {
			if below != Bottom && t.on[below] == nil {
				panic(fmt.Sprintf("frames: %s may stand on %s, which is not declared", node, below))
			}
		}
	}
	return t
}

// Name is what positions call a kind; "" if there is none.
func (t *Table[K]) Name(k K) string { return t.names[k] }

// Names are the names of all kinds by number.
func (t *Table[K]) Names() []string { return t.names }

// Form returns the declaration of a kind.
func (t *Table[K]) Form(k K) *Form[K] { return &t.forms[k] }

// Arguments are the names of the arguments of a kind, in the order of its form.
func (t *Table[K]) Arguments(k K) (names []string) {
	for _, a := range t.forms[k].Args {
		names = append(names, a.Name)
	}
	return names
}

// Node is the name of a frame, with its sort if its kind has any.
func (t *Table[K]) Node(f engine.Frame[K]) string {
	form := &t.forms[f.Kind]
	if form.Sorts == nil {
		return form.Name
	}
	for _, a := range form.Args {
		if a.At == form.SortBy && a.Means.Has(f.Arg[a.At]) {
			return form.Name + ":" + fmt.Sprint(a.Means.Write(f.Arg[a.At]))
		}
	}
	return form.Name
}

// Write is a frame as it stands in a position.
func (t *Table[K]) Write(f engine.Frame[K]) position.Object {
	form := &t.forms[f.Kind]
	o := position.Object{{Name: "kind", Value: form.Name}}
	if form.Seat != nil {
		o.Add("seat", form.Seat.Write(f.Seat))
	}
	for _, a := range form.Args {
		if a.Used == nil || a.Used(f.Arg) {
			o.Add(a.Name, a.Means.Write(f.Arg[a.At]))
		}
	}
	return o
}

// Read is the inverse of Write. plain is what an argument is if the frame leaves it out, and
// whether it may, beside those that are Optional; nil if no others may be left out.
func (t *Table[K]) Read(faults *position.Faults, v *position.Value, plain func(f engine.Frame[K], arg string) (int8, bool)) (f engine.Frame[K]) {
	if v.Kind != '{' {
		faults.Wrong(v.Path, "%s: want an object", v.What())
		return f
	}
	if v.Get("kind") == nil {
		faults.Wrong(v.Path+".kind", "it is missing: want one of %s", position.Listed(t.names))
		return f
	}
	kind := faults.Name(v.Get("kind"), t.names, -1)
	if kind < 0 {
		return f
	}
	f.Kind = K(kind)
	form := &t.forms[kind]
	known := []string{"kind"}
	if form.Seat != nil {
		known = append(known, "seat")
		if x := faults.Needed(v, "seat"); x != nil {
			f.Seat = form.Seat.Read(faults, x)
		}
	}
	for _, a := range form.Args {
		if a.Used != nil && !a.Used(f.Arg) {
			continue
		}
		known = append(known, a.Name)
		if v.Get(a.Name) == nil && plain != nil {
			if x, may := plain(f, a.Name); may {
				f.Arg[a.At] = x
				continue
			}
		}
		if o, may := a.Means.(optional); may && v.Get(a.Name) == nil {
			f.Arg[a.At] = o.plain(f.Seat)
			continue
		}
		if x := faults.Needed(v, a.Name); x != nil {
			f.Arg[a.At] = a.Means.Read(faults, x)
		}
	}
	faults.IsObject(v, known...)
	return f
}

// InRange notes an unknown kind, and a seat or argument out of its range. path is where
// the frame stands.
func (t *Table[K]) InRange(faults *position.Faults, path string, f engine.Frame[K]) bool {
	form, before := &t.forms[f.Kind], len(faults.List)
	if form.Name == "" {
		faults.Wrong(path+".kind", "there is no frame of kind %d", f.Kind)
		return false
	}
	switch {
	case form.Seat == nil && f.Seat != 0:
		faults.Wrong(path+".seat", "%s belongs to no seat", form.Name)
	case form.Seat != nil && !form.Seat.Has(f.Seat):
		faults.Wrong(path+".seat", "%d: want %s", f.Seat, form.Seat.Range())
	}
	used := 0
	for _, a := range form.Args {
		if a.Used != nil && !a.Used(f.Arg) {
			continue
		}
		used |= 1 << a.At
		if x := f.Arg[a.At]; !a.Means.Has(x) {
			faults.Wrong(path+"."+a.Name, "%d: want %s", x, a.Means.Range())
		}
	}
	for i, x := range f.Arg {
		if used>>i&1 == 0 && x != 0 {
			faults.Wrong(path, "%s has no argument %d", form.Name, i)
		}
	}
	return len(faults.List) == before
}

// Stands notes a frame that may not stand on another, the zero frame at the bottom.
func (t *Table[K]) Stands(faults *position.Faults, path string, f, below engine.Frame[K]) bool {
	node, under := t.Node(f), Bottom
	if below.Kind != 0 {
		under = t.Node(below)
	}
	on := t.on[node]
	if len(on) == 0 {
		faults.Wrong(path, "%s never stands on the stack in this game", node)
		return false
	}
	if !slices.Contains(on, under) {
		faults.Wrong(path, "%s cannot stand on %s: it stands on one of %s", node, under, strings.Join(on, ", "))
		return false
	}
	return true
}

// Says describes a decision in a line of words, "" if its form has none. words are the game's: what stands
// in braces and is neither seat nor argument.
func (t *Table[K]) Says(f engine.Frame[K], words func(word string) string) string {
	form := &t.forms[f.Kind]
	return form.fill(form.Says, f, words)
}

// fill fills in the words in braces.
func (form *Form[K]) fill(says string, f engine.Frame[K], words func(word string) string) string {
	var b strings.Builder
	for rest := says; rest != ""; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			break
		}
		word, tail, _ := strings.Cut(after, "}")
		b.WriteString(form.word(f, word, words))
		rest = tail
	}
	return b.String()
}

func (form *Form[K]) word(f engine.Frame[K], word string, words func(string) string) string {
	for _, a := range form.Args {
		if a.Name == word {
			return a.Means.Word(f.Arg[a.At])
		}
	}
	if word == "seat" && form.Seat != nil {
		return form.Seat.Word(f.Seat)
	}
	return words(word)
}

// Shape is the JSON Schema of a stack of at most n frames. An argument that several kinds have may be
// whatever one of them accepts.
func (t *Table[K]) Shape(most int) position.Shape {
	fields := []position.Named{{Name: "kind", Shape: position.OneOf(t.names...).Of("What is to be decided, drawn or done.")}}
	add := func(name string, s position.Shape) {
		for i := range fields {
			if fields[i].Name == name {
				fields[i].Shape = widen(fields[i].Shape, s)
				return
			}
		}
		fields = append(fields, position.Named{Name: name, Shape: s})
	}
	for _, form := range t.forms {
		if form.Seat != nil {
			add("seat", form.Seat.Shape())
		}
		for _, a := range form.Args {
			add(a.Name, a.Means.Shape())
		}
	}
	return position.ListOf(position.ObjectOf(fields...).Needs("kind"), most)
}

// widen is a shape for values of either of two.
func widen(a, b position.Shape) position.Shape {
	if len(b) == 1 && b[0].Name == "anyOf" {
		for _, one := range b[0].Value.([]position.Shape) {
			a = widen(a, one)
		}
		return a
	}
	list := []position.Shape{a}
	if len(a) == 1 && a[0].Name == "anyOf" {
		list = slices.Clone(a[0].Value.([]position.Shape))
	}
	for i, s := range list {
		if both, ok := joined(s, b); ok {
			list[i] = both
			if len(list) == 1 {
				return both
			}
			return position.Either(list...)
		}
	}
	return position.Either(append(list, b)...)
}

// joined is one shape for two that are equal, or whole numbers of ranges that meet and otherwise equal.
func joined(a, b position.Shape) (both position.Shape, ok bool) {
	if len(a) != len(b) {
		return nil, false
	}
	both = slices.Clone(a)
	meet := 0 // the higher minimum
	for i, f := range a {
		x, y := f.Value, b[i].Value
		switch {
		case f.Name != b[i].Name:
			return nil, false
		case f.Name == "minimum":
			both[i].Value, meet = min(x.(int), y.(int)), max(x.(int), y.(int))
		case f.Name == "maximum":
			if both[i].Value = max(x.(int), y.(int)); min(x.(int), y.(int))+1 < meet {
				return nil, false
			}
		case fmt.Sprint(x) != fmt.Sprint(y):
			return nil, false
		}
	}
	return both, true
}
