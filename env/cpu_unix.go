//go:build unix

package env

import (
	"syscall"
	"time"
)

// cpuTime is the time that the cores have spent on this process, which other processes on
// the machine do not increase.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
