package env

import (
	"errors"
	"slices"
	"testing"
)

func TestCrewCoversEveryRowOnce(t *testing.T) {
	for _, rows := range []int{1, 2, 3, 5, 11, 255, 256, 700, 1024} {
		for workers := 1; workers <= min(rows, 5); workers++ {
			c := newCrew(workers)
			j := newJob(workers, 10, 10+rows)
			seen := make([]int, 10+rows)
			visit := func(_, from, to int) error {
				for i := from; i < to; i++ {
					seen[i]++
				}
				return nil
			}
			for range 25 {
				if c.run(j, visit) != nil {
					t.Fatal("an error from nowhere")
				}
				c.start(j, visit)
				if j.wait() != nil {
					t.Fatal("an error from nowhere")
				}
			}
			c.dismiss()
			if slices.ContainsFunc(seen[10:], func(n int) bool { return n != 50 }) || slices.Max(seen[:10]) != 0 {
				t.Fatalf("%d rows, %d workers: visits %v", rows, workers, seen)
			}
		}
	}
}

func TestSeveralJobsMayBeUnderWay(t *testing.T) {
	const jobs = 8
	c := newCrew(3)
	defer c.dismiss()
	var all [jobs]*job
	seen := make([]int, jobs*3)
	for k := range all {
		all[k] = newJob(3, 3*k, 3*k+3)
	}
	for range 100 {
		for _, j := range all {
			c.start(j, func(w, from, to int) error {
				for i := from; i < to; i++ {
					seen[i]++
				}
				if w == 1 {
					return errors.New("becalmed")
				}
				return nil
			})
		}
		for _, j := range all {
			if err := j.wait(); err == nil || err.Error() != "becalmed" {
				t.Fatalf("the error of worker 1 is lost: %v", err)
			}
		}
	}
	if slices.ContainsFunc(seen, func(n int) bool { return n != 100 }) {
		t.Fatalf("visits %v", seen)
	}
}

// A server must be able to answer for a panic of one vector and go on.
func TestPanicOfAWorkerReachesTheCaller(t *testing.T) {
	for shard := range 3 {
		c := newCrew(3)
		j := newJob(3, 0, 3)
		func() {
			defer func() {
				if p := recover(); p != "aground" {
					t.Errorf("shard %d: recovered %v", shard, p)
				}
			}()
			err := c.run(j, func(w, _, _ int) error {
				if w == shard {
					panic("aground")
				}
				return nil
			})
			t.Errorf("shard %d: no panic, error %v", shard, err)
		}()
		n := make([]int, 3)
		err := c.run(j, func(w, _, _ int) error { n[w]++; return nil })
		if err != nil || !slices.Equal(n, []int{1, 1, 1}) {
			t.Errorf("shard %d: after the panic the crew visits %v", shard, n)
		}
		c.dismiss()
	}
}
