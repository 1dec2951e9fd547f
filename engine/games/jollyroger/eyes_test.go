package jollyroger

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What a seat has seen with its own eyes holds in every redeal. Here it is kept apart from the match, of all crew cards, like ones
// too: all ways in which those can lie that it has seen. A card that goes unseen may be any of
// those that lay there. A redeal never has fewer of a kind at a place than are certain to be there. When
// another mutiny comes, how cards lie together is forgotten: here too, except what is certain. Else it is forgotten seldom: when a card is
// played of which nobody knows whether it was one of those that were seen.
func TestARedealAgreesWithAllThatASeatHasSeen(t *testing.T) {
	enginetest.Clause(t, "KNOW-3", "KNOW-4", "KNOW-7")
	for k, params := range []string{"seats=3", "seats=3,bribes=gifts", "seats=4,bribes=gifts", "seats=5,bribes=gifts", "seats=7,bribes=gifts", "seats=10", "seats=10,bribes=gifts"} {
		g, err := engine.NewGame("jolly_roger(chance=explicit,forced=show," + params + ")")
		if err != nil {
			t.Fatal(err)
		}
		w := watch{t: t, rand: engine.NewRand(uint64(k)), m: g.NewMatch(), redealt: g.NewMatch()}
		for seed := range uint64(2) {
			w.match(seed)
		}
		if w.checked < 50 || w.open < 10 || w.certain < 50 || w.together*50 > w.checked {
			t.Errorf("%s: %d redeals were checked, of %d where more than one thing could be, of %d cards that were certain; in %d cards lie together as they cannot", params, w.checked, w.open, w.certain, w.together)
		}
	}
}

// watch is a match that all seats watch.
type watch struct {
	t          testing.TB
	rand       engine.Rand
	m, redealt engine.Match

	checked, open, certain, together int
}

func (w *watch) match(seed uint64) {
	w.m.Reset(seed)
	r, _ := engine.RulesOf[State, *Rules](w.m)
	s := engine.State[State](w.m)
	all := make([]eyes, r.seats)
	for view := range all {
		all[view] = eyes{view: view, r: r, can: []world{{}}}
	}
	for w.m.Seat() != engine.Over {
		before := *s
		if err := w.m.Apply(anything(w.m, &w.rand)); err != nil {
			w.t.Fatal(err)
		}
		for view := range all {
			e := &all[view]
			e.see(&before, s)
			if e.least() != (world{}) && w.rand.Intn(8) == 0 {
				w.check(e, s)
			}
		}
	}
}

// check looks at a redeal for a seat, and at the truth.
func (w *watch) check(e *eyes, s *State) {
	where := func() string {
		return fmt.Sprintf("%s: seat %d, at %q", w.m.Info().Config, e.view, w.m.Decision())
	}
	least := e.least()
	if !least.in(s) || !e.possible(s) {
		w.t.Fatalf("%s: the truth is not as it has seen", where())
	}
	w.redealt.CopyFrom(w.m)
	w.redealt.Redeal(e.view, &w.rand)
	redealt := engine.State[State](w.redealt)
	if !least.in(redealt) {
		w.t.Errorf("%s: in a redeal there are fewer than %s", where(), least)
	}
	w.together += int(engine.Bit(!e.possible(redealt)))
	w.certain += least.cards()
	w.checked++
	w.open += int(engine.Bit(len(e.can) > 1))
}

// world is how many cards that have been seen lie with each seat, and in the middle of the table.
type world [places][NumCrew]uint8

// eyes are what a seat has seen.
type eyes struct {
	view int
	r    *Rules
	can  []world // all ways in which cards can lie
}

// least is how many are certain to be where.
func (e *eyes) least() world {
	least := e.can[0]
	for _, w := range e.can[1:] {
		for p := range w {
			for c, n := range w[p] {
				least[p][c] = min(least[p][c], n)
			}
		}
	}
	return least
}

// in reports whether there are as many cards in a match.
func (w *world) in(s *State) bool {
	for p := range w {
		have := &s.Played
		if p != middle {
			have = &s.Hands[p]
		}
		for c, n := range w[p] {
			if n > have[c] {
				return false
			}
		}
	}
	return true
}

func (w *world) cards() (n int) {
	for p := range w {
		n += w.at(p)
	}
	return n
}

func (w world) String() string {
	text := ""
	for p := range w {
		if w.at(p) > 0 {
			text += fmt.Sprintf("%d: %s; ", p, listedAs(w[p]))
		}
	}
	return text
}

