package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unsafe"
)

// Make turns rules into a Game. info is completed and then owned by the game.
func Make[S comparable](info *Info, rules Rules[S]) (Game, error) {
	if err := info.index(); err != nil {
		return nil, err
	}
	limiter, _ := rules.(Limiter[S])
	g := &game[S]{info: info, rules: rules, limiter: limiter}
	if err := g.open(); err != nil {
		return nil, err
	}
	return g, nil
}

type game[S comparable] struct {
	info    *Info
	rules   Rules[S]
	limiter Limiter[S] // nil if the rules have none
	start   *start[S]  // nil if matches begin at set-up
}

func (g *game[S]) Info() *Info              { return g.info }
func (g *game[S]) NewMatches(n int) []Match { return g.NewBatch(n).Matches() }

func (g *game[S]) NewMatch() Match {
	// One allocation, so that a single match is in one place in memory too.
	one := &struct {
		match[S]
		state S
		legal Mask
		seat  int32
	}{seat: Over}
	one.match = match[S]{game: g, s: &one.state, seat: &one.seat, mask: &one.legal}
	return &one.match
}

// match is the handle through which a state is driven. What is cached of the
// state (who decides, what is legal) is recomputed whenever the state changes.
type match[S comparable] struct {
	*game[S]
	s    *S
	seat *int32
	mask *Mask
	room []Outcome // for what chance may decide

	log    *Log     // nil while nobody listens
	noting Rules[S] // the same rules, which note in the log what happens
}

// State returns the state behind a match of a game whose states are of type S,
// for encoders and bots that know the game. It must not be written to. The result is nil if m
// is a match of another game.
func State[S comparable](m Match) *S {
	if h, ok := m.(*match[S]); ok {
		return h.s
	}
	return nil
}

// RulesOf returns the rules behind a match, as a type of the game's own package.
// The boolean is false if m is a match of another game.
func RulesOf[S comparable, R Rules[S]](m Match) (R, bool) {
	if h, ok := m.(*match[S]); ok {
		r, ok := h.rules.(R)
		return r, ok
	}
	var none R
	return none, false
}

func (m *match[S]) Reset(seed uint64) {
	m.another()
	m.begin(m.s, seed)
	m.update(m.acting(), !m.info.ShowForced)
}

func (m *match[S]) Seat() int    { return int(*m.seat) }
func (m *match[S]) Legal() *Mask { return m.mask }

// update brings the cache up to date after a change of the state.
func (m *match[S]) update(rules Rules[S], forced bool) {
	*m.seat = m.settle(rules, m.s, m.mask, forced)
}

func (m *match[S]) Outcomes(dst []Outcome) []Outcome {
	if *m.seat != Chance {
		return dst
	}
	return m.rules.Outcomes(m.s, dst)
}

func (m *match[S]) SampleChance() Action {
	if *m.seat != Chance {
		return -1
	}
	return m.rules.Sample(m.s)
}

// settle runs a state on, by the game's rules or those that note what happens, to the next decision that is the caller's: it samples
// chance and, when asked, takes forced moves. It returns who is to act and leaves
// in legal what that seat may do.
func (g *game[S]) settle(rules Rules[S], s *S, legal *Mask, forced bool) int32 {
	for {
		seat := rules.Seat(s)
		if seat == Chance && !g.info.Explicit {
			rules.Apply(s, rules.Sample(s))
			continue
		}
		*legal = Mask{}
		if seat < 0 {
			return int32(seat)
		}
		if g.limit(s) != "" {
			return Over
		}
		rules.Legal(s, legal)
		a := legal.First()
		if a < 0 {
			panic(fmt.Sprintf("engine: %s: no legal action for %s at: %s", g.info.Config, SeatName(seat), rules.Decision(s)))
		}
		if !forced || legal.Next(a) >= 0 {
			return int32(seat)
		}
		rules.Apply(s, a)
	}
}

func (m *match[S]) Apply(a Action) error {
	if (*m.seat < 0 || !m.mask.Has(a)) && !m.possible(a) {
		return m.refuse(a)
	}
	rules := m.acting()
	rules.Apply(m.s, a)
	m.update(rules, !m.info.ShowForced)
	return nil
}

