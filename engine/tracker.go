package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Tracker follows a match of which it is told only what one seat sees, as a program does that plays for a seat of a table elsewhere. It keeps a
// match as it may be, which agrees with all that it was told, and which has the seat's view: what the seat may know, by its position,
// observation, mask and rows, is that of the match it is told of. What is hidden from the seat is a guess.
//
//	t, err := engine.NewTracker("doubloons(seats=4)", 2)
//	m, err := t.Asked(…) // what the seat has seen since it was asked last, in order: it is asked again
//
// A game takes part whose rules are a Narrator's. Those whose hidden things are revealed several at a time are Supposers too.
type Tracker struct {
	game  Game // as the caller has it
	shown Game // the same, in which every choice is shown, those of chance too
	seat  int
	now   Match // of shown
}

// Supposer is what rules offer beside Rules if a Tracker needs help with what is hidden.
type Supposer[S comparable] interface {
	// Suppose exchanges what seat view cannot know so that what the view is told next can happen: told are events, as the Narrator's Event
	// writes them. Nothing that the view sees changes. The error is of an event that cannot be read.
	Suppose(s *S, view int, told []json.RawMessage) error
}

// NewTracker makes one for a seat of a fresh match. The error says if matches of the game cannot be tracked.
func NewTracker(game string, seat int) (*Tracker, error) {
	g, err := NewGame(game)
	if err != nil {
		return nil, err
	}
	if seat < 0 || seat >= g.Info().Seats {
		return nil, fmt.Errorf("seat %d: want one from 0 to %d", seat, g.Info().Seats-1)
	}
	t := &Tracker{game: g, seat: seat}
	if t.shown, err = NewGameWith(game, "chance", "explicit", "forced", "show"); err != nil {
		return nil, err
	}
	if EventForms(g) == nil {
		return nil, fmt.Errorf("%s has no events, so it cannot be tracked", g.Info().Config)
	}
	t.now = t.shown.NewMatch()
	t.now.Reset(0)
	return t, nil
}

// Begin has the tracker follow a match from a position, as Match.Position writes it for the seat.
func (t *Tracker) Begin(position []byte) error {
	m := t.shown.NewMatch()
	if err := m.SetPosition(position); err != nil {
		return err
	}
	t.now = m
	return nil
}

// Bytes returns all that the tracker knows, for SetBytes of another tracker of the same game and seat.
func (t *Tracker) Bytes() []byte { return t.now.Bytes() }

// SetBytes sets what Bytes returned.
func (t *Tracker) SetBytes(data []byte) error { return t.now.SetBytes(data) }

// Asked is a match as it may be where the seat is to decide again, or which is over, after all that the seat has seen since, in order, each as JSON:
//
//	{"seat": 2, "action": "sail"}        a choice that it has seen being made, its own among them; an action by name or number
//	{"kind": "revealed", "seat": 2, …}   an event, as it sees it: see EventForms
//
// Choices that are made face down are not told, nor those that nobody is asked for because there is no other, nor what chance
// decides: their events say what the seat sees of them. Where a choice may have been made at one of several moments that look alike, the first is
// taken. An error names what does not fit; the tracker is then as it was.
func (t *Tracker) Asked(told ...json.RawMessage) (Match, error) {
	h := &hearing{Tracker: t, scratch: t.shown.NewMatch(), rand: NewRand(1)}
	for i, item := range told {
		if err := h.hear(item); err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
	}
	end, err := h.follow()
	if err != nil {
		return nil, err
	}
	t.now = end
	m := t.game.NewMatch()
	return m, m.SetBytes(end.Bytes())
}

// deciding is a choice that the seat has seen being made, after a number of events.
type deciding struct {
	seat   int
	action Action
	after  int
}

// hearing is what a tracker is told at a time.
type hearing struct {
	*Tracker
	choices []deciding
	events  []json.RawMessage // as canonical writes them
	scratch Match             // in which choices are tried
	rand    Rand              // the same each time, so that what follows is a function of what is told
	instead json.RawMessage   // the event that a choice would have brought, in place of what is told
	bold    bool              // it is tried whether what was told is another choice than it seems to be
}

