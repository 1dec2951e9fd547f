package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestASeatsPositionHasNothingTheDealFollowsFrom(t *testing.T) {
	for _, game := range []string{"kuhn(seats=3)", "leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		whole := must(t, "", "position", "new", game, "--seed", "987654321")
		if !strings.Contains(whole, "generator") {
			t.Fatalf("%s: the whole position has no generator", game)
		}
		path := filepath.Join(t.TempDir(), "match.txt")
		must(t, "1\n1\n1\n", "play", game, "--seed", "987654321", "--bots", "random", "--save", path)
		for what, shown := range map[string]string{
			"position print":          must(t, whole, "position", "print", "--view", "1"),
			"position print --render": must(t, whole, "position", "print", "--view", "1", "--render"),
			"position print --svg":    must(t, whole, "position", "print", "--view", "1", "--svg"),
			"replay --svg":            must(t, "", "replay", path, "--view", "1", "--svg", "1"),
			"replay":                  must(t, "", "replay", path, "--view", "1", "--positions"),
			"replay --json":           must(t, "", "replay", path, "--view", "1", "--positions", "--json"),
		} {
			for _, word := range []string{"generator", "seed", "987654321"} {
				if strings.Contains(shown, word) {
					t.Errorf("%s, %s: seat 1 is shown %q", game, what, word)
				}
			}
		}
	}
}

func TestPositionsRoundTrip(t *testing.T) {
	for _, game := range []string{"kuhn", "kuhn(seats=3)", "leduc", "doubloons(seats=2)", "doubloons(seats=6)"} {
		first := must(t, "", "position", "new", game, "--seed", "5")
		if again := must(t, first, "position", "print"); again != first {
			t.Errorf("%s: printed again the position differs:\n%s\n%s", game, first, again)
		}
		if out := must(t, first, "position", "validate"); !strings.HasPrefix(out, "valid: ") {
			t.Errorf("%s: %q", game, out)
		}
		if got := decode[struct{ Game string }](t, first).Game; got != game {
			t.Errorf("%s: the position names game %q", game, got)
		}
	}
}

// A command in a pipe reads the game string that the one before it has printed.
func TestPositionsKeepWhatTheirGameStringGives(t *testing.T) {
	type named struct{ Game string }
	type reply struct{ Position named }
	kuhn := func(game string) string { return fmt.Sprintf(`{"game": %q, "hands": ["K", "J"]}`, game) }
	for game, want := range map[string]string{
		"kuhn":                              "kuhn",
		"kuhn(forced=skip)":                 "kuhn(forced=skip)",
		"kuhn(forced=show)":                 "kuhn(forced=show)",
		"kuhn( seats=2 , chance=sampled )":  "kuhn(seats=2,chance=sampled)",
		"kuhn(forced=skip,chance=explicit)": "kuhn(chance=explicit,forced=skip)",
	} {
		for _, args := range [][]string{
			{"position", "print"},
			{"position", "print", "--view", "1"},
			{"position", "apply", "--json", "--actions", "bet"},
			{"position", "apply", "--json", "--forced", "show", "--actions", "bet"}, // a flag is for one command
		} {
			for in, line := range map[string][]string{game: args, "kuhn(seats=3)": append(args[:len(args):len(args)], "--game", game)} {
				out := must(t, kuhn(in), line...)
				if got := decode[named](t, out).Game + decode[reply](t, out).Position.Game; got != want {
					t.Errorf("%q with %s: the position printed is of %q, want %q", line, in, got, want)
				}
			}
		}
		if out := must(t, kuhn(game), "position", "validate"); !strings.HasPrefix(out, "valid: "+want+",") {
			t.Errorf("%q: %q, want it to name %s", game, out, want)
		}
		if got := decode[named](t, must(t, "", "position", "new", game)).Game; got != want {
			t.Errorf("position new %q makes a position of %q, want %q", game, got, want)
		}
	}
}

