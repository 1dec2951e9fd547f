//go:build torch

package learner

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sugarme/gotch"
)

// trained takes a few updates with a number of threads and returns the
// statistics of each and the final weights.
func trained(t *testing.T, c Config, threads, n int) ([]Stats, []Tensor) {
	t.Helper()
	c.Threads = threads
	l := newLearner(t, c)
	stir(t, l)
	var stats []Stats
	for i := range 6 {
		s, err := l.Update(fuzzBatch(c, n, uint64(i)), tinyHyper)
		if err != nil {
			t.Fatal(err)
		}
		stats = append(stats, s)
	}
	ws, err := l.Weights()
	if err != nil {
		t.Fatal(err)
	}
	return stats, ws
}

// describedConfig is splitConfig with rows of actions.
func describedConfig() Config {
	c := splitConfig()
	c.Network, c.RowDim, c.RowHidden = "entity", 11, []int{12, 8}
	return c
}

func splitConfig() Config {
	// A large ε, because Adam magnifies the rounding of a gradient near 0 by 1/ε.
	return Config{ObsDim: 37, NumActions: 19, CriticDim: 41, Hidden: []int{24, 16}, Seed: 1, AdamEps: 1e-2}
}

func TestRowsSplitAmongThreadsGiveWhatRowsTogetherGive(t *testing.T) {
	for _, n := range []int{1, 31, 63, 64, 65, 100, 257, 1001} {
		sameByParts(t, splitConfig(), n)
	}
	for _, n := range []int{63, 257} {
		sameByParts(t, describedConfig(), n)
	}
}

func sameByParts(t *testing.T, c Config, n int) {
	stats, weights := trained(t, c, 1, n)
	for _, threads := range []int{2, 3, 7} {
		t.Run(fmt.Sprintf("%s/rows=%d/threads=%d", c.name(), n, threads), func(t *testing.T) {
			gotStats, got := trained(t, c, threads, n)
			for i := range stats {
				g, w := reflect.ValueOf(gotStats[i]), reflect.ValueOf(stats[i])
				for k := range g.NumField() {
					if !close(g.Field(k).Float(), w.Field(k).Float(), 1e-5) {
						t.Errorf("update %d: %s is %v, want %v", i, g.Type().Field(k).Name, g.Field(k), w.Field(k))
					}
				}
			}
			for i, p := range got {
				for k, x := range p.Data {
					if !close(float64(x), float64(weights[i].Data[k]), 1e-5) {
						t.Fatalf("%s[%d] became %v, want %v", p.Name, k, x, weights[i].Data[k])
					}
				}
			}
		})
	}
}

func TestTheSameThreadsGiveTheSameBits(t *testing.T) {
	for i := range 6 {
		threads, c := 1+i%3, splitConfig()
		if i > 2 {
			c = describedConfig()
		}
		stats, weights := trained(t, c, threads, 333)
		for range 3 {
			if s, w := trained(t, c, threads, 333); !reflect.DeepEqual(s, stats) || !reflect.DeepEqual(w, weights) {
				t.Fatalf("with %d threads the same updates gave other numbers", threads)
			}
		}
	}
}

func TestAnErrorInOneThreadIsReturnedAndChangesNothing(t *testing.T) {
	c := splitConfig()
	c.Threads = 2
	l, unhurt := newLearner(t, c).(*torchLearner), newLearner(t, c)
	b := fuzzBatch(c, 64, 1)
	for _, l := range []Learner{l, unhurt} {
		if _, err := l.Update(b, tinyHyper); err != nil {
			t.Fatal(err)
		}
	}
	// The second thread's rows, 32 to 63, are not all there.
	var whole buffer[float32]
	err := l.do("shorten", func() (err error) {
		whole = l.rows.oldLogp
		l.rows.oldLogp, err = newBuffer[float32](gotch.Float, 40)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Update(b, tinyHyper); err == nil || !strings.Contains(err.Error(), "exceeds dimension size (40)") {
		t.Errorf("error %v", err)
	}
	err = l.do("mend", func() error {
		l.rows.oldLogp.tensor.MustDrop()
		l.rows.oldLogp = whole
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Update(b, tinyHyper)
	if err != nil {
		t.Fatal(err)
	}
	want, err := unhurt.Update(b, tinyHyper)
	if err != nil || got != want {
		t.Errorf("after the error an update measures %+v, want %+v (%v)", got, want, err)
	}
}

func TestEntropyOfLogitsFarApartStaysFinite(t *testing.T) {
	c := tinyConfig()
	l := newLearner(t, c)
	ws, err := l.Weights()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ws {
		if w.Name == "policy.bias" {
			copy(w.Data, []float32{3e4, -3e4, 0, 1e4})
		}
	}
	if err := l.SetWeights(ws); err != nil {
		t.Fatal(err)
	}
	b := fuzzBatch(c, 8, 1)
	for i := range b.N {
		copy(b.Mask[i*4:], []uint8{1, 1, 1, 1})
		b.Action[i] = 0
	}
	s, err := l.Update(b, tinyHyper)
	if err != nil || math.Abs(s.Entropy) > 1e-6 {
		t.Errorf("entropy %v, want 0; error %v", s.Entropy, err)
	}
}
