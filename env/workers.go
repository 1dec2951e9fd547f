package env

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/privateer-rl/privateer/engine"
)

// workers are the workers of a vector. Which rows are a worker's is fixed, so that
// they stay in the cache of its core. Worker 0 is the caller, if the caller waits
// for the result anyway; otherwise it has a goroutine, as the other workers have.
// They live as long as the vector.
type workers struct {
	each  []worker
	worth time.Duration // of a task that the others are woken for
	ended sync.WaitGroup
}

// worker is the goroutine of one worker. What it is to do is in an inbox that the
// owner of the vector writes and the worker reads.
type worker struct {
	inbox   [maxJobs]*job // nil ends the goroutine
	sent    atomic.Uint32
	done    uint32
	waiter  waiter
	more    func() bool
	running bool
	_       [64]byte // keeps the next worker's counters in another cache line
}

// maxJobs bounds an inbox: a job for each part, one for the asynchronous
// calls and the last one.
const maxJobs = 1 << 6

// task is the work on rows, and the time that one worker takes for all of them.
type task struct {
	do    func(with *arguments, worker, from, to int) error
	takes time.Duration // 0: not known yet
}

// arguments are a vector call's arguments of a task: slices of its caller, each of one entry for a
// row or a multiple of that.
type arguments struct {
	actions []int32       // to perform, or to fill with samples
	streams []engine.Rand // to draw samples from
	chosen  []bool        // rows to begin anew; nil for all
	over    func() bool   // says when to stop: Vec.Until
	seats   []int32       // that look at rows
	views   []uint8       // to fill with what they see
}

// little is what one worker does as fast alone as with others that must first wake up, on
// cores that the caller may want for other work.
const little = 100 * time.Microsecond

// took learns from a measurement. A longer one counts only in part: what else ran on the
// core meanwhile is not part of the task.
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
	task    func(with *arguments, worker, from, to int) error
	with    arguments
	bounds  []int   // worker w has rows bounds[w] … bounds[w+1]−1
	shares  []share // by worker; nil if each message asks for work
	left    atomic.Int32
	errs    []error
	crashes []any // what a worker panicked with
	waiter  waiter
	ready   func() bool
}

// share is a worker's part of a job that the caller takes part in. Whichever of them gets to it
// first does it: if the others' cores are busy, the caller need not wait for them.
type share struct {
	open   atomic.Bool // nobody has begun it
	queued atomic.Bool // it is in its worker's inbox
}

// line is the number of rows whose flags fill a cache line.
const line = 64

// newJob splits the rows from ≤ i < to. If there are enough of them, no two workers
// write to one cache line.
func newJob(workers, from, to int) *job {
	j := &job{bounds: make([]int, workers+1), errs: make([]error, workers), crashes: make([]any, workers), shares: make([]share, workers), waiter: newWaiter()}
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

// newWorkers makes n workers. A caller apart may find that one of them spins on the core that it wants, so that they must
// save it the time that they spin and a little more.
func newWorkers(n int, apart bool) *workers {
	ws := &workers{each: make([]worker, n), worth: little}
	if apart && n > 1 {
		ws.worth = (little + patience) * time.Duration(n) / time.Duration(n-1)
	}
	for w := range ws.each {
		h := &ws.each[w]
		h.waiter = newWaiter()
		h.more = func() bool { return h.sent.Load() != h.done }
	}
	return ws
}

// send gives a job to a worker and starts its goroutine with the first.
func (ws *workers) send(w int, j *job) {
	h := &ws.each[w]
	if !h.running {
		h.running = true
		ws.ended.Add(1)
		go ws.loop(w)
	}
	h.inbox[h.sent.Load()%maxJobs] = j
	h.sent.Add(1)
	h.waiter.wake()
}

func (ws *workers) loop(w int) {
	defer ws.ended.Done()
	h := &ws.each[w]
	for {
		h.waiter.await(h.more)
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

// call sends a worker a message about its share of a job.
func (ws *workers) call(w int, j *job) {
	// An older message that the worker has not read yet will do.
	if j.shares[w].queued.CompareAndSwap(false, true) {
		ws.send(w, j)
	}
}

// awake reports whether a worker is spinning for messages, or at work.
func (h *worker) awake() bool { return h.running && !h.waiter.asleep.Load() }

// taken says whether the worker that has a message about a job is to do its share.
func (j *job) taken(w int) bool {
	if j.shares == nil {
		return true
	}
	j.shares[w].queued.Store(false) // before the check, so that a worker that opens the share after it sends a message
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
			j.waiter.wake()
		}
	}()
	j.errs[w] = j.task(&j.with, w, j.bounds[w], j.bounds[w+1])
}

// run performs the task on all rows of the job, with the caller as worker 0, and
// returns the error of the first worker that has one. No other job may be under way. The
// caller also does the shares that the other workers do not get to, as they would have;
// if there is little to do, it wakes nobody.
func (ws *workers) run(j *job, t *task, with arguments) error {
	j.with = with
	defer func() { j.with = arguments{} }()
	workers := len(ws.each)
	if workers == 1 {
		return t.do(&j.with, 0, j.bounds[0], j.bounds[1])
	}
	j.task = t.do
	j.left.Store(int32(workers))
	for w := 1; w < workers; w++ {
		if j.shares[w].open.Store(true); t.takes == 0 || t.takes >= ws.worth || ws.each[w].awake() {
			ws.call(w, j)
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
func (ws *workers) start(j *job, t *task) {
	j.task = t.do
	j.left.Store(int32(len(ws.each)))
	for w := range ws.each {
		j.shares[w].open.Store(true)
		ws.call(w, j)
	}
}

// wait returns when all shares of a job are done, and panics if one of them did.
func (j *job) wait() error {
	j.waiter.await(j.ready)
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

// stop ends the goroutines, once they have done what they were given.
func (ws *workers) stop() {
	for w := range ws.each {
		if ws.each[w].running {
			ws.send(w, nil)
		}
	}
	ws.ended.Wait()
}
