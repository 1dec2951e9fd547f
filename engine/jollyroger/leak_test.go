package jollyroger

import (
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Observe is how a game's observations are written, which the package that does so tells this one.
var Observe func(g engine.Game) func(m engine.Match, view int) []byte

// Two matches that a seat cannot tell apart go on alike: as long as all do in both what looks the same to
// it, the seat is asked the same, sees the same, observes the same and may do the same. Cards that go face down are
// others in the one match than in the other, from the set-up on or from some moment; who is asked besides, and how
// often, differs; none of it shows.
func TestWhatASeatSeesShowsNothingThatOthersHide(t *testing.T) {
	enginetest.Clause(t, "KNOW-2", "KNOW-7")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		for k, params := range []string{"bribes=off", "bribes=gifts", "bribes=talk,variants=hidden_prizes+captains_gold"} {
			game := fmt.Sprintf("jolly_roger(chance=explicit,forced=show,seats=%d,%s)", seats, params)
			g, err := engine.NewGame(game)
			if err != nil {
				t.Fatal(err)
			}
			rand := engine.NewRand(uint64(seats*10 + k))
			p := pair{t: t, a: g.NewMatch(), b: g.NewMatch(), rand: &rand}
			if Observe != nil {
				p.observe = Observe(g)
			}
			m := g.NewMatch()
			p.pairs(m)
			if p.compared < 200 || p.unlike < 10 {
				t.Errorf("%s: only %d decisions were compared, %d cards unlike", game, p.compared, p.unlike)
			}
			if r, _ := engine.RulesOf[State, *Rules](m); r.bribes > 0 && p.gifts < 3 {
				t.Errorf("%s: only %d gifts were unlike", game, p.gifts)
			}
		}
	}
}