// see takes in what happened between two moments.
func (e *eyes) see(before, s *State) {
	f := before.Top()
	if pool := before.PoolFaceDown(); pool && before.Got == [MaxSeats][NumCrew]uint8{} {
		e.can = []world{e.least()}
		for c, n := range before.Played { // all have seen what is dealt
			e.found(before, Card(c), middle, n)
		}
	}
	if f.Kind == AskAccept && before.Hands == s.Hands && int(f.Seat) == e.view {
		for c, n := range before.Offer {
			e.found(before, Card(c), int(f.Arg[0]), n)
		}
	}
	hidden := e.hidden(before)
	for from := range e.r.seats {
		size := int(before.Size[from])
		for c, n := range before.Hands[from] {
			for ; n > s.Hands[from][c]; n-- {
				to := e.receiver(before, s, from)
				e.left(&hidden, Card(c), from, to, size)
				size--
			}
		}
	}
	if f.Kind == DealPool {
		c := Card(noSeat)
		for k := range before.Played {
			if before.Played[k] > s.Played[k] {
				c = Card(k)
			}
		}
		e.left(&hidden, c, middle, int(f.Seat), sum(before.Played[:]))
	}
	if len(e.can) > 2000 {
		e.can = []world{{}} // too many for this test: it continues with cards that are seen later
	}
}

// receiver is the seat that a card went to; noSeat if it was laid open.
func (e *eyes) receiver(before, s *State, from int) int {
	switch f := before.Top(); f.Kind {
	case StealCrew:
		return int(f.Seat)
	case AskAccept:
		return int(f.Seat)
	}
	return noSeat
}

// hidden is how many cards of each kind the seat does not see.
func (e *eyes) hidden(s *State) [NumCrew]uint8 {
	all := s.Deck
	for seat := range e.r.seats {
		for c, n := range s.Hands[seat] {
			if seat != e.view {
				all[c] += n
			}
		}
	}
	if s.PoolFaceDown() {
		for c, n := range s.Played {
			all[c] += n
		}
	}
	return all
}

// found has the seat see cards somewhere, of which it may have known.
func (e *eyes) found(s *State, c Card, at int, n uint8) {
	hidden := e.hidden(s)
	e.keep(func(w *world) bool {
		w[at][c] = max(w[at][c], n)
		return w.of(c) <= int(hidden[c])
	})
}

// left has a card leave a place where there were some, for a seat or for all to see.
func (e *eyes) left(hidden *[NumCrew]uint8, c Card, from, to, size int) {
	switch seen := from == e.view || to == e.view || to == noSeat; {
	case !seen:
		e.unseen(from, to, size)
	case from != e.view:
		e.keep(func(w *world) bool {
			if w[from][c] > 0 {
				w[from][c]-- // else it was none of those
				return true
			}
			return w.at(from) < size && w.of(c) < int(hidden[c])
		})
		hidden[c]--
	case to != noSeat:
		hidden[c]++
		e.keep(func(w *world) bool {
			w[to][c]++
			return true
		})
	}
}

// unseen has some card go from a place to another.
func (e *eyes) unseen(from, to, size int) {
	was := e.can
	e.can = nil
	had := map[world]bool{}
	add := func(w world) {
		if !had[w] {
			had[w] = true
			e.can = append(e.can, w)
		}
	}
	for _, w := range was {
		if w.at(from) < size {
			add(w)
		}
		for c, n := range w[from] {
			if n > 0 {
				moved := w
				moved[from][c]--
				moved[to][c]++
				add(moved)
			}
		}
	}
}

// at is how many known cards lie at a place.
func (w *world) at(place int) int { return sum(w[place][:]) }

// of is how many there are of a kind.
func (w *world) of(c Card) (n int) {
	for p := range w {
		n += int(w[p][c])
	}
	return n
}

// keep leaves what can still be.
func (e *eyes) keep(fits func(w *world) bool) {
	n := 0
	had := map[world]bool{}
	for _, w := range e.can {
		if fits(&w) && !had[w] {
			had[w] = true
			e.can[n] = w
			n++
		}
	}
	e.can = e.can[:n]
}

// possible reports whether cards lie together in a match as they can.
func (e *eyes) possible(s *State) bool {
	for _, w := range e.can {
		if w.in(s) {
			return true
		}
	}
	return false
}

// anything is what chance decides, or an action: often a pass, so that matches continue.
func anything(m engine.Match, rand *engine.Rand) engine.Action {
	switch {
	case m.Seat() == engine.Chance:
		return m.SampleChance()
	case m.Legal().Has(ToPass) && rand.Intn(2) == 0:
		return ToPass
	}
	return m.Legal().Sample(rand)
}
