package enginetest

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Checks of pairs of matches that a seat cannot tell apart.

// pairs hands so many pairs of twins to a check, with forced moves skipped and as many with forced moves shown.
func (s *suite) pairs(left int, check func(p *Pair) error) error {
	for _, forced := range []string{"skip", "show"} {
		g, err := engine.NewGameWith(s.explicit.Info().Config, "forced", forced)
		if err != nil {
			return err
		}
		left := left
		for p := range (Twins{Game: g, Seed: 1, Grow: 10}).All() {
			if err := check(p); err != nil {
				return fmt.Errorf("%v: %w", p, err)
			}
			if left--; left == 0 {
				break
			}
		}
	}
	return nil
}

// alike: matches that a seat cannot tell apart by their positions, it cannot tell apart by anything else that it is shown: the picture in
// words and lines, what is asked and what is legal, returns and scores, the observation, how much it sees of what others choose.
func (s *suite) alike() error {
	return s.pairs(300, func(p *Pair) error {
		a, err := s.view(p.A, p.Seat)
		if err != nil {
			return err
		}
		b, err := s.view(p.B, p.Seat)
		if err != nil {
			return err
		}
		if a != b {
			return fmt.Errorf("what the seat cannot know changes what it sees: %s", firstDifference(a, b))
		}
		for _, x := range options(p.A) {
			if p.B.Legal().Has(x) && p.A.Sight(p.Seat, x) != p.B.Sight(p.Seat, x) {
				return fmt.Errorf("what the seat cannot know changes how much it sees of %s", p.A.Info().ActionName(x))
			}
		}
		return nil
	})
}

// told: of two matches in which the same was done as far as a seat sees, it is told the same, from moment to moment that it sees.
func (s *suite) told() error {
	return s.pairs(2000, func(p *Pair) error {
		if p.WasA == nil {
			return nil
		}
		a, ok := engine.Tell(p.WasA, p.A, p.Seat)
		if !ok {
			return nil
		}
		b, _ := engine.Tell(p.WasB, p.B, p.Seat)
		if a, b := strings.Join(a, "\n"), strings.Join(b, "\n"); a != b {
			return fmt.Errorf("what the seat is told depends on what it cannot know: %s", firstDifference(a, b))
		}
		return nil
	})
}

// redealtAlike: matches that a seat cannot tell apart are dealt anew to the same match, bit for bit, by the same generator: nothing but what the seat
// knows has a say in it.
func (s *suite) redealtAlike() error {
	return s.pairs(2000, func(p *Pair) error {
		a, b := p.Redealt()
		if same(a, b) == nil {
			return nil
		}
		changes, err := engine.Changes(position(a, engine.Full), position(b, engine.Full))
		if err != nil {
			return err
		}
		return fmt.Errorf("two matches that the seat cannot tell apart are dealt anew, from equal generators, to different ones: %v", changes[:min(6, len(changes))])
	})
}
