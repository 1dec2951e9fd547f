package train

import (
	"fmt"
	"os"
	"path/filepath"
)

// writeFile writes a file so that at any moment either the old one or the whole
// new one is there: temporary file, fsync, rename, fsync of the folder.
func writeFile(path string, data ...[]byte) (err error) {
	dir, name := filepath.Split(path)
	tmp, err := os.CreateTemp(dir, name+".tmp-*")
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
	return syncDir(dir)
}

// syncDir makes renames and removals in dir last.
func syncDir(dir string) error {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
