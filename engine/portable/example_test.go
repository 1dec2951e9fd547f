package portable_test

import (
	"fmt"
	"math"

	"github.com/privateer-rl/privateer/engine/portable"
)

// The bits are the same on every machine.
func ExampleExp() {
	fmt.Printf("%#x\n", math.Float64bits(portable.Exp(1)))
	// Output:
	// 0x4005bf0a8b14576a
}
