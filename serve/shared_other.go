//go:build !unix

package serve

import (
	"errors"
	"os"
)

func mapShared(*os.File, int) ([]byte, error) {
	return nil, errors.New("not on this system: serve over the network instead")
}

func unmapShared([]byte) {}
