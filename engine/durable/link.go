package durable

import (
	"fmt"
	"os"
	"path/filepath"
)

// Link makes path another name of file, replacing what path was. If the file
// system has no links it copies.
func Link(file, path string) error {
	tmp := path + tmpMark + tmpLink
	os.Remove(tmp) // left by a process that was killed at this point
	if err := os.Link(file, tmp); err != nil {
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return WriteFile(path, data)
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp)
		return fmt.Errorf("write %s: %w", path, err)
	}
	// Renaming a name onto another name of the same file does nothing.
	os.Remove(tmp)
	return SyncDir(filepath.Dir(path))
}
