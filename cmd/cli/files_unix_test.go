//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is read again and again, or comes from strangers, is a file: a pipe was waited for until somebody wrote to it.
func TestAPipeIsRefusedWhereAFileIsMeant(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"sim", "leduc", "--bots", "policy:" + pipe + ",random"},
		{"sim", "doubloons(components=" + pipe + ")"},
		{"sim", "doubloons(start=" + pipe + ")"},
		{"eval", pipe},
		{"export", pipe},
		{"rate", "random", "--game", "leduc", "--results", pipe},
		{"serve", "--components", pipe},
		{"serve", "--policies", pipe},
	} {
		if r := privateer(t, "", args...); r.code != exitFailed || !strings.Contains(r.err, "it is a pipe, not a file") {
			t.Errorf("%q: exit code %d, %q", args, r.code, r.err)
		}
	}
}

func TestADeviceWithoutAnEndIsNoPosition(t *testing.T) {
	if r := privateer(t, "", "position", "print", "/dev/zero"); r.code != exitFailed || !strings.Contains(r.err, "longer than 64 MiB") {
		t.Errorf("exit code %d, %q", r.code, r.err)
	}
}
