package engine

import (
	"fmt"
	"strings"
)

// Veiled reports whether a choice may be pending of which view would see nothing.
func Veiled(m Match, view int) bool {
	legal := m.Legal()
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if m.Sight(view, a) == Unseen {
			return true
		}
	}
	return false
}

// Witness is how a seat, or Full, sees a match: moment by moment, except those that are veiled. However well each
// of these hides what is hidden, that it is there tells it. So a program that shows a running match to a seat shows no
// moment but those that a witness sees, and tells at each what has happened since the last.
type Witness struct {
	view  int
	last  Match   // at the last moment that was seen
	deeds []Deed  // since
	log   *Log    // of the match; nil if the game does not say what happens
	heard int     // events of it that were heard of
	news  []Event // of them those that are to be told when a moment is seen
}

// Deed is a choice that a view has seen openly.
type Deed struct {
	Seat   int
	Action Action
	Label  string // as of Point
}

// Moment is a moment of a match that a view has seen.
type Moment struct {
	Events []any    // the events since the last moment, each as EventSeen has it
	Told   []string // the same, as Tell says it; not all that happens has words
	Deeds  []Deed   // open choices since the last text
	Line   string   // for a log: the events in words or, in a game without events, the choices; may be empty
}

// Blank reports whether nothing was seen to happen.
func (m *Moment) Blank() bool { return m.Line == "" && m.Events == nil }

// NewWitness makes one for matches of a game. It has seen nothing: Begin comes first.
func NewWitness(g Game, view int) *Witness {
	return &Witness{view: view, last: g.NewMatch()}
}

// Begin has the witness see a match as it stands, whatever it has seen before.
func (w *Witness) Begin(m Match) {
	w.last.CopyFrom(m)
	w.deeds, w.news = nil, nil
	w.log = Listen(m)
	w.heard = w.log.Count()
}

// Chosen records that action a is chosen in m, to which it has not been applied yet.
func (w *Witness) Chosen(m Match, a Action) {
	if m.Sight(w.view, a) == Open {
		_, label := Point(m, a)
		w.deeds = append(w.deeds, Deed{m.Seat(), a, label})
	}
}

// See has the witness look at a match, the same one as in Begin. seen is false if it does not see the moment.
func (w *Witness) See(m Match) (now Moment, seen bool) {
	w.news = append(w.news, w.log.Since(w.heard)...)
	w.heard = w.log.Count()
	if Veiled(m, w.view) {
		return now, false
	}
	w.last.CopyFrom(m)
	for _, e := range w.news {
		if seen := EventSeen(m, e, w.view); seen != nil {
			now.Events = append(now.Events, seen)
		}
	}
	now.Told = Tell(m, w.news, w.view)
	w.news = w.news[:0]
	if w.log == nil || len(now.Told) > 0 {
		now.Deeds, w.deeds = w.deeds, nil
	}
	now.Line = line(now.Deeds, now.Told)
	return now, true
}

// Seen is a match as the witness may be shown it: at the last moment that it could see, which m itself is unless it is veiled.
func (w *Witness) Seen(m Match) Match {
	if Veiled(m, w.view) {
		return w.last
	}
	return m
}

// longLabel is how long a label may be in a log.
const longLabel = 40

// line is that of a moment.
func line(deeds []Deed, told []string) string {
	if len(told) > 0 {
		return strings.Join(told, " ")
	}
	var all []string
	for _, d := range deeds {
		label := d.Label
		if len(label) > longLabel {
			label, _, _ = strings.Cut(label, ": ") // what follows explains it
		}
		all = append(all, fmt.Sprintf("Seat %d: %s.", d.Seat, label))
	}
	return strings.Join(all, " ")
}
