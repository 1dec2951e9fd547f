package enginetest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// names: the name of every action and outcome parses back to it, and to no
// other.
func (s *suite) names() error {
	info := s.plain.Info()
	seen := map[string]bool{}
	for i := range len(info.Actions) + len(info.Outcomes) {
		a := engine.Action(i)
		name := info.ActionName(a)
		if seen[name] {
			return fmt.Errorf("the name %q is used twice", name)
		}
		seen[name] = true
		if back, err := info.ParseAction(name); err != nil || back != a {
			return fmt.Errorf("action %d is named %q, which parses to %d (%v)", a, name, back, err)
		}
	}
	for _, bad := range []string{"", "no such action", info.ActionName(-1), info.ActionName(engine.MaxActions)} {
		if a, err := info.ParseAction(bad); err == nil {
			return fmt.Errorf("the name %q parses to %d", bad, a)
		}
	}
	again, err := engine.NewGame(info.Config)
	if err != nil {
		return fmt.Errorf("the canonical game string: %w", err)
	}
	if again.Info().Config != info.Config {
		return fmt.Errorf("the canonical game string %q makes the game %q", info.Config, again.Info().Config)
	}
	return nil
}

// ends: random matches end within Info.MaxDecisions, asking the right seats for
// possible actions on the way, with returns as promised.
func (s *suite) ends() error {
	for _, g := range []engine.Game{s.plain, s.shown, s.explicit} {
		if err := s.walk(g, func(p point) error { return s.sound(p.m, p.rand) }); err != nil {
			return err
		}
	}
	return nil
}

// sound checks what must hold of any state, of which one view is drawn from r to be rendered.
func (s *suite) sound(m engine.Match, r *engine.Rand) error {
	info := m.Info()
	seat, legal := m.Seat(), m.Legal()
	switch {
	case seat < engine.Over || seat >= info.Seats:
		return fmt.Errorf("seat %d is to act, of %d", seat, info.Seats)
	case seat == engine.Chance && !info.Explicit:
		return errors.New("chance is asked for although chance=sampled")
	case seat < 0 && legal.Count() != 0:
		return fmt.Errorf("%d legal actions for %s", legal.Count(), engine.SeatName(seat))
	case seat >= 0 && legal.Count() == 0:
		return fmt.Errorf("no legal action for seat %d", seat)
	case seat >= 0 && legal.Count() == 1 && !info.ShowForced:
		return fmt.Errorf("seat %d is asked for a forced move, %s", seat, info.ActionName(legal.First()))
	case m.Decision() == "":
		return errors.New("the decision has no description")
	}
	limit, next := m.Truncated()
	switch {
	case limit == "" && next != engine.Over:
		return fmt.Errorf("no limit has ended the match, but seat %d would be next", next)
	case limit != "" && (seat != engine.Over || next < 0 || next >= info.Seats):
		return fmt.Errorf("%s has ended the match: %s is to act and seat %d would be next", limit, engine.SeatName(seat), next)
	}
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if int(a) >= len(info.Actions) {
			return fmt.Errorf("legal action %d: there are %d", a, len(info.Actions))
		}
	}
	if view := engine.Full + r.Intn(info.Seats+1); m.Render(view) == "" {
		return fmt.Errorf("nothing is rendered for view %d", view)
	}
	scores := make([]int32, len(info.ScoreSources))
	for seat := range info.Seats {
		m.Scores(engine.Full, seat, scores)
	}

	returns := make([]float32, info.Seats)
	for i := range returns {
		returns[i] = float32(math.NaN()) // Returns must write all of them
	}
	m.Returns(returns)
	var sum float64
	for seat, r := range returns {
		if !(r >= -1 && r <= 1) {
			return fmt.Errorf("seat %d has the return %v, not in [-1, 1]", seat, r)
		}
		if r != 0 && (m.Seat() != engine.Over || limit != "") && !info.PaysEarly {
			return fmt.Errorf("seat %d has the return %v before the end: the game must say PaysEarly", seat, r)
		}
		sum += float64(r)
	}
	if !s.opt.NonZeroSum && math.Abs(sum) > 1e-5 {
		return fmt.Errorf("the returns %v sum to %v, not 0", returns, sum)
	}
	return s.conserve(m)
}

