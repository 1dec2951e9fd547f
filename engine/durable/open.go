package durable

import (
	"errors"
	"io/fs"
	"os"
)

// Open opens a file for reading, and refuses what is none: a named pipe would be waited for until somebody writes to it, and a device may have no end.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is " + kind + ", not a file")}
	}
	return os.Open(path)
}

// kindOf names the kind of something that is not a file; "" for a file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a socket or the like"
}
