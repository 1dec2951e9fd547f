package jollyroger

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What a seat has seen with its own eyes holds in every redeal. Here it is kept apart from the match, for crew cards of which
// there is but one: where each can be, and all ways in which they can lie together. A card that goes unseen may be any of
// those that lay there. The redeals agree with all that is known of each card. How cards go together is forgotten in part: when
// another mutiny comes, and when a card is played of which nobody knows whether it was one of those that were seen.
func TestARedealAgreesWithAllThatASeatHasSeen(t *testing.T) {
	enginetest.Clause(t, "KNOW-3", "KNOW-4", "KNOW-7")
	for k, params := range []string{"seats=3", "seats=4,bribes=gifts", "seats=5,bribes=gifts", "seats=7,bribes=gifts", "seats=10"} {
		g, err := engine.NewGame("jolly_roger(chance=explicit,forced=show," + params + ")")
		if err != nil {
			t.Fatal(err)
		}
		w := watch{t: t, rand: engine.NewRand(uint64(k)), m: g.NewMatch(), redealt: g.NewMatch()}
		for seed := range uint64(2) {
			w.match(seed)
		}
		if w.checked < 50 || w.open < 40 || w.together*10 > w.checked {
			t.Errorf("%s: %d redeals were checked, of %d where more than one thing could be; in %d cards lie together as they cannot", params, w.checked, w.open, w.together)
		}
	}
}

// watch is a match that all seats watch.
type watch struct {
	t          testing.TB
	rand       engine.Rand
	m, redealt engine.Match

	checked, open, together int
}