// deterministic: a match that was used before, one of several side by side,
// follows step by step.
func (s *suite) deterministic() error {
	row := s.plain.NewMatches(3)
	twin := row[1]
	var atStart []byte
	return s.walk(s.plain, func(p point) error {
		if p.n == 0 {
			row[0].Reset(p.seed + 1)
			row[2].CopyFrom(row[0])
			atStart = bytes.Clone(row[0].Bytes())
			twin.Reset(p.seed)
		}
		if err := same(p.m, twin); err != nil {
			return fmt.Errorf("the match and its replay: %w", err)
		}
		if p.expensive {
			a, err := s.everything(p.m)
			if err != nil {
				return err
			}
			b, err := s.everything(twin)
			if err != nil {
				return err
			}
			if a != b {
				return fmt.Errorf("equal matches look different: %s", firstDifference(a, b))
			}
		}
		if p.m.Seat() == engine.Over {
			if !bytes.Equal(row[0].Bytes(), atStart) || !bytes.Equal(row[2].Bytes(), atStart) {
				return errors.New("playing one of several matches changed its neighbours")
			}
			return nil
		}
		return twin.Apply(p.next)
	})
}

// everything is all that can be read of a match.
func (s *suite) everything(m engine.Match) (string, error) {
	full, err := m.Position(engine.Full)
	if err != nil {
		return "", err
	}
	views, err := s.views(m)
	return string(full) + m.Render(engine.Full) + m.Decision() + strings.Join(views, ""), err
}

// copies: what is done to a copy does not show in the original, and a copy and
// a snapshot continue as the original does.
func (s *suite) copies() error {
	return s.walk(s.plain, func(p point) error {
		if !p.expensive {
			return nil
		}
		before := bytes.Clone(p.m.Bytes())
		seat, legal := p.m.Seat(), *p.m.Legal()
		copied, restored := s.plain.NewMatch(), s.plain.NewMatch()
		copied.CopyFrom(p.m)
		if err := same(p.m, copied); err != nil {
			return fmt.Errorf("a copy: %w", err)
		}
		if err := restored.SetBytes(before); err != nil {
			return err
		}
		if err := same(p.m, restored); err != nil {
			return fmt.Errorf("a match from Bytes: %w", err)
		}
		if restored.SetBytes(before[1:]) == nil {
			return errors.New("SetBytes accepts a state of the wrong size")
		}
		r1 := p.rand.Split()
		r2 := r1
		if err := s.finish(copied, &r1); err != nil {
			return fmt.Errorf("play a copy to the end: %w", err)
		}
		if err := s.finish(restored, &r2); err != nil {
			return fmt.Errorf("play a match from Bytes to the end: %w", err)
		}
		if err := same(copied, restored); err != nil {
			return fmt.Errorf("a copy and a match from Bytes, played on alike: %w", err)
		}
		if !bytes.Equal(before, p.m.Bytes()) || seat != p.m.Seat() || legal != *p.m.Legal() {
			return errors.New("playing a copy changed the original")
		}
		if p.m.Seat() >= 0 && copied.Equal(p.m) {
			return errors.New("Equal does not tell a finished match from this one")
		}
		return nil
	})
}

// illegal: an illegal action is an *IllegalActionError and changes nothing,
// also after the end.
func (s *suite) illegal() error {
	info := s.explicit.Info()
	return s.walk(s.explicit, func(p point) error {
		if !p.expensive {
			return nil
		}
		possible := map[engine.Action]bool{}
		for _, o := range p.m.Outcomes(nil) {
			possible[o.Action] = true
		}
		tries := []engine.Action{-1, engine.Over, math.MinInt32, engine.MaxActions, math.MaxInt32}
		for a := range engine.Action(len(info.Actions) + len(info.Outcomes)) {
			tries = append(tries, a)
		}
		before := bytes.Clone(p.m.Bytes())
		seat, legal := p.m.Seat(), *p.m.Legal()
		for _, a := range tries {
			if legal.Has(a) || possible[a] {
				continue
			}
			err := p.m.Apply(a)
			var refused *engine.IllegalActionError
			switch {
			case err == nil:
				return fmt.Errorf("the illegal action %s (%d) is accepted", info.ActionName(a), a)
			case !errors.As(err, &refused) || refused.Seat != seat || refused.Action != info.ActionName(a) || refused.Why == "":
				return fmt.Errorf("the illegal action %s of %s gives the error %#v: want an IllegalActionError that names both and says why", info.ActionName(a), engine.SeatName(seat), err)
			case !bytes.Equal(before, p.m.Bytes()) || seat != p.m.Seat() || legal != *p.m.Legal():
				return fmt.Errorf("the illegal action %s (%d) changed the match", info.ActionName(a), a)
			}
		}
		return nil
	})
}

