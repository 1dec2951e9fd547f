package env

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestCrewCoversEveryRowOnce(t *testing.T) {
	for _, rows := range []int{1, 2, 3, 5, 11, 255, 256, 700, 1024} {
		for workers := 1; workers <= min(rows, 5); workers++ {
			c := newWorkers(workers, false)
			j := newJob(workers, 10, 10+rows)
			seen := make([]int, 10+rows)
			visit := &task{do: func(_ *arguments, _, from, to int) error {
				for i := from; i < to; i++ {
					seen[i]++
				}
				return nil
			}}
			for range 25 {
				if c.run(j, visit, arguments{}) != nil {
					t.Fatal("an error from nowhere")
				}
				c.start(j, visit)
				if j.wait() != nil {
					t.Fatal("an error from nowhere")
				}
			}
			c.stop()
			if slices.ContainsFunc(seen[10:], func(n int) bool { return n != 50 }) || slices.Max(seen[:10]) != 0 {
				t.Fatalf("%d rows, %d workers: visits %v", rows, workers, seen)
			}
		}
	}
}

func TestSeveralJobsMayBeUnderWay(t *testing.T) {
	const jobs = 8
	c := newWorkers(3, false)
	defer c.stop()
	var all [jobs]*job
	seen := make([]int, jobs*3)
	for k := range all {
		all[k] = newJob(3, 3*k, 3*k+3)
	}
	for range 100 {
		for _, j := range all {
			c.start(j, &task{do: func(_ *arguments, w, from, to int) error {
				for i := from; i < to; i++ {
					seen[i]++
				}
				if w == 1 {
					return errors.New("becalmed")
				}
				return nil
			}})
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

// A server must be able to report a panic of one vector and continue.
func TestPanicOfAWorkerReachesTheCaller(t *testing.T) {
	for k := range 6 {
		shard, takes := k%3, []time.Duration{1, time.Hour}[k/3] // by the caller alone, and by all
		c := newWorkers(3, false)
		j := newJob(3, 0, 3)
		func() {
			defer func() {
				if p := recover(); p != "aground" {
					t.Errorf("shard %d: recovered %v", shard, p)
				}
			}()
			err := c.run(j, &task{do: func(_ *arguments, w, _, _ int) error {
				if w == shard {
					panic("aground")
				}
				return nil
			}, takes: takes}, arguments{})
			t.Errorf("shard %d: no panic, error %v", shard, err)
		}()
		n := make([]int, 3)
		err := c.run(j, &task{do: func(_ *arguments, w, _, _ int) error { n[w]++; return nil }, takes: takes}, arguments{})
		if err != nil || !slices.Equal(n, []int{1, 1, 1}) {
			t.Errorf("shard %d: after the panic the workers visit %v", shard, n)
		}
		c.stop()
	}
}

func TestLittleWorkIsDoneByTheCallerAlone(t *testing.T) {
	c, j := newWorkers(3, false), newJob(3, 0, 9)
	defer c.stop()
	var by []int
	visit := &task{do: func(_ *arguments, w, _, _ int) error { by = append(by, w); return nil }, takes: 1}
	if c.run(j, visit, arguments{}) != nil || !slices.Equal(by, []int{0, 1, 2}) {
		t.Errorf("done as the rows of workers %v", by)
	}
	for w := range c.each {
		if c.each[w].running {
			t.Errorf("worker %d was called", w)
		}
	}
}

// Whose caller is another process leaves it a core while two workers would save little.
func TestWorkOfACallerApartIsSharedWhenThatSavesEnough(t *testing.T) {
	for _, c := range []struct {
		workers int
		apart   bool
		takes   time.Duration
		wakes   bool
	}{
		{2, false, little, true},
		{2, true, 2*(little+patience) - 1, false},
		{2, true, 2 * (little + patience), true},
		{4, true, 4*(little+patience)/3 - 1, false},
		{4, true, 4 * (little + patience) / 3, true},
		{1, true, time.Hour, false},
	} {
		ws, j := newWorkers(c.workers, c.apart), newJob(c.workers, 0, 10)
		if err := ws.run(j, &task{do: func(*arguments, int, int, int) error { return nil }, takes: c.takes}, arguments{}); err != nil {
			t.Fatal(err)
		}
		if woken := ws.each[c.workers-1].running; woken != c.wakes {
			t.Errorf("%+v: the others are woken: %v", c, woken)
		}
		ws.stop()
	}
}

func TestLongTimesOfATaskAreBelievedBitByBit(t *testing.T) {
	var k task
	k.took(80)
	for _, step := range []struct{ took, want time.Duration }{{1000, 90}, {1000, 101}, {60, 60}, {64, 60}, {160, 67}, {0, 1}} {
		if k.took(step.took); k.takes != step.want {
			t.Errorf("after %d it takes %d: want %d", step.took, k.takes, step.want)
		}
	}
}

// A core that others keep busy must not hold the caller up.
func TestCallerDoesTheSharesOfWorkersWhoDoNotCome(t *testing.T) {
	c, j := newWorkers(2, false), newJob(2, 0, 2)
	var done [2]atomic.Int32
	visit := &task{do: func(_ *arguments, w, _, _ int) error { done[w].Add(1); return nil }}
	c.each[1].running = true // though it is not: its messages stay where they are
	for range 3 * maxJobs {
		visit.takes = time.Hour
		if err := c.run(j, visit, arguments{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.each[1].sent.Load(); n != 1 {
		t.Errorf("%d messages are in the inbox", n)
	}
	c.ended.Add(1)
	go c.loop(1)
	for range 3 * maxJobs {
		visit.takes = time.Hour
		if err := c.run(j, visit, arguments{}); err != nil {
			t.Fatal(err)
		}
	}
	c.stop()
	if a, b := done[0].Load(), done[1].Load(); a != 6*maxJobs || b != 6*maxJobs {
		t.Errorf("the shares were done %d and %d times, of %d", a, b, 6*maxJobs)
	}
}

func TestGateOpensForWhoLooksAndForWhoSleeps(t *testing.T) {
	ping, pong := newWaiter(), newWaiter()
	var at atomic.Int32
	done := make(chan struct{})
	const turns = 400
	pause := func(k int) {
		if k%100 < 50 { // long ones in a row, so that both sleep at once, and then short ones
			time.Sleep(patience)
		}
	}
	go func() {
		defer close(done)
		for k := range turns {
			ping.await(func() bool { return int(at.Load()) == 2*k+1 })
			pause(k)
			at.Add(1)
			pong.wake()
		}
	}()
	for k := range turns {
		pause(k)
		at.Add(1)
		ping.wake()
		pong.await(func() bool { return int(at.Load()) == 2*k+2 })
	}
	<-done
}
