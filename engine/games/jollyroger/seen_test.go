package jollyroger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// A seat that is asked for a card of its own makes no difference to what others see: they see the same if it holds
// another card, and nobody is asked.
func TestWhileOthersAreAskedInSecretASeatSeesWhatItSeesIfNobodyIs(t *testing.T) {
	enginetest.Clause(t, "KNOW-2", "KNOW-6")
	nobody := []string{"nav12 gun12", "nav14 mel12", "", "any nav31", "gun31"}
	for name, c := range map[string]struct {
		asked   Kind
		actions string
		at      func(t testing.TB, players []string) scenario
		holds   string
	}{
		"a Traitor, of a card in an attack": {AskTraitor, "1 play=nav14", func(t testing.TB, players []string) scenario { return attack(t, Fort, players) }, "traitor"},
		"a Traitor, of a card in a mutiny": {AskTraitor, "0 spare; 1 oppose=nav14", func(t testing.TB, players []string) scenario {
			return given(t, PhasePunishment, players)
		}, "traitor"},
		"a Lookout": {AskLookout, "", func(t testing.TB, players []string) scenario { return attack(t, Fort, players) }, "lookout"},
		"a card to play in an attack": {AskAttack, "1 play=nav14", func(t testing.TB, players []string) scenario {
			players[3], players[4], players[0] = "cook", "sea_dog", "smart_kid"
			return attack(t, Fort, players)
		}, "nav12"},
		"an officer": {AskChange, "1 play=nav14; 3 pass; 4 pass; 0 pass; 1 reveal; destination=fort_1", func(t testing.TB, players []string) scenario {
			players[2] = strings.Replace(players[2], "any", "first_mate", 1)
			return attack(t, Fort, players)
		}, "first_mate"},
		"a Cook":          {AskCook, "", func(t testing.TB, players []string) scenario { return sharing(t, "rum gold_1 gold_2", players) }, "cook"},
		"a Carpenter":     {AskCarpenter, "0 prize=rum", func(t testing.TB, players []string) scenario { return sharing(t, "rum", players) }, "carpenter"},
		"an Old Sailor":   {AskSailor, "", func(t testing.TB, players []string) scenario { return given(t, PhaseIsland, players) }, "old_sailor"},
		"any time":        {AskAnytime, "", func(t testing.TB, players []string) scenario { return given(t, PhasePunishment, players) }, "stowaways"},
		"any time, later": {AskAnytime, "0 spare; 1 pass; 3 pass; 4 pass", func(t testing.TB, players []string) scenario { return given(t, PhasePunishment, players) }, "surgeon"},
	} {
		t.Run(name, func(t *testing.T) {
			// Seat 2 holds the card in question, or one that says nothing.
			one := append([]string(nil), nobody...)
			one[2] = c.holds
			two := append([]string(nil), nobody...)
			two[2] = "boatswain"
			reach := func(players []string) scenario {
				sc := c.at(t, players)
				for sc.Next() == AskAnytime && c.asked != AskAnytime || sc.Next() == AskMutiny && sc.Top().Seat == 2 {
					sc.do("pass")
				}
				for _, a := range strings.Split(c.actions, "; ") {
					for a != "" && sc.Top().Seat == 2 && sc.m.Legal().Has(ToPass) {
						sc.do("pass")
					}
					if a != "" {
						sc.do(a)
					}
				}
				for sc.Next() == AskMutiny && sc.Top().Seat == 2 {
					sc.do("pass")
				}
				return sc
			}
			is, not := reach(one), reach(two)
			for is.Next() != c.asked || is.Top().Seat != 2 {
				t.Fatalf("seat 2 is not asked: %s", is.m.Decision())
			}
			for view := range 5 {
				if view == 2 || view == not.m.Seat() { // a seat asked then cannot but notice that it is not
					continue
				}
				if a, b := is.look(view), not.look(view); a != b {
					t.Errorf("seat %d tells by a look that seat 2 is asked:\n%s\nand if nobody is:\n%s", view, a, b)
				}
			}
		})
	}
}

// look is all that a seat sees of the match, except that it is asked itself.
func (sc scenario) look(view int) string {
	sc.t.Helper()
	return lookOf(sc.t, sc.m, view)
}

func lookOf(t testing.TB, m engine.Match, view int) string {
	t.Helper()
	s := engine.State[State](m)
	was := *s
	defer func() { *s = was }()
	if f := s.Top(); f.Kind.asks() && int(f.Seat) == view {
		s.Pop()
	}
	position, err := m.Position(view)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s%s", position, m.Render(view))
}

// In any match, at every secret question: a seat that is not asked sees what it sees once the question has been passed.
func TestAPassOfASecretQuestionChangesNothingThatOthersSee(t *testing.T) {
	enginetest.Clause(t, "KNOW-6")
	all := map[Kind]int{}
	for _, params := range []string{"seats=3", "seats=4,forced=show", "seats=10", "seats=5,bribes=talk", "seats=4,variants=hidden_prizes+captains_gold,forced=show", "seats=6,variants=hidden_prizes,forced=show"} {
		g, err := engine.NewGame("jolly_roger(chance=explicit," + params + ")")
		if err != nil {
			t.Fatal(err)
		}
		m, passed := g.NewMatch(), g.NewMatch()
		compared := map[Kind]int{}
		for seed := range uint64(2) {
			rand := engine.NewRand(seed + 90)
			m.Reset(seed)
			for m.Seat() != engine.Over {
				compared[engine.State[State](m).Next()] += afterAPass(t, m, passed)
				if err := m.Apply(anything(m, &rand)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for k, n := range compared {
			all[k] += n
		}
	}
	for _, k := range []Kind{AskAttack, AskLookout, AskTraitor, AskAnytime, AskChange, AskCook, AskCarpenter, AskSailor, AskSell} {
		if all[k] == 0 {
			t.Errorf("%s was never compared", k)
		}
	}
}

// afterAPass compares what seats see while another is asked in secret with what they see after a pass. It is how many it
// has compared.
func afterAPass(t *testing.T, m, passed engine.Match) (compared int) {
	r, _ := engine.RulesOf[State, *Rules](m)
	asked := m.Seat()
	for view := range r.seats {
		if asked < 0 || !r.Veiled(engine.State[State](m), view) {
			continue
		}
		passed.CopyFrom(m)
		if err := passed.Apply(ToPass); err != nil {
			t.Fatal(err)
		}
		f := engine.State[State](passed).Top()
		if passed.Seat() == engine.Over || f.Kind.asks() && int(f.Seat) == view {
			continue // it cannot but notice
		}
		if before, after := r.askedOf(m), r.askedOf(passed); before != after && forcedInSecret(before.Kind) {
			continue // it has been answered already
		}
		compared++
		if a, b := lookOf(t, m, view), lookOf(t, passed, view); a != b {
			t.Fatalf("seat %d tells by a look at %q that somebody is asked:\n%s\nand after a pass, %q:\n%s", view, m.Decision(), a, passed.Decision(), b)
		}
	}
	return compared
}

// askedOf is what all see asked.
func (r *Rules) askedOf(m engine.Match) Frame {
	const nobody = MaxSeats
	var room State
	return r.Asked(r.Seen(engine.State[State](m), nobody, &room), nobody)
}

// forcedInSecret reports whether a question may leave no choice without anybody's knowing beforehand.
func forcedInSecret(k Kind) bool {
	return k == AskFirst || k == AskForced
}
