package measure_test

import (
	"fmt"

	"github.com/privateer-rl/privateer/env/measure"
)

// The mean of a hundred results and its 95 % interval.
func ExampleBootstrap() {
	won := make([]float64, 100)
	for i := range won {
		won[i] = float64(i % 4 / 3) // a quarter of them
	}
	fmt.Println(measure.Bootstrap(won, 0, 1, 1))
	// Output:
	// 0.250 [0.170, 0.330]
}