// forced: with forced=show a match asks for forced moves too, and is otherwise
// the same.
func (s *suite) forced() error {
	skipping := s.plain.NewMatch()
	return s.walk(s.shown, func(p point) error {
		if p.n == 0 {
			skipping.Reset(p.seed)
		}
		if p.m.Seat() >= 0 && p.m.Legal().Count() == 1 {
			return nil
		}
		if err := same(p.m, skipping); err != nil {
			return fmt.Errorf("forced=show and forced=skip: %w", err)
		}
		if p.m.Seat() == engine.Over {
			return nil
		}
		return skipping.Apply(p.next)
	})
}

// allocations: once made, a match is dealt and played without allocating, and so is one that is listened to, once its log has room.
func (s *suite) allocations() error {
	silent, heard := s.plain.NewMatch(), s.plain.NewMatch()
	engine.Listen(heard)
	if err := s.allocates(silent); err != nil {
		return err
	}
	if err := s.allocates(heard); err != nil {
		return fmt.Errorf("listened to: %w", err)
	}
	return nil
}

func (s *suite) allocates(m engine.Match) error {
	for seed := range uint64(min(s.opt.Seeds, 5)) {
		var actions []engine.Action
		r := choices(seed)
		for m.Reset(seed); m.Seat() != engine.Over; {
			a := choose(m, &r)
			actions = append(actions, a)
			if err := m.Apply(a); err != nil {
				return err
			}
		}
		returns := make([]float32, m.Info().Seats)
		n := testing.AllocsPerRun(5, func() {
			m.Reset(seed)
			for _, a := range actions {
				if m.Apply(a) != nil {
					return
				}
			}
			m.Returns(returns)
		})
		if n != 0 {
			return fmt.Errorf("%s, seed %d: %v allocations a match of %d decisions: want none", m.Info().Config, seed, n, len(actions))
		}
	}
	return nil
}

// Flat fails the test if S is not a flat value without padding, which is
// what a match state must be: padding has no defined content, so that equal states
// would have different Bytes.
func Flat[S comparable](t testing.TB) {
	t.Helper()
	typ := reflect.TypeFor[S]()
	for _, fault := range notFlat(typ.Name(), typ) {
		t.Error(fault)
	}
}

func notFlat(path string, typ reflect.Type) []string {
	var faults []string
	switch typ.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		faults = append(faults, fmt.Sprintf("%s: the size of %s depends on the machine", path, typ))
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		faults = append(faults, fmt.Sprintf("%s: a %s is not equal to itself where it is NaN", path, typ))
	case reflect.Array:
		faults = notFlat(path+"[]", typ.Elem())
	case reflect.Struct:
		var end uintptr
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Offset != end {
				faults = append(faults, fmt.Sprintf("%s: %d bytes of padding before %s", path, f.Offset-end, f.Name))
			}
			if f.Name == "_" {
				faults = append(faults, fmt.Sprintf("%s: a blank field is padding: == ignores it", path))
			}
			end = f.Offset + f.Type.Size()
			faults = append(faults, notFlat(path+"."+f.Name, f.Type)...)
		}
		if end != typ.Size() {
			faults = append(faults, fmt.Sprintf("%s: %d bytes of padding at the end", path, typ.Size()-end))
		}
	default:
		faults = append(faults, fmt.Sprintf("%s: a %s is not part of a flat value", path, typ))
	}
	return faults
}
