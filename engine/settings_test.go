package engine

import (
	"reflect"
	"strings"
	"testing"
)

var thinker = []Param{{Name: "rollouts", Default: "100"}, {Name: "horizon", Default: "auto"}, {Name: "prior", Default: "auto"}}

func TestListsAreSplitAtCommasOutsideOfParentheses(t *testing.T) {
	for list, want := range map[string][]string{
		"random": {"random"}, "random, heuristic": {"random", "heuristic"}, "": {""},
		"search(rollouts=24,horizon=round),heuristic":           {"search(rollouts=24,horizon=round)", "heuristic"},
		"a(x=b(y=1,z=2),w=3), policy:runs/my (2).bundle,random": {"a(x=b(y=1,z=2),w=3)", "policy:runs/my (2).bundle", "random"},
		"a(b,c": {"a(b,c"}, "a),b": {"a)", "b"},
	} {
		if got := SplitList(list); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q; want %q", list, got, want)
		}
	}
}

func TestSettingsAreSpelledInOneWay(t *testing.T) {
	for text, want := range map[string]string{
		"search": "search", "search()": "search", "search(rollouts=100)": "search",
		"search( prior = b(x=1,y=2) , rollouts=24)": "search(rollouts=24,prior=b(x=1,y=2))",
	} {
		c, err := ParseSettings("bot", text, "search", thinker)
		if err != nil || c.Canonical() != want {
			t.Errorf("%s: %q, %v; want %q", text, c.Canonical(), err, want)
		}
	}
}

func TestMistakesInSettingsAreNamed(t *testing.T) {
	for text, says := range map[string]string{
		"search(rolouts=24)":                `bot "search(rolouts=24)": search has no parameter "rolouts": known are rollouts, horizon, prior; do you mean rollouts?`,
		"search(depth=3)":                   `search has no parameter "depth": known are rollouts, horizon, prior`,
		"search(rollouts=24":                "the closing parenthesis is missing",
		"search(prior=b(x=1)":               "the closing parenthesis is missing",
		"search(rollouts)":                  `"rollouts" is not of the form name=value`,
		"search(rollouts=24,rollouts=1000)": "rollouts is given twice",
	} {
		if _, err := ParseSettings("bot", text, "search", thinker); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want an error that says %s", text, err, says)
		}
	}
	c, err := ParseSettings("bot", "search(rollouts=2e1,horizon=1.5)", "search", thinker)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Int("rollouts", 1, 50); err == nil || !strings.Contains(err.Error(), "rollouts=2e1: want a whole number from 1 to 50") {
		t.Errorf("of a number that is not whole: %v", err)
	}
	if x, err := c.Float("horizon", 0, 2); err != nil || x != 1.5 {
		t.Errorf("1.5 is %v, %v", x, err)
	}
	if _, err := c.Float("horizon", 0, 1); err == nil || !strings.Contains(err.Error(), "horizon=1.5: want a number from 0 to 1") {
		t.Errorf("of a number that is too large: %v", err)
	}
}