func (h *hearing) hear(item json.RawMessage) error {
	var one struct {
		Kind   string          `json:"kind"`
		Seat   *int            `json:"seat"`
		Action json.RawMessage `json:"action"`
	}
	if err := json.Unmarshal(item, &one); err != nil {
		var wrong *json.UnmarshalTypeError
		switch {
		case !errors.As(err, &wrong) || wrong.Field == "":
			return fmt.Errorf("%.40s: want an object", item)
		case wrong.Field == "kind":
			return fmt.Errorf("kind: %s: want a text", wrong.Value)
		case one.Kind == "": // the seat of an event may be a name
			return fmt.Errorf("%s: %s: want a number", wrong.Field, wrong.Value)
		}
	}
	if one.Kind != "" {
		forms := EventForms(h.game)
		if !slices.ContainsFunc(forms, func(f EventForm) bool { return f.Kind == one.Kind }) {
			return fmt.Errorf("kind %q: %s has no such event: see privateer spec GAME --only events", one.Kind, h.game.Info().Game)
		}
		event, err := canonical(item)
		h.events = append(h.events, event)
		return err
	}
	if one.Seat == nil || one.Action == nil {
		return errors.New(`want a choice, with "seat" and "action", or an event, with "kind"`)
	}
	if *one.Seat < 0 || *one.Seat >= h.game.Info().Seats {
		return fmt.Errorf("seat %d: want one from 0 to %d", *one.Seat, h.game.Info().Seats-1)
	}
	var name string
	c := deciding{seat: *one.Seat, after: len(h.events)}
	if err := json.Unmarshal(one.Action, &name); err == nil {
		if c.action, err = h.game.Info().ParseAction(name); err != nil {
			return err
		}
	} else if err := json.Unmarshal(one.Action, &c.action); err != nil || c.action < 0 || int(c.action) >= len(h.game.Info().Actions) {
		return fmt.Errorf("action %s: want a name, or a number from 0 to %d", one.Action, len(h.game.Info().Actions)-1)
	}
	h.choices = append(h.choices, c)
	return nil
}

