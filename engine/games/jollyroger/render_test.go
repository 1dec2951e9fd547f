package jollyroger

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// shows checks what the board says to a seat, and what it does not.
func (sc scenario) shows(view int, parts ...string) scenario {
	sc.t.Helper()
	board := sc.m.Render(view)
	for _, part := range parts {
		text, hidden := strings.CutPrefix(part, "!")
		if strings.Contains(board, text) == hidden {
			sc.t.Errorf("view %d: %q: want it: %v:\n%s", view, text, !hidden, board)
		}
	}
	return sc
}

func TestTheBoardOfAnAttack(t *testing.T) {
	sc := attack(t, Fort, []string{"nav21 traitor|gold_3", "gun23 any|rum rum|hostage", "", "cook"}).do("1 play=gun23; 0 pass; 0 play=nav21; 0 pass")
	own := "  seat 0 CAPTAIN  hand: traitor  prizes: gold 3\n"
	other := "  seat 0 CAPTAIN  hand: 1  prizes: gold 3\n"
	table := []string{"round 2 of 10, attack: fort\n", "fort 4", "treasure island 3", "in the attack: navigation 2 (1 crew), guns 2 (3 crew) = navigation 2, guns 2, melee 0, any 0", "prizes left 42"}
	sc.shows(0, append(table, own, "!cook", "> seat 1", "Quartermaster  hand: 1  prizes: 2× rum  buried: hostage")...)
	sc.shows(1, append(table, other, "> seat 1 Quartermaster  hand: any 1 (1 crew)", "!traitor")...)
	sc.shows(3, append(table, other, "hand: cook", "> seat 1")...) // who has a turn whatever the hand
	sc.shows(engine.Full, append(table, own, "hand: cook", "> seat 1")...)
	sc.do("1 reveal; destination=fort_1").shows(2, "!fort (", "punishment")
	attack(t, Fort, []string{"first_mate", "", "", ""}).do("1 reveal; destination=fort_1").shows(0, "fort (navigation 1, guns 3, melee 3; 5 prizes)").shows(2, "!fort (", "punishment")
}

func TestTheBoardOfAMutinyAndOfASharingOut(t *testing.T) {
	called(t, "oppose=nav14", "gun12", "", "nav14", "any").shows(3, "MUTINY of seat 2: crewmen for the Captain 1 (none), against 4 (navigation 1 (4 crew))", "seat 2 [for the mutineer]", "seat 0 CAPTAIN [for the captain]", "!in the attack")
	sharing(t, "rum gold_3", []string{"", "", "", ""}).shows(2, "to be shared out: gold 3, rum")
	sharing(in(t, "variants=hidden_prizes"), "rum gold_3", []string{"|jewels", "", "", ""}).shows(2, "to be shared out: 2", "hand: 0  prizes: 1", "!jewels").shows(0, "to be shared out: gold 3, rum", "prizes: jewels")
}

func TestTheBoardOfOffersTalkAndKnowledge(t *testing.T) {
	sc := given(in(t, "bribes=talk"), PhaseVoyage, []string{"cook", "", "", ""}).do("0 say=give_me,+2; 0 seat=+1; 0 offer=cook; 0 propose")
	sc.shows(1, "offered: cook  prizes: none", "says “Give me something” to seat 2").shows(2, "!offered", "says “Give me something” to seat 2")
	sc.do("1 accept").shows(0, "you know of: cook with one of [1];").shows(2, "!you know")
}

func TestTheBoardAtTheEndCountsGold(t *testing.T) {
	ended(t, []string{"|gold_3|gold_2", "", "|hostage", ""}).shows(1, "prizes: gold 3  buried: gold 2  gold: 5", "gold: 1")
}

// Every kind of decision and chance event is told in words, with the seats that it is about.
func TestDecisionsAreDescribed(t *testing.T) {
	m, r := explicitMatch(t, 4)
	s := *engine.State[State](m)
	s.Destination, s.Depth = Fort, 1
	seen := map[string]Kind{}
	for k := range Kind(lastChance + 1) {
		if !k.asks() && !k.chances() || k.String() == "" {
			continue
		}
		s.Frames[0] = frame(k, 3, 1, 1)
		text := r.Decision(&s)
		if before, ok := seen[text]; ok || text == "" || strings.Contains(text, "over") {
			t.Errorf("%s is described as %q, as %s is", k, text, before)
		}
		if seen[text] = k; k.asks() && !strings.HasPrefix(text, "seat 3") {
			t.Errorf("%s: %q does not say who decides", k, text)
		}
	}
	_, three := explicitMatch(t, 3)
	for _, k := range []Kind{AskFirst, AskAssign, AskShare, AskClaim, AskVictim} {
		s.Frames[0] = frame(k, 0)
		if text := three.Decision(&s); strings.Contains(text, "Quartermaster") || !strings.Contains(text, "Captain") {
			t.Errorf("%s, with three players: %q: the Captain does the Quartermaster's work", k, text)
		}
	}
	s.Depth, s.Phase = 0, PhaseOver
	check(t, "at the end", r.Decision(&s), "the match is over")
	if want := NumAsks - 1 + int(Appraise-ChooseCaptain) + 1; len(seen) != want {
		t.Errorf("%d kinds are described, want %d", len(seen), want)
	}
}
