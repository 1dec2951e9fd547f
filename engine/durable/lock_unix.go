//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// ErrLocked says that another process has the file or folder, or another part of this one.
var ErrLocked = errors.New("another process has it locked")

// Lock locks a file or folder for one process: others get ErrLocked until the returned file is
// closed or the process ends, however it ends. No file is made. A file system without locks is
// another error.
func Lock(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, nil
}
