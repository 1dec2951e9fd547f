package env

import (
	"slices"
	"testing"
)

func TestCrewCoversEveryRowOnce(t *testing.T) {
	for rows := range 12 {
		for workers := 1; workers <= max(1, rows); workers++ {
			c := newCrew(rows, workers)
			seen := make([]int, rows)
			for range 50 {
				c.run(func(from, to int) {
					for i := from; i < to; i++ {
						seen[i]++
					}
				})
			}
			c.dismiss()
			if slices.ContainsFunc(seen, func(n int) bool { return n != 50 }) {
				t.Fatalf("%d rows, %d workers: visits %v", rows, workers, seen)
			}
		}
	}
}

// A server must be able to answer for a panic of one vector and go on.
func TestPanicOfAWorkerReachesTheCaller(t *testing.T) {
	for shard := range 3 {
		c := newCrew(3, 3)
		func() {
			defer func() {
				if p := recover(); p != "aground" {
					t.Errorf("shard %d: recovered %v", shard, p)
				}
			}()
			c.run(func(from, _ int) {
				if from == shard {
					panic("aground")
				}
			})
			t.Errorf("shard %d: no panic", shard)
		}()
		n := make([]int, 3)
		c.run(func(from, _ int) { n[from]++ })
		if !slices.Equal(n, []int{1, 1, 1}) {
			t.Errorf("shard %d: after the panic the crew visits %v", shard, n)
		}
		c.dismiss()
	}
}
