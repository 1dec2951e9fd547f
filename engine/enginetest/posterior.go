package enginetest

import (
	"fmt"
	"math"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

const (
	mostDecisions = 50     // of matches that are all looked at, …
	mostMoments   = 20_000 // … and moments, or states
	redeals       = 400    // of what a seat may know
	knownLooks    = 1_000  // at what seats may know, spread over all of it
)

// posterior: a seat is dealt each match that may be as often as chance makes it, given what the seat knows. It is checked
// in games that are small enough for all their matches to be listed, until somebody chooses in secret: how rivals choose
// is no matter of probability.
func (s *suite) posterior() error {
	w := worlds{game: s.explicit, room: s.explicit.NewMatch(), match: map[string]int{}}
	m := s.explicit.NewMatch()
	if m.Reset(0); m.Info().MaxDecisions > mostDecisions {
		return nil
	}
	if err := w.list(m, 1); err != nil || w.moments > mostMoments {
		return err
	}
	r := choices(0)
	world := s.explicit.NewMatch()
	for n := range w.known {
		if n%(1+len(w.known)/knownLooks) > 0 {
			continue
		}
		if err := w.known[n].check(world, &r); err != nil {
			return fmt.Errorf("%s: %w", s.explicit.Info().Config, err)
		}
	}
	return nil
}

// worlds are all that seats may know of a match, and for each of it the matches that may be.
type worlds struct {
	game    engine.Game
	room    engine.Match
	moments int
	match   map[string]int // index of known by what is known
	known   []known
}

// known is the knowledge of a seat.
type known struct {
	seat  int
	m     engine.Match // one of those that may be
	view  string
	total float64
	share map[string]float64 // of total, by the state
}

// list lists what may come of a match that has come with a probability.
func (w *worlds) list(m engine.Match, prob float64) error {
	if w.moments++; w.moments > mostMoments {
		return nil
	}
	for seat := range m.Info().Seats {
		view, err := m.Position(seat)
		if err != nil {
			return err
		}
		w.add(m, seat, string(view), prob)
	}
	chance := map[engine.Action]float64{}
	for _, o := range m.Outcomes(nil) {
		chance[o.Action] = o.Prob
	}
	next := w.game.NewMatch()
	for _, a := range options(m) {
		p, random := chance[a]
		if !random {
			p = 1
		}
		if !random && secret(m, a) {
			continue
		}
		next.CopyFrom(m)
		if err := next.Apply(a); err != nil {
			return err
		}
		if err := w.list(next, float64(prob*p)); err != nil {
			return err
		}
	}
	return nil
}

// secret reports whether a choice is not open to all.
func secret(m engine.Match, a engine.Action) bool {
	for seat := range m.Info().Seats {
		if m.Sight(seat, a) != engine.Open {
			return true
		}
	}
	return false
}

// add has a match be one of those that may be, to a seat that sees it so.
func (w *worlds) add(m engine.Match, seat int, view string, prob float64) {
	key := fmt.Sprint(seat, m.Seat(), view)
	i, met := w.match[key]
	if !met {
		i = len(w.known)
		w.match[key] = i
		one := w.game.NewMatch()
		one.CopyFrom(m)
		w.known = append(w.known, known{seat: seat, m: one, view: view, share: map[string]float64{}})
	}
	k := &w.known[i]
	k.total += prob
	w.room.CopyFrom(m)
	k.share[state(w.room)] += prob
}

// state is all of a match but its generator, which it sets.
func state(m engine.Match) string {
	r := engine.NewRand(0)
	m.Redeal(engine.Full, &r)
	return string(m.Bytes())
}

// check deals the match anew many times.
func (k *known) check(world engine.Match, r *engine.Rand) error {
	count := map[string]int{}
	for range redeals {
		world.CopyFrom(k.m)
		world.Redeal(k.seat, r)
		count[state(world)]++
	}
	for state, n := range count {
		if k.share[state] == 0 {
			return fmt.Errorf("%d of %d redeals for seat %d are a match that cannot be, at:\n%s", n, redeals, k.seat, k.view)
		}
	}
	for state, prob := range k.share {
		p := prob / k.total
		want := float64(redeals * p)
		if diff := math.Abs(float64(count[state]) - want); diff > float64(5*math.Sqrt(float64(want*(1-p))))+1 {
			return fmt.Errorf("%d of %d redeals for seat %d are a match of which %.1f should be, at:\n%s", count[state], redeals, k.seat, want, strings.TrimSpace(k.view))
		}
	}
	return nil
}

// states are all that matches of a game reach, without their generators; nil if there are more than mostMoments.
func states(g engine.Game) (map[string]bool, error) {
	first := g.NewMatch()
	if first.Reset(0); first.Info().MaxDecisions > mostDecisions {
		return nil, nil
	}
	all := map[string]bool{state(first): true}
	for next := []engine.Match{first}; len(next) > 0; {
		m := next[len(next)-1]
		next = next[:len(next)-1]
		for _, a := range options(m) {
			then := g.NewMatch()
			then.CopyFrom(m)
			if err := then.Apply(a); err != nil {
				return nil, err
			}
			if s := state(then); !all[s] {
				if all[s] = true; len(all) > mostMoments {
					return nil, nil
				}
				next = append(next, then)
			}
		}
	}
	return all, nil
}
