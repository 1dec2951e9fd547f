package frames

import (
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Events has the forms of what may happen in matches of a game.
type Events = Table[engine.EventKind]

// Telling is what a sentence is about: an event as a view sees it or, if their form joins them, several.
type Telling struct {
	engine.Frame[engine.EventKind]        // the first of them
	Joined                         []int8 // of each, the argument that they differ in
	Seen                           bool   // nothing of it is hidden
	form                           *Form[engine.EventKind]
}

// Arg is an argument of the event by its name.
func (t *Telling) Arg(name string) int8 {
	if name == "seat" {
		return t.Seat
	}
	return t.Frame.Arg[t.form.arg(name).At]
}

// arg is an argument by its name. A name that is not declared is a defect of the game: it panics.
func (form *Form[K]) arg(name string) *Arg {
	i := slices.IndexFunc(form.Args, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		panic("frames: " + form.Name + " has no argument " + name)
	}
	return &form.Args[i]
}

// seen is an event as seat view, or engine.Full, sees it: what is hidden is 0. It is false if something is.
func seen(form *Form[engine.EventKind], e engine.Event, view int) (engine.Event, bool) {
	if form.Hides == "" && !form.Secret || e.SeenBy(view) {
		return e, true
	}
	for _, name := range strings.Fields(form.Hides) {
		e.Arg[form.arg(name).At] = 0
	}
	return e, false
}

// Tell says what events were, in sentences, as far as seat view, or engine.Full, sees them. words are the game's: what stands in braces
// and is neither seat nor argument.
func Tell(t *Events, events []engine.Event, view int, words func(about *Telling, word string) string) (told []string) {
	var all []Telling
	run := 0 // where those of the last kind begin
	for _, e := range events {
		form := &t.forms[e.Kind]
		e, open := seen(form, e, view)
		if form.Secret && !open {
			continue
		}
		one := Telling{e.Frame, nil, open, form}
		if len(all) > 0 && all[run].Kind != e.Kind {
			run = len(all)
		}
		if form.Joins != "" {
			at := form.arg(form.Joins).At
			one.Joined = []int8{e.Arg[at]}
			if i := slices.IndexFunc(all[run:], func(o Telling) bool {
				o.Frame.Arg[at] = e.Arg[at]
				return o.Frame == e.Frame && o.Seen == open
			}); i >= 0 {
				all[run+i].Joined = append(all[run+i].Joined, e.Arg[at])
				continue
			}
		}
		all = append(all, one)
	}
	for i := range all {
		about := &all[i]
		says := about.form.Says
		if !about.Seen {
			says = about.form.Else
		}
		text := about.form.fill(says, about.Frame, func(word string) string { return words(about, word) })
		if text != "" {
			told = append(told, strings.ToUpper(text[:1])+text[1:]+".")
		}
	}
	return told
}

// EventForms describe the kinds of event, for programs.
func EventForms(t *Events) (all []engine.EventForm) {
	for i := range t.forms {
		form := &t.forms[i]
		if form.Name == "" {
			continue
		}
		fields := position.Object{}
		if form.Seat != nil {
			fields.Add("seat", form.Seat.Shape())
		}
		for _, a := range form.Args {
			fields.Add(a.Name, a.Means.Shape())
		}
		all = append(all, engine.EventForm{Kind: form.Name, Fields: fields, Hidden: strings.Fields(form.Hides), Secret: form.Secret, Words: form.Says, Others: form.Else})
	}
	return all
}

// WriteEvent is an event as seat view, or engine.Full, sees it, for JSON: what is hidden is left out. It is nil if all of it is.
func WriteEvent(t *Events, e engine.Event, view int) any {
	form := &t.forms[e.Kind]
	hidden := strings.Fields(form.Hides)
	e, open := seen(form, e, view)
	if form.Secret && !open {
		return nil
	}
	o := position.Object{{Name: "kind", Value: form.Name}}
	if form.Seat != nil {
		o.Add("seat", form.Seat.Write(e.Seat))
	}
	for _, a := range form.Args {
		if open || !slices.Contains(hidden, a.Name) {
			o.Add(a.Name, a.Means.Write(e.Arg[a.At]))
		}
	}
	return o
}

// ReadEvent is the inverse of WriteEvent: what is hidden may be left out, and is 0.
func ReadEvent(t *Events, data []byte) (engine.Frame[engine.EventKind], error) {
	var faults position.Faults
	v, err := position.Parse(data)
	if err != nil {
		return engine.Frame[engine.EventKind]{}, err
	}
	f := t.Read(&faults, v, func(f engine.Frame[engine.EventKind], arg string) (int8, bool) {
		return 0, slices.Contains(strings.Fields(t.forms[f.Kind].Hides), arg)
	})
	return f, faults.Err()
}
