package captain

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

var update = flag.Bool("update", false, "fit evaluator.json again; minutes")

// columns are what a fit weighs: the features, and who sits there, since a better player wins more with whatever it has.
const columns = numFeatures + 2

// stood is how the seats of a match stood at the beginning of a round, and what came of it.
type stood struct {
	seats [][columns]float64
	share []float64 // of the win, by seat
}

// fittedOn is who plays the matches that the evaluator is fitted on.
var fittedOn = []string{"heuristic(quick=yes)"}

// watch plays matches of players drawn by lot and hands on how they stood, by stage.
func watch(t *testing.T, game string, players []string, from, matches int, take func(stage int, x stood)) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	table := make([]bots.Bot, len(players))
	for i, name := range players {
		if table[i], err = policy.NewBot(name, g); err != nil {
			t.Fatal(err)
		}
	}
	c, err := newCaptain(g)
	if err != nil {
		t.Fatal(err)
	}
	m, returns, who := g.NewMatch(), make([]float32, g.Info().Seats), make([]int, g.Info().Seats)
	for i := range matches {
		r := engine.NewRand(uint64(from + i)).At(1)
		for seat := range who {
			if len(table) > 1 {
				who[seat] = r.Intn(len(table))
			}
		}
		m.Reset(uint64(from + i))
		s, round := engine.State[doubloons.State](m), uint8(0)
		var stages []int
		var list []stood
		for m.Seat() >= 0 {
			if s.Round != round {
				round = s.Round
				st := c.standing(s)
				x := stood{seats: make([][columns]float64, c.seats)}
				for seat := range x.seats {
					c.features(s, &st, seat, (*[numFeatures]float64)(x.seats[seat][:]))
					if who[seat] > 0 {
						x.seats[seat][numFeatures+who[seat]-1] = 1
					}
				}
				stages, list = append(stages, c.stage(s)), append(list, x)
			}
			if err := m.Apply(table[who[m.Seat()]].Act(m, &r)); err != nil {
				t.Fatal(err)
			}
		}
		m.Returns(returns)
		for k, x := range list {
			for seat := range x.seats {
				x.share = append(x.share, engine.WinShare(returns, seat))
			}
			take(stages[k], x)
		}
	}
}

// ridge keeps the weights of what was seen too seldom near 0.
const ridge = 3

// fit finds the weights of the conditional logit by Newton's method.
func fit(data []stood) (w [columns]float64) {
	for range 25 {
		var slope [columns]float64
		var bend [columns][columns]float64
		for f := range w {
			slope[f], bend[f][f] = -ridge*w[f], ridge
		}
		for _, x := range data {
			p := chances(&w, x)
			var mean [columns]float64
			for i := range p {
				for f := range w {
					mean[f] += p[i] * x.seats[i][f]
				}
			}
			for i := range p {
				for f := range w {
					slope[f] += (x.share[i] - p[i]) * x.seats[i][f]
					for h := range w {
						bend[f][h] += p[i] * (x.seats[i][f] - mean[f]) * (x.seats[i][h] - mean[h])
					}
				}
			}
		}
		for f, step := range solve(bend, slope) {
			w[f] += step
		}
	}
	return w
}