// pairs plays pairs from the set-up, and from moments of a match.
func (p *pair) pairs(m engine.Match) {
	seats := m.Info().Seats
	for seed := range uint64(2) {
		for p.view = int(seed); p.view < seats; p.view += 2 {
			for _, m := range []engine.Match{p.a, p.b} {
				m.Reset(seed)
			}
			p.play()
		}
	}
	m.Reset(7)
	for step := 0; m.Seat() != engine.Over; step++ {
		if step > 40 && p.rand.Intn(60) == 0 {
			p.view = p.rand.Intn(seats)
			p.a.CopyFrom(m)
			p.b.CopyFrom(m)
			if m.Seat() == p.view { // else they begin as one
				p.b.Redeal(p.view, p.rand)
			}
			p.play()
		}
		if err := m.Apply(anything(m, p.rand)); err != nil {
			p.t.Fatal(err)
		}
	}
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

// pair is two matches that a seat cannot tell apart.
type pair struct {
	t       *testing.T
	view    int
	a, b    engine.Match
	rand    *engine.Rand
	observe func(m engine.Match, view int) []byte

	compared, redealt, unlike, gifts int // moments that were compared; cards and gifts that were not the same in both
}

// play plays both on, at most for eighty moments, until what is hidden must show.
func (p *pair) play() {
	for last := p.compared + 80; p.compared < last; {
		if !p.secrets() {
			return
		}
		r, _ := engine.RulesOf[State, *Rules](p.a)
		f, g := r.shown(engine.State[State](p.a).Top(), p.view), r.shown(engine.State[State](p.b).Top(), p.view)
		switch {
		case p.a.Seat() == engine.Over || engine.State[State](p.a).Phase == PhaseOver:
			return
		case f != g && (f.Kind == AskFirst || g.Kind == AskFirst):
			return // it shows that the Quartermaster has a card to play
		case f != g:
			p.t.Fatalf("%s: seat %d: %q in one match, %q in the other", p.a.Info().Config, p.view, p.a.Decision(), p.b.Decision())
		case p.spoilsDiffer():
			return
		}
		p.compare()
		p.compared++
		if !p.step(engine.State[State](p.a).Top()) {
			return
		}
	}
}

// spoilsDiffer reports whether the seat sees hidden prizes being shared out, and others than in the other match.
func (p *pair) spoilsDiffer() bool {
	r, _ := engine.RulesOf[State, *Rules](p.a)
	s := engine.State[State](p.a)
	return r.SeesSpoils(s, p.view) && s.Spoils != engine.State[State](p.b).Spoils
}

// secrets has others answer what the seat must not know that they are asked: if it is the same in both, at
// times with the same; else they pass. It is false if they cannot.
func (p *pair) secrets() bool {
	for {
		a, b := p.secret(p.a), p.secret(p.b)
		f := engine.State[State](p.a).Top()
		switch {
		case !a && !b:
			return true
		case a && b && f == engine.State[State](p.b).Top() && (p.rand.Intn(2) == 0 || f.Kind == AskMate || f.Kind == AskSeaDog):
			if !p.step(f) {
				return false
			}
		case a && !p.pass(p.a), b && !p.pass(p.b):
			return false
		}
	}
}

// secret reports whether another is asked what the seat must not know of.
func (p *pair) secret(m engine.Match) bool {
	r, _ := engine.RulesOf[State, *Rules](m)
	return r.Veiled(engine.State[State](m), p.view)
}

func (p *pair) pass(m engine.Match) bool {
	if k := engine.State[State](m).Next(); !m.Legal().Has(ToPass) || k == AskSeaDog {
		return false
	}
	p.apply(m, ToPass)
	return true
}

func (p *pair) apply(m engine.Match, a engine.Action) {
	if err := m.Apply(a); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pair) compare() {
	p.t.Helper()
	one, err := p.a.Position(p.view)
	if err != nil {
		p.t.Fatal(err)
	}
	other, err := p.b.Position(p.view)
	if err != nil {
		p.t.Fatal(err)
	}
	where := fmt.Sprintf("%s: at %q", p.a.Info().Config, p.a.Decision())
	if string(one) != string(other) || p.a.Render(p.view) != p.b.Render(p.view) {
		p.t.Fatalf("%s seat %d sees:\n%s\nand in the other match:\n%s", where, p.view, one, other)
	}
	if p.a.Seat() == p.view && (*p.a.Legal() != *p.b.Legal() || p.a.Decision() != p.b.Decision()) {
		p.t.Fatalf("%s seat %d may do something else than at %q", where, p.view, p.b.Decision())
	}
	p.remembered(where)
	if p.observe != nil && string(p.observe(p.a, p.view)) != string(p.observe(p.b, p.view)) {
		p.t.Fatalf("%s seat %d observes something else", where, p.view)
	}
}

// remembered has the seat and an onlooker remember the same in both matches, to the last bit; and where the seat decides, the same
// redeals come of the same generator, in which the others remember the same.
func (p *pair) remembered(where string) {
	p.t.Helper()
	a, b := engine.State[State](p.a), engine.State[State](p.b)
	if one, other := memory(a, p.view), memory(b, p.view); one != other {
		p.t.Fatalf("%s seat %d remembers:\n%+v\nand in the other match:\n%+v", where, p.view, one, other)
	}
	if one, other := memory(a, onlooker), memory(b, onlooker); one != other {
		p.t.Fatalf("%s an onlooker remembers:\n%+v\nand in the other match:\n%+v", where, one, other)
	}
	if p.a.Seat() != p.view || p.rand.Intn(4) > 0 {
		return
	}
	luck := p.rand.Split()
	same := luck
	x, y := *a, *b
	r, _ := engine.RulesOf[State, *Rules](p.a)
	r.Redeal(&x, p.view, &luck)
	r.Redeal(&y, p.view, &same)
	p.redealt++
	if x.Hands != y.Hands || x.Prizes != y.Prizes || x.Buried != y.Buried || x.Deck != y.Deck || x.Got != y.Got {
		p.t.Fatalf("%s redeals for seat %d are unlike from equal generators", where, p.view)
	}
	for seat := range r.seats {
		if one, other := memory(&x, seat), memory(&y, seat); one != other {
			p.t.Fatalf("%s in a redeal for seat %d seat %d remembers:\n%+v\nand in that of the other match:\n%+v", where, p.view, seat, one, other)
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

// step does in both what looks the same to the seat. It is false if nothing does.
func (p *pair) step(f Frame) bool {
	if f.Kind == AskOffer && p.a.Seat() != p.view {
		return p.offer(int(f.Arg[0]))
	}
	looks := map[int][]engine.Action{} // actions of the other match by how they look
	for _, b := range p.open(p.b) {
		k := p.looks(p.b, f, b)
		looks[k] = append(looks[k], b)
	}
	var can []engine.Action
	for _, a := range p.open(p.a) {
		if looks[p.looks(p.a, f, a)] != nil {
			can = append(can, a)
		}
	}
	if len(can) == 0 {
		return false
	}
	a := can[p.rand.Intn(len(can))]
	if p.a.Seat() >= 0 && p.a.Legal().Has(ToPass) && p.b.Legal().Has(ToPass) && f.Kind != AskSeaDog && p.rand.Intn(3) == 0 {
		a = ToPass
	}
	like := looks[p.looks(p.a, f, a)]
	b := like[p.rand.Intn(len(like))]
	if p.rand.Intn(2) == 0 { // as a rule they are to stay much the same
		for _, same := range like {
			if same == a {
				b = a
			}
		}
	}
	if a != b {
		p.unlike++
	}
	p.apply(p.a, a)
	p.apply(p.b, b)
	return true
}

// open is what may be done now, or come by chance.
func (p *pair) open(m engine.Match) (list []engine.Action) {
	if m.Seat() == engine.Chance {
		for _, o := range m.Outcomes(nil) {
			list = append(list, o.Action)
		}
		return list
	}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		list = append(list, a)
	}
	return list
}

// looks tells actions apart as the seat does. What is drawn to be shared out some seat sees later: it is the same in both.
func (p *pair) looks(m engine.Match, f Frame, a engine.Action) int {
	switch {
	case m.Seat() == p.view || f.Kind == DealSpoils || m.Sight(p.view, a) != engine.FaceDown:
		return int(a)
	case f.Kind == AskShare:
		return -1 - int(a-ToGive)%MaxSeats
	}
	return -1
}

// offer has another make an offer: as many cards in both matches, but not the same ones unless the seat is to see them.
func (p *pair) offer(receiver int) bool {
	r, _ := engine.RulesOf[State, *Rules](p.a)
	unlike := false
	for n := 1 + p.rand.Intn(3); n > 0; n-- {
		var add [2][]engine.Action
		crew := p.rand.Intn(3) > 0
		for i, m := range []engine.Match{p.a, p.b} {
			for _, a := range p.open(m) {
				if a >= ToOffer && a < ToPropose && (a < ToOffer+engine.Action(NumCrew)) == crew {
					add[i] = append(add[i], a)
				}
			}
		}
		if len(add[0]) == 0 || len(add[1]) == 0 {
			continue
		}
		a, b := add[0][p.rand.Intn(len(add[0]))], add[1][p.rand.Intn(len(add[1]))]
		if receiver == p.view || !crew && !r.hidden {
			if b = a; !p.b.Legal().Has(b) {
				continue
			}
		}
		unlike = unlike || a != b
		p.apply(p.a, a)
		p.apply(p.b, b)
	}
	a := engine.Action(ToPropose)
	if !p.a.Legal().Has(a) || !p.b.Legal().Has(a) {
		a = ToPass
	} else if unlike {
		p.gifts++
	}
	p.apply(p.a, a)
	p.apply(p.b, a)
	return true
}
