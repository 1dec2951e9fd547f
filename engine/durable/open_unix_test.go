//go:build unix

package durable_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/privateer-rl/privateer/engine/durable"
)

func TestOpenWaitsForNoPipeAndReadsNoDevice(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe: "pipe: it is a pipe, not a file", dir: "it is a folder, not a file", os.DevNull: "it is a device, not a file",
		file + "x": "no such file", file: "", link: "",
	} {
		f, err := durable.Open(path)
		if err == nil {
			f.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %q", path, err, want)
		}
	}
}
