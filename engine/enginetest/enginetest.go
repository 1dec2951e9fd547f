// Package enginetest is the conformance suite that every game must pass, and
// the tools that tests of games share.
//
//	func TestConformance(t *testing.T) {
//		enginetest.Flat[leduc.State](t)
//		enginetest.Run(t, "leduc", enginetest.Options{Seeds: 50})
//	}
//
// [Run] checks what must never break, whatever the rules of a game: same seed
// and actions, same match; no seat sees what it may not; what is accepted is
// legal and what is illegal changes nothing; every match ends. [Clauses] ties
// the numbered clauses of a RULES.md to tests, and [Golden] compares playthroughs
// with files.
package enginetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// Options adapts Run to a game.
type Options struct {
	// Seeds is the number of matches that each check plays at random; 20 if 0.
	Seeds int
	// Every is the interval, in decisions, at which the expensive checks
	// look at a match, at a different offset in each match; 0 means every decision.
	Every int
	// Mutations is how many changed versions, and how many damaged ones, of each position looked at are
	// tried; 20 if 0.
	Mutations int
	// Observe, if not nil, is an encoder: what seat may know of m as bytes.
	// It must obey the same rules as the views of a position.
	Observe func(m engine.Match, seat int) []byte
	// Conserve returns what is wrong with a state: cards lost, points from
	// nowhere. It may be nil in games so small that all states that matches reach are listed.
	Conserve func(m engine.Match) error
	// NonZeroSum: the returns of a match need not sum to 0.
	NonZeroSum bool
}

// checks are run in this order, each as a subtest of its name.
var checks = []struct {
	name string
	run  func(*suite) error
}{
	{"names parse back", (*suite).names},
	{"matches end by the rules", (*suite).ends},
	{"same seed and actions give the same match", (*suite).deterministic},
	{"copies are equal and independent", (*suite).copies},
	{"illegal actions are refused and change nothing", (*suite).illegal},
	{"positions round-trip", (*suite).positions},
	{"the schema names the parts of a position", (*suite).schema},
	{"positions heed every value", (*suite).heeded},
	{"damaged positions are refused or playable", (*suite).damaged},
	{"transcripts replay", (*suite).transcripts},
	{"redeal keeps what a seat knows", (*suite).redeal},
	{"matches that a seat cannot tell apart stay alike", (*suite).alike},
	{"redeals are as likely as what chance deals", (*suite).posterior},
	{"explicit chance is sampled chance", (*suite).chance},
	{"sampling follows the probabilities", (*suite).frequencies},
	{"forced moves skipped or shown lead to the same end", (*suite).forced},
	{"a match allocates nothing", (*suite).allocations},
}

