package env

import "fmt"

// Part is a run of rows that are stepped on their own, while the caller does
// something else: with two parts, one is stepped while actions for the other are being
// computed.
type Part struct {
	v        *Vec
	from, to int
	job      *job
	batch    Batch
	underWay bool
}

// maxParts is the capacity of the workers' inboxes.
const maxParts = maxJobs - 2

// Parts splits the rows into n parts of equal size, up to a row. Vec.Step and the
// other methods still act on all rows, while no part is under way.
func (v *Vec) Parts(n int) ([]*Part, error) {
	if err := v.idle(); err != nil {
		return nil, err
	}
	if most := min(v.n, maxParts); n < 1 || n > most {
		return nil, fmt.Errorf("env: %d parts of %d rows: want 1 to %d", n, v.n, most)
	}
	v.parts = make([]*Part, n)
	for k := range v.parts {
		from, to := k*v.n/n, (k+1)*v.n/n
		v.parts[k] = &Part{v: v, from: from, to: to, job: newJob(v.cfg.Workers, from, to), batch: v.batch.slice(from, to, v.wide)}
		v.gather(&v.parts[k].batch)
	}
	return append([]*Part{}, v.parts...), nil
}

// Batch is the part's rows of Vec.Batch; EnvID says which they are. While the
// part is under way it must not be looked at.
func (p *Part) Batch() *Batch { return &p.batch }

// Start begins a step of the part's rows with their actions, [rows], which are checked
// and copied as by Vec.Step. Wait ends it. Any parts may be under way together.
func (p *Part) Start(actions []int32) error {
	v := p.v
	switch {
	case v.closed:
		return ErrClosed
	case !v.begun:
		return ErrNotReset
	case v.fault != nil:
		return v.fault
	case p.underWay, v.halted, v.async != nil && v.async.sent > 0:
		return ErrUnderWay
	case len(actions) != p.to-p.from:
		return fmt.Errorf("env: %d actions for a part: want %d, one for each of its rows", len(actions), p.to-p.from)
	}
	if err := v.check(p.from, actions); err != nil {
		return err
	}
	p.underWay = true
	v.workers.start(p.job, &v.step)
	return nil
}

// Wait returns the part's batch when its rows have been stepped; at once if the
// part is not under way.
func (p *Part) Wait() (*Batch, error) {
	v := p.v
	switch {
	case v.closed:
		return nil, ErrClosed
	case !v.begun:
		return nil, ErrNotReset
	case !p.underWay:
		return &p.batch, v.fault
	}
	p.underWay = false
	err := v.conclude(p.job.wait(), p.from, p.to)
	v.gather(&p.batch)
	return &p.batch, err
}
