package engine_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games/kuhn"
	_ "github.com/privateer-rl/privateer/engine/games/leduc"
)

func TestGameStringsAreReadAndMadeCanonical(t *testing.T) {
	for given, want := range map[string]string{
		"leduc":                               "leduc",
		" leduc ( ) ":                         "leduc",
		"kuhn(seats=2)":                       "kuhn",
		"kuhn( chance = explicit , seats=3 )": "kuhn(seats=3,chance=explicit)",
		"kuhn(forced=show,chance=sampled,seats=3)": "kuhn(seats=3,forced=show)",
	} {
		g, err := engine.NewGame(given)
		if err != nil {
			t.Errorf("%q: %v", given, err)
		} else if got := g.Info().Config; got != want {
			t.Errorf("%q makes %q, want %q", given, got, want)
		}
	}
}

func TestGivenKeepsWhatIsSoByDefaultToo(t *testing.T) {
	for game, want := range map[string]string{
		"leduc":              "leduc",
		" leduc ( ) ":        "leduc",
		"leduc(forced=skip)": "leduc(forced=skip)",
		"kuhn( forced = skip,seats=2,chance=sampled )": "kuhn(seats=2,chance=sampled,forced=skip)",
		"kuhn(forced=show,seats=3)":                    "kuhn(seats=3,forced=show)",
	} {
		got, given, err := engine.Given(game)
		if err != nil || got != want || len(given) != strings.Count(want, "=") {
			t.Errorf("%q gives %v, in short %q (%v), want %q", game, given, got, err, want)
		}
		for name, value := range given {
			if !strings.Contains(want, name+"="+value) {
				t.Errorf("%q does not give %s=%s", game, name, value)
			}
		}
	}
	if _, _, err := engine.Given("leduc(colour=red)"); err == nil || !strings.Contains(err.Error(), "colour") {
		t.Errorf("error %v, want one that names colour", err)
	}
}

func TestBadGameStringsAreRefusedByName(t *testing.T) {
	for given, naming := range map[string]string{
		"":                        `unknown game ""`,
		"chess":                   `unknown game "chess": known are kuhn, leduc`,
		"kuhn(seats=2":            "closing parenthesis",
		"kuhn(seats=7)":           "seats=7: want a whole number from 2 to 3",
		"kuhn(seats=)":            `"seats=" is not of the form name=value`,
		"kuhn(seats)":             `"seats" is not of the form`,
		"kuhn(seats=2,seats=3)":   "seats is given twice",
		"kuhn(players=2)":         `no parameter "players": known are seats, chance, forced`,
		"leduc(chance=loaded)":    "chance=loaded: want one of sampled, explicit",
		"leduc(forced=yes)":       "forced=yes: want one of skip, show",
		"leduc(chance=explicit)x": "closing parenthesis",
	} {
		_, err := engine.NewGame(given)
		if err == nil || !strings.Contains(err.Error(), naming) {
			t.Errorf("%q gives %v, want an error that says %q", given, err, naming)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error has more than one line: %v", given, err)
		}
	}
}

func TestWithReplacesParameters(t *testing.T) {
	got, err := engine.With("kuhn(seats=3,forced=show)", "chance", "explicit", "forced", "skip")
	if err != nil || got != "kuhn(seats=3,chance=explicit)" {
		t.Errorf("With gives %q, %v", got, err)
	}
	for _, bad := range [][]string{{"chess", "chance", "explicit"}, {"kuhn", "colour", "red"}, {"kuhn(", "chance", "explicit"}} {
		if got, err := engine.With(bad[0], bad[1:]...); err == nil {
			t.Errorf("With(%q) gives %q", bad, got)
		}
	}
}

func TestRegisteringANameTwicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second kuhn is accepted")
		}
	}()
	engine.Register(engine.Definition{Name: "kuhn"})
}

func TestDefinitionsAreSortedAndComplete(t *testing.T) {
	last := ""
	for _, d := range engine.Definitions() {
		if d.Name <= last || d.Title == "" || d.New == nil || d.Rules == "" || d.Schema == nil {
			t.Errorf("definition %q after %q lacks something", d.Name, last)
		}
		last = d.Name
	}
	if d, err := engine.Lookup("leduc(chance=explicit)"); err != nil || d.Name != "leduc" {
		t.Errorf("Lookup gives %q, %v", d.Name, err)
	}
}

func TestUnknownActionsNameTheClosest(t *testing.T) {
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for name, naming := range map[string]string{
		"deal=A": "known are deal=J, deal=K, deal=Q",
		"Fold":   "known are fold",
		"bet":    `privateer spec "leduc"`,
	} {
		if a, err := g.Info().ParseAction(name); err == nil || a != -1 || !strings.Contains(err.Error(), naming) {
			t.Errorf("%q parses to %d, %v: want an error that says %q", name, a, err, naming)
		}
	}
	if a, err := g.Info().ParseAction("  raise "); err != nil || g.Info().ActionName(a) != "raise" {
		t.Errorf("space around a name: %d, %v", a, err)
	}
}

type noRules struct{ engine.Rules[int] }

func TestGamesWithUnusableNamesAreNotMade(t *testing.T) {
	for name, info := range map[string]*engine.Info{
		"used twice":      {Seats: 1, Actions: []string{"a", "b", "a"}},
		"outcome as well": {Seats: 1, Actions: []string{"a"}, Outcomes: []string{"a"}},
		"empty":           {Seats: 1, Actions: []string{""}},
		"notation":        {Seats: 1, Actions: []string{"a;b"}},
		"comment":         {Seats: 1, Actions: []string{"a #b"}},
		"space around":    {Seats: 1, Actions: []string{" a"}},
		"no seat":         {Actions: []string{"a"}},
		"too many":        {Seats: 1, Actions: make([]string, engine.MaxActions+1)},
	} {
		if _, err := engine.Make(info, engine.Rules[int](noRules{})); err == nil {
			t.Errorf("%s: a game is made", name)
		}
	}
}

func FuzzGameString(f *testing.F) {
	for _, s := range []string{"kuhn", "kuhn(seats=3,chance=explicit)", "leduc(forced=show)", "kuhn(seats=", "kuhn(,,)", "((", "kuhn(seats=2)(seats=3)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := engine.NewGame(s)
		if err != nil {
			return
		}
		stated, given, err := engine.Given(s)
		if err != nil {
			t.Fatalf("%q is a game, but what it gives is refused: %v", s, err)
		}
		if twice, same, err := engine.Given(stated); err != nil || twice != stated || !maps.Equal(same, given) {
			t.Fatalf("%q gives %q, which gives %q (%v)", s, stated, twice, err)
		}
		again, err := engine.NewGame(g.Info().Config)
		if err != nil {
			t.Fatalf("%q makes %q, which is refused: %v", s, g.Info().Config, err)
		}
		if again.Info().Config != g.Info().Config {
			t.Fatalf("%q makes %q, which makes %q", s, g.Info().Config, again.Info().Config)
		}
	})
}
