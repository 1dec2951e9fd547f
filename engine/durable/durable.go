// Package durable writes files that survive a crash: whoever looks finds the old
// one or the whole new one, never a part.
package durable

import (
	"fmt"
	"os"
	"path/filepath"
)

// WriteFile writes data, one piece after another, to a file with mode 0644:
// temporary file beside it, fsync, rename, fsync of the folder. When it returns nil, the
// file is on the disk; when it fails, what was at path is still there.
func WriteFile(path string, data ...[]byte) (err error) {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	tmp, err := os.CreateTemp(dir, name+tmpMark+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	for _, d := range data {
		if _, err = tmp.Write(d); err != nil {
			return err
		}
	}
	if err = tmp.Chmod(0o644); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return SyncDir(dir)
}

// SyncDir makes renames and removals in a folder last.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
