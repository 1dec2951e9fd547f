package env

import (
	"fmt"
	"sync/atomic"

	"github.com/privateer-rl/privateer/engine"
)

// async is what a vector has for Send and Recv. Rows that are sent go into a ring
// of their worker; those that have been stepped are copied, while they are in
// the cache, to the next free place of a few batches that are filled in turn.
type async struct {
	sent     int    // rows sent and not received
	underWay []bool // [n] which rows these are
	worker   []int32
	rings    []ring
	jobs     []*job // one for each worker, so that one can be woken alone

	size     uint64 // rows of a batch
	blocks   []block
	next     atomic.Uint64 // place to be filled next, counted over all batches
	received uint64        // batches
	failed   atomic.Bool   // a worker could not continue
	waiter   waiter        // of Recv
	ready    func() bool
}

// ring has the rows that a worker is to step: ^i for one to be reset.
type ring struct {
	rows   []int32
	in     atomic.Uint32 // written by the owner of the vector
	out    uint32        // written by the worker
	queued atomic.Bool   // the worker has been told to look
	_      [64]byte      // keeps the next worker's counters in another cache line
}

// block is one batch of Recv.
type block struct {
	batch  Batch
	filled atomic.Uint64
}

// asynchronous makes what Send and Recv need when they are first used.
func (v *Vec) asynchronous() *async {
	if v.async != nil {
		return v.async
	}
	workers, size := v.cfg.Workers, v.cfg.BatchSize
	a := &async{
		underWay: make([]bool, v.n), worker: make([]int32, v.n),
		rings: make([]ring, workers), size: uint64(size), waiter: newWaiter(),
		// Room for all rows, for a batch that is filled in part, and for the one that
		// the caller has.
		blocks: make([]block, (v.n+size-1)/size+2),
	}
	for w := range workers {
		from, to := v.all.bounds[w], v.all.bounds[w+1]
		for i := from; i < to; i++ {
			a.worker[i] = int32(w)
		}
		a.rings[w].rows = make([]int32, to-from)
		a.jobs = append(a.jobs, newJob(workers, 0, v.n))
		a.jobs[w].task, a.jobs[w].shares = v.drainRows, nil
	}
	for k := range a.blocks {
		a.blocks[k].batch = newBatch(size, v.wide, &v.cfg)
	}
	a.ready = func() bool {
		return a.blocks[a.received%uint64(len(a.blocks))].filled.Load() == a.size || a.failed.Load()
	}
	v.async = a
	return a
}

// sendable is nil if Send is possible.
func (v *Vec) sendable() error {
	switch {
	case v.closed:
		return ErrClosed
	case v.halted:
		return ErrUnderWay
	}
	for _, p := range v.parts {
		if p.underWay {
			return ErrUnderWay
		}
	}
	return v.fault
}

// Send begins a step of some rows: those of environments ids with actions, both [k].
// It returns at once; Recv has the results. The rows must not be under way already, and the actions
// are checked as by Step: on an error nothing has been sent.
func (v *Vec) Send(ids, actions []int32) error {
	switch err := v.sendable(); {
	case err != nil:
		return err
	case !v.begun:
		return ErrNotReset
	case len(ids) != len(actions):
		return fmt.Errorf("env: %d actions for %d environments: want one for each", len(actions), len(ids))
	}
	a := v.asynchronous()
	if err := v.claim(a, ids); err != nil {
		return err
	}
	for k, id := range ids {
		if !v.legal[id].Has(engine.Action(actions[k])) && !v.done[id] {
			a.unclaim(ids)
			return v.refuse(int(id), engine.Action(actions[k]))
		}
	}
	for k, id := range ids {
		v.taken[id] = actions[k]
		a.push(id, id)
	}
	v.wakeFor(a, ids)
	return nil
}

// SendReset begins new episodes in environments ids, or in all of them if ids is
// nil, and returns at once; Recv has their first observations. Before the first Reset
// only all of them together can begin.
func (v *Vec) SendReset(ids []int32) error {
	switch err := v.sendable(); {
	case err != nil:
		return err
	case ids == nil:
		ids = v.batch.EnvID
	case !v.begun:
		return ErrNotReset
	}
	a := v.asynchronous()
	if err := v.claim(a, ids); err != nil {
		return err
	}
	v.begun = true
	for _, id := range ids {
		a.push(id, ^id)
	}
	v.wakeFor(a, ids)
	return nil
}

// claim marks rows as under way, all or none of them.
func (v *Vec) claim(a *async, ids []int32) error {
	for k, id := range ids {
		if id < 0 || int(id) >= v.n {
			a.unclaim(ids[:k])
			return fmt.Errorf("env: environment %d, number %d of those sent: want 0 to %d", id, k, v.n-1)
		}
		if a.underWay[id] {
			a.unclaim(ids[:k])
			return fmt.Errorf("env: environment %d, number %d of those sent: it is already under way and must be received first", id, k)
		}
		a.underWay[id] = true
		a.sent++
	}
	return nil
}

