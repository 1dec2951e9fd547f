package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/players/bots"
)

func TestThinkPrintsWhatASearchTried(t *testing.T) {
	p := file(t, "p.json", must(t, "", "position", "new", "doubloons(seats=3)", "--seed", "7"))
	out := must(t, "", "position", "think", p, "--bot", "search(rollouts=60)")
	for _, want := range []string{"search(rollouts=60) chooses ", "visits", "chance to win", "± error", "lead", " rollouts"} {
		if !strings.Contains(out, want) {
			t.Errorf("the account does not say %q:\n%s", want, out)
		}
	}
	account := decode[bots.Thought](t, must(t, "", "position", "think", "--file", p, "--bot", "search(rollouts=60)", "--json", "--workers", "2"))
	if !strings.Contains(out, " chooses "+account.Choice) || len(account.Actions) < 2 || len(account.Value) != 3 || account.Actions[0].Mean == nil || account.Actions[0].Visits == 0 {
		t.Errorf("%s\nas JSON: %+v", out, account)
	}
	if sum := *account.Value[0] + *account.Value[1] + *account.Value[2]; sum < .999 || sum > 1.001 {
		t.Errorf("chances to win %v sum to %v", account.Value, sum)
	}
}

func TestThinkTakesABotWithoutAnAccountAtItsChoice(t *testing.T) {
	p := file(t, "p.json", must(t, "", "position", "new", "kuhn(chance=sampled)", "--seed", "3"))
	out := must(t, "", "position", "think", p, "--bot", "random")
	if !strings.Contains(out, "random chooses ") || !strings.Contains(out, "gives no account") {
		t.Errorf("it prints %s", out)
	}
}

// The captain knows no errors and has no prior, and where its ship begins it decides without figures: none may be made up.
func TestThinkPrintsNoFigureThatTheCaptainDoesNotHave(t *testing.T) {
	p := file(t, "p.json", must(t, "", "position", "new", "doubloons(seats=2,chance=sampled,forced=skip)", "--seed", "7"))
	begins := must(t, "", "position", "think", p, "--bot", "heuristic")
	if !strings.Contains(begins, "*   captain=valparisa    1.000\n") || strings.Count(begins, "1.000") != 1 {
		t.Errorf("the captain that it takes for sure has no probability of 1:\n%s", begins)
	}
	round := decode[struct{ Position json.RawMessage }](t, must(t, "", "position", "apply", p, "--json", "--actions", "captain=voet; place=0,clockwise; captain=hayreddin; place=0,clockwise"))
	p = file(t, "q.json", string(round.Position))
	programs := must(t, "", "position", "think", p, "--bot", "heuristic")
	if !strings.Contains(programs, "points") || strings.Contains(programs, "0.0000") || strings.Contains(programs, "0.000  1.000") {
		t.Errorf("errors and a prior that nobody knows:\n%s", programs)
	}
	account := decode[bots.Thought](t, must(t, "", "position", "think", p, "--bot", "heuristic", "--json"))
	if c := account.Actions[0]; c.Mean == nil || c.Error != nil || c.Lead != nil || c.Weight != nil {
		t.Errorf("as JSON: %+v", c)
	}
}

func TestPlayExplainsEachOwnDecisionAndPlaysTheSame(t *testing.T) {
	play := func(args ...string) string {
		return must(t, "1\n1\n1\n1\n1\n1\n", append([]string{"play", "leduc", "--seed", "4"}, args...)...)
	}
	plain, with := play(), play("--explain=search(rollouts=40)")
	if n, asked := strings.Count(with, "search(rollouts=40) chooses "), strings.Count(with, "\n   1  "); n == 0 || n != asked {
		t.Errorf("%d accounts of %d decisions:\n%s", n, asked, with)
	}
	end := func(s string) string { return s[strings.LastIndex(s, "\n   1  "):] }
	if end(plain) != end(with) {
		t.Errorf("with an adviser the match ends otherwise: %s; want %s", end(with), end(plain))
	}
}
