package table

import "slices"

// Watcher is a page that looks at a table from a seat. It knows what the page has been told.
type Watcher struct {
	table *Table
	seat  int
	log   []string // that the page has
	last  *View    // that it shows
}

// Watch lets a page look on from a person's seat.
func (t *Table) Watch(seat int) *Watcher { return &Watcher{table: t, seat: seat} }

// View is what is new to the page, or nil if nothing is; what comes after it is in the next. That the seat has decided is a view
// of its own, in which all else is as it was: what comes of it may not be for it to see yet, as others may be asked in secret, and
// whether they are is nothing to see at all. With repeat all is said, as to a page that knows nothing.
func (w *Watcher) View(friendly, repeat bool) (*View, error) {
	t := w.table
	if repeat || !begins(t.logs[w.seat], w.log) {
		w.log, w.last = nil, nil
	}
	if now := t.Next(w.seat); w.last != nil && w.last.Turn == You && now > w.last.Decision {
		v := *w.last
		v.Told, v.Log, v.Turn, v.Decision, v.Question, v.Actions, v.Undo = len(w.log), []string{}, Wait, now, "", nil, friendly
		w.last = &v
		return &v, nil
	}
	v, err := t.View(w.seat, len(w.log), friendly)
	if err != nil {
		return nil, err
	}
	if w.last != nil && len(v.Log) == 0 && v.Turn == w.last.Turn && v.Decision == w.last.Decision && v.Picture == w.last.Picture {
		return nil, nil
	}
	w.log, w.last = slices.Clone(t.logs[w.seat]), v
	return v, nil
}

// begins reports whether a log begins with lines.
func begins(log, lines []string) bool {
	return len(log) >= len(lines) && slices.Equal(log[:len(lines)], lines)
}
