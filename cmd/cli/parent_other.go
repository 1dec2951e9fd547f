//go:build !windows

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// outlive returns when a process has ended that has started this one, itself or by way of a script; it may have done so before this is called.
func outlive(process int) {
	for parent := os.Getppid(); os.Getppid() == parent && !ended(process); {
		time.Sleep(time.Second)
	}
}

// ended reports whether there is no such process. One that nobody has waited for has ended too, as far as that can be seen: on Linux.
func ended(process int) bool {
	if errors.Is(syscall.Kill(process, 0), syscall.ESRCH) {
		return true
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	_, state, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return bytes.HasPrefix(state, []byte("Z"))
}
