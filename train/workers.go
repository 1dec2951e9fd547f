package train

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
)

// workers is how many goroutines step the environments.
func (c Config) workers() int {
	if c.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}

// share lets workers do n pieces of work, each of them the next that nobody has begun, until all are done or one fails.
func share(workers, n int, do func(worker, piece int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	failed := make([]error, workers)
	for w := range workers {
		wg.Go(func() {
			for failed[w] == nil {
				piece := int(next.Add(1)) - 1
				if piece >= n {
					return
				}
				if failed[w] = do(w, piece); failed[w] != nil {
					next.Store(int64(n)) // the others need not go on
				}
			}
		})
	}
	wg.Wait()
	return cmp.Or(failed...)
}
