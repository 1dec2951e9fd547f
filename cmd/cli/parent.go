package cli

import (
	"os"
	"strconv"
)

// attendedBy is the variable of programs that wait for what this one says, and may be killed meanwhile: the number of their process.
const attendedBy = "PRIVATEER_ATTENDED"

// parentsEnd is closed when the process that started this one has ended, if that one wants this one to end with it; else it is nil.
func parentsEnd() <-chan struct{} {
	parent, err := strconv.Atoi(os.Getenv(attendedBy))
	if err != nil {
		return nil
	}
	os.Unsetenv(attendedBy) // what this process starts is its own
	gone := make(chan struct{})
	go func() {
		outlive(parent)
		close(gone)
	}()
	return gone
}
