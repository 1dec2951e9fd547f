package prompt_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"unicode"

	_ "github.com/privateer-rl/privateer/engine/games"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/prompt"
)

var answers = flag.Int("answers", 4_000, "answers that are read; 100000 is what the package is held to")

// at is the match of a game string after actions.
func at(t testing.TB, game string, actions ...string) engine.Match {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	for _, name := range actions {
		a, err := g.Info().ParseAction(name)
		if err == nil {
			err = m.Apply(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// In Leduc, once seat 0 has raised: 0 fold, 1 call, 2 raise.
func TestAnswersAreRead(t *testing.T) {
	m := at(t, "leduc", "raise")
	for text, want := range map[string]string{
		"2":                       "raise",
		" 2. ":                    "raise",
		"RAISE":                   "raise",
		"r":                       "raise",
		"Rai":                     "raise",
		`"raise"`:                 "raise",
		"**Call**":                "call",
		"1 call":                  "call",
		"#1":                      "call",
		"option 1":                "call",
		"I choose to call.":       "call",
		"I'll go with raise!":     "raise",
		"I will fold.":            "fold",
		"Action: fold":            "fold",
		"**Action:** raise":       "raise",
		"Answer = 0":              "fold",
		"Final answer:\n\n`call`": "call",
		"My choice is to raise because the king is high.":            "raise",
		"Answer: 2, as fold loses":                                   "raise",
		"I could call, but I raise.":                                 "raise",
		"Folding is weak. Call.":                                     "call",
		"Raise. If I call, I win less.":                              "raise",
		"I would rather raise than call.":                            "raise",
		"I don't fold, I call.":                                      "call",
		"Let me think. fold? call? No.\nraise":                       "raise",
		"<think>call, call, call</think>fold":                        "fold",
		"```\nraise\n```":                                            "raise",
		"Here it is:\n```json\n{\"action\": \"call\"}\n```\n":        "call",
		`{"reason": "raise is bold", "action": "call"}`:              "call",
		`{"Number": 2}`:                                              "raise",
		`First {"action": "fold"}, no: {"action": {"name": "call"}}`: "call",
		"Answer: fold\nWait. Answer: call":                           "call",
	} {
		a, err := prompt.Read(m, text)
		if err != nil || m.Info().ActionName(a) != want {
			t.Errorf("%q: action %d, %v: want %s", text, a, err, want)
		}
	}
}

func TestAnswersThatAreNoneAreErrorsThatHelp(t *testing.T) {
	first, again, places := at(t, "leduc"), at(t, "leduc", "raise"), at(t, "doubloons(seats=2)", "captain=hayreddin")
	for _, c := range []struct {
		match engine.Match
		text  string
		want  string
	}{
		{again, "", "it is empty"},
		{again, "...", "it is empty"},
		{again, "hello", `"hello" names no choice: the choices are 0 (fold), 1 (call), 2 (raise)`},
		{again, "7", `"7" is not legal now: the choices are 0 (fold)`},
		{first, "fold", `"fold" is not legal now: the choices are 1 (call), 2 (raise)`},
		{first, "Answer: 0", "not legal now"},
		{again, "Answer: bluff\nI like raise", "names no choice"},
		{again, "call or raise", "may mean 1 (call), 2 (raise): name one of them by its number"},
		{again, "I choose raise or call.", "may mean 1 (call), 2 (raise)"},
		{again, "1 raise", "may mean 2 (raise), 1 (call)"},
		{again, `{"number": 1, "name": "raise"}`, "may mean 1 (call), 2 (raise)"},
		{again, "I have 2 chips", "names no choice"},
		{places, "place", "may mean"},
		{again, "\x1b[2J\n" + strings.Repeat("x", 1000), `"\x1b[2J\nxxx`},
	} {
		_, err := prompt.Read(c.match, c.text)
		switch {
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%q: %v: want %q", c.text, err, c.want)
		case errors.Is(err, prompt.ErrIllegal) != strings.Contains(c.want, "not legal"):
			t.Errorf("%q: %v: is it illegal?", c.text, err)
		case strings.ContainsFunc(err.Error(), func(c rune) bool { return !unicode.IsPrint(c) }) || len(err.Error()) > 600:
			t.Errorf("%q: the error cannot be shown: %q", c.text, err)
		}
	}
}

// spelled is a way to say an action: of those that are legal, what is chosen, %a, and another one, %o.
type spelled struct {
	kind string
	say  func(w *writer, chosen, other engine.Action) string
}

// writer writes answers about a match.
type writer struct {
	match engine.Match
	rand  engine.Rand
}

func (w *writer) name(a engine.Action) string { return w.match.Info().ActionName(a) }

func (w *writer) one(of ...string) string { return of[w.rand.Intn(len(of))] }

// cased is a text with capitals where chance has them.
func (w *writer) cased(text string) string {
	return strings.Map(func(c rune) rune {
		if w.rand.Intn(2) == 0 {
			return unicode.ToUpper(c)
		}
		return c
	}, text)
}

// spaced is a text with spaces round the signs of the notation, or in their place.
func (w *writer) spaced(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '_':
			b.WriteString(w.one(" ", "_", "  ", "-"))
		case c == '=' || c == ',':
			b.WriteString(w.one(" ", "", "  ") + string(c) + w.one(" ", "", "\t"))
		default:
			b.WriteRune(c)
		}
	}
	return w.one("", " ", "\n") + b.String() + w.one("", "  ", "\n\n")
}

// beginning is as much of a name as no other legal action begins with, and perhaps more.
func (w *writer) beginning(a engine.Action) string {
	name := w.name(a)
	plain := func(text string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '+' }), " ")
	}
	for n := 1; n < len(name); n++ {
		alone, legal := true, w.match.Legal()
		for b := legal.First(); b >= 0; b = legal.Next(b) {
			_, words := engine.Point(w.match, b)
			for _, other := range []string{w.name(b), words} {
				alone = alone && (b == a || !strings.HasPrefix(plain(other), plain(name[:n])))
			}
		}
		if last := name[n-1]; alone && last != '+' && last != '-' && plain(name[:n]) != "" {
			return name[:n+w.rand.Intn(len(name)-n+1)]
		}
	}
	return name
}

