package selfplay

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// Parallel does n pieces of work with a number of workers, each of which takes the next piece, until all are done or one fails.
func Parallel(workers, n int, do func(worker, piece int) error) error {
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
					next.Store(int64(n)) // the others stop
				}
			}
		})
	}
	wg.Wait()
	return cmp.Or(failed...)
}
