//go:build !windows

package main

import (
	"os"
	"time"
)

// outlive returns when the parent has ended: another process has this one for its child then.
func outlive(parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
}