// possible reports whether chance is to act and may decide on a.
func (m *match[S]) possible(a Action) bool {
	if *m.seat != Chance {
		return false
	}
	m.room = m.rules.Outcomes(m.s, m.room[:0])
	for _, o := range m.room {
		if o.Action == a {
			return true
		}
	}
	return false
}

// refuse returns why a is illegal.
func (m *match[S]) refuse(a Action) error {
	e := &IllegalActionError{Game: m.info.Config, Seat: m.Seat(), Action: m.info.ActionName(a)}
	switch {
	case *m.seat == Over:
		e.Why = m.Decision() + "; reset it first"
		return e
	case *m.seat == Chance:
		e.Why = fmt.Sprintf("%s; possible are: %s", m.rules.Decision(m.s), m.names(func(yield func(Action)) {
			for _, o := range m.room {
				yield(o.Action)
			}
		}))
		return e
	}
	e.Why = fmt.Sprintf("%s; legal are: %s", m.rules.Decision(m.s), m.names(func(yield func(Action)) {
		for a := m.mask.First(); a >= 0; a = m.mask.Next(a) {
			yield(a)
		}
	}))
	return e
}

func (m *match[S]) names(each func(func(Action))) string {
	const most = 12
	var b bytes.Buffer
	n := 0
	each(func(a Action) {
		if n++; n > most {
			return
		}
		if n > 1 {
			b.WriteString(", ")
		}
		b.WriteString(m.info.ActionName(a))
	})
	if n > most {
		fmt.Fprintf(&b, " and %d more", n-most)
	}
	return b.String()
}

func (m *match[S]) Returns(dst []float32)              { m.rules.Returns(m.s, dst[:m.info.Seats]) }
func (m *match[S]) Scores(view, seat int, dst []int32) { m.rules.Scores(m.s, view, seat, dst) }
func (m *match[S]) Render(view int) string             { return m.rules.Render(m.s, view) }

func (m *match[S]) Decision() string {
	if limit, _ := m.Truncated(); limit != "" {
		return "the match is over: " + limit + " has ended it, not the rules, so nobody has won"
	}
	if *m.seat == Over {
		return "the match is over"
	}
	return m.rules.Decision(m.s)
}

func (m *match[S]) Redeal(seat int, r *Rand) {
	m.rules.Redeal(m.s, seat, r)
	// The seat to act keeps its decision, but what it may do must be computed again, as another seat's choices may have changed.
	m.update(m.rules, false)
}

func (m *match[S]) CopyFrom(o Match) {
	h, ok := o.(*match[S])
	if !ok {
		panic(fmt.Sprintf("engine: CopyFrom: a match of %s is not a match of %s", o.Info().Config, m.info.Config))
	}
	*m.s, *m.seat, *m.mask = *h.s, *h.seat, *h.mask
	m.another()
}

func (m *match[S]) Equal(o Match) bool {
	h, ok := o.(*match[S])
	return ok && *m.s == *h.s
}

func (m *match[S]) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(m.s)), unsafe.Sizeof(*m.s))
}

func (m *match[S]) SetBytes(b []byte) error {
	if len(b) != int(unsafe.Sizeof(*m.s)) {
		return fmt.Errorf("%s: a state of %d bytes; want %d: the snapshot is of another game or version", m.info.Config, len(b), unsafe.Sizeof(*m.s))
	}
	copy(m.Bytes(), b)
	m.another()
	m.update(m.acting(), false)
	return nil
}

func (m *match[S]) Position(view int) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m.rules.Position(m.s, view)); err != nil {
		return nil, fmt.Errorf("%s: encode position: %w", m.info.Config, err)
	}
	return b.Bytes(), nil
}

func (m *match[S]) SetPosition(data []byte) error {
	before := *m.s
	if err := m.rules.SetPosition(m.s, data); err != nil {
		*m.s = before
		return fmt.Errorf("%s: position: %w", m.info.Config, err)
	}
	m.another()
	// Forced moves stay pending: a position means what it says.
	m.update(m.acting(), false)
	return nil
}
