package enginetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// redeal: after Redeal(seat) everything that the seat may know is unchanged,
// bit for bit: what a seat sees cannot depend on what it must not know. The
// match stays sound and can be played to its end, and what is hidden does change, unless the seat sees all there is. While the seat does not see
// that another is asked, the match may continue first: then what it sees is the same as long as it is asked nothing itself and chance does not decide.
func (s *suite) redeal() error {
	changed := make([]bool, s.plain.Info().Seats)
	hidden := make([]string, len(changed)) // something that the seat does not see
	chance := len(s.plain.Info().Outcomes) > 0
	m, again, back := s.explicit.NewMatch(), s.explicit.NewMatch(), s.explicit.NewMatch()
	err := s.walk(s.explicit, func(p point) error {
		if !p.expensive {
			return nil
		}
		all, err := s.views(p.m)
		if err != nil {
			return err
		}
		for seat, before := range all {
			r := p.rand.Split()
			r2 := r
			m.CopyFrom(p.m)
			m.Redeal(seat, &r)
			again.CopyFrom(p.m)
			again.Redeal(seat, &r2)
			if err := same(m, again); err != nil {
				return fmt.Errorf("two redeals for seat %d from equal generators: %w", seat, err)
			}
			after, err := s.view(m, seat)
			if err != nil {
				return err
			}
			veiled := engine.Veiled(p.m, seat)
			if veiled && m.Seat() >= 0 && m.Seat() != seat { // all but the seat to act
				before, after = string(seenPosition(p.m, seat))+p.m.Render(seat), string(seenPosition(m, seat))+m.Render(seat)
			} else if veiled {
				before, after = "", ""
			}
			if after != before {
				return fmt.Errorf("a redeal of what seat %d cannot know changes what it sees: %s", seat, firstDifference(before, after))
			}
			if was, is := p.m.Sight(seat, p.next), m.Sight(seat, p.next); was != is && !veiled {
				return fmt.Errorf("a redeal for seat %d changes how much it sees of the next choice from %d to %d", seat, was, is)
			}
			if m.Seat() != p.m.Seat() && !veiled {
				return fmt.Errorf("a redeal for seat %d changes who is to act from %s to %s", seat, engine.SeatName(p.m.Seat()), engine.SeatName(m.Seat()))
			}
			if chance && m.Seat() != engine.Over && bytes.Equal(m.Bytes(), p.m.Bytes()) {
				return fmt.Errorf("a redeal for seat %d changes nothing, not even the match's generator, whose draws it could foresee", seat)
			}
			for other := 0; !changed[seat] && other < len(all); other++ {
				v, err := s.view(m, other)
				if err != nil {
					return err
				}
				changed[seat] = v != all[other]
			}
			if hidden[seat] == "" && !changed[seat] {
				if hidden[seat], err = unseen(p.m, again, seat, &r); err != nil {
					return err
				}
			}
			if err := s.conserve(m); err != nil {
				return fmt.Errorf("after a redeal for seat %d: %w", seat, err)
			}
			if err := roundTrip(m, back); err != nil {
				return fmt.Errorf("after a redeal for seat %d: %w", seat, err)
			}
			if err := s.finish(m, p.rand); err != nil {
				return fmt.Errorf("play to the end after a redeal for seat %d: %w", seat, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for seat, part := range hidden {
		if part != "" && !changed[seat] {
			return fmt.Errorf("no redeal for seat %d ever changed what the others see: is nothing hidden redealt? It does not see all of %q", seat, part)
		}
	}
	return nil
}

// unseen names a part of the position that a seat does not see as it is, apart from the match's generator; "" if it sees all.
func unseen(m, room engine.Match, seat int, r *engine.Rand) (string, error) {
	room.CopyFrom(m)
	room.Redeal(engine.Full, r)
	var whole, redrawn, seen map[string]json.RawMessage
	for of, text := range map[*map[string]json.RawMessage][]byte{&whole: seenPosition(m, engine.Full), &redrawn: seenPosition(room, engine.Full), &seen: seenPosition(m, seat)} {
		if err := json.Unmarshal(text, of); err != nil {
			return "", fmt.Errorf("the position is not a JSON object: %w\n%s", err, text)
		}
	}
	for _, part := range slices.Sorted(maps.Keys(whole)) {
		if bytes.Equal(whole[part], redrawn[part]) && !bytes.Equal(whole[part], seen[part]) {
			return part, nil
		}
	}
	return "", nil
}

// chance: with chance=explicit and outcomes drawn from the match's own
// generator, a match is the sampled one; with the same outcomes chosen by the
// caller, it is the same except for the generator.
func (s *suite) chance() error {
	sampled, chosen := s.plain.NewMatch(), s.explicit.NewMatch()
	for seed := range uint64(s.opt.Seeds) {
		drawn := s.explicit.NewMatch()
		for _, m := range []engine.Match{sampled, drawn, chosen} {
			m.Reset(seed)
		}
		r := choices(seed)
		for step := 0; ; step++ {
			at := fmt.Sprintf("%s, seed %d, step %d (%s)", drawn.Info().Config, seed, step, drawn.Decision())
			a := engine.Action(-1)
			switch drawn.Seat() {
			case engine.Chance:
				if err := distribution(drawn); err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
				a = drawn.SampleChance()
			default:
				if err := same(sampled, drawn); err != nil {
					return fmt.Errorf("%s: the sampled match and the one fed the same outcomes: %w", at, err)
				}
				if s.expensive(seed, step, drawn) {
					if err := s.sameViews(sampled, chosen); err != nil {
						return fmt.Errorf("%s: the sampled match and one whose outcomes were chosen: %w", at, err)
					}
				}
				if drawn.Seat() == engine.Over {
					break
				}
				a = choose(drawn, &r)
				if err := sampled.Apply(a); err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
			}
			if drawn.Seat() == engine.Over {
				break
			}
			for _, m := range []engine.Match{drawn, chosen} {
				if err := m.Apply(a); err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
			}
		}
	}
	return nil
}

// sameViews compares what seats see of two matches.
func (s *suite) sameViews(a, b engine.Match) error {
	for seat := range a.Info().Seats {
		v1, err := s.view(a, seat)
		if err != nil {
			return err
		}
		v2, err := s.view(b, seat)
		if err != nil {
			return err
		}
		if v1 != v2 {
			return errors.New(firstDifference(v1, v2))
		}
	}
	return nil
}

// distribution checks that the outcomes of a chance event are a distribution.
func distribution(m engine.Match) error {
	info := m.Info()
	mark := engine.Outcome{Action: -7}
	all := m.Outcomes([]engine.Outcome{mark})
	if len(all) < 2 || all[0] != mark {
		return fmt.Errorf("outcomes are %v: want one at least, appended", all)
	}
	var sum float64
	seen := map[engine.Action]bool{}
	for _, o := range all[1:] {
		i := int(o.Action) - len(info.Actions)
		switch {
		case i < 0 || i >= len(info.Outcomes):
			return fmt.Errorf("outcome %d is not among the game's %d outcomes, which follow its %d actions", o.Action, len(info.Outcomes), len(info.Actions))
		case seen[o.Action]:
			return fmt.Errorf("the outcome %s is listed twice", info.ActionName(o.Action))
		case !(o.Prob > 0 && o.Prob <= 1):
			return fmt.Errorf("the outcome %s has the probability %v", info.ActionName(o.Action), o.Prob)
		}
		seen[o.Action] = true
		sum += o.Prob
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the probabilities of the outcomes sum to %v", sum)
	}
	return nil
}

// frequencies: drawn many times, the outcomes of a chance event come as often
// as their probabilities say. Events are told apart by their description, and each is
// checked once. Seeds are fixed, so that the result of the test is always the same.
func (s *suite) frequencies() error {
	const (
		draws  = 2000
		events = 200 // at most, for games whose descriptions never end
	)
	looked := map[string]bool{}
	m := s.explicit.NewMatch()
	return s.walk(s.explicit, func(p point) error {
		if p.m.Seat() != engine.Chance || looked[p.m.Decision()] || len(looked) == events {
			return nil
		}
		looked[p.m.Decision()] = true
		m.CopyFrom(p.m)
		count := map[engine.Action]int{}
		for range draws {
			count[m.SampleChance()]++
		}
		if err := s.sameViews(p.m, m); err != nil {
			return fmt.Errorf("drawing without applying changes the match: %w", err)
		}
		outcomes := p.m.Outcomes(nil)
		if !slices.Equal(outcomes, m.Outcomes(nil)) {
			return errors.New("drawing without applying changes the outcomes")
		}
		total := 0
		for _, o := range outcomes {
			want := float64(draws * o.Prob)
			// Five standard deviations, and one more for rare events.
			if diff := math.Abs(float64(count[o.Action]) - want); diff > float64(5*math.Sqrt(float64(want*(1-o.Prob))))+1 {
				return fmt.Errorf("the outcome %s came %d times in %d draws: want about %.0f", m.Info().ActionName(o.Action), count[o.Action], draws, want)
			}
			total += count[o.Action]
		}
		if total != draws {
			return fmt.Errorf("%d of %d draws are not among the outcomes", draws-total, draws)
		}
		return nil
	})
}

// firstDifference shows where two texts differ.
func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < len(la) && i < len(lb) && la[i] == lb[i] {
		i++
	}
	line := func(l []string) string {
		if i < len(l) {
			return l[i]
		}
		return "(the end)"
	}
	from := max(0, i-3)
	return fmt.Sprintf("line %d: %q against %q, after\n%s", i+1, line(la), line(lb), strings.Join(la[from:i], "\n"))
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
