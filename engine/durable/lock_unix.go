//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// ErrLocked says that another process has the folder, or another part of this one.
var ErrLocked = errors.New("another process has the folder locked")

// LockDir locks a folder for one process: others get ErrLocked until the returned file is
// closed or the process ends, however it ends. No file is made. A file system without locks is
// another error.
func LockDir(path string) (*os.File, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		dir.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return dir, nil
}
