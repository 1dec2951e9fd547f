package table

// Watcher is a page that looks at a table from a seat. It knows what the page has been told.
type Watcher struct {
	table  *Table
	seat   int
	told   int // lines of the log
	undone int
	last   *View
}

// Watch lets a page look on from a person's seat.
func (t *Table) Watch(seat int) *Watcher { return &Watcher{table: t, seat: seat} }

// View is what is new to the page, or nil if nothing is: that others were asked in secret is not. Without
// repeat it is nil too if only the same could be said again; with it all is said, as to a page that knows nothing.
func (w *Watcher) View(friendly, repeat bool) (*View, error) {
	if repeat || w.undone != w.table.undone {
		w.told, w.undone, w.last = 0, w.table.undone, nil
	}
	v, err := w.table.View(w.seat, w.told, friendly)
	if err != nil {
		return nil, err
	}
	if w.last != nil && len(v.Log) == 0 && v.Turn == w.last.Turn && v.Decision == w.last.Decision && v.Picture == w.last.Picture {
		return nil, nil
	}
	w.told += len(v.Log)
	w.last = v
	return v, nil
}
