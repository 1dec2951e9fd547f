package cli

import (
	"errors"

	"golang.org/x/sys/windows"
)

// outlive returns when the parent has ended. Its number, which this process keeps for good, may be another's by then: one that began later.
func outlive(parent int) {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(parent))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return // there is none of that number
	}
	if err != nil {
		select {} // it may not be looked at
	}
	defer windows.CloseHandle(process)
	if began(process) > began(windows.CurrentProcess()) {
		return
	}
	_, _ = windows.WaitForSingleObject(process, windows.INFINITE)
}

// began is when a process did, in nanoseconds of Unix.
func began(process windows.Handle) int64 {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return created.Nanoseconds()
}