func (a *async) unclaim(ids []int32) {
	for _, id := range ids {
		a.underWay[id] = false
	}
	a.sent -= len(ids)
}

// push puts an entry for row id into its worker's ring. There is room: the worker has
// not taken more rows than it has.
func (a *async) push(id, entry int32) {
	r := &a.rings[a.worker[id]]
	at := r.in.Load()
	r.rows[at%uint32(len(r.rows))] = entry
	r.in.Store(at + 1)
}

// wakeFor makes the workers of rows look at their rings.
func (v *Vec) wakeFor(a *async, ids []int32) {
	for _, id := range ids {
		w := int(a.worker[id])
		if r := &a.rings[w]; !r.queued.Load() && r.queued.CompareAndSwap(false, true) {
			a.jobs[w].left.Add(1)
			v.workers.send(w, a.jobs[w])
		}
	}
}

// drainRows steps the rows in a worker's ring until the ring is empty.
func (v *Vec) drainRows(with *arguments, worker, _, _ int) (err error) {
	a, ds := v.async, v.decidersOf(with, worker)
	r := &a.rings[worker]
	defer func() {
		if p := recover(); p != nil || err != nil {
			r.out = r.in.Load()
			a.failed.Store(true)
			a.waiter.wake()
			if p != nil {
				panic(p)
			}
		}
	}()
	r.queued.Store(false)
	if ds != nil && ds.fault != nil {
		return ds.fault
	}
	for end := r.in.Load(); r.out != end; end = r.in.Load() {
		if !v.asks { // otherwise a policy is asked for all rows together
			end = r.out + 1
		}
		for at := r.out; at != end; at++ {
			if i, shows := v.enter(ds, r.rows[at%uint32(len(r.rows))]); !shows {
				ds.asked = append(ds.asked, int32(i))
			}
		}
		if err := v.decide(ds); err != nil {
			return err
		}
		for ; r.out != end; r.out++ {
			i := r.rows[r.out%uint32(len(r.rows))]
			i = max(i, ^i)
			v.show(int(i))
			v.post(a, int(i))
		}
	}
	return nil
}

// enter performs what an entry of a ring asks for. Like advance it reports false
// if a policy must decide first.
func (v *Vec) enter(ds *deciders, entry int32) (row int, shows bool) {
	if entry < 0 {
		return int(^entry), v.beginRow(ds, int(^entry))
	}
	i := int(entry)
	v.apply(i, i+1)
	return i, v.moved(ds, i)
}

// post copies a row to the next free place.
func (v *Vec) post(a *async, i int) {
	place := a.next.Add(1) - 1
	b := &a.blocks[place/a.size%uint64(len(a.blocks))]
	b.batch.take(int(place%a.size), &v.batch, i, v.wide)
	if b.filled.Add(1) == a.size {
		a.waiter.wake()
	}
}

// Recv returns the next Config.BatchSize rows that have been stepped, in whatever order
// they are ready; Batch.EnvID says which they are. They are the caller's until the next Recv.
// A row's results do not depend on the other rows in its batch.
func (v *Vec) Recv() (*Batch, error) {
	switch err := v.sendable(); {
	case err != nil:
		return nil, err
	case !v.begun:
		return nil, ErrNotReset
	}
	a := v.asynchronous()
	if a.sent < int(a.size) && !a.failed.Load() {
		return nil, fmt.Errorf("env: %d rows are under way and a batch has %d: send more rows first", a.sent, a.size)
	}
	blocks := uint64(len(a.blocks))
	a.waiter.await(a.ready)
	if a.failed.Load() {
		return nil, v.fail(a)
	}
	b := &a.blocks[a.received%blocks]
	b.filled.Store(0) // its places come up again only after more rows are sent than there can be
	a.received++
	a.unclaim(b.batch.EnvID)
	v.gather(&b.batch)
	if v.recordings != nil {
		for _, id := range b.batch.EnvID {
			if err := v.deliverRow(int(id)); err != nil {
				return &b.batch, err
			}
		}
	}
	return &b.batch, nil
}

// fail ends the asynchronous calls when a worker could not continue.
func (v *Vec) fail(a *async) (err error) {
	defer func() {
		a.failed.Store(false)
		a.forget()
		v.fault = err
		if err == nil {
			v.fault = fmt.Errorf("env: a worker has panicked: call Reset first")
		}
	}()
	for _, j := range a.jobs {
		if e := j.wait(); e != nil && err == nil {
			err = e
		}
	}
	return err
}

// forget drops what has been sent. No worker may be at work.
func (a *async) forget() {
	clear(a.underWay)
	a.sent, a.received = 0, 0
	a.next.Store(0)
	for k := range a.blocks {
		a.blocks[k].filled.Store(0)
	}
	for _, j := range a.jobs {
		clear(j.errs)
		clear(j.crashes)
	}
}

// rest waits until no worker is at work.
func (v *Vec) rest() {
	if v.async != nil {
		for _, j := range v.async.jobs {
			j.waiter.await(j.ready)
		}
	}
	for _, p := range v.parts {
		p.job.waiter.await(p.job.ready)
	}
}
