package serve

import "time"

// instant is a time of the monotonic clock, from when the process began. The wall clock
// can be set while a server runs, and no lease may end, or be prolonged, because of that: leases,
// waits and allowances are counted in instants only.
type instant time.Duration

var epoch = time.Now()

// clock is now. It is monotonic, because time.Since is.
func clock() instant { return instant(time.Since(epoch)) }

// since is how long ago an earlier instant was.
func (i instant) since(earlier instant) time.Duration { return time.Duration(i - earlier) }
