//go:build torch

package learner

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// resident is the process's memory after Go has collected its own.
func resident(t *testing.T) int {
	runtime.GC()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestUpdatesDoNotLeak(t *testing.T) {
	c := Config{ObsDim: 128, NumActions: 32, Hidden: []int{64}, Seed: 1, Threads: 1}
	l := newLearner(t, c)
	b := fuzzBatch(c, 1024, 1)
	logp := make([]float32, b.N*c.NumActions)
	run := func(n int) {
		for range n {
			if _, err := l.Update(b, tinyHyper); err != nil {
				t.Fatal(err)
			}
			if err := l.Forward(b.Decisions, logp, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Weights(); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(50)
	before := resident(t)
	run(300)
	// One batch of hidden activations is 256 KB, so 300 leaked ones are 75 MB.
	if grown := resident(t) - before; grown > 16<<20 {
		t.Errorf("300 updates grew the process by %d MB", grown>>20)
	}
	for range 50 {
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Update(b, tinyHyper); err != nil {
			t.Fatal(err)
		}
		m.Close()
	}
	if grown := resident(t) - before; grown > 24<<20 {
		t.Errorf("50 closed learners left %d MB", grown>>20)
	}
}
