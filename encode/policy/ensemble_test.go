package policy

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// saved are the paths of two bundles for a game that are not alike, and what they are.
func saved(t *testing.T, game, choice string) (paths [2]string, of [2]*bundle.Bundle) {
	t.Helper()
	dir := t.TempDir()
	of = [2]*bundle.Bundle{drawn(t, game, "relu", 8), drawnEntity(t, game, "relu", []int{8}, 16)}
	for i, b := range of {
		b.Choice = choice
		paths[i] = filepath.Join(dir, "ab"[i:i+1]+bundle.Ext)
		if err := b.Save(paths[i]); err != nil {
			t.Fatal(err)
		}
	}
	return paths, of
}

func TestEnsembleWeighsByTheGeometricMeanOfItsBundles(t *testing.T) {
	for _, choice := range []string{bundle.Sample, bundle.Greedy} {
		paths, of := saved(t, "doubloons(seats=3)", choice)
		g := newGame(t, "doubloons(seats=3)")
		made, err := NewBot(Prefix+paths[0]+Joint+paths[1], g)
		if err != nil {
			t.Fatal(err)
		}
		e := made.(*Ensemble)
		m, r := g.NewMatch(), engine.NewRand(3)
		m.Reset(3)
		decisions := 0
		for m.Seat() >= 0 {
			n := m.Legal().Count()
			want, total := make([]float64, n), 0.0
			for i := range want {
				want[i] = 1
			}
			for _, b := range of {
				one, err := Of("one", b, g)
				if err != nil {
					t.Fatal(err)
				}
				w := make([]float64, n)
				one.Weights(m, w, &r)
				for i := range w {
					want[i] *= math.Sqrt(w[i])
				}
			}
			for _, x := range want {
				total += x
			}
			got, chances := make([]float64, n), make([]float64, n)
			e.Weights(m, got, &r)
			e.Chances(m, chances)
			best := infer.Largest(got)
			for i := range got {
				if math.Abs(got[i]-want[i]/total) > 1e-9 {
					t.Fatalf("%s: action %d has the weight %v, want %v", m.Decision(), i, got[i], want[i]/total)
				}
				if choice == bundle.Sample && chances[i] != got[i] || choice == bundle.Greedy && (chances[i] == 1) != (i == best) {
					t.Fatalf("%s: action %d of the weight %v is chosen with the chance %v", choice, i, got[i], chances[i])
				}
			}
			same := r
			account, a := e.Explain(m, &same), e.Act(m, &r)
			if len(account.Actions) != n || account.Actions[best].Weight != got[best] || account.Actions[best].Prob != chances[best] || account.Choice != a || same != r {
				t.Fatalf("%s: it explains %d by %+v", m.Decision(), a, account)
			}
			if choice == bundle.Greedy && a != m.Legal().Nth(best) {
				t.Fatalf("%s: %d is chosen, and %d is the likeliest", m.Decision(), a, m.Legal().Nth(best))
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
			decisions++
		}
		if decisions < 50 {
			t.Fatalf("only %d decisions", decisions)
		}
		m.Reset(4)
		if n := testing.AllocsPerRun(100, func() { e.Act(m, &r) }); n != 0 {
			t.Errorf("a decision allocates %v times", n)
		}
	}
}

func TestEnsembleDrawsAsOftenAsItSays(t *testing.T) {
	paths, _ := saved(t, "leduc", bundle.Sample)
	g := newGame(t, "leduc")
	e, err := NewBot(Prefix+paths[0]+Joint+paths[1], g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(1)
	chances, count := make([]float64, m.Legal().Count()), map[engine.Action]float64{}
	e.(bots.Mixed).Chances(m, chances)
	const n = 20000
	for range n {
		count[e.Act(m, &r)]++
	}
	for i, want := range chances {
		if got := count[m.Legal().Nth(i)] / n; math.Abs(got-want) > .015 {
			t.Errorf("action %d is chosen in %.3f of cases; want %.3f", i, got, want)
		}
	}
}

func TestNamesOfEnsembles(t *testing.T) {
	paths, of := saved(t, "doubloons(seats=4)", bundle.Greedy)
	g := newGame(t, "doubloons(seats=4)")
	both := paths[0] + Joint + paths[1]
	for _, name := range []string{Prefix + both, FloatPrefix + both, "search(rollouts=4,prior=" + Prefix + both + ")"} {
		digests, err := new(Reader).Digests(name, g)
		if err != nil || len(digests) != 2 {
			t.Errorf("%s: digests %v, error %v; want two", name, digests, err)
		}
		if err := CheckName(name, g); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A file is itself, whatever it is called.
	odd := filepath.Join(t.TempDir(), "a+b"+bundle.Ext)
	if err := of[0].Save(odd); err != nil {
		t.Fatal(err)
	}
	if b, err := NewBot(Prefix+odd, g); err != nil {
		t.Error(err)
	} else if _, ok := b.(*Bot); !ok {
		t.Errorf("a file with %q in its name makes a %T", Joint, b)
	}
	for name, want := range map[string]string{
		Prefix + paths[0] + Joint:                          "names no file",
		Prefix + paths[0] + Joint + "nobody":               "nobody",
		Prefix + paths[0] + Joint + "pirate":               "pirate",
		Prefix + paths[0] + strings.Repeat("+captain", 16): "17 bundles decide together: want at most 16",
		"search(value=" + Prefix + both + ",rollouts=4)":   "it evaluates no positions",
	} {
		if _, err := NewBot(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %q in it", name, err, want)
		}
	}
}
