//go:build unix

package serve

import (
	"os"
	"syscall"
)

// mapShared maps the first bytes of a file, which is made as large.
func mapShared(file *os.File, size int) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(size) {
		if err := syscall.Ftruncate(int(file.Fd()), int64(size)); err != nil {
			return nil, err
		}
	}
	return syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

func unmapShared(memory []byte) { _ = syscall.Munmap(memory) }
