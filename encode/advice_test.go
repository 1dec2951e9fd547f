package encode_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

func TestAdviceEndsRowsWithWhatTheHeuristicThinksAndChangesNothingElse(t *testing.T) {
	for _, game := range []string{"doubloons(seats=3)", "doubloons(seats=2,modules=compass)", "jolly_roger(seats=4)"} {
		_, plain := encodetest.Make(t, game)
		name, err := engine.With(game, engine.AdviceName, engine.AdviceHeuristic)
		if err != nil {
			t.Fatal(err)
		}
		g, told := encodetest.Make(t, name)
		if told.Schema().Hash() != plain.Schema().Hash() || told.FullSchema().Hash() != plain.FullSchema().Hash() || told.ActionSchema().Hash() == plain.ActionSchema().Hash() {
			t.Errorf("%s: advice changes more than the rows of actions, or nothing", game)
		}
		heuristic, err := bots.New("heuristic", g)
		if err != nil {
			t.Fatal(err)
		}
		w, size := plain.ActionSize(), told.ActionSize()
		at := map[string]int{}
		for _, of := range told.ActionSchema().Groups {
			at[of.Name] = of.Offset
		}
		judged, bare, full := 0, make([]uint8, 1<<18), make([]uint8, 1<<18)
		encodetest.Play(t, name, 2, func(m engine.Match) {
			n := plain.EncodeActions(m, bare)
			if n == 0 {
				return
			}
			if told.EncodeActions(m, full) != n {
				t.Fatalf("%s: other rows", game)
			}
			r := engine.NewRand(1)
			account := bots.Explain(heuristic, m, &r)
			best := math.Inf(-1)
			for _, c := range account.Actions {
				if c.Visits > 0 {
					best = max(best, c.Mean)
				}
			}
			k := 0
			for a := m.Legal().First(); a >= 0; a, k = m.Legal().Next(a), k+1 {
				row := full[k*size : (k+1)*size]
				if !bytes.Equal(row[:w], bare[k*w:(k+1)*w]) {
					t.Fatalf("%s: the row of action %d begins otherwise than without advice", game, a)
				}
				if (row[at["advice.choice"]] == 1) != (a == account.Choice) {
					t.Errorf("%s: the heuristic chooses %d, and the row of %d says %d", game, account.Choice, a, row[at["advice.choice"]])
				}
				if row[at["advice.judged"]] == 0 {
					continue
				}
				judged++
				mean := account.Actions[k].Mean
				if want := min(255, math.Round(64*(best-mean))); float64(row[at["advice.behind"]]) != want || (mean == best) != (row[at["advice.share"]] == 255) && best-mean > 1 {
					t.Errorf("%s: action %d is worth %v of at most %v, and its row says %v", game, a, mean, best, row[w:])
				}
			}
		})
		if doubloons := strings.HasPrefix(game, "doubloons"); (judged > 100) != doubloons {
			t.Errorf("%s: %d actions were judged", game, judged)
		}
	}
}

// What a seat cannot know is dealt again; the advice must be the same.
func TestAdviceIsTheSameWhateverIsHidden(t *testing.T) {
	const game = "doubloons(seats=3,advice=heuristic)"
	g, e := encodetest.Make(t, game)
	other, chance := g.NewMatch(), engine.NewRand(5)
	a, b := make([]uint8, 1<<18), make([]uint8, 1<<18)
	encodetest.Play(t, game, 2, func(m engine.Match) {
		if m.Seat() < 0 {
			return
		}
		n := e.EncodeActions(m, a) * e.ActionSize()
		other.CopyFrom(m)
		other.Redeal(m.Seat(), &chance)
		if e.EncodeActions(other, b); !bytes.Equal(a[:n], b[:n]) {
			t.Fatalf("the advice depends on what is hidden, at: %s", m.Decision())
		}
	})
}

// Advice of several sorts is that of each, in the order of the game's parameter, however the game string puts it.
func TestSortsOfAdviceStandOneAfterTheOther(t *testing.T) {
	const game = "doubloons(seats=3,advice=foresight+heuristic)"
	_, both := encodetest.Make(t, game)
	_, plain := encodetest.Make(t, "doubloons(seats=3)")
	_, heuristic := encodetest.Make(t, "doubloons(seats=3,advice=heuristic)")
	_, foresight := encodetest.Make(t, "doubloons(seats=3,advice=foresight)")
	bare, one, size := plain.ActionSize(), heuristic.ActionSize(), both.ActionSize()
	if size != one+foresight.ActionSize()-bare {
		t.Fatalf("rows of %d bytes with both; %d and %d with one, %d with none", size, one, foresight.ActionSize(), bare)
	}
	at := 0
	for _, g := range both.ActionSchema().Groups {
		if g.Offset != at {
			t.Errorf("group %s is at %d; those before it end at %d", g.Name, g.Offset, at)
		}
		at += g.Size
	}
	a, b, c := make([]uint8, 1<<18), make([]uint8, 1<<18), make([]uint8, 1<<18)
	encodetest.Play(t, game, 2, func(m engine.Match) {
		heuristic.EncodeActions(m, b)
		foresight.EncodeActions(m, c)
		for i := range both.EncodeActions(m, a) {
			row, end := a[i*size:(i+1)*size], foresight.ActionSize()
			if !bytes.Equal(row[:one], b[i*one:(i+1)*one]) || !bytes.Equal(row[one:], c[i*end+bare:(i+1)*end]) {
				t.Fatalf("row %d with both sorts is not what it is with each, at: %s", i, m.Decision())
			}
		}
	})
}

func TestAdviceIsRefusedWhereThereIsNone(t *testing.T) {
	for game, want := range map[string]string{
		"leduc(advice=heuristic)":       "no parameter",
		"doubloons(advice=captain)":     "known are heuristic, foresight",
		"jolly_roger(advice=foresight)": "known are heuristic",
	} {
		g, err := engine.NewGame(game)
		if err == nil {
			_, err = encode.For(g)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v; want %q in it", game, err, want)
		}
	}
}
