package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The name of a temporary file is that of the file that it is to become, then
// tmpMark, then a number or tmpLink.
const (
	tmpMark = ".tmp-"
	tmpLink = "link"
)

// Sweep removes the temporary files that a killed process left in a folder. ours
// reports whether a file of that name is the caller's: the temporary files of others are left
// alone. A folder that does not exist has none.
func Sweep(dir string, ours func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove temporary files: %w", err)
	}
	for _, e := range entries {
		name, temporary := becomes(e.Name())
		if !temporary || !e.Type().IsRegular() || !ours(name) {
			continue
		}
		if bad := os.Remove(filepath.Join(dir, e.Name())); bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("remove temporary files: %w", bad))
		}
	}
	return err
}

// becomes is the name of the file that a temporary file was to become.
func becomes(tmp string) (name string, ok bool) {
	at := strings.LastIndex(tmp, tmpMark)
	if at < 1 {
		return "", false
	}
	end := tmp[at+len(tmpMark):]
	return tmp[:at], end == tmpLink || end != "" && strings.Trim(end, "0123456789") == ""
}
