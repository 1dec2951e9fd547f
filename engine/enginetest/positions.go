package enginetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// positions: SetPosition(Position(Full)) makes an equal match, also at chance
// events.
func (s *suite) positions() error {
	back := s.explicit.NewMatch()
	return s.walk(s.explicit, func(p point) error {
		if !p.expensive {
			return nil
		}
		return roundTrip(p.m, back)
	})
}

// roundTrip sets the match back to m, by way of m's position.
func roundTrip(m, back engine.Match) error {
	text, err := m.Position(engine.Full)
	if err != nil {
		return err
	}
	if err := back.SetPosition(text); err != nil {
		return fmt.Errorf("its own position is refused: %w\n%s", err, text)
	}
	if err := same(m, back); err != nil {
		again, _ := back.Position(engine.Full)
		return fmt.Errorf("the match read back from its position: %w: %s", err, firstDifference(string(text), string(again)))
	}
	return nil
}

// schema: the JSON Schema of a position, if the game has one, is JSON and
// describes every part that positions and views have.
func (s *suite) schema() error {
	d, err := engine.Lookup(s.plain.Info().Game)
	if err != nil || d.Schema == nil {
		return err
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal([]byte(d.Schema()), &schema); err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	return s.walk(s.plain, func(p point) error {
		for view := engine.Full; view < p.m.Info().Seats && p.expensive; view++ {
			text, err := p.m.Position(view)
			if err != nil {
				return err
			}
			var parts map[string]json.RawMessage
			if err := json.Unmarshal(text, &parts); err != nil {
				return fmt.Errorf("the position is not a JSON object: %w\n%s", err, text)
			}
			for name := range parts {
				if _, ok := schema.Properties[name]; !ok {
					return fmt.Errorf("the schema does not describe %q, which the position of view %d has", name, view)
				}
			}
		}
		return nil
	})
}

// texts plays matches of g and shows the positions that the expensive checks look at.
func (s *suite) texts(g engine.Game, visit func(p point, text []byte) error) error {
	return s.walk(g, func(p point) error {
		if !p.expensive {
			return nil
		}
		text, err := p.m.Position(engine.Full)
		if err != nil {
			return err
		}
		return visit(p, text)
	})
}

// damaged: a position that was cut short or has something unknown in it is
// refused. One that was changed is refused or makes a match that can be played, and, once chance has dealt what it leaves open,
// that can come about: it is one of all there are in a small game, and sound by Options.Conserve in one too large for that.
// Neither ever panics, and what is refused changes nothing.
func (s *suite) damaged() error {
	all, err := engine.NewGameWith(s.explicit.Info().Config, "forced", "show") // positions have forced moves pending
	if err == nil {
		s.reached, err = states(all)
	}
	if err != nil {
		return err
	}
	if s.reached == nil && s.opt.Conserve == nil {
		return fmt.Errorf("there are more than %d states to list: give Options.Conserve, which says what no match reaches", mostMoments)
	}
	m := s.plain.NewMatch()
	return s.texts(s.plain, func(p point, text []byte) error {
		text = bytes.TrimSpace(text)
		for _, bad := range broken(text, p.rand) {
			m.CopyFrom(p.m)
			if err := s.try(m, bad, true, p.rand); err != nil {
				return err
			}
		}
		for range s.opt.Mutations {
			m.CopyFrom(p.m)
			bad := flipped(text, p.rand)
			if p.rand.Intn(4) > 0 {
				var err error
				if bad, err = Altered(text, "", p.rand); err != nil {
					return err
				}
			}
			if err := s.try(m, bad, false, p.rand); err != nil {
				return err
			}
		}
		return nil
	})
}

// try sets m to a position that may be refused, and must be if mustFail.
func (s *suite) try(m engine.Match, text []byte, mustFail bool, r *engine.Rand) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\nin a match set to the position\n%s\n%s", v, text, debug.Stack())
		}
	}()
	before := bytes.Clone(m.Bytes())
	seat, legal := m.Seat(), *m.Legal()
	refused := m.SetPosition(text)
	switch {
	case refused == nil && mustFail:
		return fmt.Errorf("accepted, but wrong, is the position\n%s", text)
	case refused == nil:
		if err := s.playable(m, r); err != nil {
			return fmt.Errorf("after the accepted position\n%s\n%w", text, err)
		}
		return nil
	case !bytes.Equal(before, m.Bytes()) || seat != m.Seat() || legal != *m.Legal():
		return fmt.Errorf("a refused position (%w) changed the match:\n%s", refused, text)
	}
	return nil
}