func (w *watch) match(seed uint64) {
	w.m.Reset(seed)
	r, _ := engine.RulesOf[State, *Rules](w.m)
	s := engine.State[State](w.m)
	all := make([]eyes, r.seats)
	for view := range all {
		all[view] = eyes{view: view, r: r, each: map[Card]uint16{}, can: []world{{}}}
	}
	for w.m.Seat() != engine.Over {
		before := *s
		if err := w.m.Apply(anything(w.m, &w.rand)); err != nil {
			w.t.Fatal(err)
		}
		for view := range all {
			e := &all[view]
			e.see(&before, s)
			if len(e.each) > 0 && w.rand.Intn(8) == 0 {
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
	if c := e.elsewhere(s); c != noSeat || !e.possible(s) {
		w.t.Fatalf("%s: the truth is not as it has seen: %d", where(), c)
	}
	w.redealt.CopyFrom(w.m)
	w.redealt.Redeal(e.view, &w.rand)
	redealt := engine.State[State](w.redealt)
	if c := e.elsewhere(redealt); c != noSeat {
		w.t.Fatalf("%s: in a redeal %s is not with one of %v", where(), crewNames[c], seatList(e.each[Card(c)]))
	}
	w.checked++
	w.open += int(engine.Bit(len(e.can) > 1))
	w.together += int(engine.Bit(!e.possible(redealt)))
}

// world is where cards can lie: with a seat, or in the middle of the table.
type world map[Card]int

// eyes are what a seat has seen.
type eyes struct {
	view int
	r    *Rules
	each map[Card]uint16 // those that it knows to be with others, and where each can be
	can  []world         // all ways in which they can lie
}

// elsewhere is a card that is where it cannot be, or noSeat.
func (e *eyes) elsewhere(s *State) int {
	for c, among := range e.each {
		found := s.PoolFaceDown() && among&onTable != 0 && s.Played[c] > 0
		for seat := range e.r.seats {
			found = found || among&bit(seat) != 0 && s.Hands[seat][c] > 0
		}
		if !found {
			return int(c)
		}
	}
	return noSeat
}

// see takes in what happened between two moments.
func (e *eyes) see(before, s *State) {
	f := before.Top()
	if pool := before.PoolFaceDown(); pool && before.Got == [MaxSeats][NumCrew]uint8{} {
		for c, n := range before.Played { // all have seen what is dealt
			e.found(Card(c), middle, n)
		}
	}
	if f.Kind == AskAccept && before.Hands == s.Hands && int(f.Seat) == e.view {
		for c, n := range before.Offer {
			e.found(Card(c), int(f.Arg[0]), n)
		}
	}
	for from := range e.r.seats {
		size := int(before.Size[from])
		for c, n := range before.Hands[from] {
			for ; n > s.Hands[from][c]; n-- {
				to := e.receiver(before, s, from)
				e.left(Card(c), from, to, size)
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
		e.left(c, middle, int(f.Seat), sum(before.Played[:]))
	}
	for seat, n := range s.Size[:e.r.seats] {
		e.empty(seat, int(n))
	}
	if before.PoolFaceDown() {
		e.empty(middle, sum(s.Played[:]))
	}
	if len(e.can) > 2000 {
		e.can = []world{{}} // too many for this test: it goes on with cards that are seen later
	}
}

// empty has no card be where there are none.
func (e *eyes) empty(place, n int) {
	for c := range e.each {
		if n == 0 {
			e.each[c] &^= bit(place)
		}
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

// only tells whether there is but one of a card.
func (e *eyes) only(c Card) bool { return e.r.Crew[c].Copies == 1 }

// found has the seat see a card somewhere.
func (e *eyes) found(c Card, at int, n uint8) {
	if n == 0 || !e.only(c) {
		return
	}
	e.keep(func(w world) bool {
		if is, known := w[c]; known {
			return is == at
		}
		w[c] = at
		return true
	})
	e.each[c] = bit(at)
}

// left has a card leave a place where there were some, for a seat or for all to see.
func (e *eyes) left(c Card, from, to, size int) {
	seen := from == e.view || to == e.view || to == noSeat
	if !seen {
		e.unseen(from, to, size)
		return
	}
	if from != e.view && e.each[c] != 0 {
		e.keep(func(w world) bool {
			at, known := w[c]
			delete(w, c)
			return !known || at == from
		})
		delete(e.each, c)
	} else if from != e.view {
		e.keep(func(w world) bool { return w.at(from) < size }) // it was none of those
	}
	if from == e.view && to != noSeat && e.only(c) {
		e.found(c, to, 1)
	}
}

// unseen has some card go from a place to another.
func (e *eyes) unseen(from, to, size int) {
	for c, among := range e.each {
		if among&bit(from) != 0 {
			e.each[c] |= bit(to)
		}
	}
	was := e.can
	e.can = nil
	had := map[string]bool{}
	add := func(w world) {
		if key := fmt.Sprint(w); !had[key] {
			had[key] = true
			e.can = append(e.can, w)
		}
	}
	for _, w := range was {
		if w.at(from) < size {
			add(w)
		}
		for c, at := range w {
			if at == from {
				moved := world{}
				for k, p := range w {
					moved[k] = p
				}
				moved[c] = to
				add(moved)
			}
		}
	}
}

// at is how many known cards lie at a place.
func (w world) at(place int) (n int) {
	for _, p := range w {
		if p == place {
			n++
		}
	}
	return n
}

// keep leaves what can still be.
func (e *eyes) keep(fits func(w world) bool) {
	n := 0
	for _, w := range e.can {
		if fits(w) {
			e.can[n] = w
			n++
		}
	}
	e.can = e.can[:n]
}

// possible reports whether cards lie together in a match as they can.
func (e *eyes) possible(s *State) bool {
	for _, w := range e.can {
		if e.is(s, w) {
			return true
		}
	}
	return false
}

func (e *eyes) is(s *State, w world) bool {
	for c, at := range w {
		if at == middle && s.Played[c] == 0 || at != middle && s.Hands[at][c] == 0 {
			return false
		}
	}
	return true
}

// anything is what chance decides, or an action: often a pass, so that matches go on.
func anything(m engine.Match, rand *engine.Rand) engine.Action {
	switch {
	case m.Seat() == engine.Chance:
		return m.SampleChance()
	case m.Legal().Has(ToPass) && rand.Intn(2) == 0:
		return ToPass
	}
	return m.Legal().Sample(rand)
}
