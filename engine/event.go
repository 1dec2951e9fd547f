package engine

// Event is an event of a match: a flat record. Its kind, its seat and its arguments mean what a row of the game's table
// says of them; package frames declares such rows.
type Event struct {
	Frame[EventKind]
	Privy uint16 // the seats that see all of it, as bits; the others see what the row of the kind leaves them
}

// EventKind is a kind of event of a game, by number from 1.
type EventKind uint8

// Everybody is privy to an event that hides nothing.
const Everybody = ^uint16(0)

// SeenBy reports whether seat view, or Full, sees all of the event.
func (e *Event) SeenBy(view int) bool { return view == Full || e.Privy>>view&1 != 0 }

// Narrator is implemented by rules that report the events of a match, in order, as they happen.
type Narrator[S comparable] interface {
	// Noting are the same rules with an Apply that notes events in log. Seats that cannot tell two matches apart
	// see the same events in both.
	Noting(log *Log) Rules[S]
	// Tell describes events in sentences, as far as seat view, or Full, sees them. s is the match after them.
	Tell(s *S, events []Event, view int) []string
	// EventForms describe the kinds of event, for programs that know nothing of the game.
	EventForms() []EventForm
	// Event is an event as seat view, or Full, sees it: a value for readable JSON, nil if the view sees nothing of it.
	Event(e Event, view int) any
}

// EventForm describes a kind of event.
type EventForm struct {
	Kind   string   `json:"kind"`
	Fields any      `json:"fields"`           // what an event of the kind has beside its kind: a JSON Schema by name
	Hidden []string `json:"hidden,omitempty"` // the fields that only the seats concerned see; left out for others
	Secret bool     `json:"secret,omitempty"` // other seats see nothing of it
	Words  string   `json:"words,omitempty"`  // the sentence that tells it, with names in braces; left out if none does
	Others string   `json:"others,omitempty"` // the sentence for seats from which something is hidden
}

// EventForms describe the kinds of event of a game; none if it has no events.
func EventForms(g Game) []EventForm {
	if h, ok := g.(interface{ eventForms() []EventForm }); ok {
		return h.eventForms()
	}
	return nil
}

// Log has the events of a match since Listen, or since the match began if that was later. Its memory is reused.
type Log struct {
	events []Event
	before int // events of what the match was before
}

// Note adds an event that the seats in privy, as bits, see all of.
func (l *Log) Note(privy uint16, k EventKind, seat int, args ...int) {
	l.events = append(l.events, Event{NewFrame(k, seat, args...), privy})
}

// Count is the number of events ever noted. A nil log has none.
func (l *Log) Count() int {
	if l == nil {
		return 0
	}
	return l.before + len(l.events)
}

// Since are the match's events after the first n ever noted, valid until the match changes.
func (l *Log) Since(n int) []Event {
	if l == nil {
		return nil
	}
	return l.events[max(0, n-l.before):]
}

// anew begins the log of another match.
func (l *Log) anew() { l.before, l.events = l.Count(), l.events[:0] }

// Listen makes a match note its events from now on, and returns their log: nil if the game has no events. Another match that
// the match is set to, as by CopyFrom or Reset, begins the log anew. Copies of a match note nothing, nor do redeals.
func Listen(m Match) *Log {
	if h, ok := m.(interface{ listen() *Log }); ok {
		return h.listen()
	}
	return nil
}

// Tell describes events of a match in sentences, as far as seat view, or Full, sees them. The match stands after them.
func Tell(m Match, events []Event, view int) []string {
	if h, ok := m.(interface {
		tell(events []Event, view int) []string
	}); ok {
		return h.tell(events, view)
	}
	return nil
}

// EventSeen is an event of a match as seat view, or Full, sees it: what encodes to readable JSON, nil if that sees nothing of it.
func EventSeen(m Match, e Event, view int) any {
	if h, ok := m.(interface {
		eventSeen(e Event, view int) any
	}); ok {
		return h.eventSeen(e, view)
	}
	return nil
}

func (m *match[S]) listen() *Log {
	if n, ok := m.rules.(Narrator[S]); ok && m.log == nil {
		m.log = &Log{}
		m.noting = n.Noting(m.log)
	}
	return m.log
}

// acting are the rules by which the match continues.
func (m *match[S]) acting() Rules[S] {
	if m.log != nil {
		return m.noting
	}
	return m.rules
}

// another begins the log anew.
func (m *match[S]) another() {
	if m.log != nil {
		m.log.anew()
	}
}

func (g *game[S]) eventForms() []EventForm {
	if n, ok := g.rules.(Narrator[S]); ok {
		return n.EventForms()
	}
	return nil
}

func (m *match[S]) tell(events []Event, view int) []string {
	if n, ok := m.rules.(Narrator[S]); ok {
		return n.Tell(m.s, events, view)
	}
	return nil
}

func (m *match[S]) eventSeen(e Event, view int) any {
	if n, ok := m.rules.(Narrator[S]); ok {
		return n.Event(e, view)
	}
	return nil
}
