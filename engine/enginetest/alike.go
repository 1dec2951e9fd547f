package enginetest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

const (
	mostPairs = 600 // with forced moves skipped, and as many with forced moves shown
	looked    = 4   // one of this number is looked at in every way
)

// alike: pairs of matches that a seat cannot tell apart by their positions stay alike to it. It is told the same of what has been done since the
// pair before, and a redeal by equal generators makes them the same match, bit for bit: nothing but what the seat knows has a say in it. Nor can it tell
// them apart by anything else that it is shown: pictures in words and lines, the question and the legal actions, returns and
// scores, the observation, how much it sees of the choices of others.
func (s *suite) alike() error {
	for _, forced := range []string{"skip", "show"} {
		g, err := engine.NewGameWith(s.explicit.Info().Config, "forced", forced)
		if err != nil {
			return err
		}
		n := 0
		for p := range (Twins{Game: g, Seed: 1, Grow: 10}).All() {
			err := Told(p)
			if err == nil {
				err = redealtAlike(p)
			}
			if err == nil && n%looked == 0 {
				err = s.looksAlike(p)
			}
			if err != nil {
				return fmt.Errorf("%v: %w", p, err)
			}
			if n++; n == mostPairs {
				break
			}
		}
	}
	return nil
}

func (s *suite) looksAlike(p *Pair) error {
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
}

// Told says what is wrong if the seat of a pair that was played on is not told the same in both.
func Told(p *Pair) error {
	if p.WasA == nil || engine.Listen(p.A) == nil {
		return nil
	}
	if a, b := tale(p.A, p.Seat), tale(p.B, p.Seat); a != b {
		return fmt.Errorf("what the seat is told depends on what it cannot know: %s", firstDifference(a, b))
	}
	return nil
}

// tale is what a seat sees of what has happened in a match that was listened to, and how it is told.
func tale(m engine.Match, seat int) string {
	var text strings.Builder
	events := engine.Listen(m).Since(0)
	for _, e := range events {
		if seen := engine.EventSeen(m, e, seat); seen != nil {
			data, err := json.Marshal(seen)
			fmt.Fprintln(&text, string(data), err)
		}
	}
	return text.String() + strings.Join(engine.Tell(m, events, seat), "\n")
}

func redealtAlike(p *Pair) error {
	a, b := p.Redealt()
	if same(a, b) == nil {
		return nil
	}
	changes, err := engine.Changes(seenPosition(a, engine.Full), seenPosition(b, engine.Full))
	if err != nil {
		return err
	}
	return fmt.Errorf("two matches that the seat cannot tell apart are dealt anew, from equal generators, to different ones: %v", changes[:min(6, len(changes))])
}