// playable checks that a match in an invented state is sound, and stays so to
// the end.
func (s *suite) playable(m engine.Match, r *engine.Rand) error {
	if err := s.conserve(m); err != nil {
		return err
	}
	back := s.plain.NewMatch()
	if back.CopyFrom(m); s.reached != nil && !s.reached[state(back)] {
		return errors.New("no match reaches it")
	}
	if err := roundTrip(m, back); err != nil {
		return err
	}
	if _, err := s.everything(m); err != nil {
		return err
	}
	return s.finish(m, r)
}

// heeded: a position with another number, or another truth, is refused or makes another match. Nothing that is written in one is
// passed over. Before the first decision every value is changed in turn, later as many as Options.Mutations.
func (s *suite) heeded() error {
	m := s.explicit.NewMatch()
	return s.texts(s.explicit, func(p point, text []byte) error {
		root, places, err := placesOf(text, "")
		if err != nil {
			return err
		}
		if text, err = json.MarshalIndent(root, "", "  "); err != nil {
			return err
		}
		if p.n > 0 {
			n := min(s.opt.Mutations, len(places))
			for i := range n {
				j := i + p.rand.Intn(len(places)-i)
				places[i], places[j] = places[j], places[i]
			}
			places = places[:n]
		}
		for _, place := range places {
			other := another(place.value)
			if other == nil {
				continue
			}
			place.replace(other)
			changed, err := json.MarshalIndent(root, "", "  ")
			place.replace(place.value)
			if err != nil {
				return err
			}
			if m.CopyFrom(p.m); m.SetPosition(changed) == nil && bytes.Equal(m.Bytes(), p.m.Bytes()) {
				return fmt.Errorf("accepted, but the match is the same without the change: %s", firstDifference(string(text), string(changed)))
			}
		}
		return nil
	})
}

// another is the next whole number, or the other truth; nil if a value is neither.
func another(v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n + 1
		}
	}
	return nil
}

// broken returns texts that are not positions: cut short, with something after
// the end, with an unknown field, or no JSON object at all.
func broken(text []byte, r *engine.Rand) [][]byte {
	all := [][]byte{
		nil, []byte("{"), []byte("[]"), []byte("7"), []byte(`"x"`), []byte("\xff\x00"), []byte("doubloons"),
		append(bytes.Clone(text), "{}"...),
		append(bytes.Clone(text), '}'),
		append([]byte(`{"no such field": 1`), bytes.Replace(text, []byte("{"), []byte(","), 1)...),
	}
	for range 4 {
		all = append(all, text[:r.Intn(len(text))])
	}
	return all
}

// flipped changes a few characters.
func flipped(text []byte, r *engine.Rand) []byte {
	const chars = `0123456789-.,:{}[]"eJKx?` + "\x00\xff"
	out := bytes.Clone(text)
	for range 1 + r.Intn(3) {
		i := r.Intn(len(out))
		c := chars[r.Intn(len(chars))]
		switch r.Intn(3) {
		case 0:
			out[i] = c
		case 1:
			out = append(out[:i], out[i+1:]...)
		case 2:
			out = append(out[:i], append([]byte{c}, out[i:]...)...)
		}
	}
	return out
}

