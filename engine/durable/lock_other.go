//go:build !unix

package durable

import (
	"errors"
	"os"
)

// ErrLocked says that another process has the folder.
var ErrLocked = errors.New("another process has the folder locked")

// LockDir needs unix: here it always fails, and not with ErrLocked.
func LockDir(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}
