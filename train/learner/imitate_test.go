//go:build torch

package learner

import (
	"math"
	"reflect"
	"testing"
)

// imitationOf is a batch of the decisions of a batch, with probabilities of no meaning, of which some are 0.
func imitationOf(c Config, b Batch) ImitationBatch {
	l := ImitationBatch{Decisions: b.Decisions, Return: b.Return}
	if l.Offsets == nil {
		describe(&l.Decisions, c)
		l.Rows = nil
	}
	for i := range l.N {
		n := int(l.Offsets[i+1] - l.Offsets[i])
		for k := range n {
			p := 2 * float32(k) / float32(n*(n-1))
			if n == 1 {
				p = 1
			}
			l.Target = append(l.Target, p)
		}
	}
	return l
}

func TestImitateMatchesTheReference(t *testing.T) {
	squared := tinyHyper
	squared.Squared = true
	for _, h := range []Hyper{tinyHyper, squared} {
		for _, n := range []int{9, 131} {
			for _, c := range onDevices(tinyConfig(), entityConfig()) {
				c.Threads = 3
				l := newLearner(t, c)
				ref := newReference(c, stir(t, l))
				imitation := imitationOf(c, fuzzBatch(c, n, 4))
				want := ref.imitation(imitation, h)
				gradient := ref.gradient(func() float64 { return ref.imitation(imitation, h).Loss })
				sum := 0.0
				for _, g := range gradient {
					sum += dot(g, g)
				}
				want.GradNorm = math.Sqrt(sum)
				got, err := l.Imitate(imitation, h)
				if err != nil {
					t.Fatal(err)
				}
				g, w := reflect.ValueOf(got), reflect.ValueOf(want)
				for i := range g.NumField() {
					if !close(g.Field(i).Float(), w.Field(i).Float(), 2e-5) {
						t.Errorf("%s, squared %v, %d rows: %s is %v, want %v", c.name(), h.Squared, n, g.Type().Field(i).Name, g.Field(i), w.Field(i))
					}
				}
			}
		}
	}
}

func TestAPupilLearnsWhatItsTeacherDoes(t *testing.T) {
	for _, c := range []Config{tinyConfig(), entityConfig()} {
		l := newLearner(t, c)
		imitation := imitationOf(c, fuzzBatch(c, 32, 4))
		var first, last ImitationStats
		for i := range 300 {
			s, err := l.Imitate(imitation, Hyper{LR: 1e-2, VfCoef: 0.5, MaxGradNorm: 1})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = s
			}
			last = s
		}
		if last.Divergence > first.Divergence/4 || last.ValueLoss > 0.9*first.ValueLoss {
			t.Errorf("%s: divergence from %v to %v, error of the value from %v to %v", c.name(), first.Divergence, last.Divergence, first.ValueLoss, last.ValueLoss)
		}
	}
}
