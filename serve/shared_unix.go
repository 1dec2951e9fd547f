//go:build unix

package serve

import (
	"os"
	"syscall"
)

// mapShared maps the first bytes of a file.
func mapShared(file *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

func unmapShared(memory []byte) { _ = syscall.Munmap(memory) }
