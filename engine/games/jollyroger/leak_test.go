package jollyroger

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Two matches that a seat cannot tell apart continue alike: as long as all do in both what looks the same to
// it, the seat is asked the same and sees the same. Cards that go face down are others in the one match than in the other, who is asked besides, and
// how often, differs; none of it shows, until prizes that lay face down are looked at. What
// else is shown to it follows from what it sees: the conformance suite holds that of all games.
func TestWhatASeatSeesShowsNothingThatOthersHide(t *testing.T) {
	enginetest.Clause(t, "KNOW-2", "KNOW-7")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		for k, params := range []string{"bribes=off", "bribes=gifts", "bribes=talk,variants=hidden_prizes+captains_gold"} {
			g, err := engine.NewGame(fmt.Sprintf("jolly_roger(chance=explicit,forced=show,seats=%d,%s)", seats, params))
			if err != nil {
				t.Fatal(err)
			}
			twins := enginetest.Twins{Game: g, Seed: uint64(seats*10 + k), Grow: 4, Parted: func(p *enginetest.Pair) {
				if !mayPart(p) {
					t.Fatalf("%v: the seat can tell it from %q, after %q", p, p.B.Decision(), p.WasA.Decision())
				}
			}}
			compared, unlike := 0, 0
			for p := range twins.All() {
				if p.WasA == nil {
					continue
				}
				remembered(t, p)
				if !p.A.Equal(p.B) {
					unlike++
				}
				if compared++; compared == 200 {
					break
				}
			}
			if unlike < 30 {
				t.Errorf("%s: only %d of %d moments were unlike", g.Info().Config, unlike, compared)
			}
		}
	}
}

// mayPart reports whether a seat may learn to tell two matches apart: it looks at hidden prizes, or sees how many cards are offered
// or given; or the match is over.
func mayPart(p *enginetest.Pair) bool {
	r, _ := engine.RulesOf[State, *Rules](p.A)
	a, b, was := engine.State[State](p.A), engine.State[State](p.B), engine.State[State](p.WasA)
	switch {
	case a.Phase == PhaseOver || b.Phase == PhaseOver:
		return true
	case a.Next() == AskAccept:
		return true
	case was.Next() == AskAccept:
		return a.Size != b.Size
	}
	return r.SeesSpoils(a, p.Seat) && a.Spoils != b.Spoils
}

// remembered holds that the seat and an onlooker remember the same in both matches, to the last bit: what is in a memory follows from what
// its owner has seen, and from nothing else.
func remembered(t *testing.T, p *enginetest.Pair) {
	t.Helper()
	a, b := engine.State[State](p.A), engine.State[State](p.B)
	for _, knower := range []int{p.Seat, onlooker} {
		if one, other := memory(a, knower), memory(b, knower); one != other {
			t.Fatalf("%v: %d remembers\n%+v\nand in the other match\n%+v", p, knower, one, other)
		}
	}
}

// remembers is all that is kept of what a seat knows.
type remembers struct {
	Memory
	sighted, open uint8
	least, most   [numRows]counts
	slots         [places]slotsAt
	free          [MaxSeats]uint8
	old           [NumCrew]uint8
}

// memory is what is kept for a seat, or the onlooker; the order of sightings says nothing.
func memory(s *State, knower int) (m remembers) {
	ordered := *s
	s = &ordered
	s.arrange(knower)
	m = remembers{Memory: s.Memories[knower], sighted: s.Sighted[knower], free: s.Free, old: s.Old}
	for row := range numRows {
		m.least[row], m.most[row] = s.Least[row][knower], s.Most[row][knower]
	}
	if knower != onlooker {
		m.slots, m.open = s.Slots[knower], s.Open[knower]
	}
	return m
}
