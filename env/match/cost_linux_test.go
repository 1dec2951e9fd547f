package match

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Every decision would cost as much more as it is below 0.
func TestTakingTheTimeTakesSomeOnAnyBusyMachine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var over atomic.Bool
	var busy sync.WaitGroup
	for range 4 { // so that goroutines change their threads
		busy.Go(func() {
			for !over.Load() {
				threadTime()
			}
		})
	}
	defer busy.Wait()
	defer over.Store(true)
	for range 3_000 {
		if least := overhead(); least < 0 {
			t.Fatalf("two looks at the time are %v apart", least)
		}
	}
}

func TestACostIsToldInAUnitThatSuitsIt(t *testing.T) {
	for micros, want := range map[float64]string{8.04: "8.04 µs", 999.6: "1 ms", 59_500: "59.5 ms", 5.95e7: "59.5 s", 5.95e10: "59500 s"} {
		if got := (Cost{Decisions: 1, Timed: 1, Micros: micros}).String(); got != want {
			t.Errorf("%v µs: %q, want %q", micros, got, want)
		}
	}
}
