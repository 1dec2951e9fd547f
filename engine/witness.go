package engine

import (
	"fmt"
	"strings"
)

// Veiled reports whether something may be chosen now that view would see nothing of.
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

// Chosen notes that a is chosen in m, which stands before it.
func (w *Witness) Chosen(m Match, a Action) {
	if m.Sight(w.view, a) == Open {
		_, label := Point(m, a)
		w.deeds = append(w.deeds, Deed{m.Seat(), a, label})
	}
}

// See has the witness look at a match. If it sees the moment, it says what has happened since the last one that it saw, as Tell does, and what was
// chosen openly since it last said something. m is the match of Begin.
func (w *Witness) See(m Match) (deeds []Deed, told []string, seen bool) {
	w.news = append(w.news, w.log.Since(w.heard)...)
	w.heard = w.log.Count()
	if Veiled(m, w.view) {
		return nil, nil, false
	}
	w.last.CopyFrom(m)
	told = Tell(m, w.news, w.view)
	w.news = w.news[:0]
	if w.log != nil && len(told) == 0 {
		return nil, nil, true
	}
	deeds, w.deeds = w.deeds, nil
	return deeds, told, true
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

// Line is what came of what was chosen or, of a game that does not say, what was openly chosen.
func Line(deeds []Deed, told []string) string {
	if len(told) > 0 {
		return strings.Join(told, " ")
	}
	var line []string
	for _, d := range deeds {
		label := d.Label
		if len(label) > longLabel {
			label, _, _ = strings.Cut(label, ": ") // what follows explains it
		}
		line = append(line, fmt.Sprintf("Seat %d: %s.", d.Seat, label))
	}
	return strings.Join(line, " ")
}
