//go:build !unix

package train

import (
	"fmt"
	"os"
	"path/filepath"
)

// lockFolder only marks the folder: advisory locks are a unix feature.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock run folder: %w", err)
	}
	return f, nil
}