// canonical is JSON with its fields in order.
func canonical(data json.RawMessage) (json.RawMessage, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// moment is a guess at what the match may be after some of what was told.
type moment struct {
	m               Match
	choices, events int // that have been told before
}

func (w moment) heard() int { return w.choices + w.events }

// How often what is hidden is dealt anew at one moment, and at how many moments back, until it agrees with what is told, and how many events
// ahead are supposed then.
const (
	dealsAnew   = 600
	stepsBack   = 8
	eventsAhead = 400
)

// follow is the match after all that was told.
func (h *hearing) follow() (Match, error) {
	start := h.shown.NewMatch()
	start.CopyFrom(h.now)
	way := []moment{{m: start}}
	for {
		err := h.continued(&way)
		if err == nil {
			return way[len(way)-1].m, nil
		}
		if !h.repaired(&way) {
			return nil, err
		}
	}
}

// repaired looks for another guess from which the match goes further than way does. It is false if there is none.
func (h *hearing) repaired(way *[]moment) bool {
	h.bold = true
	defer func() { h.bold = false }()
	reached := (*way)[len(*way)-1].heard()
	for _, deals := range [...]int{1, dealsAnew} {
		for back := range min(stepsBack, len(*way)) {
			before := (*way)[:len(*way)-back]
			from := before[len(before)-1]
			for range deals {
				m := h.shown.NewMatch()
				m.CopyFrom(from.m)
				if deals > 1 {
					m.Redeal(h.seat, &h.rand)
				}
				if suppose(m, h.seat, h.events[from.events:min(from.events+eventsAhead, len(h.events))]) != nil {
					return false
				}
				anew := []moment{{m, from.choices, from.events}}
				err := h.continued(&anew)
				if err == nil || anew[len(anew)-1].heard() > reached {
					*way = append(slices.Clone(before[:len(before)-1]), anew...)
					return true
				}
			}
		}
	}
	return false
}

func suppose(m Match, view int, told []json.RawMessage) error {
	if h, ok := m.(interface {
		suppose(view int, told []json.RawMessage) error
	}); ok {
		return h.suppose(view, told)
	}
	return nil
}

func (m *match[S]) suppose(view int, told []json.RawMessage) error {
	r, ok := m.rules.(Supposer[S])
	if !ok {
		return nil
	}
	defer m.update(m.rules, false)
	return r.Suppose(m.s, view, told)
}

// continued continues from the last moment of way to where all has happened that was told and the seat is asked. Each moment at which something of
// it has happened is added.
func (h *hearing) continued(way *[]moment) error {
	last := (*way)[len(*way)-1]
	at := moment{h.shown.NewMatch(), last.choices, last.events}
	at.m.CopyFrom(last.m)
	var tried []Action
	for {
		all := at.choices == len(h.choices) && at.events == len(h.events)
		seat := at.m.Seat()
		if all && (seat == Over || seat == h.seat && (h.game.Info().ShowForced || at.m.Legal().Count() > 1)) {
			*way = append(*way, at)
			return nil
		}
		if seat == Over {
			return fmt.Errorf("the match is over, and more is told: %s", h.next(at))
		}
		told := false
		tried, told = h.candidates(tried[:0], at)
		h.instead = nil
		now, found := at, false
		for len(tried) > 0 && !found {
			k := 0
			if !told {
				k = h.rand.Intn(len(tried))
			}
			now, found = h.after(at, tried[k])
			tried = slices.Delete(tried, k, k+1)
		}
		switch {
		case found && told:
			now.choices++
			fallthrough
		case found:
			at.m, h.scratch = h.scratch, at.m
			now.m = at.m
			if now.heard() > at.heard() {
				kept := now
				kept.m = h.shown.NewMatch()
				kept.m.CopyFrom(now.m)
				*way = append(*way, kept)
			}
			at = now
		default:
			if h.instead != nil {
				return fmt.Errorf("%s cannot be: it would bring %s, at: %s", h.next(at), h.instead, at.m.Decision())
			}
			return fmt.Errorf("%s cannot be at: %s", h.next(at), at.m.Decision())
		}
	}
}

// candidates are what may have been chosen at a moment; told says that it is the next choice that was told.
func (h *hearing) candidates(dst []Action, at moment) (_ []Action, told bool) {
	seat := at.m.Seat()
	if seat == Chance {
		for _, o := range at.m.Outcomes(nil) {
			dst = append(dst, o.Action)
		}
		return dst, false
	}
	legal := at.m.Legal()
	forced := !h.game.Info().ShowForced && legal.Count() == 1
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if forced || seat != h.seat && at.m.Sight(h.seat, a) != Open {
			dst = append(dst, a)
		}
	}
	if at.choices < len(h.choices) {
		if c := h.choices[at.choices]; c.seat == seat && at.events >= c.after && legal.Has(c.action) && (seat == h.seat || at.m.Sight(h.seat, c.action) == Open) &&
			(len(dst) == 0 || !forced && !h.bold || h.bold && h.rand.Intn(2) == 0) {
			return append(dst[:0], c.action), true
		}
	}
	return dst, false
}

// after is the moment after a choice, in scratch; false if what the seat sees of it is not what is told next.
func (h *hearing) after(at moment, a Action) (next moment, ok bool) {
	defer func() {
		if recover() != nil { // a guess may hold what no match can, and the rules rely on what holds of matches
			next, ok = at, false
		}
	}()
	h.scratch.CopyFrom(at.m)
	log := Listen(h.scratch)
	before := log.Count()
	if err := h.scratch.Apply(a); err != nil {
		return at, false
	}
	for _, e := range log.Since(before) {
		seen := EventSeen(h.scratch, e, h.seat)
		if seen == nil {
			continue
		}
		text, err := json.Marshal(seen)
		if err == nil {
			text, err = canonical(text)
		}
		if err != nil || at.events == len(h.events) || !bytes.Equal(text, h.events[at.events]) {
			h.instead = text
			return at, false
		}
		at.events++
	}
	return at, true
}

// next says what is told next at a moment.
func (h *hearing) next(at moment) string {
	var next []string
	if at.choices < len(h.choices) {
		c := h.choices[at.choices]
		next = append(next, fmt.Sprintf("the choice %q of seat %d", h.game.Info().ActionName(c.action), c.seat))
	}
	if at.events < len(h.events) {
		next = append(next, "the event "+string(h.events[at.events]))
	}
	switch len(next) {
	case 0:
		return fmt.Sprintf("that seat %d is asked", h.seat)
	case 1:
		return next[0]
	}
	return next[0] + ", or " + next[1] + ","
}
