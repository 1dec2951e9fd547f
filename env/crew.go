package env

import (
	"sync"
	"sync/atomic"
	"time"
)

// crew are the workers of a vector. Which rows are a worker's is fixed, so that
// they stay in the cache of its core. Worker 0 is the caller where he waits for the
// result anyway; else it has a goroutine, as the other workers have. They live as
// long as the crew.
type crew struct {
	hands []hand
	ended sync.WaitGroup
}

// hand is the goroutine of one worker. What it is to do lies in a ring that the
// owner of the vector writes and the worker reads.
type hand struct {
	inbox [maxJobs]*job // nil ends the goroutine
	sent  atomic.Uint32
	done  uint32
	gate  gate
	more  func() bool
	alive bool
	_     [64]byte // keeps the next worker's counters in another cache line
}

// maxJobs bounds what may lie in an inbox: a job for each part, one of the
// asynchronous calls and the last.
const maxJobs = 1 << 6

// task is what is done with rows, and what it takes one worker to do it with all of
// them.
type task struct {
	do    func(worker, from, to int) error
	takes time.Duration // 0: not known yet
}

// little is what one worker does as fast alone as with others who must first wake up, on
// cores that the caller may want for work of his own.
const little = 100 * time.Microsecond

// took learns from a measurement. A longer one is believed bit by bit: what else ran on
// the core meanwhile is no part of the task.
func (t *task) took(d time.Duration) {
	switch {
	case t.takes == 0 || d < t.takes:
		t.takes = max(d, 1)
	default:
		t.takes += min(d-t.takes, t.takes) / 8
	}
}

// job is a task on rows that are split among the workers.
type job struct {
	task    func(worker, from, to int) error
	bounds  []int   // worker w has rows bounds[w] … bounds[w+1]−1
	shares  []share // by worker; nil where each message asks for work
	left    atomic.Int32
	errs    []error
	crashes []any // what a worker panicked with
	gate    gate
	ready   func() bool
}

// share is a worker's part of a job that the caller takes part in. Whoever comes to it first does
// it: where the others' cores are taken, the caller need not wait for them.
type share struct {
	open   atomic.Bool // nobody has begun it
	queued atomic.Bool // it is in its worker's inbox
}

// line is the number of rows whose flags fill a cache line.
const line = 64

// newJob splits the rows from ≤ i < to. Where there are enough of them, no two workers
// write to one cache line.
func newJob(workers, from, to int) *job {
	j := &job{bounds: make([]int, workers+1), errs: make([]error, workers), crashes: make([]any, workers), shares: make([]share, workers), gate: newGate()}
	n := to - from
	for w := range j.bounds {
		at := from + w*n/workers
		if rounded := (at + line/2) / line * line; n >= 4*line*workers && w > 0 && w < workers {
			at = rounded
		}
		j.bounds[w] = at
	}
	j.ready = func() bool { return j.left.Load() == 0 }
	return j
}

func newCrew(workers int) *crew {
	c := &crew{hands: make([]hand, workers)}
	for w := range c.hands {
		h := &c.hands[w]
		h.gate = newGate()
		h.more = func() bool { return h.sent.Load() != h.done }
	}
	return c
}

// send gives a job to a worker and starts its goroutine with the first.
func (c *crew) send(w int, j *job) {
	h := &c.hands[w]
	if !h.alive {
		h.alive = true
		c.ended.Add(1)
		go c.live(w)
	}
	h.inbox[h.sent.Load()%maxJobs] = j
	h.sent.Add(1)
	h.gate.open()
}

func (c *crew) live(w int) {
	defer c.ended.Done()
	h := &c.hands[w]
	for {
		h.gate.await(h.more)
		j := h.inbox[h.done%maxJobs]
		h.done++
		if j == nil {
			return
		}
		if j.taken(w) {
			j.work(w)
		}
	}
}

// call has a worker come to its share of a job.
func (c *crew) call(w int, j *job) {
	// An older message that the worker has not come to yet will do.
	if j.shares[w].queued.CompareAndSwap(false, true) {
		c.send(w, j)
	}
}

// awake reports whether a worker waits for messages with open eyes, or is at work.
func (h *hand) awake() bool { return h.alive && !h.gate.asleep.Load() }

// taken says whether the worker that has a message about a job is to do its share.
func (j *job) taken(w int) bool {
	if j.shares == nil {
		return true
	}
	j.shares[w].queued.Store(false) // before the look, so that whoever opens the share after it sends a message
	return j.shares[w].open.CompareAndSwap(true, false)
}

// work does a worker's share.
func (j *job) work(w int) {
	defer func() {
		// A panic is handed to the caller, who can recover from it; here it would
		// end the process.
		if p := recover(); p != nil {
			j.crashes[w] = p
		}
		if j.left.Add(-1) == 0 {
			j.gate.open()
		}
	}()
	j.errs[w] = j.task(w, j.bounds[w], j.bounds[w+1])
}

// run performs the task on all rows of the job, with the caller as worker 0, and
// returns the error of the first worker that has one. No other job may be under way. What
// the other workers do not come to, the caller does too, as if it were done by them; where
// there is little to do, he wakes nobody for it.
func (c *crew) run(j *job, t *task) error {
	workers := len(c.hands)
	if workers == 1 {
		return t.do(0, j.bounds[0], j.bounds[1])
	}
	j.task = t.do
	j.left.Store(int32(workers))
	for w := 1; w < workers; w++ {
		if j.shares[w].open.Store(true); t.takes == 0 || t.takes >= little || c.hands[w].awake() {
			c.call(w, j)
		}
	}
	began := time.Now()
	j.work(0)
	t.took(time.Since(began) * time.Duration(workers))
	for w := 1; w < workers; w++ {
		if j.shares[w].open.CompareAndSwap(true, false) {
			j.work(w)
		}
	}
	return j.wait()
}

// start performs the task while the caller does something else; wait ends it.
func (c *crew) start(j *job, t *task) {
	j.task = t.do
	j.left.Store(int32(len(c.hands)))
	for w := range c.hands {
		j.shares[w].open.Store(true)
		c.call(w, j)
	}
}

// wait returns when all shares of a job are done, and panics if one of them did.
func (j *job) wait() error {
	j.gate.await(j.ready)
	for w, p := range j.crashes {
		if p != nil {
			clear(j.crashes[w:])
			panic(p)
		}
	}
	for _, err := range j.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// dismiss ends the goroutines, once they have done what they were given.
func (c *crew) dismiss() {
	for w := range c.hands {
		if c.hands[w].alive {
			c.send(w, nil)
		}
	}
	c.ended.Wait()
}