var kinds = []spelled{
	{"number", func(w *writer, a, _ engine.Action) string { return fmt.Sprint(int(a)) }},
	{"name", func(w *writer, a, _ engine.Action) string { return w.name(a) }},
	{"case", func(w *writer, a, _ engine.Action) string { return w.cased(w.name(a)) }},
	{"spacing", func(w *writer, a, _ engine.Action) string { return w.spaced(w.name(a)) }},
	{"beginning", func(w *writer, a, _ engine.Action) string { return w.cased(w.beginning(a)) }},
	{"double quotes", func(w *writer, a, _ engine.Action) string { return `"` + w.name(a) + `"` }},
	{"other quotes", func(w *writer, a, _ engine.Action) string {
		return w.one("'%a'", "`%a`", "“%a”", "*%a*", "**%a**", "(%a)", "[%a]")
	}},
	{"JSON with a name", func(w *writer, a, _ engine.Action) string {
		return fmt.Sprintf(`{"%s": %q}`, w.one("action", "answer", "choice", "move", "Action"), w.name(a))
	}},
	{"JSON with a number", func(w *writer, a, other engine.Action) string {
		return fmt.Sprintf(`{"reason": %q, "%s": %d}`, w.name(other)+" is worse", w.one("action", "answer", "number"), a)
	}},
	{"JSON in a fence", func(w *writer, a, _ engine.Action) string {
		return fmt.Sprintf("I have decided.\n```json\n{\n  \"action\": %q\n}\n```", w.name(a))
	}},
	{"fence", func(w *writer, a, _ engine.Action) string {
		return fmt.Sprintf("%s```%s\n%s\n```%s", w.one("", "My move\n"), w.one("", "text"), w.name(a), w.one("", "\n"))
	}},
	{"I choose", func(w *writer, a, other engine.Action) string {
		return w.one("I choose ", "I pick ", "I'll go with ", "I will choose ", "I select ") + w.name(a) + w.one("", ".", " over "+w.name(other)+".", ", as it is best.")
	}},
	{"Action:", func(w *writer, a, _ engine.Action) string {
		return w.one("Action: ", "ACTION:", "**Action:** ", "Action = ", "action:\n") + w.name(a) + w.one("", ".", "\n")
	}},
	{"Answer: number", func(w *writer, a, other engine.Action) string {
		return w.one("", "I think "+w.name(other)+" is weak.\n", "There are 3 ways.\n\n") + w.one("Answer: ", "Final answer: ", "**Answer:** ", "The answer is ") + fmt.Sprint(int(a)) + w.one("", ".", "\n")
	}},
	{"the last of several", func(w *writer, a, other engine.Action) string {
		return w.one("I could play %o, but %a is better.", "Not %o. %a.", "%o? No.\n%a", "Maybe %o.\nOr rather: %a")
	}},
	{"the last line", func(w *writer, a, other engine.Action) string {
		return "First I looked at " + w.name(other) + ", which costs 2.\nThen at the rest.\n\n" + w.one(w.name(a), fmt.Sprint(int(a)))
	}},
	{"a line of the prompt", func(w *writer, a, _ engine.Action) string {
		_, words := engine.Point(w.match, a)
		return fmt.Sprintf("%d %s: %s", a, w.name(a), words)
	}},
	{"number and name", func(w *writer, a, _ engine.Action) string {
		return strings.ReplaceAll(w.one("%n. %a", "%n (%a)", "%n - %a", "#%n: %a", "option %n, %a"), "%n", fmt.Sprint(int(a)))
	}},
	{"after thought", func(w *writer, a, other engine.Action) string {
		return "<think>" + w.name(other) + "? Answer: " + w.name(other) + "</think>\n" + w.name(a)
	}},
	{"twice", func(w *writer, a, other engine.Action) string {
		return fmt.Sprintf("Answer: %s\nNo, wait.\nAnswer: %d", w.name(other), a)
	}},
}