// With forced moves skipped, two commands lead to the same position as one.
func TestAPipeOfAppliedActionsComesToWhereOneCommandDoes(t *testing.T) {
	type reply struct {
		Position json.RawMessage
		Next     json.RawMessage
	}
	start := must(t, "", "position", "new", "doubloons(seats=2,forced=skip,chance=sampled)", "--seed", "5")
	type next struct{ Legal []string }
	text, names := start, []string{}
	for range 12 {
		legal := decode[next](t, must(t, text, "position", "actions", "--json")).Legal
		if len(legal) < 2 {
			t.Fatalf("after %v: asked for a forced move, %v", names, legal)
		}
		names = append(names, legal[0])
		text = string(decode[reply](t, must(t, text, "position", "apply", "--json", "--actions", legal[0])).Position)
	}
	whole := decode[reply](t, must(t, start, "position", "apply", "--json", "--actions", strings.Join(names, ";")))
	if a, b := mustJSON(t, whole.Position), mustJSON(t, json.RawMessage(text)); !bytes.Equal(a, b) {
		t.Errorf("in one command\n%s\nin %d\n%s", a, len(names), b)
	}
}

func TestPrintedPositionsSayTheSameInShortLines(t *testing.T) {
	numbers := strings.TrimSuffix(strings.Repeat("123456, ", 40), ", ")
	for _, text := range []string{
		`{}`,
		`{"a": {}, "b": [], "c": null, "d": -1.5e3, "e": "x<\"y\\ é"}`,
		`{"list": [` + numbers + `]}`,
		`{"mixed": [1, {"list": [` + numbers + `]}, 2, [` + numbers + `], 3]}`,
		`{"deep": {"deep": {"deep": {"list": [` + numbers + `], "more": {"x": [[], {}]}}}}}`,
	} {
		var out strings.Builder
		if err := writePosition(&out, []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var want, got bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&got, []byte(out.String())); err != nil || got.String() != want.String() {
			t.Errorf("%s is printed as %s (%v)", text, out.String(), err)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if len(line) > lineWidth {
				t.Errorf("a line of %d columns: %s", len(line), line)
			}
		}
	}
}

func TestAppliedPositionIsThePositionOfTheSteps(t *testing.T) {
	start := `{"game": "leduc", "hands": ["K", "J"]}`
	type reply struct {
		Steps []struct {
			Seat    int
			Action  string
			Changes []struct{ Path string }
		}
		Next struct {
			Seat  int
			Legal []string
		}
	}
	whole := must(t, start, "position", "apply", "--json", "--actions", "raise; call; public=J; call")
	r := decode[reply](t, whole)
	if len(r.Steps) != 4 || r.Steps[2].Seat != engine.Chance || r.Next.Seat != 1 || strings.Join(r.Next.Legal, " ") != "call raise" {
		t.Errorf("steps %+v, next %+v", r.Steps, r.Next)
	}
	for i, s := range r.Steps {
		if len(s.Changes) == 0 {
			t.Errorf("step %d changed nothing", i+1)
		}
	}
	// The same in two parts.
	type position struct{ Position any }
	half := decode[map[string]any](t, must(t, start, "position", "apply", "--json", "--actions", "raise; call"))
	path := file(t, "half.json", string(mustJSON(t, half["position"])))
	rest := must(t, "", "position", "apply", path, "--json", "--actions", "public=J;call")
	if a, b := decode[position](t, whole), decode[position](t, rest); string(mustJSON(t, a)) != string(mustJSON(t, b)) {
		t.Errorf("in one go %v, in two %v", a, b)
	}
}

func TestPositionThatIsOverTellsReturnsAndScores(t *testing.T) {
	tied := `{"game": "doubloons(seats=3)", "phase": "over", "dug": true, "ships": [
		{"track": 4, "crew": 3, "doubloons": 6, "fragments": {}}, {"crew": 3, "doubloons": 6, "fragments": {}},
		{"doubloons": 1, "fragments": {"x": 2}, "hull": 0}]}`
	type standing struct {
		Seat    int
		Return  float64
		Score   int
		Sources map[string]int `json:"score_by_source"`
	}
	type reply struct{ Standings []standing }
	for _, have := range []reply{
		decode[reply](t, must(t, tied, "position", "actions", "--json")),
		decode[struct{ Next reply }](t, must(t, tied, "position", "apply", "--json")).Next,
	} {
		if s := have.Standings; len(s) != 3 || s[0].Return != s[1].Return || s[1].Return <= s[2].Return || s[2].Seat != 2 ||
			s[0].Score != 9 || s[2].Score != 6 || s[2].Sources["fragments"] != 4 || s[2].Sources["curse"] != -3 {
			t.Errorf("two share the win with 9 points, a ghost ship has 6; have %+v", s)
		}
	}
	for _, verb := range []string{"apply", "actions"} {
		out := must(t, tied, "position", verb)
		for _, want := range []string{"return", "curse", "total", "seat 2"} {
			if !strings.Contains(out[strings.Index(out, "the match is over"):], want) {
				t.Errorf("position %s of a match that is over does not say %q: %s", verb, want, out)
			}
		}
	}
	if out := must(t, tied, "position", "validate"); !strings.HasSuffix(out, ", the match is over\n") {
		t.Errorf("validate says %q; want that the match is over", out)
	}
	if running := must(t, `{"game": "kuhn", "hands": ["K", "J"]}`, "position", "actions", "--json"); strings.Contains(running, "standings") {
		t.Errorf("a match that continues has standings: %s", running)
	}
}

