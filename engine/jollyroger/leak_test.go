package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// Two matches that a seat cannot tell apart go on alike: as long as all do in both what they can
// do in both, and nobody makes use of what he hides, the seat is asked the same, sees the same
// and may do the same. Who is asked besides, and how often, differs; none of it shows.
func TestWhatASeatSeesLaterShowsNothingThatOthersHide(t *testing.T) {
	enginetest.Clause(t, "KNOW-2")
	for params, matches := range map[string]uint64{
		"seats=3": 4, "seats=4": 4, "seats=10": 1,
		"seats=5,bribes=talk": 1, "seats=4,variants=hidden_prizes+captains_gold": 3,
	} {
		game := "jolly_roger(chance=explicit,forced=show," + params + ")"
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		m, at, twin := g.NewMatch(), g.NewMatch(), g.NewMatch()
		compared := 0
		for seed := range matches {
			rand := engine.NewRand(seed + 7)
			m.Reset(seed)
			for step := 0; m.Seat() != engine.Over; step++ {
				if view := m.Seat(); view >= 0 && step > 40 && rand.Intn(10) == 0 {
					at.CopyFrom(m)
					twin.CopyFrom(m)
					twin.Redeal(view, &rand)
					p := pair{t, view, at, twin, &rand}
					compared += p.play()
				}
				if err := m.Apply(anything(m, &rand)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if compared < 200 {
			t.Errorf("%s: only %d decisions were compared", game, compared)
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
	t    *testing.T
	view int
	a, b engine.Match
	rand *engine.Rand
}

// play plays both on, at most for some fifty decisions that the seat may see, until what is hidden
// must show. It is how many decisions it has compared.
func (p *pair) play() (compared int) {
	for compared < 50 {
		for _, m := range []engine.Match{p.a, p.b} {
			if !p.passSecrets(m) {
				return compared
			}
		}
		r, _ := engine.RulesOf[State, *Rules](p.a)
		f, g := r.shown(engine.State[State](p.a).Top(), p.view), r.shown(engine.State[State](p.b).Top(), p.view)
		switch {
		case p.a.Seat() == engine.Over || engine.State[State](p.a).Phase == PhaseOver || shows(p.a, f) || shows(p.b, g):
			return compared
		case f != g:
			p.t.Fatalf("seat %d: %q in one match, %q in the other", p.view, p.a.Decision(), p.b.Decision())
		}
		if f.Kind != DealPool {
			p.compare()
		}
		if p.a.Seat() >= 0 {
			compared++
		}
		a, b, ok := p.choice(f)
		if !ok {
			return compared
		}
		for m, x := range map[engine.Match]engine.Action{p.a: a, p.b: b} {
			if err := m.Apply(x); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	return compared
}

// passSecrets passes whatever others are asked that the seat must not know of. It is false where
// they cannot.
func (p *pair) passSecrets(m engine.Match) bool {
	r, _ := engine.RulesOf[State, *Rules](m)
	s := engine.State[State](m)
	for r.Veiled(s, p.view) {
		if !m.Legal().Has(ToPass) {
			return false
		}
		if err := m.Apply(ToPass); err != nil {
			p.t.Fatal(err)
		}
	}
	return true
}

// shows reports whether it is by the rules that something hidden shows: that the Quartermaster has
// a card to play first, what is offered, or what lies among hidden spoils.
func shows(m engine.Match, f Frame) bool {
	r, _ := engine.RulesOf[State, *Rules](m)
	switch f.Kind {
	case AskFirst, AskOffer, AskAccept:
		return true
	case AskPick, AskShare:
		return r.hidden
	}
	return false
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
	if string(one) != string(other) || p.a.Render(p.view) != p.b.Render(p.view) {
		p.t.Fatalf("seat %d sees at %q:\n%s\nand in the other match:\n%s", p.view, p.a.Decision(), one, other)
	}
	if p.a.Seat() == p.view && (*p.a.Legal() != *p.b.Legal() || p.a.Decision() != p.b.Decision()) {
		p.t.Fatalf("seat %d may do something else at %q and %q", p.view, p.a.Decision(), p.b.Decision())
	}
}

// choice is what is done in both: the same, but for cards that others draw face down.
func (p *pair) choice(f Frame) (a, b engine.Action, ok bool) {
	if p.a.Seat() == engine.Chance && p.a.Sight(p.view, p.a.Outcomes(nil)[0].Action) == engine.FaceDown && f.Kind != DealSpoils {
		return p.a.SampleChance(), p.b.SampleChance(), true
	}
	both := *p.a.Legal()
	for i := range both {
		both[i] &= p.b.Legal()[i]
	}
	if p.a.Seat() == engine.Chance {
		in := map[engine.Action]bool{}
		for _, o := range p.a.Outcomes(nil) {
			in[o.Action] = true
		}
		for _, o := range p.b.Outcomes(nil) {
			if in[o.Action] {
				return o.Action, o.Action, true
			}
		}
		return 0, 0, false
	}
	if both.First() < 0 {
		return 0, 0, false
	}
	c := both.Sample(p.rand)
	if both.Has(ToPass) && (p.rand.Intn(2) == 0 || f.Kind == AskGift && c < ToSay) {
		c = ToPass
	}
	return c, c, true
}
