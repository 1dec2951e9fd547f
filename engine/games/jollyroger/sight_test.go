package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// A player who passes a possible reaction has shown nothing, so nobody sees the question.
func TestReactionsAreSeenOnlyIfTheyAreMade(t *testing.T) {
	enginetest.Clause(t, "KNOW-2")
	sc := attack(t, Fort, []string{"nav12 nav13", "nav14", "any", "cook"}).do("1 play=nav14")
	sc.asks(2, AskAttack)
	for view, want := range []engine.Sight{engine.Unseen, engine.Unseen, engine.Open, engine.Unseen} {
		if got := sc.m.Sight(view, ToPass); got != want {
			t.Errorf("seat %d sees %d of a pass; want %d", view, got, want)
		}
	}
	sc.seen("play=any", engine.Open, engine.Open, engine.Open, engine.Open)
	// The Quartermaster has a turn whatever the hand.
	sc.do("2 pass; 0 pass").asks(1, AskAttack).seen("pass", engine.Open, engine.Open, engine.Open, engine.Open)
	// A Sea Dog that presses nobody is played all the same.
	sc = given(t, PhasePunishment, []string{"nav12", "sea_dog", "any", "cook"}).do("0 spare; 1 oppose=sea_dog").asks(1, AskSeaDog)
	sc.seen("pass", engine.Open, engine.Open, engine.Open, engine.Open)
}

// Of hidden prizes others see that one is taken, given to whom, or buried; the one who gets it sees which.
func TestWhichHiddenPrizeIsTakenIsSeenByWhoGetsIt(t *testing.T) {
	enginetest.Clause(t, "VAR-1")
	hidden := in(t, "variants=hidden_prizes")
	sc := sharing(hidden, "rum gold_3", []string{"", "", "carpenter", "|gold_2"})
	sc.seen("prize=rum", engine.Open, engine.FaceDown, engine.FaceDown, engine.FaceDown).do("0 prize=rum")
	sc.seen("give=gold_3,self", engine.FaceDown+1, engine.Open, engine.FaceDown+1, engine.FaceDown+1)
	sc.seen("give=gold_3,+1", engine.FaceDown+2, engine.Open, engine.Open, engine.FaceDown+2).do("1 give=gold_3,+1; 2 use=carpenter")
	sc.seen("prize=gold_2", engine.FaceDown+2, engine.FaceDown+2, engine.Open, engine.Open).seen("pass", engine.Open, engine.Open, engine.Open, engine.Open)
	sc = given(hidden, PhaseIsland, []string{"|rum", "", "", ""}, func(s *State) {
		s.Map = true
		s.Deck[OldSailor]--
	})
	sc.seen("bury=rum", engine.Open, engine.FaceDown, engine.FaceDown, engine.FaceDown).seen("bury=all", engine.Open, engine.Open, engine.Open, engine.Open)
	sharing(t, "rum gold_3", []string{"", "", "", ""}).seen("prize=rum", engine.Open, engine.Open, engine.Open, engine.Open)
}

// seen checks how much each seat would see of an action.
func (sc scenario) seen(action string, want ...engine.Sight) scenario {
	sc.t.Helper()
	a, err := sc.m.Info().ParseAction(action)
	if err != nil {
		sc.t.Fatal(err)
	}
	for view, want := range want {
		if got := sc.m.Sight(view, a); got != want {
			sc.t.Errorf("seat %d sees %d of %s; want %d (%s)", view, got, action, want, sc.m.Decision())
		}
	}
	return sc
}
