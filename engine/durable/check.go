package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Check returns an error if WriteFile could not write path, so that a caller learns of it before it
// does the work whose result the file holds. Folders that do not exist yet are no error.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("write %s: it is a folder", path)
	}
	dir := filepath.Dir(path)
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("write %s: %s is not a folder", path, dir)
		}
		if err == nil {
			break
		}
		if parent := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && parent != dir {
			dir = parent
			continue
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	tmp, err := os.CreateTemp(dir, filepath.Base(path)+tmpMark+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}