// Altered changes one value of a position, keeping it well-formed JSON: one anywhere, or in the
// field within, if the position has it.
func Altered(text []byte, within string, r *engine.Rand) ([]byte, error) {
	root, places, err := placesOf(text, within)
	if err != nil {
		return nil, err
	}
	p := places[r.Intn(len(places))]
	switch r.Intn(6) {
	case 0:
		p.drop()
	case 1:
		p.twice()
	case 2: // by another value of the position, as text: it may contain this one
		other, err := json.Marshal(places[r.Intn(len(places))].value)
		if err != nil {
			return nil, err
		}
		p.replace(json.RawMessage(other))
	case 3:
		p.replace([]any{nil, true, "", "x", "?", "-", []any{}, map[string]any{}, json.Number("1.5")}[r.Intn(9)])
	default:
		n := json.Number([]string{"-1", "-2", "-128", "0", "1", "2", "7", "99", "255", "256", "65536", "-9223372036854775809", "1e9"}[r.Intn(13)])
		if old, ok := p.value.(json.Number); ok {
			if v, err := old.Int64(); err == nil && r.Intn(2) == 0 {
				n = json.Number(fmt.Sprint(v + int64(r.Intn(3)) - 1))
			}
		}
		p.replace(n)
	}
	return json.Marshal(root)
}

// place is where a value stands in a position, and what can be done to it there.
type place struct {
	value   any
	replace func(any)
	drop    func()
	twice   func()
}

// placesOf decodes a position and finds the places of all values below its root: of those in the field within, if the position has it.
func placesOf(text []byte, within string) (root any, places []place, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		return nil, nil, fmt.Errorf("the position is not JSON: %w", err)
	}
	var visit func(v any, replace func(any))
	visit = func(v any, replace func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range sortedKeys(v) {
				places = append(places, place{v[k], func(n any) { v[k] = n }, func() { delete(v, k) }, func() { v[k+"2"] = v[k] }})
				visit(v[k], func(n any) { v[k] = n })
			}
		case []any:
			for i := range v {
				places = append(places, place{v[i],
					func(n any) { v[i] = n },
					func() { replace(append(v[:i:i], v[i+1:]...)) },
					func() { replace(slices.Insert(slices.Clone(v), i, v[i])) },
				})
				visit(v[i], func(n any) { v[i] = n })
			}
		}
	}
	if fields, ok := root.(map[string]any); ok && fields[within] != nil {
		visit(fields[within], func(n any) { fields[within] = n })
	} else {
		visit(root, func(any) {})
	}
	if len(places) == 0 {
		return nil, nil, errors.New("the position is empty")
	}
	return root, places, nil
}

// transcripts: a recorded transcript is read back from its text and replays to
// the same state; a text cut short is refused.
func (s *suite) transcripts() error {
	for _, g := range []engine.Game{s.plain, s.explicit, s.shown} {
		t := &engine.Transcript{}
		err := s.walk(g, func(p point) error {
			if p.m.Seat() != engine.Over {
				t.Record(p.m, p.next)
				return nil
			}
			t.Game, t.Seed = g.Info().Config, p.seed
			t.Returns = make([]float32, g.Info().Seats)
			p.m.Returns(t.Returns)
			var text bytes.Buffer
			if err := t.Write(&text, nil); err != nil {
				return err
			}
			back, err := engine.ReadTranscript(bytes.NewReader(text.Bytes()))
			if err != nil {
				return fmt.Errorf("%w\n%s", err, text.String())
			}
			m, err := back.Replay(nil)
			if err != nil {
				return err
			}
			if err := same(p.m, m); err != nil {
				return fmt.Errorf("a match and the replay of its transcript: %w", err)
			}
			body := strings.TrimSuffix(text.String(), "\n")
			short := body[:strings.LastIndex(body, "\n")+1]
			if _, err := engine.ReadTranscript(strings.NewReader(short)); err == nil {
				return errors.New("a transcript without its last line is accepted")
			}
			*t = engine.Transcript{}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
