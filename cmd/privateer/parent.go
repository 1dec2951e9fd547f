package main

import "os"

// attendedBy is the variable of programs that wait for what this one says, and may be killed meanwhile.
const attendedBy = "PRIVATEER_ATTENDED"

// parentsEnd is closed when the process that started this one has ended, if that one wants this one to end with it; else it is nil.
func parentsEnd() <-chan struct{} {
	if os.Getenv(attendedBy) == "" {
		return nil
	}
	os.Unsetenv(attendedBy) // what this process starts is its own
	parent := os.Getppid()
	gone := make(chan struct{})
	go func() {
		outlive(parent)
		close(gone)
	}()
	return gone
}
