package env

import (
	"runtime"
	"sync/atomic"
)

// gate is where one goroutine waits for others: it spins for a tenth of a
// millisecond, about as long as waking a sleeper takes, and then parks. One goroutine waits at a
// gate at a time; any number may open it.
type gate struct {
	asleep atomic.Bool
	wake   chan struct{}
}

func newGate() gate { return gate{wake: make(chan struct{}, 1)} }

// spins is how often a waiter looks before it parks, at about a nanosecond each.
// With 1 << 12 two workers were hardly faster than one on a thousand matches.
const spins = 1 << 17

// await returns once ready does, which must become true before open is called.
func (g *gate) await(ready func() bool) {
	if runtime.GOMAXPROCS(0) > 1 { // else whoever is waited for cannot run
		for range spins {
			if ready() {
				return
			}
		}
	}
	for !ready() {
		g.asleep.Store(true)
		// What became true before asleep was seen would wake nobody.
		if ready() && g.asleep.CompareAndSwap(true, false) {
			return
		}
		<-g.wake
	}
}

// open wakes the waiter, if it sleeps, to look again.
func (g *gate) open() {
	if g.asleep.Load() && g.asleep.CompareAndSwap(true, false) {
		g.wake <- struct{}{}
	}
}
