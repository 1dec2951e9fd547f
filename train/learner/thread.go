//go:build torch

package learner

import (
	"runtime"
	"sync"
	"time"

	"github.com/privateer-rl/privateer/train/learner/internal/aten"
)

// tensorThread is the one OS thread that calls libtorch. It never ends.
type tensorThread struct {
	calls   chan func()
	threads int // what aten.SetThreads was last told
}

var theTensorThread = sync.OnceValue(func() *tensorThread {
	t := &tensorThread{calls: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for f := range t.calls {
			f()
		}
	}()
	return t
})

// do runs f on the thread, with a number of workers, and waits for it.
func (t *tensorThread) do(threads int, f func() error) error {
	done := make(chan error)
	t.calls <- func() {
		if threads == 0 {
			threads = runtime.GOMAXPROCS(0)
		}
		if threads != t.threads {
			if err := aten.SetThreads(threads); err != nil {
				done <- err
				return
			}
			t.threads = threads
		}
		done <- f()
	}
	return <-done
}

// stopwatch adds the time since start to the learner's time inside libtorch.
func (l *torchLearner) stopwatch(start time.Time) { l.torchTime.Add(int64(time.Since(start))) }
