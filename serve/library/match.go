package main

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// match is a match of a game. One call at a time has it.
type match struct {
	*game
	mu     sync.Mutex
	m      engine.Match
	before engine.Match      // what apply goes back to if the rules panic
	eyes   []*engine.Witness // by seat, and at last Full; nil of those who have not asked for events
	told   [][]byte          // by seat, what events has found for a buffer that was short
}

func (*match) kind() string { return "match" }

func newMatch(g *game) *match {
	views := g.Info().Seats + 1
	return &match{game: g, m: g.NewMatch(), before: g.NewMatch(), eyes: make([]*engine.Witness, views), told: make([][]byte, views)}
}

func (l *library) match(handle int64, seed uint64) (_ int64, err error) {
	defer guarded(&err)
	g, err := at[*game](l, handle)
	if err != nil {
		return 0, err
	}
	m := newMatch(g)
	m.m.Reset(seed)
	return l.add(m), nil
}

// with calls f with a match that is its alone until f returns.
func (l *library) with(handle int64, f func(m *match) error) (err error) {
	defer guarded(&err)
	m, err := at[*match](l, handle)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return f(m)
}

// copy makes another match that is equal. It has no events yet.
func (l *library) copy(handle int64) (copied int64, err error) {
	err = l.with(handle, func(m *match) error {
		other := newMatch(m.game)
		other.m.CopyFrom(m.m)
		copied = l.add(other)
		return nil
	})
	return copied, err
}

func (l *library) reset(handle int64, seed uint64) error {
	return l.with(handle, func(m *match) error {
		m.m.Reset(seed)
		m.anew()
		return nil
	})
}

// anew has those who have asked for events see the match as it stands.
func (m *match) anew() {
	for view, eye := range m.eyes {
		if eye != nil {
			eye.Begin(m.m)
		}
		m.told[view] = nil
	}
}

func (l *library) seat(handle int64) (seat int, err error) {
	err = l.with(handle, func(m *match) error {
		seat = m.m.Seat()
		return nil
	})
	return seat, err
}

func (l *library) apply(handle int64, action int32) error {
	return l.with(handle, func(m *match) error {
		a := engine.Action(action)
		if err := m.attempt(func() error { return m.m.Apply(a) }); err != nil {
			return failure{codeIllegal, err}
		}
		for _, eye := range m.eyes {
			if eye != nil {
				eye.Chosen(m.before, a)
			}
		}
		return nil
	})
}

// attempt changes the match, which a panic leaves as it was.
func (m *match) attempt(change func() error) error {
	m.before.CopyFrom(m.m)
	whole := false
	defer func() {
		if !whole {
			m.m.CopyFrom(m.before)
			m.anew()
		}
	}()
	err := change()
	whole = true
	return err
}

// checkView is an error if there is no such view of a match.
func (m *match) checkView(view int32, least int) error {
	seats := m.Info().Seats
	switch {
	case int(view) >= least && int(view) < seats:
		return nil
	case least == engine.Full:
		return refuse(codeArgument, "view %d: want a seat from 0 to %d, or %d, which hides nothing", view, seats-1, engine.Full)
	}
	return refuse(codeArgument, "seat %d: want one from 0 to %d", view, seats-1)
}

// legal writes the mask, [actions] of 0 and 1; all are 0 if no seat is to act.
func (l *library) legal(handle int64, to []uint8) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if n = len(m.Info().Actions); len(to) < n {
			return shortage{n}
		}
		m.m.Legal().Expand(to[:n])
		return nil
	})
	return n, err
}

// outcomes writes the probability of each outcome, [outcomes]; all are 0 if chance is not to act.
func (l *library) outcomes(handle int64, to []float64) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if n = len(m.Info().Outcomes); len(to) < n {
			return shortage{n}
		}
		clear(to[:n])
		for _, o := range m.m.Outcomes(nil) {
			to[int(o.Action)-len(m.Info().Actions)] = o.Prob
		}
		return nil
	})
	return n, err
}

func (l *library) observation(handle int64, seat int32, to []uint8) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if err := m.checkView(seat, 0); err != nil {
			return err
		}
		if n = m.encoder.Schema().Size; len(to) < n {
			return shortage{n}
		}
		m.encoder.Encode(m.m, int(seat), to)
		return nil
	})
	return n, err
}