// Of answers in twenty spellings, about decisions of all games, at least 99.5 % are read, and none as another action.
func TestAnswersInAnySpellingAreReadRight(t *testing.T) {
	var all []engine.Game
	for _, game := range []string{"kuhn", "leduc", "liars_dice", "doubloons", "jolly_roger"} {
		for _, config := range enginetest.Configurations(t, game) {
			g, err := engine.NewGame(config)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, g)
		}
	}
	missed, read := map[string]int{}, 0
	w := writer{rand: engine.NewRand(1)}
	for seed := uint64(0); read < *answers; seed++ {
		g := all[w.rand.Intn(len(all))]
		w.match = g.NewMatch()
		for w.match.Reset(seed); w.match.Seat() != engine.Over && read < *answers; {
			if w.match.Seat() == engine.Chance {
				if err := w.match.Apply(w.match.SampleChance()); err != nil {
					t.Fatal(err)
				}
				continue
			}
			chosen, other := w.match.Legal().Sample(&w.rand), w.match.Legal().Sample(&w.rand)
			if w.rand.Intn(8) == 0 {
				kind := kinds[read%len(kinds)]
				text := strings.NewReplacer("%o", w.name(other), "%a", w.name(chosen)).Replace(kind.say(&w, chosen, other))
				read++
				switch a, err := prompt.Read(w.match, text); {
				case err != nil:
					missed[kind.kind]++
					if missed[kind.kind] <= 3 {
						t.Logf("%s: %q is not read: %v", kind.kind, text, err)
					}
				case a != chosen:
					t.Errorf("%s, %s: %q is read as %s: want %s", g.Info().Config, kind.kind, text, w.name(a), w.name(chosen))
				}
			}
			if err := w.match.Apply(chosen); err != nil {
				t.Fatal(err)
			}
		}
	}
	n := 0
	for _, m := range missed {
		n += m
	}
	t.Logf("%d of %d answers are not read: %v", n, read, missed)
	if float64(n) > 0.005*float64(read) {
		t.Errorf("%d of %d answers are not read: want 0.5 %% at most", n, read)
	}
}

// However an answer is made, reading it takes about as long as its text is long. Here are those for which it could take the square of that.
func BenchmarkReadOfWhatIsMadeToTakeLong(b *testing.B) {
	m := at(b, "jolly_roger(seats=10,bribes=talk)")
	for _, part := range []string{"answer is ", "I choose ", "the ", "{", `{"action":`, "**a** ", "`x`", "+", "say=", "Answer:\n", "```\n", "</think>"} {
		text := strings.Repeat(part, 64<<10/len(part))
		b.Run(part, func(b *testing.B) {
			for b.Loop() {
				_, _ = prompt.Read(m, text)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"2", "Answer: raise", `{"action": 1}`, "```\ncall\n```", "I choose +1", "```{{{{`**\"", "<think>"} {
		f.Add(text)
	}
	m := at(f, "leduc", "raise")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := prompt.Read(m, text)
		if err == nil && !m.Legal().Has(a) {
			t.Errorf("%q is read as %d, which is not legal", text, a)
		}
		if err != nil && strings.ContainsFunc(err.Error(), func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("%q: the error cannot be shown: %q", text, err)
		}
	})
}
