//go:build !unix

package env

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
