package match

import (
	"fmt"
	"math"
	"runtime"
	"time"
)

// Cost is what the decisions of a player take.
type Cost struct {
	Decisions int64   `json:"decisions"`      // taken
	Timed     int64   `json:"timed"`          // of Decisions: those whose time was taken
	Micros    float64 `json:"cpu_us"`         // CPU time of one of them on average, in µs; it differs from run to run
	Wall      bool    `json:"wall,omitempty"` // the system does not tell a thread's CPU time: Micros is by the clock
}

func (c Cost) String() string {
	switch {
	case c.Timed == 0:
		return "no decision"
	case c.Micros < 999.5:
		return fmt.Sprintf("%.3g µs", c.Micros)
	case c.Micros < 999.5e3:
		return fmt.Sprintf("%.3g ms", c.Micros/1e3)
	case c.Micros < 999.5e6:
		return fmt.Sprintf("%.3g s", c.Micros/1e6)
	}
	return fmt.Sprintf("%.0f s", c.Micros/1e6)
}

// Plus is the cost of the decisions of both.
func (c Cost) Plus(o Cost) Cost {
	sum := Cost{Decisions: c.Decisions + o.Decisions, Timed: c.Timed + o.Timed, Wall: c.Wall || o.Wall}
	if sum.Timed > 0 {
		sum.Micros = (float64(c.Micros*float64(c.Timed)) + float64(o.Micros*float64(o.Timed))) / float64(sum.Timed)
	}
	return sum
}

// Less is the cost of the decisions of c that are not among those of o, which came before.
func (c Cost) Less(o Cost) Cost {
	rest := Cost{Decisions: c.Decisions - o.Decisions, Timed: c.Timed - o.Timed, Wall: c.Wall}
	if rest.Timed > 0 {
		rest.Micros = max(0, float64(c.Micros*float64(c.Timed))-float64(o.Micros*float64(o.Timed))) / float64(rest.Timed)
	}
	return rest
}

// overhead is the least time that passes between two looks at the time.
func overhead() time.Duration {
	runtime.LockOSThread() // else the second look may be at the time of another thread
	defer runtime.UnlockOSThread()
	least := time.Duration(math.MaxInt64)
	for range 100 {
		before := threadTime()
		least = min(least, threadTime()-before)
	}
	return least
}
