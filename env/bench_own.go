package env

import (
	"runtime"
	"sync"
	"time"
)

// learner stands for a caller that does other work: arithmetic on all cores, which is done
// when the slowest of them is done, as in the passes of a network.
type learner struct {
	turns  int
	begin  []chan struct{} // of the goroutines beside the caller's
	under  sync.WaitGroup
	ended  sync.WaitGroup
	result []float64
}

// newLearner makes one whose work takes an idle core this long.
func newLearner(d time.Duration) *learner {
	l := &learner{result: make([]float64, runtime.GOMAXPROCS(0))}
	const trial = 1 << 16
	least := time.Duration(1<<63 - 1)
	for range 20 {
		began := time.Now()
		l.result[0] = arithmetic(trial)
		least = min(least, time.Since(began))
	}
	l.turns = int(trial * d / max(least, 1))
	for k := range len(l.result) - 1 {
		begin := make(chan struct{})
		l.begin = append(l.begin, begin)
		l.ended.Add(1)
		go func() {
			defer l.ended.Done()
			for range begin {
				l.result[k+1] = arithmetic(l.turns)
				l.under.Done()
			}
		}()
	}
	return l
}

func (l *learner) work() {
	l.under.Add(len(l.begin))
	for _, begin := range l.begin {
		begin <- struct{}{}
	}
	l.result[0] = arithmetic(l.turns)
	l.under.Wait()
}

func (l *learner) end() {
	for _, begin := range l.begin {
		close(begin)
	}
	l.ended.Wait()
}

// arithmetic keeps a core busy.
func arithmetic(turns int) float64 {
	x := 1.0
	for range turns {
		x = float64(x*.999) + .001
	}
	return x
}

// ownWork measures the caller's own work alone.
func (b *bench) ownWork() error {
	r := BenchResult{What: BenchOwnWork, Workers: len(b.own.result)}
	return b.measure(r, 1, func() error {
		b.own.work()
		return nil
	})
}