func chances(w *[columns]float64, x stood) []float64 {
	p, total := make([]float64, len(x.seats)), 0.0
	for i := range p {
		for f := range w {
			p[i] += w[f] * x.seats[i][f]
		}
	}
	most := slices.Max(p)
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// solve solves a·x = b by elimination.
func solve(a [columns][columns]float64, b [columns]float64) [columns]float64 {
	for k := range b {
		for i := k + 1; i < len(b); i++ {
			q := a[i][k] / a[k][k]
			for j := k; j < len(b); j++ {
				a[i][j] -= q * a[k][j]
			}
			b[i] -= q * b[k]
		}
	}
	for k := len(b) - 1; k >= 0; k-- {
		for j := k + 1; j < len(b); j++ {
			b[k] -= a[k][j] * b[j]
		}
		b[k] /= a[k][k]
	}
	return b
}

// surprise is the mean of −ln of the chance that was given to the winner.
func surprise(w *coefficients, data [numStages][]stood) (given, equal float64) {
	n := 0
	for stage, list := range data {
		var all [columns]float64
		copy(all[:], w[stage][:])
		for _, x := range list {
			for i, p := range chances(&all, x) {
				given -= x.share[i] * math.Log(p)
			}
			equal += math.Log(float64(len(x.seats)))
			n++
		}
	}
	return given / float64(n), equal / float64(n)
}

// tables are the tables that the weights of an island are fitted on.
var tables = map[string][]string{
	"standard":  {"doubloons(seats=2)", "doubloons(seats=4)", "doubloons(seats=6)"},
	"alternate": {"doubloons(seats=2,modules=alternate_island)", "doubloons(seats=4,modules=alternate_island)", "doubloons(seats=6,modules=alternate_island)"},
}

func TestEvaluatorKnowsMoreThanTheEqualShare(t *testing.T) {
	fitted(t, "evaluator.json", &evaluatorFile, fittedBook, tables, fittedOn, 2500)
}

// fitted is a book that must know more than equal chances, and is fitted anew on a number of matches of each table if that is asked for.
func fitted(t *testing.T, name string, file *[]byte, read func() (*book, error), tables map[string][]string, players []string, matches int) *book {
	t.Helper()
	if *update {
		*file = writeBook(t, name, tables, players, matches)
	}
	weights, err := read()
	if err != nil {
		t.Fatal(err)
	}
	wantForesight(t, weights, tables, players)
	return weights
}

// wantForesight fails if a book's surprise about who wins is no less than that of equal chances.
func wantForesight(t *testing.T, weights *book, tables map[string][]string, players []string) {
	t.Helper()
	for i, island := range islands {
		for _, game := range tables[island] {
			var data [numStages][]stood
			watch(t, game, players, 1<<30, 60, func(stage int, x stood) { data[stage] = append(data[stage], x) })
			if given, equal := surprise(&weights[i], data); given > .93*equal {
				t.Errorf("%s: surprise %.3f; equal chances give %.3f", game, given, equal)
			}
		}
	}
}

// writeBook fits a book anew on n matches of each table, and returns the file.
func writeBook(t *testing.T, name string, tables map[string][]string, players []string, matches int) []byte {
	t.Helper()
	var out bytes.Buffer
	after := "{\n"
	for _, island := range islands {
		if tables[island] == nil {
			continue
		}
		var data [numStages][]stood
		for k, game := range tables[island] {
			watch(t, game, players, k*matches, matches, func(stage int, x stood) { data[stage] = append(data[stage], x) })
		}
		fmt.Fprintf(&out, "%s  %q: [\n", after, island)
		for stage, list := range data {
			w := fit(list)
			parts := make([]string, numFeatures)
			for f, name := range featureNames {
				parts[f] = fmt.Sprintf("%q: %.4f", name, w[f])
			}
			fmt.Fprintf(&out, "    {%s}%s\n", strings.Join(parts, ", "), strings.Repeat(",", min(1, numStages-1-stage)))
			t.Logf("%s, stage %d: %d standings", island, stage, len(list))
		}
		out.WriteString("  ]")
		after = ",\n"
	}
	out.WriteString("\n}\n")
	if !json.Valid(out.Bytes()) {
		t.Fatalf("no JSON: %s", out.Bytes())
	}
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSupposedProgramsAreOfTheSameCards(t *testing.T) {
	for _, game := range []string{"doubloons(seats=4)", "doubloons(seats=3,modules=alternate_island)"} {
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newCaptain(g)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bots.New("heuristic", g)
		if err != nil {
			t.Fatal(err)
		}
		m, world := g.NewMatch(), g.NewMatch()
		r := engine.NewRand(1)
		changed := 0
		for seed := range uint64(6) {
			m.Reset(seed)
			for m.Seat() >= 0 {
				seat := m.Seat()
				world.CopyFrom(m)
				world.Redeal(seat, &r)
				before := *engine.State[doubloons.State](world)
				c.Suppose(world, seat, &r)
				s := engine.State[doubloons.State](world)
				for i := range c.seats {
					if before.Hidden(i) != s.Hidden(i) {
						t.Fatalf("%s: %s: the cards of seat %d are others", game, m.Decision(), i)
					}
					if before.Ships[i].Table != s.Ships[i].Table {
						if changed++; i == seat {
							t.Fatalf("%s: %s: the seat's own program is another", game, m.Decision())
						}
					}
				}
				if err := c.rules.Check(s); err != nil {
					t.Fatalf("%s: %s: %v", game, m.Decision(), err)
				}
				if err := m.Apply(b.Act(m, &r)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if changed < 100 {
			t.Errorf("%s: only %d programs were changed", game, changed)
		}
	}
}
