package match

import (
	"syscall"
	"time"
	"unsafe"
)

// byWall says that threadTime is no CPU time.
const byWall = false

// threadTime is the time that the cores have spent on this thread, so that other work on the
// machine does not count; 0 if it cannot be had.
func threadTime() time.Duration {
	const threadCPU = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, failed := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&t)), 0); failed != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
