package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

// written is a file of weights.
func written(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "weights.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func rowsOf(t testing.TB, g engine.Game) *encode.Schema {
	t.Helper()
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	return e.ActionSchema()
}

func TestARuleTakesTheActionWhoseRowWeighsMost(t *testing.T) {
	g := newGame(t, "jolly_roger(seats=4)")
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	gold, err := e.ActionSchema().Group("action.prize.value")
	if err != nil {
		t.Fatal(err)
	}
	bot, err := NewBot("rule(weights="+written(t, "action.prize.value: 1")+")", g)
	if err != nil {
		t.Fatal(err)
	}
	rows, prizes := make([]uint8, len(g.Info().Actions)*e.ActionSize()), 0
	for seed := range uint64(4) {
		each(t, g, seed, func(m engine.Match, r engine.Rand) {
			values := make([]uint8, e.EncodeActions(m, rows))
			for i := range values {
				values[i] = rows[i*e.ActionSize()+gold.Offset]
			}
			chosen, k := bot.Act(m, &r), 0
			for a := m.Legal().First(); a != chosen; a = m.Legal().Next(a) {
				k++
			}
			if best := slices.Max(values); k != slices.Index(values, best) {
				t.Errorf("%s: it takes action %d of %v", m.Decision(), k, values)
			} else if best > 0 && k > 0 {
				prizes++
			}
		})
	}
	if prizes == 0 {
		t.Error("never had a better prize to choose than the first action's")
	}
}

// The name of a file does not say which weights it has: their digest does. A seed says them itself.
func TestRulesOfOneFileAreToldApartByTheirWeights(t *testing.T) {
	g, file := newGame(t, "jolly_roger"), written(t, "action.attack.wins: 2\n")
	digest := func(name string) string {
		digests, err := new(Reader).Digests(name, g)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(digests, "#")
	}
	name := "rule(weights=" + file + ")"
	first := digest(name)
	if err := os.WriteFile(file, []byte("# the same\naction.attack.wins: 2.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if again := digest(name); first == "" || again != first {
		t.Errorf("digests %q and %q of the same weights", first, again)
	}
	if err := os.WriteFile(file, []byte("action.attack.wins: 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if other := digest(name); other == first {
		t.Errorf("digest %q of other weights", other)
	}
	if of := digest("rule(seed=7)"); of != "" {
		t.Errorf("digest %q of a seed", of)
	}
}

func TestWeightsOfARuleAreByTheNamesOfRows(t *testing.T) {
	rows := rowsOf(t, newGame(t, "jolly_roger"))
	at := func(name string) int {
		g, err := rows.Group(name)
		if err != nil {
			t.Fatal(err)
		}
		return g.Offset
	}
	got, err := ReadRule(written(t, "action.attack.wins: 2\naction.card.skill: [1, -1, 0.5, 0]\naction.choice: 1\naction.choice[3]: 4\n"), rows)
	if err != nil {
		t.Fatal(err)
	}
	skill, choice := at("action.card.skill"), at("action.choice")
	for i, want := range map[int]float64{at("action.attack.wins"): 2, skill: 1, skill + 1: -1, skill + 2: 0.5, choice: 1, choice + 3: 5, at("action.hand"): 0} {
		if got[i] != want {
			t.Errorf("byte %d weighs %v, not %v", i, got[i], want)
		}
	}
	if got, err := ReadRule(written(t, ""), rows); err != nil || slices.Max(got) != 0 {
		t.Errorf("an empty file: %v", err)
	}
}

func TestMistakesOfRulesAreNamed(t *testing.T) {
	g := newGame(t, "jolly_roger")
	for name, want := range map[string]string{
		"rule(seed=-1)":               "want a whole number",
		"rule(sed=1)":                 "do you mean seed?",
		"rule(weights=/nowhere/file)": "no such file",
		"rule(seed=1,weights=" + written(t, "action.hand: 1") + ")":         "want one of them",
		"rule(weights=" + written(t, "action.attack.win: 1") + ")":          "do you mean action.attack.wins?",
		"rule(weights=" + written(t, "action.choice[29]: 1") + ")":          "want an element from 0 to 28",
		"rule(weights=" + written(t, "action.choice[x]: 1") + ")":           "want an element from 0 to 28",
		"rule(weights=" + written(t, "action.card.skill: [1, 2]") + ")":     "2 weights for 4 bytes",
		"rule(weights=" + written(t, "action.hand: .nan") + ")":             "is no weight",
		"rule(weights=" + written(t, "action.hand: much") + ")":             "weights.yaml: ",
		"rule(weights=" + written(t, "- 1") + ")":                           "weights.yaml: ",
		"rule(weights=" + written(t, "action.hand: []") + ")":               "0 weights for 1 bytes",
		"rule(weights=" + written(t, "action.hand: 1\n---\nx: 1") + ")":     "one YAML document",
		"search(rollouts=4,prior=rule(weights=" + written(t, "x: 1") + "))": "prior: bot",
	} {
		if _, err := NewBot(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %s", name, err, want)
		}
	}
	if _, err := NewRule("short", g, make([]float64, 3)); err == nil || !strings.Contains(err.Error(), "3 weights for rows of") {
		t.Errorf("error %v", err)
	}
	if err := CheckName("rule(seed=3)", g); err != nil {
		t.Error(err)
	}
}

func TestRulesOfSeedsDifferAndChooseTheSameWhateverIsHidden(t *testing.T) {
	for _, game := range []string{"leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		g := newGame(t, game)
		rows := rowsOf(t, g)
		if slices.Equal(DrawRule(rows, 1), DrawRule(rows, 2)) || slices.Max(DrawRule(rows, 1)) > 1 {
			t.Error("weights of two seeds are the same, or beyond 1")
		}
		bot, err := NewBot("rule(seed=7)", g)
		if err != nil {
			t.Fatal(err)
		}
		botstest.WantHonest(t, g, 1, 1000, 1, bot)
		m, r := g.NewMatch(), engine.NewRand(1)
		m.Reset(1)
		if n := testing.AllocsPerRun(20, func() { bot.Act(m, &r) }); n > 0 {
			t.Errorf("%s: %v allocations a decision", game, n)
		}
	}
}

func FuzzWeightsOfARule(f *testing.F) {
	for _, text := range []string{"", "action.hand: 1", "action.card.skill: [1, -1, 0.5, 0]\naction.choice[3]: 4", "a: .inf", "- 1", "action.choice[-1]: {}"} {
		f.Add([]byte(text))
	}
	rows := rowsOf(f, newGame(f, "jolly_roger"))
	f.Fuzz(func(t *testing.T, data []byte) {
		weights, err := parseRule(data, rows)
		if err == nil && (len(weights) != rows.Size || slices.ContainsFunc(weights, func(x float64) bool { return x != x })) {
			t.Errorf("%q: %v", data, weights)
		}
	})
}

func BenchmarkRule(b *testing.B) {
	for _, game := range []string{"doubloons(seats=4)", "jolly_roger(seats=6)"} {
		b.Run(game, func(b *testing.B) {
			g := newGame(b, game)
			bot, err := NewBot("rule(seed=1)", g)
			if err != nil {
				b.Fatal(err)
			}
			m, r := g.NewMatch(), engine.NewRand(1)
			m.Reset(1)
			for range b.N {
				if m.Seat() < 0 {
					m.Reset(r.Uint64())
				}
				if err := m.Apply(bot.Act(m, &r)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
