// Package durable writes files that survive a crash: a reader finds the old file
// or the whole new one, never a part. Work that is shared out over processes or machines leaves a file for each [Part].
package durable

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile writes data, one piece after another, to a file with mode 0644:
// temporary file beside it, fsync, rename, fsync of the folder. When it returns nil, the
// file is on the disk; when it fails, what was at path is still there.
func WriteFile(path string, data ...[]byte) error { return write(path, 0o644, data) }

// WritePrivate is WriteFile for what nobody else is to read: the file has mode 0600 from
// its first byte, under its temporary name too.
func WritePrivate(path string, data ...[]byte) error { return write(path, 0o600, data) }

func write(path string, mode os.FileMode, data [][]byte) (err error) {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	tmp, err := os.CreateTemp(dir, name+tmpMark+"*") // which makes it 0600
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
	if err = tmp.Chmod(mode); err != nil {
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

// SyncDir makes renames and removals in a folder permanent. Windows has nothing like it: it refuses to flush a folder
// that is open for reading, and NTFS keeps a journal of names.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if runtime.GOOS == "windows" {
		return nil
	}
	return d.Sync()
}
