package env

import (
	"runtime"
	"sync/atomic"
	"time"
)

// waiter is one goroutine that waits for others. Waking a sleeper takes microseconds, so at
// first it spins; then it sleeps, because others may need the core. If it spun in
// vain it sleeps at once the next times: a caller that had much to do between two
// steps will have it again. Any number of others may wake it.
type waiter struct {
	asleep atomic.Bool
	woken  chan struct{}

	// Of the goroutine that waits.
	alone bool // there is only one core, on which nothing else runs while it spins
	late  bool // the last wait was long
	naps  uint // waits that were slept through from the beginning
}

func newWaiter() waiter {
	return waiter{woken: make(chan struct{}, 1), alone: runtime.GOMAXPROCS(0) == 1}
}

const (
	patience = 50 * time.Microsecond // how long it spins before it sleeps
	looks    = 32                    // between two looks at the clock
	retry    = 32                    // after this many sleeps it spins again, in case the caller has become quick
)

// await returns once ready does, which must become true before wake is called.
func (g *waiter) await(ready func() bool) {
	if ready() {
		return
	}
	began := time.Now()
	if g.late {
		g.naps++
	}
	if !g.alone && (!g.late || g.naps%retry == 0) {
		for time.Since(began) < patience {
			for range looks {
				if ready() {
					g.late = false
					return
				}
			}
		}
	}
	for !ready() {
		g.asleep.Store(true)
		// A change before asleep was set would wake nobody.
		if ready() && g.asleep.CompareAndSwap(true, false) {
			break
		}
		<-g.woken
	}
	g.late = time.Since(began) >= patience
}

// wake makes the waiter, if it sleeps, look again.
func (g *waiter) wake() {
	if g.asleep.Load() && g.asleep.CompareAndSwap(true, false) {
		g.woken <- struct{}{}
	}
}