// Run checks everything that must hold of any game, for the game that a
// game string names.
func Run(t *testing.T, game string, opt Options) {
	t.Helper()
	s, err := newSuite(game, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(s); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// suite is one game under test.
type suite struct {
	plain    engine.Game // as given
	explicit engine.Game // with chance=explicit
	shown    engine.Game // with forced=show
	prompts  *prompt.Prompter
	reached  map[string]bool // all states of matches, see state; nil if they are too many
	opt      Options
}

func newSuite(game string, opt Options) (*suite, error) {
	s := &suite{opt: opt}
	if s.opt.Seeds == 0 {
		s.opt.Seeds = 20
	}
	if s.opt.Every == 0 {
		s.opt.Every = 1
	}
	if s.opt.Mutations == 0 {
		s.opt.Mutations = 20
	}
	for _, v := range []struct {
		game          *engine.Game
		chance, force string
	}{
		{&s.plain, "sampled", "skip"},
		{&s.explicit, "explicit", "skip"},
		{&s.shown, "sampled", "show"},
	} {
		var err error
		if *v.game, err = engine.NewGameWith(game, "chance", v.chance, "forced", v.force); err != nil {
			return nil, err
		}
	}
	var err error
	s.prompts, err = prompt.New(s.plain, 0)
	return s, err
}

// point is a moment of a random match: before a decision or a chance event, or
// at the end.
type point struct {
	m         engine.Match
	seed      uint64
	n         int           // decisions of players before this one
	next      engine.Action // what is about to be applied; −1 at the end
	rand      *engine.Rand  // for random choices of a check
	expensive bool          // the expensive checks look here
}

// walk plays matches of g at random and shows every point of them to visit. It
// fails on a match that takes too many decisions.
func (s *suite) walk(g engine.Game, visit func(p point) error) error {
	for seed := range uint64(s.opt.Seeds) {
		m := g.NewMatch()
		m.Reset(seed)
		play, own := choices(seed), choices(seed+1<<32)
		n := 0
		for step := 0; ; step++ {
			next := choose(m, &play)
			err := visit(point{m, seed, n, next, &own, s.expensive(seed, step, m)})
			if err == nil && m.Seat() == engine.Over {
				break
			}
			if err == nil && m.Seat() >= 0 {
				if n++; n > g.Info().MaxDecisions {
					err = fmt.Errorf("the match is not over after %d decisions, the most it may take", g.Info().MaxDecisions)
				}
			}
			if err == nil {
				err = m.Apply(next)
			}
			if err != nil {
				return fmt.Errorf("%s, seed %d, step %d (%s): %w", g.Info().Config, seed, step, m.Decision(), err)
			}
		}
	}
	return nil
}

// expensive reports whether the expensive checks look at a step of the match of a seed.
func (s *suite) expensive(seed uint64, step int, m engine.Match) bool {
	return (uint64(step)+seed)%uint64(s.opt.Every) == 0 || m.Seat() == engine.Over
}

// choices is the generator of a random match's choices, apart from the match's.
func choices(seed uint64) engine.Rand { return engine.NewRand(seed).At(1) }

// choose picks at random among what may happen, ignoring the
// probabilities of chance: rare events must be met too. If nothing may happen
// it is −1, which no match accepts.
func choose(m engine.Match, r *engine.Rand) engine.Action {
	if all := m.Outcomes(nil); len(all) > 0 {
		return all[r.Intn(len(all))].Action
	}
	if m.Legal().Count() > 0 {
		return m.Legal().Sample(r)
	}
	return -1
}

// finish plays m to its end at random. Invariants are checked on the way: at every step at first, where what has been
// done to the match shows, then now and then, and at the end, for whole matches are checked elsewhere.
func (s *suite) finish(m engine.Match, r *engine.Rand) error {
	const first, then = 30, 7
	for n, step := 0, 0; m.Seat() != engine.Over; step++ {
		if m.Seat() >= 0 {
			n++
		}
		if n > m.Info().MaxDecisions {
			return fmt.Errorf("no end after %d decisions", m.Info().MaxDecisions)
		}
		if err := m.Apply(choose(m, r)); err != nil {
			return err
		}
		if step >= first && step%then != 0 && m.Seat() != engine.Over {
			continue
		}
		if err := s.conserve(m); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) conserve(m engine.Match) error {
	if s.opt.Conserve == nil {
		return nil
	}
	if err := s.opt.Conserve(m); err != nil {
		return fmt.Errorf("invariant: %w", err)
	}
	return nil
}

// views is everything that each seat may know of m, to compare matches by.
func (s *suite) views(m engine.Match) ([]string, error) {
	var all []string
	for seat := range m.Info().Seats {
		v, err := s.view(m, seat)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// view is everything that one seat may know of m.
func (s *suite) view(m engine.Match, seat int) (string, error) {
	p, err := m.Position(seat)
	if err != nil {
		return "", err
	}
	v := fmt.Sprintf("position for %s: %s\nrender:\n%s\noutline:\n%s\nto act: %s\n", engine.SeatName(seat), p, m.Render(seat), engine.Outline(m, seat), engine.SeatName(m.Seat()))
	if picture, err := engine.Picture(m, seat); err == nil {
		v += "picture:\n" + picture
	}
	if m.Seat() == seat {
		v += fmt.Sprintf("decision: %s\nlegal: %x\nprompt:\n%s\n", m.Decision(), *m.Legal(), s.prompts.Write(m, nil, ""))
	}
	returns, scores := make([]float32, m.Info().Seats), make([]int32, len(m.Info().ScoreSources))
	m.Returns(returns)
	v += fmt.Sprintf("returns: %v\n", returns)
	for other := range returns {
		m.Scores(seat, other, scores)
		v += fmt.Sprintf("score of seat %d: %d\n", other, scores)
	}
	if s.opt.Observe != nil {
		v += fmt.Sprintf("observation: %x\n", s.opt.Observe(m, seat))
	}
	return v, nil
}

// same compares two matches that should be equal in every respect.
func same(a, b engine.Match) error {
	switch {
	case !a.Equal(b) || !b.Equal(a):
		return errors.New("Equal says that they differ")
	case string(a.Bytes()) != string(b.Bytes()):
		return errors.New("Bytes differ though the states are equal: does the state have padding?")
	case a.Seat() != b.Seat():
		return fmt.Errorf("%s and %s are to act", engine.SeatName(a.Seat()), engine.SeatName(b.Seat()))
	case *a.Legal() != *b.Legal():
		return errors.New("the legal actions differ")
	}
	return nil
}
