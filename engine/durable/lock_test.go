//go:build unix

package durable

import (
	"errors"
	"os"
	"testing"
)

func TestALockedFolderIsLockedToOthersUntilItIsClosed(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		lock, err := Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Lock(dir); !errors.Is(err, ErrLocked) {
			t.Fatalf("the second lock: %v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Fatalf("the lock made %v (%v)", left, err)
		}
		lock.Close()
	}
	if _, err := Lock(dir + "/none"); err == nil || errors.Is(err, ErrLocked) {
		t.Fatalf("a folder that is not there: %v", err)
	}
}
