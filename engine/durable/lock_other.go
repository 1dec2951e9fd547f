//go:build !unix

package durable

import (
	"errors"
	"os"
)

// ErrLocked says that another process has the file or folder.
var ErrLocked = errors.New("another process has it locked")

// Lock needs unix: here it always fails, and not with ErrLocked.
func Lock(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}