func TestChangesOfLongListsAreToldByTheirDifference(t *testing.T) {
	long := `["N01","N02","N03","N04","N05","N06","N07","N02"]`
	for _, c := range []struct{ from, to, want string }{
		{`1`, `2`, `x: 1 → 2`},
		{`["N01"]`, `[]`, `x: ["N01"] → []`},
		{long, `["N01","N02","N03","N04","N05","N06","N08"]`, `x: −"N07" −"N02" +"N08"`},
		{long, `[]`, `x: ` + long + ` → []`},
		{long, `["N02","N01","N03","N04","N05","N06","N07","N02"]`, `x: ` + long + ` → ["N02","N01","N03","N04","N05","N06","N07","N02"]`},
		{``, long, `x: ` + long + ` (new)`},
	} {
		if got := (change{"x", json.RawMessage(c.from), json.RawMessage(c.to)}).String(); got != c.want {
			t.Errorf("%s to %s is told as %q; want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestApplyDrawsChanceWhenAsked(t *testing.T) {
	type reply struct {
		Steps []struct {
			Seat   int
			Action string
			Drawn  bool
		}
		Position struct {
			Game  string
			Hands []string
		}
	}
	apply := func(game string, more ...string) reply {
		return decode[reply](t, must(t, fmt.Sprintf(`{"game": %q}`, game), append([]string{"position", "apply", "--json"}, more...)...))
	}
	if r := apply("kuhn"); len(r.Steps) != 0 || r.Position.Hands[0] != "-" {
		t.Errorf("chance was drawn without being asked for: %+v", r)
	}
	asked := apply("kuhn", "--chance", "sampled", "--actions", "bet")
	if len(asked.Steps) != 3 || !asked.Steps[0].Drawn || asked.Steps[2].Drawn || asked.Steps[2].Action != "bet" {
		t.Errorf("want two cards drawn and a bet; have %+v", asked.Steps)
	}
	// The position's own generator is that of seed 0, so the cards are those of a match with it.
	if r := decode[reply](t, `{"position": `+must(t, "", "position", "new", "kuhn", "--seed", "0")+`}`); strings.Join(r.Position.Hands, "") != strings.Join(asked.Position.Hands, "") {
		t.Errorf("hands %v; want %v as in a match", asked.Position.Hands, r.Position.Hands)
	}
	if r := apply("kuhn(chance=sampled)"); len(r.Steps) != 2 {
		t.Errorf("the file asks for sampled chance, but %d steps were drawn; want 2", len(r.Steps))
	}
	if r := apply("kuhn(chance=sampled)", "--chance", "explicit"); len(r.Steps) != 0 || r.Position.Game != "kuhn(chance=sampled)" {
		t.Errorf("the flag does not override the file: %+v", r)
	}
	seen := map[string]bool{}
	for seed := range 20 {
		seen[strings.Join(apply("kuhn", "--chance", "sampled", "--seed", fmt.Sprint(seed)).Position.Hands, "")] = true
	}
	if len(seen) < 4 {
		t.Errorf("20 seeds gave only the deals %v", seen)
	}
}

func TestGameFlagOverridesTheFile(t *testing.T) {
	out := must(t, `{"game": "kuhn", "hands": ["K", "J", "A"]}`, "position", "validate", "--game", "kuhn(seats=3)")
	if !strings.Contains(out, "kuhn(seats=3)") {
		t.Errorf("output %q", out)
	}
}