// rows writes the row of each legal action of the seat to act, [legal, row].
func (l *library) rows(handle int64, to []uint8) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if n = m.m.Legal().Count() * m.encoder.ActionSize(); len(to) < n {
			return shortage{n}
		}
		m.encoder.EncodeActions(m.m, to)
		return nil
	})
	return n, err
}

func (l *library) returns(handle int64, to []float32) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if n = m.Info().Seats; len(to) < n {
			return shortage{n}
		}
		m.m.Returns(to)
		return nil
	})
	return n, err
}

// How show shows a match.
const (
	asPosition = iota
	asText
	asSVG
	asDecision
)

// decision is the decision at hand, as show writes it.
type decision struct {
	Seat     int             `json:"seat"` // −1: chance, −2: over
	Decision string          `json:"decision"`
	Legal    []prompt.Choice `json:"legal"` // none if the view is not the seat's that is to act
}

// show writes a match as a view has it.
func (l *library) show(handle int64, view, as int32, to []byte) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if err := m.checkView(view, engine.Full); err != nil {
			return err
		}
		text, err := m.shown(int(view), as)
		if err != nil {
			return err
		}
		n, err = fill(to, text)
		return err
	})
	return n, err
}

func (m *match) shown(view int, as int32) ([]byte, error) {
	switch as {
	case asPosition:
		text, err := m.m.Position(view)
		return bytes.TrimSpace(text), err
	case asText:
		return []byte(m.m.Render(view)), nil
	case asSVG:
		svg, err := engine.Picture(m.m, view)
		return []byte(svg), err
	case asDecision:
		d := decision{Seat: m.m.Seat(), Decision: m.m.Decision(), Legal: []prompt.Choice{}}
		if view == d.Seat || view == engine.Full {
			d.Legal = prompt.Choices(m.m)
		}
		return asJSON(d)
	}
	return nil, refuse(codeArgument, "as %d: want one from PRIVATEER_POSITION (%d) to PRIVATEER_DECISION (%d)", as, asPosition, asDecision)
}

func asJSON(what any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(what)
	return bytes.TrimSpace(b.Bytes()), err
}

// read sets a match to a position. An entry "game", as position files have it, must be of the match's game.
func (l *library) read(handle int64, text string) error {
	return l.with(handle, func(m *match) error {
		root, err := position.Parse([]byte(text))
		if err != nil {
			return err
		}
		if named := root.Take("game"); named != nil {
			g, err := engine.NewGame(named.Text)
			if err != nil {
				return err
			}
			if of := g.Info().Config; of != m.Info().Config {
				return refuse(codeMisfit, "the position is of %s, and the match of %s: open a match of the position's game", of, m.Info().Config)
			}
		}
		own, err := root.MarshalJSON()
		if err != nil {
			return err
		}
		err = m.attempt(func() error { return m.m.SetPosition(own) })
		if err == nil {
			m.anew()
		}
		return err
	})
}

// news is the new events, as a view sees them.
type news struct {
	Seen   bool     `json:"seen"`   // the view sees this moment: if not, what has happened is told at the next that it sees
	Events []any    `json:"events"` // in order
	Log    []string `json:"log"`    // the same in words
}

// events writes the events since the last call for the view, which sees the match from its first call on. Events that do not fit are kept.
func (l *library) events(handle int64, view int32, to []byte) (n int, err error) {
	err = l.with(handle, func(m *match) error {
		if err := m.checkView(view, engine.Full); err != nil {
			return err
		}
		i := int(view)
		if view == engine.Full {
			i = len(m.eyes) - 1
		}
		if m.told[i] == nil {
			if m.told[i], err = m.heard(i, int(view)); err != nil {
				return err
			}
		}
		if n, err = fill(to, m.told[i]); err == nil {
			m.told[i] = nil
		}
		return err
	})
	return n, err
}

// heard is the events that are new to a view.
func (m *match) heard(i, view int) ([]byte, error) {
	if m.eyes[i] == nil {
		eye := engine.NewWitness(m.game.Game, view)
		eye.Begin(m.m)
		m.eyes[i] = eye
	}
	now, seen := m.eyes[i].See(m.m)
	all := news{Seen: seen, Events: []any{}, Log: []string{}}
	if now.Events != nil {
		all.Events = now.Events
	}
	if now.Line != "" {
		all.Log = append(all.Log, now.Line)
	}
	return asJSON(all)
}
